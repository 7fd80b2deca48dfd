//===- FuncPatterns.cpp - kernels and their grid -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "ThreadCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <map>

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

/// Attributes of one argument of the lowered function: name and type for the
/// manifest, and what LLVM can use of the facts.
static DictionaryAttr convertArgument(tile::FuncOp op, unsigned index) {
  MLIRContext *context = op.getContext();
  Type type = op.getArgumentTypes()[index];
  NamedAttrList attrs;
  auto name =
      op.getArgAttrOfType<StringAttr>(index, tile::TileDialect::kName);
  attrs.append(tile::TileDialect::kName,
               name ? name
                    : StringAttr::get(context, "arg" + std::to_string(index)));
  attrs.append(tile::TileDialect::kType, TypeAttr::get(type));
  if (isa<tile::PointerType>(type)) {
    auto unit = UnitAttr::get(context);
    if (op.getArgAttr(index, tile::TileDialect::kNoAlias))
      attrs.append(LLVM::LLVMDialect::getNoAliasAttrName(), unit);
    if (op.getArgAttr(index, tile::TileDialect::kReadOnly))
      attrs.append(LLVM::LLVMDialect::getReadonlyAttrName(), unit);
  }
  if (isa<tile::TensorMapType>(type)) {
    // CUDA Driver API, CUtensorMap. Copies read it where it is: without
    // grid_constant LLVM would copy it to local memory.
    auto bytes = LLVM::LLVMArrayType::get(IntegerType::get(context, 8), 128);
    attrs.append(LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(bytes));
    attrs.append(LLVM::LLVMDialect::getAlignAttrName(),
                 IntegerAttr::get(IntegerType::get(context, 64), 64));
    attrs.append(NVVM::NVVMDialect::getGridConstantAttrName(),
                 UnitAttr::get(context));
  }
  return attrs.getDictionary(context);
}

/// Products are worth all registers of a multiprocessor: without this bound ptxas
/// aims at a residency that it chooses, and spills to reach it.
static bool hasProduct(tile::FuncOp op) {
  return op
      .walk([](Operation *inner) {
        return isa<tile::DotOp, WgmmaOp>(inner) ? WalkResult::interrupt()
                                                : WalkResult::advance();
      })
      .wasInterrupted();
}

/// What shared memory holds, for the manifest: buffers and mbarriers, each with its
/// offset, bytes of a slot, slots and line of the source, in the order of offsets.
static ArrayAttr listSharedBuffers(tile::FuncOp function) {
  Builder builder(function.getContext());
  // Of equal offsets the first in the program comes first.
  std::multimap<int32_t, Attribute> buffers;
  auto add = [&](Operation *op, std::optional<int32_t> offset, StringRef kind,
                 int64_t bytes, int64_t slots) {
    if (!offset)
      return;
    SmallVector<NamedAttribute> members = {
        builder.getNamedAttr("kind", builder.getStringAttr(kind)),
        builder.getNamedAttr("offset", builder.getI64IntegerAttr(*offset)),
        builder.getNamedAttr("slot_bytes", builder.getI64IntegerAttr(bytes)),
        builder.getNamedAttr("slots", builder.getI64IntegerAttr(slots))};
    if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
      members.push_back(builder.getNamedAttr(
          "line", builder.getI64IntegerAttr(place.getLine())));
    buffers.emplace(*offset, builder.getDictionaryAttr(members));
  };
  function.walk([&](Operation *op) {
    if (auto alloc = dyn_cast<AllocOp>(op))
      add(op, alloc.getOffset(), "buffer", alloc.getType().getSlotBytes(),
          alloc.getType().getSlots());
    else if (auto barriers = dyn_cast<MBarrierInitOp>(op))
      add(op, barriers.getOffset(), "mbarrier", 8,
          barriers.getType().getSlots());
  });
  return builder.getArrayAttr(llvm::to_vector(llvm::make_second_range(buffers)));
}

namespace {

struct Func : OpConversionPattern<tile::FuncOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::FuncOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    int32_t warps = getNumWarps(op);
    if (warps == 0)
      return op.emitError("a kernel needs its number of warps; run "
                          "tile-gpu-choose-warps before");
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    for (auto [index, type] : llvm::enumerate(op.getArgumentTypes()))
      signature.addInputs(index, typeConverter->convertType(type));
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(op.getContext()),
        signature.getConvertedTypes());
    auto lowered = LLVM::LLVMFuncOp::create(rewriter, op.getLoc(), op.getName(),
                                            type);
    SmallVector<DictionaryAttr> args;
    for (unsigned index = 0; index < op.getNumArguments(); ++index)
      args.push_back(convertArgument(op, index));
    lowered.setAllArgAttrs(args);
    lowered->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                     rewriter.getUnitAttr());
    lowered->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                     rewriter.getDenseI32ArrayAttr({warps * kWarpSize}));
    if (hasProduct(op))
      lowered->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                       rewriter.getI32IntegerAttr(1));
    lowered->setAttr(TileGPUDialect::kNumWarps,
                     rewriter.getI32IntegerAttr(warps));
    auto shared =
        op->getAttrOfType<IntegerAttr>(TileGPUDialect::kSharedBytes);
    lowered->setAttr(TileGPUDialect::kSharedBytes,
                     shared ? shared : rewriter.getI32IntegerAttr(0));
    if (ArrayAttr buffers = listSharedBuffers(op); !buffers.empty())
      lowered->setAttr(TileGPUDialect::kSharedBuffers, buffers);
    rewriter.inlineRegionBefore(op.getBody(), lowered.getBody(), lowered.end());
    rewriter.applySignatureConversion(&lowered.getBody().front(), signature,
                                      getTypeConverter());
    rewriter.eraseOp(op);
    return success();
  }
};

struct Return : OpConversionPattern<tile::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::ReturnOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
    return success();
  }
};

/// program_id and num_programs: one special register an axis.
template <typename OpTy, typename X, typename Y, typename Z>
struct GridRegister : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = rewriter.getI32Type();
    switch (op.getAxis()) {
    case tile::Axis::X:
      rewriter.replaceOpWithNewOp<X>(op, type);
      break;
    case tile::Axis::Y:
      rewriter.replaceOpWithNewOp<Y>(op, type);
      break;
    case tile::Axis::Z:
      rewriter.replaceOpWithNewOp<Z>(op, type);
      break;
    }
    return success();
  }
};

} // namespace

void tessera::populateFuncPatterns(const TileGPUTypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<
      Func, Return,
      GridRegister<tile::ProgramIdOp, NVVM::BlockIdXOp, NVVM::BlockIdYOp,
                   NVVM::BlockIdZOp>,
      GridRegister<tile::NumProgramsOp, NVVM::GridDimXOp, NVVM::GridDimYOp,
                   NVVM::GridDimZOp>>(converter, patterns.getContext());
}
