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
#include "mlir/IR/ImplicitLocOpBuilder.h"
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

/// A float to i1 through i32: NVPTX 22 selects a comparison of the float's bits
/// with zero for it, which is true for 0.0 and false for 1.0.
template <typename OpTy> struct ToBool : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  static bool isLegal(OpTy op) {
    return !getElementTypeOrSelf(op.getType()).isInteger(1);
  }

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (isLegal(op))
      return failure();
    Location loc = op.getLoc();
    Type type = withElement(op.getType(), rewriter.getI32Type());
    Value number = OpTy::create(rewriter, loc, type, op.getIn());
    Value zero = arith::ConstantOp::create(rewriter, loc,
                                           rewriter.getZeroAttr(type));
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, arith::CmpIPredicate::ne,
                                               number, zero);
    return success();
  }
};

/// An integer of 32 or 64 bits to bf16 through f32, which does not contain it:
/// rounded to odd first (of the two neighbours of a number that f32 lacks, the
/// one whose last bit is set), so that the second rounding is the only one.
/// NVPTX rounds to nearest twice where there is no cvt.rn.bf16.s32.
template <typename OpTy, typename BackOpTy>
struct ToBF16 : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  static bool isLegal(OpTy op) {
    return !getElementTypeOrSelf(op.getType()).isBF16() ||
           getElementTypeOrSelf(op.getIn().getType()).getIntOrFloatBitWidth() <
               32;
  }

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (isLegal(op))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value in = op.getIn();
    auto vector = dyn_cast<VectorType>(in.getType());
    if (!vector) {
      rewriter.replaceOp(op, arith::TruncFOp::create(b, op.getType(),
                                                     roundToOdd(b, in)));
      return success();
    }
    Value result =
        LLVM::PoisonOp::create(b, withElement(vector, b.getF32Type()));
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      Value index = LLVM::ConstantOp::create(b, b.getI32IntegerAttr(i));
      Value number =
          roundToOdd(b, LLVM::ExtractElementOp::create(b, in, index));
      result = LLVM::InsertElementOp::create(b, result, number, index);
    }
    rewriter.replaceOp(op, arith::TruncFOp::create(b, op.getType(), result));
    return success();
  }

private:
  /// Towards zero, so that the way back cannot overflow.
  static Value roundToOdd(ImplicitLocOpBuilder &b, Value number) {
    bool isSigned = std::is_same_v<OpTy, arith::SIToFPOp>;
    bool isWide = number.getType().isInteger(64);
    StringRef name = isSigned
                         ? (isWide ? "llvm.nvvm.ll2f.rz" : "llvm.nvvm.i2f.rz")
                         : (isWide ? "llvm.nvvm.ull2f.rz" : "llvm.nvvm.ui2f.rz");
    Value down = LLVM::CallIntrinsicOp::create(b, b.getF32Type(),
                                               b.getStringAttr(name), number)
                     .getResult(0);
    Value back = BackOpTy::create(b, number.getType(), down);
    Value inexact =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, back, number);
    Value last = LLVM::ZExtOp::create(b, b.getI32Type(), inexact);
    Value bits = LLVM::BitcastOp::create(b, b.getI32Type(), down);
    return LLVM::BitcastOp::create(b, b.getF32Type(),
                                   LLVM::OrOp::create(b, bits, last));
  }
};

using SignedToBF16 = ToBF16<arith::SIToFPOp, LLVM::FPToSIOp>;
using UnsignedToBF16 = ToBF16<arith::UIToFPOp, LLVM::FPToUIOp>;

struct ConvertMath : tessera::impl::ConvertMathToNVVMPassBase<ConvertMath> {
  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    RewritePatternSet patterns(&getContext());
    patterns.add<Exponential<math::ExpOp>, Exponential<math::Exp2Op>, Division>(
        &getContext(), /*benefit=*/2);
    patterns.add<ToBool<arith::FPToSIOp>, ToBool<arith::FPToUIOp>, SignedToBF16,
                 UnsignedToBF16>(&getContext());
    populateLibDeviceConversionPatterns(converter, patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    ConversionTarget target(getContext());
    setLegality(target);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }

private:
  static void setLegality(ConversionTarget &target) {
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
    target.addDynamicallyLegalOp<arith::FPToSIOp>(
        ToBool<arith::FPToSIOp>::isLegal);
    target.addDynamicallyLegalOp<arith::FPToUIOp>(
        ToBool<arith::FPToUIOp>::isLegal);
    target.addDynamicallyLegalOp<arith::SIToFPOp>(SignedToBF16::isLegal);
    target.addDynamicallyLegalOp<arith::UIToFPOp>(UnsignedToBF16::isLegal);
    target.addIllegalOp<arith::CeilDivSIOp, arith::CeilDivUIOp,
                        arith::FloorDivSIOp>();
  }
};

} // namespace
