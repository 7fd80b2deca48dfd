//===- ShapePatterns.cpp - shape operations and conversions inside a thread -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of them renumber registers: layouts were chosen such that no value
// leaves its thread.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "ThreadCode.h"

#include "tessera/Layout/DimNames.h"
#include "tessera/Transforms/Layout/LayoutInference.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

namespace {

/// start + coordinate.
struct Arange : OpConversionPattern<tile::ArangeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::ArangeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    LinearLayout layout = getLinearLayout(cast<RankedTensorType>(op.getType()));
    std::string dim = tensorDimName(0);
    int64_t count = layout.getInDimSize(kRegisterDim);
    // start + (thread ^ register); where their bits differ, the constants are
    // added last, so that they can become immediate offsets of addresses.
    bool sum = ThreadCode::isDisjoint(layout, dim);
    int64_t start = int32_t(op.getStart());
    SmallVector<int32_t> constants;
    for (int64_t reg = 0; reg < count; ++reg)
      constants.push_back(ThreadCode::registerPart(layout, dim, reg) +
                          (sum ? start : 0));
    auto type = VectorType::get({count}, rewriter.getI32Type());
    Value result = LLVM::ConstantOp::create(
        code.b, type, DenseElementsAttr::get(type, ArrayRef(constants)));
    if (Value thread = code.threadPart(layout, dim)) {
      Value all = code.splat(thread, count);
      result = sum ? LLVM::AddOp::create(code.b, all, result).getResult()
                   : LLVM::XOrOp::create(code.b, all, result).getResult();
    }
    if (!sum && start != 0)
      result = LLVM::AddOp::create(code.b, result,
                                   code.splat(code.i32(start), count));
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct Splat : OpConversionPattern<tile::SplatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    Value scalar = adaptor.getSrc();
    if (isa<LLVM::LLVMPointerType>(scalar.getType()))
      scalar = LLVM::PtrToIntOp::create(code.b, code.b.getI64Type(), scalar);
    rewriter.replaceOp(
        op, code.splat(scalar, getLayout(op.getType()).getNumRegisters()));
    return success();
  }
};

/// expand_dims, broadcast, trans, reshape: register r of the result is the
/// operand's register numbered by those bits of r that select an element.
template <typename OpTy> struct Renumber : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LayoutAttr result = getLayout(op.getType());
    if (inferOperandLayout(op, result) != getLayout(op.getSrc().getType()))
      return op.emitError("the operand's layout does not fit the result's");
    std::optional<LinearLayout> places = inferOperandPlaces(op, result);
    SmallVector<int> keptBits;
    for (int bit = 0; bit < places->getInDimSizeLog2(kRegisterDim); ++bit)
      if (llvm::any_of(places->getBasis(kRegisterDim, bit),
                       [](int32_t c) { return c != 0; }))
        keptBits.push_back(bit);
    SmallVector<int32_t> sources;
    for (int64_t reg = 0; reg < result.getNumRegisters(); ++reg) {
      int32_t source = 0;
      for (auto [index, bit] : llvm::enumerate(keptBits))
        source |= ((reg >> bit) & 1) << index;
      sources.push_back(source);
    }
    ThreadCode code(rewriter, op.getLoc());
    rewriter.replaceOp(op, code.gather(adaptor.getSrc(), sources));
    return success();
  }
};

/// Conversions inside a thread.
struct ConvertLayout : OpConversionPattern<ConvertLayoutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ConvertLayoutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<LinearLayout> places = getPlacesInThread(op);
    if (!places)
      return op.emitError("a conversion between threads was not lowered to "
                          "shared memory");
    SmallVector<int32_t> sources;
    for (int64_t reg = 0; reg < places->getInDimSize(kRegisterDim); ++reg)
      sources.push_back(ThreadCode::registerPart(*places, kRegisterDim, reg));
    ThreadCode code(rewriter, op.getLoc());
    rewriter.replaceOp(op, code.gather(adaptor.getSrc(), sources));
    return success();
  }
};

struct ExtractSlice : OpConversionPattern<ExtractSliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ExtractSliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto slice =
        RegisterSlice::get(cast<RankedTensorType>(op.getSrc().getType()),
                           cast<RankedTensorType>(op.getType()).getShape());
    ThreadCode code(rewriter, op.getLoc());
    rewriter.replaceOp(op, code.gather(adaptor.getSrc(),
                                       slice->getRegisters(op.getOffsets())));
    return success();
  }
};

} // namespace

void tessera::populateShapePatterns(const TileGPUTypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<Arange, Splat, ConvertLayout, ExtractSlice,
               Renumber<tile::ExpandDimsOp>, Renumber<tile::BroadcastOp>,
               Renumber<tile::TransOp>, Renumber<tile::ReshapeOp>>(
      converter, patterns.getContext());
}
