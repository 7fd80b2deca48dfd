//===- ConvertMath.cpp - lower mathematics that has no LLVM instruction -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Conversion/Passes.h"

#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace tessera;

namespace tessera {
#define GEN_PASS_DEF_CONVERTMATHTONVVMPASS
#include "tessera/Conversion/Passes.h.inc"
} // namespace tessera

static bool isPrecise(Operation *op) {
  return op->hasAttr(tile::TileDialect::kPrecise);
}

/// Whether the operation works on f32, f16 or bf16.
static bool isSmallFloat(Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return type.isF32() || type.isF16() || type.isBF16();
}

static Type withElement(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(element)) : element;
}

/// Operands of an f32 computation, and its result in the type of the operation.
static Value toF32(OpBuilder &b, Location loc, Value value) {
  Type type = withElement(value.getType(), b.getF32Type());
  return value.getType() == type ? value
                                 : arith::ExtFOp::create(b, loc, type, value);
}
static Value fromF32(OpBuilder &b, Location loc, Value value, Type type) {
  return value.getType() == type
             ? value
             : arith::TruncFOp::create(b, loc, type, value);
}

namespace {

/// exp(x) = 2^(x log2 e), 2^x by ex2.approx.f32 (PTX ISA, "ex2"): LLVM selects
/// it for exp2 with the `afn` flag.
template <typename OpTy> struct Exponential : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (isPrecise(op) || !isSmallFloat(op))
      return failure();
    Location loc = op.getLoc();
    Value x = toF32(rewriter, loc, op.getOperand());
    if (std::is_same_v<OpTy, math::ExpOp>) {
      constexpr float kLog2E = 1.4426950408889634f;
      TypedAttr factor = rewriter.getF32FloatAttr(kLog2E);
      if (auto vector = dyn_cast<VectorType>(x.getType()))
        factor = DenseElementsAttr::get(vector, kLog2E);
      x = arith::MulFOp::create(
          rewriter, loc, x, arith::ConstantOp::create(rewriter, loc, factor));
    }
    auto exp2 = LLVM::Exp2Op::create(rewriter, loc, x.getType(), x,
                                     LLVM::FastmathFlags::afn);
    rewriter.replaceOp(op, fromF32(rewriter, loc, exp2, op.getType()));
    return success();
  }
};

/// div.full.f32, element by element: the intrinsic takes scalars.
struct Division : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    if (isPrecise(op) || !isSmallFloat(op))
      return failure();
    Location loc = op.getLoc();
    Value a = toF32(rewriter, loc, op.getLhs());
    Value b = toF32(rewriter, loc, op.getRhs());
    auto divide = [&](Value x, Value y) -> Value {
      return LLVM::CallIntrinsicOp::create(
                 rewriter, loc, rewriter.getF32Type(),
                 rewriter.getStringAttr("llvm.nvvm.div.full"), ValueRange{x, y})
          .getResult(0);
    };
    auto vector = dyn_cast<VectorType>(a.getType());
    if (!vector) {
      rewriter.replaceOp(op,
                         fromF32(rewriter, loc, divide(a, b), op.getType()));
      return success();
    }
    Value result = LLVM::PoisonOp::create(rewriter, loc, vector);
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      Value index = LLVM::ConstantOp::create(rewriter, loc,
                                             rewriter.getI32IntegerAttr(i));
      Value quotient =
          divide(LLVM::ExtractElementOp::create(rewriter, loc, a, index),
                 LLVM::ExtractElementOp::create(rewriter, loc, b, index));
      result = LLVM::InsertElementOp::create(rewriter, loc, result, quotient,
                                             index);
    }
    rewriter.replaceOp(op, fromF32(rewriter, loc, result, op.getType()));
    return success();
  }
};

struct ConvertMath : tessera::impl::ConvertMathToNVVMPassBase<ConvertMath> {
  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    // These have instructions; the others of the dialect need libdevice.
    target.addIllegalDialect<math::MathDialect>();
    target.addLegalOp<math::AbsFOp, math::AbsIOp, math::CeilOp,
                      math::CopySignOp, math::CountLeadingZerosOp,
                      math::CountTrailingZerosOp, math::CtPopOp, math::FloorOp,
                      math::FmaOp, math::IsFiniteOp, math::IsInfOp,
                      math::IsNaNOp, math::IsNormalOp, math::RoundEvenOp,
                      math::SqrtOp, math::TruncOp>();
    target.addDynamicallyLegalOp<arith::DivFOp>([](Operation *op) {
      return isPrecise(op) || !isSmallFloat(op);
    });
    target.addIllegalOp<arith::CeilDivSIOp, arith::CeilDivUIOp,
                        arith::FloorDivSIOp>();

    RewritePatternSet patterns(&getContext());
    patterns.add<Exponential<math::ExpOp>, Exponential<math::Exp2Op>, Division>(
        &getContext(), /*benefit=*/2);
    populateLibDeviceConversionPatterns(converter, patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
