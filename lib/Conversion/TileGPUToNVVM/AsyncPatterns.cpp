//===- AsyncPatterns.cpp - asynchronous copies and products -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async and wgmma. The results of a product are registers that it writes
// later; LLVM sees no dependence of their uses on the wait, so a wait that ends
// the product takes and returns all of them. Neither does it see that the fence
// before a product is about what defines them.
//
//===----------------------------------------------------------------------===//

#include "DescAddressing.h"
#include "LocalAccess.h"
#include "PTXTable.h"
#include "Patterns.h"

#include "tessera/Layout/Wgmma.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// One cp.async. Where `mask`, which may be null, is false no byte is read, and
/// all are filled with zeros.
static void copyChunk(ThreadCode &code, Value source, Value destination,
                      int64_t bytes, Value mask) {
  Value count;
  if (mask)
    count = LLVM::SelectOp::create(code.b, mask, code.i32(bytes), code.i32(0));
  // 16 bytes bypass L1, which is of no use to data that are read once.
  auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                           : NVVM::LoadCacheModifierKind::CA;
  NVVM::CpAsyncOp::create(
      code.b, destination, toPointer(code, source),
      code.b.getI32IntegerAttr(bytes),
      NVVM::LoadCacheModifierKindAttr::get(code.b.getContext(), cache), count);
}

/// Emits the copies of a layout. Where several threads hold an element, one of
/// them copies it.
static void emitCopies(ThreadCode &code, const LinearLayout &layout,
                       llvm::function_ref<void()> body) {
  Value first = code.isFirstCopy(layout);
  if (!first)
    return body();
  OpBuilder::InsertionGuard guard(code.b);
  auto branch = scf::IfOp::create(code.b, first, /*withElseRegion=*/false);
  code.b.setInsertionPointToStart(branch.thenBlock());
  body();
}

static LogicalResult checkCopyBytes(Operation *op, int64_t bytes) {
  if (bytes == 4 || bytes == 8 || bytes == 16)
    return success();
  return op->emitError()
         << "an asynchronous copy moves 4, 8 or 16 bytes, not " << bytes;
}

namespace {

struct Slot : OpConversionPattern<SlotOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SlotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    Value bytes = LLVM::MulOp::create(code.b, adaptor.getIndex(),
                                      code.i32(op.getType().getSlotBytes()));
    rewriter.replaceOpWithNewOp<LLVM::GEPOp>(
        op, adaptor.getBuffer().getType(), rewriter.getI8Type(),
        adaptor.getBuffer(), ValueRange(bytes));
    return success();
  }
};

struct AsyncCopy : OpConversionPattern<AsyncCopyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AsyncCopyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    auto tensor = cast<RankedTensorType>(op.getPtr().getType());
    LocalAccess access(tensor, op.getBuffer().getType());
    int64_t width =
        std::min(access.width, getChunkWidth(op, tensor, access.layout));
    int64_t bytes = width * access.bytes;
    if (failed(checkCopyBytes(op, bytes)))
      return failure();
    Value thread = code.threadPart(access.places, kOffsetDim);
    emitCopies(code, access.layout, [&] {
      for (int64_t reg : ThreadCode::chunkRegisters(access.layout, width))
        copyChunk(code, code.extract(adaptor.getPtr(), reg),
                  access.getAddress(code, adaptor.getBuffer(), thread, reg),
                  bytes,
                  op.getMask() ? code.extract(adaptor.getMask(), reg) : Value());
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// Where the whole tile exists nothing is checked.
struct DescCopy : OpConversionPattern<DescCopyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DescCopyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    RankedTensorType tensor = op.getTileType();
    LocalAccess access(tensor, op.getBuffer().getType());
    int64_t width =
        std::min(access.width, getChunkWidth(op, tensor, access.layout));
    int64_t bytes = width * access.bytes;
    if (failed(checkCopyBytes(op, bytes)))
      return failure();
    SmallVector<int64_t> registers =
        ThreadCode::chunkRegisters(access.layout, width);
    Value thread = code.threadPart(access.places, kOffsetDim);
    DescAddressing addressing(code, op, tensor, adaptor.getDesc(),
                              adaptor.getOffsets());
    auto copy = [&](int64_t reg, Value address, Value exists) {
      copyChunk(code, address,
                access.getAddress(code, adaptor.getBuffer(), thread, reg), bytes,
                exists);
    };
    emitCopies(code, access.layout, [&] {
      addressing.branch([&](bool checked) {
        addressing.forEach(registers, checked, copy);
      });
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// Groups are counted by the hardware; a token is only an order.
struct AsyncCommit : OpConversionPattern<AsyncCommitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AsyncCommitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVM::CpAsyncCommitGroupOp::create(rewriter, op.getLoc());
    rewriter.replaceOp(op, ThreadCode(rewriter, op.getLoc()).i32(0));
    return success();
  }
};

struct AsyncWait : OpConversionPattern<AsyncWaitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AsyncWaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncWaitGroupOp>(op, op.getPending());
    return success();
  }
};

