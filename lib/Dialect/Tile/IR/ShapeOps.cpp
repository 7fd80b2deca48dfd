//===- ShapeOps.cpp - shape operations and conversions of the tile dialect -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/CommonFolders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tessera::tile;

/// Source and result of a shape operation have one element type.
static LogicalResult verifySameElementType(Operation *op, Type src,
                                           Type result) {
  Type from = getElementTypeOrSelf(src);
  Type to = getElementTypeOrSelf(result);
  if (from != to)
    return op->emitOpError() << "changes the element type from " << from
                             << " to " << to;
  return success();
}

/// A splat constant in the result's shape; nothing for other constants.
static OpFoldResult foldSplat(Attribute src, Type resultType) {
  auto result = cast<RankedTensorType>(resultType);
  if (auto elements = dyn_cast_or_null<SplatElementsAttr>(src))
    return DenseElementsAttr::get(result, elements.getSplatValue<Attribute>());
  return {};
}

/// A shape operation of a splat is a splat.
template <typename OpTy>
static LogicalResult splatThrough(OpTy op, PatternRewriter &rewriter) {
  auto splat = op.getSrc().template getDefiningOp<SplatOp>();
  if (!splat)
    return failure();
  rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
  return success();
}

static RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// ArangeOp, SplatOp
//===----------------------------------------------------------------------===//

LogicalResult ArangeOp::verify() {
  auto type = getTensor(getResult());
  if (type.getRank() != 1 || !type.getElementType().isSignlessInteger(32))
    return emitOpError() << "needs a 1-D tensor of i32, not " << type;
  if (int64_t(int32_t(getStart())) + type.getNumElements() - 1 > INT32_MAX)
    return emitOpError() << "goes beyond the range of i32";
  return success();
}

LogicalResult SplatOp::verify() {
  return verifySameElementType(*this, getSrc().getType(), getType());
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  Attribute src = adaptor.getSrc();
  if (isa_and_nonnull<FloatAttr, IntegerAttr>(src))
    return DenseElementsAttr::get(cast<RankedTensorType>(getType()), src);
  return {};
}

//===----------------------------------------------------------------------===//
// ExpandDimsOp, BroadcastOp
//===----------------------------------------------------------------------===//

LogicalResult ExpandDimsOp::verify() {
  auto src = getTensor(getSrc()), result = getTensor(getResult());
  int32_t axis = getAxis();
  if (axis < 0 || axis > src.getRank())
    return emitOpError() << "axis " << axis << " is not in [0, "
                         << src.getRank() << "]";
  SmallVector<int64_t> shape(src.getShape());
  shape.insert(shape.begin() + axis, 1);
  if (result.getShape() != ArrayRef<int64_t>(shape))
    return emitOpError() << "result " << result << " is not " << src
                         << " with a 1 at axis " << axis;
  return verifySameElementType(*this, src, result);
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return foldSplat(adaptor.getSrc(), getType());
}
LogicalResult ExpandDimsOp::canonicalize(ExpandDimsOp op,
                                         PatternRewriter &rewriter) {
  return splatThrough(op, rewriter);
}

LogicalResult BroadcastOp::verify() {
  auto src = getTensor(getSrc()), result = getTensor(getResult());
  if (src.getRank() != result.getRank())
    return emitOpError() << "changes the rank from " << src.getRank() << " to "
                         << result.getRank();
  for (int64_t d = 0; d < src.getRank(); ++d)
    if (src.getDimSize(d) != 1 && src.getDimSize(d) != result.getDimSize(d))
      return emitOpError() << "cannot repeat dimension " << d << " of size "
                           << src.getDimSize(d) << " to size "
                           << result.getDimSize(d);
  return verifySameElementType(*this, src, result);
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  return foldSplat(adaptor.getSrc(), getType());
}
LogicalResult BroadcastOp::canonicalize(BroadcastOp op,
                                        PatternRewriter &rewriter) {
  return splatThrough(op, rewriter);
}

