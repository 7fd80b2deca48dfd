//===- ElementwisePatterns.cpp - elementwise operations -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An elementwise operation on tensors is the same operation on the vectors of
// registers; where vectors of i1 take part, on their elements: NVPTX would pack
// such vectors into integers, and unpack them for each predicate.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "ThreadCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tessera;

namespace {

/// arith and math.
struct Elementwise : ConversionPattern {
  Elementwise(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
        !op->hasTrait<OpTrait::Elementwise>() || op->getNumRegions() != 0)
      return failure();
    SmallVector<Type> types;
    if (failed(typeConverter->convertTypes(op->getResultTypes(), types)))
      return failure();
    if (usesMasks(operands, types) && op->getNumResults() == 1) {
      rewriter.replaceOp(op, unroll(op, operands, types[0], rewriter));
      return success();
    }
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         op->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }

private:
  static bool usesMasks(ValueRange operands, TypeRange types) {
    auto isMask = [](Type type) {
      auto vector = dyn_cast<VectorType>(type);
      return vector && vector.getElementType().isInteger(1);
    };
    return llvm::any_of(operands.getTypes(), isMask) ||
           llvm::any_of(types, isMask);
  }

  /// The operation on each element.
  static Value unroll(Operation *op, ValueRange operands, Type type,
                      ConversionPatternRewriter &rewriter) {
    ThreadCode code(rewriter, op->getLoc());
    auto vector = cast<VectorType>(type);
    Value result = code.poison(type);
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      SmallVector<Value> elements;
      for (Value operand : operands)
        elements.push_back(isa<VectorType>(operand.getType())
                               ? code.extract(operand, i)
                               : operand);
      OperationState state(op->getLoc(), op->getName(), elements,
                           vector.getElementType(), op->getAttrs());
      result = code.insert(result, rewriter.create(state)->getResult(0), i);
    }
    return result;
  }
};

/// Constants with one value for all elements, and scalar 8-bit floats.
struct Constant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = typeConverter->convertType(op.getType());
    auto vector = dyn_cast_or_null<VectorType>(type);
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    if (!type || bool(vector) != bool(splat))
      return rewriter.notifyMatchFailure(op, "no splat");
    Attribute value =
        splat ? splat.getSplatValue<Attribute>() : Attribute(op.getValue());
    // 8-bit floats are integers in registers.
    Type element = getElementTypeOrSelf(type);
    if (auto number = dyn_cast<FloatAttr>(value))
      if (number.getType() != element)
        value =
            IntegerAttr::get(element, number.getValue().bitcastToAPInt());
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, vector ? TypedAttr(DenseElementsAttr::get(vector, value))
                   : llvm::cast<TypedAttr>(value));
    return success();
  }
};

/// base + offset * bytes: a GEP for a scalar, 64-bit integers for a vector.
struct AddPtr : OpConversionPattern<tile::AddPtrOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile::AddPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ThreadCode code(rewriter, op.getLoc());
    auto pointer = cast<tile::PointerType>(getElementTypeOrSelf(op.getType()));
    int64_t bytes = tile::getByteWidth(pointer.getPointee());
    Value offset = adaptor.getOffset();
    auto vector = dyn_cast<VectorType>(offset.getType());
    Type wide = code.b.getI64Type();
    if (vector)
      wide = vector.clone(wide);
    if (offset.getType() != wide)
      offset = LLVM::SExtOp::create(code.b, wide, offset);
    if (!vector) {
      rewriter.replaceOpWithNewOp<LLVM::GEPOp>(
          op, adaptor.getPtr().getType(),
          rewriter.getIntegerType(unsigned(bytes) * 8), adaptor.getPtr(),
          ValueRange(offset));
      return success();
    }
    Value size = code.splat(code.i64(bytes), vector.getNumElements());
    Value scaled =
        bytes == 1 ? offset
                   : LLVM::MulOp::create(code.b, offset, size).getResult();
    rewriter.replaceOpWithNewOp<LLVM::AddOp>(op, adaptor.getPtr(), scaled);
    return success();
  }
};

} // namespace

void tessera::populateElementwisePatterns(const TileGPUTypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<Elementwise>(converter, patterns.getContext());
  patterns.add<AddPtr, Constant>(converter, patterns.getContext());
}