struct FenceAsync : OpConversionPattern<FenceAsyncOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(FenceAsyncOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MLIRContext *context = op.getContext();
    rewriter.replaceOpWithNewOp<NVVM::FenceProxyOp>(
        op,
        NVVM::ProxyKindAttr::get(context, NVVM::ProxyKind::async_shared),
        NVVM::SharedSpaceAttr::get(context, NVVM::SharedSpace::shared_cta));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Whether accumulators are computed on the spot, rather than by a product.
/// LLVM would move that, constants above all, to their use, behind the fence;
/// ptxas then adds a fence of its own (C7519), though none for zeros.
static bool isDefinedHere(Value acc) {
  Operation *def = acc.getDefiningOp();
  return def && def->getNumRegions() == 0 && !isa<WgmmaOp, WgmmaWaitOp>(def) &&
         !matchPattern(acc, m_PosZeroFloat());
}

/// One wgmma operation: instructions for each part of the group's box.
class WgmmaEmitter {
public:
  WgmmaEmitter(WgmmaOp op, ThreadCode &code)
      : code(code), b(*getWgmmaOperand(op.getB().getType(), 1)) {
    auto acc = cast<RankedTensorType>(op.getType());
    startsAtZero = matchPattern(op.getAcc(), m_PosZeroFloat());
    tiling = *chooseWgmmaTiling(acc.getDimSize(0), acc.getDimSize(1),
                                getNumWarps(op));
    boxM = acc.getDimSize(0) / tiling.groupsM;
    boxN = acc.getDimSize(1) / tiling.groupsN;
    if (auto buffer = dyn_cast<BufferType>(op.getA().getType()))
      a = getWgmmaOperand(buffer, 0);
    Type element = op.getB().getType().getElementType();
    k = op.getB().getType().getShape()[0];
    instruction.n = tiling.n;
    instruction.k = op.getStep();
    instruction.type = element.isBF16() ? "bf16" : "f16";
    definesAcc = isDefinedHere(op.getAcc());
    instruction.transposeA = a && a->getMajor() == WgmmaOperand::Major::MN;
    instruction.transposeB = b.getMajor() == WgmmaOperand::Major::MN;
  }

  /// `depth` may be null.
  Value run(Value operandA, Value bufferB, Value acc, Value depth) {
    Value group = LLVM::LShrOp::create(code.b, code.warpId(), code.i32(2));
    startA = a ? describe(*a, operandA, group, 0, tiling.groupsM, boxM)
               : code.toWords(operandA, 32);
    startB = describe(b, bufferB, group, tiling.groupsM, tiling.groupsN, boxN);
    if (!depth || k <= instruction.k)
      return multiplyAll(acc);
    // ptxas leaves groups under way only where all instructions of a product
    // and its commit are one block. The usual case is such a block of its own.
    Value isWhole = LLVM::ICmpOp::create(code.b, LLVM::ICmpPredicate::sgt,
                                         depth, code.i32(k - instruction.k));
    auto branch = scf::IfOp::create(code.b, acc.getType(), isWhole,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(code.b);
    code.b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(code.b, multiplyAll(acc));
    code.b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(code.b, multiplyUpTo(depth, acc));
    return branch.getResult(0);
  }

private:
  /// What the products read in registers has been written before. Accumulators
  /// of earlier products, or of the iteration before, have been: they do not go
  /// through the instruction, which might copy them.
  void fence(Value &acc) {
    SmallVector<Value *, 2> read;
    if (!a)
      read.push_back(&startA);
    if (definesAcc)
      read.push_back(&acc);
    if (read.empty()) {
      NVVM::WgmmaFenceAlignedOp::create(code.b);
      return;
    }
    SmallVector<Value> vectors =
        llvm::map_to_vector(read, [](Value *value) { return *value; });
    for (auto [value, fenced] :
         llvm::zip(read, ptx::fenceRegisters(code.b, vectors)))
      *value = fenced;
  }

  Value isSet(Value bits, int32_t bit) {
    return LLVM::ICmpOp::create(
        code.b, LLVM::ICmpPredicate::ne,
        LLVM::AndOp::create(code.b, bits, code.i32(bit)), code.i32(0));
  }

  /// The descriptor of what the group's box needs of an operand. Bits
  /// [first, first * count) of the group's number say which part that is.
  Value describe(const WgmmaOperand &operand, Value buffer, Value group,
                 int32_t first, int32_t count, int32_t extent) {
    Value address =
        LLVM::PtrToIntOp::create(code.b, code.b.getI32Type(), buffer);
    int32_t low = std::max(first, 1);
    for (int32_t bit = 1; bit < count; bit *= 2) {
      Value offset = LLVM::SelectOp::create(
          code.b, isSet(group, low * bit),
          code.i32(operand.getStart(bit * extent, 0)), code.i32(0));
      address = LLVM::AddOp::create(code.b, address, offset);
    }
    Value field = LLVM::AndOp::create(
        code.b, LLVM::LShrOp::create(code.b, address, code.i32(4)),
        code.i32(0x3FFF));
    return LLVM::OrOp::create(
        code.b, LLVM::ZExtOp::create(code.b, code.b.getI64Type(), field),
        code.i64(int64_t(operand.getDescriptor())));
  }

  Value advance(Value start, int64_t bytes) {
    return bytes == 0 ? start
                      : LLVM::AddOp::create(code.b, start, code.i64(bytes / 16))
                            .getResult();
  }

  /// By a number of elements of k, a multiple of the instruction's.
  Value advance(const WgmmaOperand &operand, Value start, Value elements) {
    for (int32_t bit = instruction.k; bit < k; bit *= 2)
      start = LLVM::AddOp::create(
          code.b, start,
          LLVM::SelectOp::create(code.b, isSet(elements, bit),
                                 code.i64(operand.getStart(0, bit) / 16),
                                 code.i64(0)));
    return start;
  }

  /// What an instruction takes of A.
  SmallVector<Value, 4> getPartOfA(Value start, int32_t m, int32_t step) {
    if (a)
      return {advance(start, a->getStart(m, step))};
    int64_t first = (m / kWgmmaM * (k / instruction.k) + step / instruction.k) *
                    kWordsOfFragment;
    SmallVector<Value, 4> words;
    for (int64_t i = 0; i < kWordsOfFragment; ++i)
      words.push_back(code.extract(start, first + i));
    return words;
  }

  /// The registers of each part of the group's box; none where they start as
  /// zeros.
  using Parts = SmallVector<SmallVector<Value>>;

  Parts split(Value acc, bool areZeros) {
    int64_t count = int64_t(boxM / kWgmmaM) * (boxN / tiling.n);
    int64_t registers = tiling.n / 2;
    Parts parts(count);
    for (int64_t part = 0; part < count && !areZeros; ++part) {
      Value vector = code.slice(acc, part * registers, registers);
      for (int64_t i = 0; i < registers; ++i)
        parts[part].push_back(code.extract(vector, i));
    }
    return parts;
  }

  Value join(const Parts &parts) {
    SmallVector<Value> vectors;
    for (ArrayRef<Value> registers : parts) {
      Value vector = code.poison(
          VectorType::get(int64_t(registers.size()), code.b.getF32Type()));
      for (auto [i, value] : llvm::enumerate(registers))
        vector = code.insert(vector, value, i);
      vectors.push_back(vector);
    }
    return code.concat(vectors);
  }

  /// One step of part `part`.
  void multiply(Value startA, Value startB, int32_t part, int32_t step,
                SmallVector<Value> &registers) {
    int32_t partsN = boxN / tiling.n;
    int32_t m = part / partsN * kWgmmaM, n = part % partsN * tiling.n;
    registers =
        ptx::multiplyAsync(code.b, instruction, getPartOfA(startA, m, step),
                           advance(startB, b.getStart(n, step)), registers);
  }

  Value multiplyAll(Value acc) {
    fence(acc);
    Parts parts = split(acc, startsAtZero);
    for (auto [part, registers] : llvm::enumerate(parts))
      for (int32_t step = 0; step < k; step += instruction.k)
        multiply(startA, startB, part, step, registers);
    Value sum = join(parts);
    NVVM::WgmmaGroupSyncAlignedOp::create(code.b);
    return sum;
  }

  /// The first step, and others that begin below `depth`, but for the last: a
  /// loop, for which ptxas takes less time than for one block a step. Each is a
  /// group of its own, so that waits which leave products under way wait for
  /// more of this one than they have to, and not for less.
  Value multiplyUpTo(Value depth, Value acc) {
    if (definesAcc)
      fence(acc);
    SmallVector<Value> inits = {acc, code.i32(0)};
    auto iterate = [&](OpBuilder &, Location, ValueRange carried) {
      NVVM::WgmmaFenceAlignedOp::create(code.b);
      Value step = carried[1];
      Value stepA = advance(*a, startA, step), stepB = advance(b, startB, step);
      Parts parts = split(carried[0], /*areZeros=*/false);
      for (auto [part, registers] : llvm::enumerate(parts))
        multiply(stepA, stepB, part, 0, registers);
      NVVM::WgmmaGroupSyncAlignedOp::create(code.b);
      Value next = LLVM::AddOp::create(code.b, step, code.i32(instruction.k));
      Value remains =
          LLVM::ICmpOp::create(code.b, LLVM::ICmpPredicate::slt, next, depth);
      scf::ConditionOp::create(code.b, remains, {join(parts), next});
    };
    OpBuilder::InsertionGuard guard(code.b);
    auto loop = scf::WhileOp::create(
        code.b, TypeRange(ValueRange(inits)), inits, iterate,
        [&](OpBuilder &, Location, ValueRange carried) {
          scf::YieldOp::create(code.b, carried);
        });
    return loop.getResult(0);
  }

  /// Registers of a thread that hold its part of 64 rows and 32 bytes of k.
  static constexpr int64_t kWordsOfFragment = 4;

  ThreadCode &code;
  /// In shared memory; A otherwise in registers.
  std::optional<WgmmaOperand> a;
  WgmmaOperand b;
  WgmmaTiling tiling;
  int32_t boxM, boxN, k;
  /// Descriptors; A's may be the words of all fragments.
  Value startA, startB;
  /// The accumulators are zeros; or computed here, and not by a product.
  bool startsAtZero, definesAcc;
  ptx::Wgmma instruction;
};

/// Whether a wait that ends the product follows it in its block.
static bool isWaitedFor(WgmmaOp product) {
  int64_t later = 0;
  for (Operation *op = product->getNextNode(); op; op = op->getNextNode()) {
    later += isa<WgmmaOp>(op);
    auto wait = dyn_cast<WgmmaWaitOp>(op);
    if (wait && wait.getPending() <= later)
      return true;
  }
  return false;
}

struct Wgmma : OpConversionPattern<WgmmaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(WgmmaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<TargetInfo> target = getTargetInfo(op);
    if (failed(target) || !target->hasWgmma())
      return op.emitError("the target has no wgmma");
    // ptxas would use the registers for something else in the next iteration,
    // and say nothing.
    if (op.readsRegisters() && op->getParentOfType<LoopLikeOpInterface>() &&
        !isWaitedFor(op))
      return op.emitError("reads registers that the next iteration writes; a "
                          "wait for it has to come before");
    ThreadCode code(rewriter, op.getLoc());
    rewriter.replaceOp(
        op, WgmmaEmitter(op, code).run(adaptor.getA(), adaptor.getB(),
                                       adaptor.getAcc(), adaptor.getDepth()));
    return success();
  }
};

} // namespace

