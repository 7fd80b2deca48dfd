//===- MaskBounds.cpp - masks as bounds on coordinates --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Analysis/AffineForm.h"

#include "tessera/Analysis/ValueFacts.h"
#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;

using MaybeBounds = std::optional<SmallVector<MaskBound>>;

static MaybeBounds collect(Value mask, ConstantOf constantOf);

/// The only dimension along which the form varies, with stride 1.
static std::optional<int64_t> getUnitDim(const AffineForm &form) {
  std::optional<int64_t> found;
  for (auto [dim, stride] : llvm::enumerate(form.strides)) {
    if (stride.isConstant(0))
      continue;
    if (found || !stride.isConstant(1))
      return std::nullopt;
    found = dim;
  }
  return found;
}

/// `L < R` as it stands, `R > L` swapped, and `L <= C` as `L < C + 1` for a
/// constant C that is not the largest integer.
static MaybeBounds ofComparison(arith::CmpIOp cmp, ConstantOf constantOf) {
  using P = arith::CmpIPredicate;
  P predicate = cmp.getPredicate();
  Value lhs = cmp.getLhs(), rhs = cmp.getRhs();
  if (predicate == P::sgt || predicate == P::sge) {
    std::swap(lhs, rhs);
    predicate = predicate == P::sgt ? P::slt : P::sle;
  }
  if (predicate != P::slt && predicate != P::sle)
    return std::nullopt;
  std::optional<AffineForm> coordinate = getAffineForm(lhs, constantOf);
  std::optional<AffineForm> bound = getAffineForm(rhs, constantOf);
  if (!coordinate || !bound || !bound->isUniform())
    return std::nullopt;
  std::optional<int64_t> dim = getUnitDim(*coordinate);
  if (!dim)
    return std::nullopt;
  unsigned width = getIntegerWidth(lhs.getType());
  if (predicate == P::sle) {
    if (!bound->base.isConstant() ||
        bound->base.constant >= llvm::maxIntN(width))
      return std::nullopt;
    ++bound->base.constant;
  }
  return SmallVector<MaskBound>{{*dim, coordinate->base, bound->base, width}};
}

/// Bounds of the source with each dimension mapped; nothing for a bound on a
/// dimension that `map` drops.
static MaybeBounds
mapDims(Value source, ConstantOf constantOf,
        llvm::function_ref<std::optional<int64_t>(int64_t)> map) {
  MaybeBounds bounds = collect(source, constantOf);
  if (!bounds)
    return std::nullopt;
  for (MaskBound &bound : *bounds) {
    std::optional<int64_t> dim = map(bound.dim);
    if (!dim)
      return std::nullopt;
    bound.dim = *dim;
  }
  return bounds;
}

static MaybeBounds ofConjunction(arith::AndIOp op, ConstantOf constantOf) {
  MaybeBounds left = collect(op.getLhs(), constantOf);
  MaybeBounds right = collect(op.getRhs(), constantOf);
  if (!left || !right)
    return std::nullopt;
  llvm::append_range(*left, *right);
  return left;
}

static MaybeBounds ofTrans(tile::TransOp op, ConstantOf constantOf) {
  return mapDims(
      op.getSrc(), constantOf, [&](int64_t dim) -> std::optional<int64_t> {
        return llvm::find(op.getOrder(), int32_t(dim)) - op.getOrder().begin();
      });
}

/// A bound on a repeated dimension does not bound the result's coordinate.
static MaybeBounds ofBroadcast(tile::BroadcastOp op, ConstantOf constantOf) {
  SmallVector<int64_t> shape = getFactShape(op.getSrc().getType());
  return mapDims(op.getSrc(), constantOf,
                 [&](int64_t dim) -> std::optional<int64_t> {
                   if (shape[dim] == 1)
                     return std::nullopt;
                   return dim;
                 });
}

static MaybeBounds collect(Value mask, ConstantOf constantOf) {
  APInt constant;
  if (matchPattern(mask, m_ConstantInt(&constant)) && constant.isOne())
    return SmallVector<MaskBound>();
  Operation *op = mask.getDefiningOp();
  if (!op)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, MaybeBounds>(op)
      .Case<arith::AndIOp>([&](auto conjunction) {
        return ofConjunction(conjunction, constantOf);
      })
      .Case<arith::CmpIOp>(
          [&](auto cmp) { return ofComparison(cmp, constantOf); })
      .Case<tile::ExpandDimsOp>([&](auto expand) {
        int64_t axis = expand.getAxis();
        return mapDims(expand.getSrc(), constantOf,
                       [&](int64_t dim) -> std::optional<int64_t> {
                         return dim < axis ? dim : dim + 1;
                       });
      })
      .Case<tile::BroadcastOp>(
          [&](auto broadcast) { return ofBroadcast(broadcast, constantOf); })
      .Case<tile::TransOp>(
          [&](auto trans) { return ofTrans(trans, constantOf); })
      .Case<tile_gpu::ConvertLayoutOp>(
          [&](auto convert) { return collect(convert.getSrc(), constantOf); })
      .Default(MaybeBounds());
}

MaybeBounds tessera::getMaskBounds(Value mask, ConstantOf constantOf) {
  return collect(mask, constantOf);
}
