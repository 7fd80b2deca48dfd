//===- SharedPatterns.cpp - shared memory and barriers -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalAccess.h"
#include "PTXTable.h"
#include "Patterns.h"
#include "ThreadCode.h"

#include "tessera/Dialect/TileGPU/IR/SharedAlignment.h"
#include "tessera/Layout/DimNames.h"
#include "tessera/Layout/SharedMemory.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

/// The CTA's dynamic shared memory.
static constexpr StringLiteral kSharedSymbol{"__tessera_shared"};

static LLVM::LLVMPointerType getSharedPointer(MLIRContext *context) {
  return LLVM::LLVMPointerType::get(context, kSharedSpace);
}

/// The external array in shared memory, made when first asked for. Fails where
/// the source uses its name.
static LogicalResult declareShared(ConversionPatternRewriter &rewriter,
                                   Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  if (Operation *symbol = module.lookupSymbol(kSharedSymbol)) {
    if (isa<LLVM::GlobalOp>(symbol))
      return success();
    return symbol->emitError() << "the name '" << kSharedSymbol
                               << "' belongs to the compiler";
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMArrayType::get(rewriter.getI8Type(), 0);
  LLVM::GlobalOp::create(rewriter, module.getLoc(), type, /*isConstant=*/false,
                         LLVM::Linkage::External, kSharedSymbol, Attribute(),
                         kMaxSharedAlignment, kSharedSpace);
  return success();
}

FailureOr<Value> tessera::getSharedAddress(ConversionPatternRewriter &rewriter,
                                           Operation *op, int64_t offset) {
  if (failed(declareShared(rewriter, op)))
    return failure();
  auto type = getSharedPointer(op->getContext());
  ImplicitLocOpBuilder b(op->getLoc(), rewriter);
  // ptxas holds the array's address in one register for all that name it. If
  // one does in a branch of a thread, the register is no uniform one any more,
  // and nor is what is computed of it, slots in a loop over tiles above all.
  Value base =
      ptx::pinHere(b, LLVM::AddressOfOp::create(b, type, kSharedSymbol));
  return LLVM::GEPOp::create(b, type, b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{int32_t(offset)})
      .getResult();
}

/// The plan for ldmatrix, or stmatrix, where it costs less than plain accesses.
static std::optional<LdmatrixPlan> getMatrixPlan(const LocalAccess &access,
                                                 BufferType buffer) {
  std::optional<LdmatrixPlan> plan = planLdmatrix(
      access.layout, buffer.getLayout().toLinear(buffer.getShape()),
      access.bytes);
  if (!plan)
    return std::nullopt;
  int64_t plain =
      countWavefronts(access.places, access.bytes, access.width).wavefronts;
  return countWavefronts(*plan, access.bytes).wavefronts <= plain
             ? plan
             : std::nullopt;
}

/// Calls `body` with the first register of each group of a plan, and the address
/// that the instruction takes.
static void
forEachGroup(ThreadCode &code, const LocalAccess &access,
             const LdmatrixPlan &plan, Value base, int64_t numRegisters,
             llvm::function_ref<void(int64_t reg, Value address)> body) {
  // The lane's and warp's part of the address, then one XOR a group.
  Value thread = code.threadPart(plan.addresses, kOffsetDim);
  Value start = LLVM::PtrToIntOp::create(code.b, code.b.getI32Type(), base);
  for (int64_t reg = 0, group = 0; reg < numRegisters;
       reg += plan.registersPerGroup, ++group) {
    int32_t constant = 0;
    for (int bit = 0; bit < plan.addresses.getInDimSizeLog2(kGroupDim); ++bit)
      if ((group >> bit) & 1)
        constant ^= plan.addresses.getBasis(kGroupDim, bit, kOffsetDim);
    Value offset = code.i32(constant);
    if (thread)
      offset = LLVM::XOrOp::create(code.b, thread, offset);
    Value bytes =
        LLVM::MulOp::create(code.b, offset, code.i32(access.bytes));
    body(reg, LLVM::AddOp::create(code.b, start, bytes));
  }
}

/// Loads all registers by ldmatrix.
static Value loadMatrices(ThreadCode &code, const LocalAccess &access,
                          const LdmatrixPlan &plan, Value base,
                          VectorType type) {
  SmallVector<Value> words;
  forEachGroup(code, access, plan, base, type.getNumElements(),
               [&](int64_t, Value address) {
                 words.push_back(ptx::loadMatrix(code.b, plan.matrices,
                                                 plan.transposed, address));
               });
  return code.fromWords(code.concat(words), type);
}

/// Stores all registers by stmatrix; false where plain stores do it.
static bool storeMatrices(ThreadCode &code, Operation *op,
                          const LocalAccess &access, BufferType buffer,
                          Value base, Value values) {
  FailureOr<TargetInfo> target = getTargetInfo(op);
  if (failed(target) || !target->hasStmatrix())
    return false;
  // Each element once.
  for (const auto &[dim, mask] : access.layout.freeVariableMasks())
    if (mask != 0)
      return false;
  std::optional<LdmatrixPlan> plan = getMatrixPlan(access, buffer);
  if (!plan)
    return false;
  int64_t count = cast<VectorType>(values.getType()).getNumElements();
  forEachGroup(code, access, *plan, base, count, [&](int64_t reg, Value address) {
    Value part = code.slice(values, reg, plan->registersPerGroup);
    ptx::storeMatrix(code.b, plan->transposed, address, code.toWords(part, 32));
  });
  return true;
}

namespace {

struct Alloc : OpConversionPattern<AllocOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getOffset())
      return op.emitError("a buffer has no offset; run "
                          "tile-gpu-allocate-shared before");
    FailureOr<Value> address = getSharedAddress(rewriter, op, *op.getOffset());
    if (failed(address))
      return failure();
    rewriter.replaceOp(op, *address);
    return success();
  }
};