/// Whether the product that made the accumulators is known to have ended after
/// the wait: as many others follow it as may be under way.
static bool hasEnded(WgmmaWaitOp wait) {
  if (wait.getPending() == 0)
    return true;
  Operation *product = wait.getAcc().getDefiningOp<WgmmaOp>();
  if (!product || product->getBlock() != wait->getBlock())
    return false;
  auto between =
      llvm::make_range(std::next(product->getIterator()), wait->getIterator());
  return llvm::count_if(between, [](Operation &op) {
           return isa<WgmmaOp>(op);
         }) >= int64_t(wait.getPending());
}

/// Where control flow hands its operand on to; nothing where it reads it
/// itself.
static SmallVector<Value> getSuccessorInputs(OpOperand &use) {
  auto branch = dyn_cast<RegionBranchOpInterface>(use.getOwner());
  if (isa<RegionBranchTerminatorOpInterface>(use.getOwner()))
    branch = dyn_cast<RegionBranchOpInterface>(use.getOwner()->getParentOp());
  if (!branch)
    return {};
  RegionBranchSuccessorMapping mapping;
  branch.getSuccessorOperandInputMapping(mapping);
  return mapping.lookup(&use);
}

/// An operation that reads what the wait returns, rather than to add a product
/// to it or to wait for it, also after control flow has handed it on; null for
/// none.
static Operation *findReader(WgmmaWaitOp wait) {
  llvm::SetVector<Value> values;
  values.insert(wait.getResult());
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      auto product = dyn_cast<WgmmaOp>(user);
      if (isa<WgmmaWaitOp>(user) ||
          (product && &use == &product.getAccMutable()))
        continue;
      SmallVector<Value> inputs = getSuccessorInputs(use);
      if (inputs.empty())
        return user;
      values.insert_range(inputs);
    }
  return nullptr;
}

LogicalResult tessera::checkAccumulators(ModuleOp module) {
  // While a product is under way nothing else may define its registers, not
  // even an instruction that leaves them as they are.
  WalkResult walk = module.walk([](WgmmaWaitOp wait) {
    Operation *reader = hasEnded(wait) ? nullptr : findReader(wait);
    if (!reader)
      return WalkResult::advance();
    reader->emitOpError("uses accumulators whose product may be under way; a "
                        "wait has to come before");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

namespace {

struct WgmmaWait : OpConversionPattern<WgmmaWaitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(WgmmaWaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    if (hasEnded(op)) {
      rewriter.replaceOp(
          op, ptx::waitForProducts(code.b, adaptor.getAcc(), op.getPending()));
      return success();
    }
    NVVM::WgmmaWaitGroupSyncOp::create(code.b, op.getPending());
    rewriter.replaceOp(op, adaptor.getAcc());
    return success();
  }
};

} // namespace

void tessera::populateAsyncPatterns(const TileGPUTypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<Slot, AsyncCopy, DescCopy, AsyncCommit, AsyncWait, FenceAsync, Wgmma,
               WgmmaWait>(converter, patterns.getContext());
}