//===----------------------------------------------------------------------===//
// ReshapeOp, TransOp
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  auto src = getTensor(getSrc()), result = getTensor(getResult());
  if (src.getNumElements() != result.getNumElements())
    return emitOpError() << "changes the number of elements from "
                         << src.getNumElements() << " to "
                         << result.getNumElements();
  return verifySameElementType(*this, src, result);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  return foldSplat(adaptor.getSrc(), getType());
}
LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  if (auto src = op.getSrc().getDefiningOp<ReshapeOp>()) {
    rewriter.modifyOpInPlace(
        op, [&] { op.getSrcMutable().assign(src.getSrc()); });
    return success();
  }
  return splatThrough(op, rewriter);
}

LogicalResult TransOp::verify() {
  auto src = getTensor(getSrc()), result = getTensor(getResult());
  ArrayRef<int32_t> order = getOrder();
  SmallVector<bool> seen(src.getRank(), false);
  bool valid = int64_t(order.size()) == src.getRank();
  for (int32_t d : order) {
    valid = valid && d >= 0 && d < src.getRank() && !seen[d];
    if (valid)
      seen[d] = true;
  }
  if (!valid)
    return emitOpError() << "order is not a permutation of the "
                         << src.getRank() << " dimensions";
  SmallVector<int64_t> shape;
  for (int32_t d : order)
    shape.push_back(src.getDimSize(d));
  if (result.getShape() != ArrayRef<int64_t>(shape))
    return emitOpError() << "result " << result << " is not the permuted "
                         << src;
  return verifySameElementType(*this, src, result);
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  bool identity = llvm::all_of(llvm::enumerate(getOrder()), [](auto entry) {
    return int32_t(entry.index()) == entry.value();
  });
  if (identity && getSrc().getType() == getType())
    return getSrc();
  return foldSplat(adaptor.getSrc(), getType());
}
LogicalResult TransOp::canonicalize(TransOp op, PatternRewriter &rewriter) {
  return splatThrough(op, rewriter);
}

//===----------------------------------------------------------------------===//
// ConvertOp
//===----------------------------------------------------------------------===//

LogicalResult ConvertOp::verify() {
  Type from = getSrc().getType(), to = getType();
  if (from == to)
    return success();
  if (!isFloatOrTensorOf(from) || !isFloatOrTensorOf(to))
    return emitOpError() << "converts floats, or equal types, not " << from
                         << " to " << to;
  if (isFloat8(getElementTypeOrSelf(to)) && getRounding() == Rounding::RTZ)
    return emitOpError() << "rounds to nearest even when it narrows to "
                         << getElementTypeOrSelf(to) << ", not towards zero";
  return success();
}

/// `value` as `type` with one rounding; saturates where `type` has 8 bits.
static APFloat convertConstant(APFloat value, FloatType type,
                               Rounding rounding) {
  bool lossy;
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  if (isFloat8(type) && !value.isNaN()) {
    // f64 contains every type, so that the comparison is exact.
    APFloat largest = APFloat::getLargest(semantics, value.isNegative());
    for (APFloat *number : {&value, &largest})
      number->convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                      &lossy);
    bool exceeds = value.isNegative() ? value < largest : value > largest;
    if (exceeds)
      value = largest;
  }
  value.convert(semantics,
                rounding == Rounding::RTZ ? APFloat::rmTowardZero
                                          : APFloat::rmNearestTiesToEven,
                &lossy);
  return value;
}

/// Equal types and constants.
OpFoldResult ConvertOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  auto to = cast<FloatType>(getElementTypeOrSelf(getType()));
  return constFoldCastOp<FloatAttr, FloatAttr, APFloat, APFloat, void>(
      adaptor.getOperands(), getType(), [&](APFloat value, bool &) {
        return convertConstant(std::move(value), to, getRounding());
      });
}