struct LocalStore : OpConversionPattern<LocalStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LocalStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    LocalAccess access(cast<RankedTensorType>(op.getValue().getType()),
                       op.getBuffer().getType());
    Value values = adaptor.getValue();
    if (getElementTypeOrSelf(values.getType()).isInteger(1))
      values = code.boolsToBytes(values);
    if (storeMatrices(code, op, access, op.getBuffer().getType(),
                      adaptor.getBuffer(), values)) {
      rewriter.eraseOp(op);
      return success();
    }
    Value thread = code.threadPart(access.places, kOffsetDim);
    Value first = code.isFirstCopy(access.layout);
    for (int64_t reg : ThreadCode::chunkRegisters(access.layout, access.width)) {
      Value address = access.getAddress(code, adaptor.getBuffer(), thread, reg);
      Value part = code.slice(values, reg, access.width);
      if (first)
        storePredicated(code, address, part, first);
      else
        LLVM::StoreOp::create(code.b, part, address,
                              unsigned(access.width * access.bytes));
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void storePredicated(ThreadCode &code, Value address, Value part,
                              Value predicate) {
    int64_t bits = getBits(part.getType());
    unsigned wordBits =
        cast<VectorType>(part.getType()).getElementTypeBitWidth() == 64
            ? 64
            : std::min<int64_t>(32, bits);
    Value word = LLVM::PtrToIntOp::create(code.b, code.b.getI32Type(), address);
    ptx::storeShared(code.b, wordBits, word, code.toWords(part, wordBits),
                     predicate);
  }
};

struct LocalLoad : OpConversionPattern<LocalLoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LocalLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    auto tensor = cast<RankedTensorType>(op.getType());
    LocalAccess access(tensor, op.getBuffer().getType());
    auto result = cast<VectorType>(getTypeConverter()->convertType(tensor));
    Type memory = result.getElementType().isInteger(1)
                      ? Type(rewriter.getI8Type())
                      : result.getElementType();
    auto type = VectorType::get({access.width}, memory);
    if (auto plan = getMatrixPlan(access, op.getBuffer().getType())) {
      Value all = loadMatrices(code, access, *plan, adaptor.getBuffer(),
                               VectorType::get(result.getShape(), memory));
      rewriter.replaceOp(op, memory == result.getElementType()
                                 ? all
                                 : code.bytesToBools(all));
      return success();
    }
    Value thread = code.threadPart(access.places, kOffsetDim);
    SmallVector<Value> parts;
    for (int64_t reg = 0; reg < result.getNumElements(); reg += access.width)
      parts.push_back(LLVM::LoadOp::create(
          code.b, type, access.getAddress(code, adaptor.getBuffer(), thread, reg),
          unsigned(access.width * access.bytes)));
    Value values = code.concat(parts);
    if (memory != result.getElementType())
      values = code.bytesToBools(values);
    rewriter.replaceOp(op, values);
    return success();
  }
};

struct Barrier : OpConversionPattern<BarrierOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode(rewriter, op.getLoc()).barrier(op);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tessera::populateSharedPatterns(const TileGPUTypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<Alloc, LocalStore, LocalLoad, Barrier>(converter,
                                                      patterns.getContext());
}
