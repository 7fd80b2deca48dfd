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
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;

using MaybeBounds = std::optional<SmallVector<MaskBound>>;

/// A comparison as `L < R`, or as `L >= R` when `isLower`: `R > L` and `R <= L`
/// are swapped; `L <= C` becomes `L < C + 1`, and `L > C` becomes `L >= C + 1`,
/// for a constant C that is not the largest integer.
namespace {
struct Comparison {
  Value lhs, rhs;
  bool isLower;
  /// 1 where the bound is R + 1.
  int64_t addend;
};
} // namespace

static std::optional<Comparison> normalize(arith::CmpIOp cmp, bool swap) {
  using P = arith::CmpIPredicate;
  Value lhs = cmp.getLhs(), rhs = cmp.getRhs();
  P predicate = cmp.getPredicate();
  if (swap) {
    std::swap(lhs, rhs);
    switch (predicate) {
    case P::slt:
      predicate = P::sgt;
      break;
    case P::sle:
      predicate = P::sge;
      break;
    case P::sgt:
      predicate = P::slt;
      break;
    case P::sge:
      predicate = P::sle;
      break;
    default:
      return std::nullopt;
    }
  }
  switch (predicate) {
  case P::slt:
    return Comparison{lhs, rhs, /*isLower=*/false, 0};
  case P::sle:
    return Comparison{lhs, rhs, /*isLower=*/false, 1};
  case P::sge:
    return Comparison{lhs, rhs, /*isLower=*/true, 0};
  case P::sgt:
    return Comparison{lhs, rhs, /*isLower=*/true, 1};
  default:
    return std::nullopt;
  }
}

/// The bound that a comparison of a coordinate with something uniform is.
static std::optional<MaskBound> getBound(const Comparison &comparison,
                                         FactsOf factsOf) {
  std::optional<AffineForm> coordinate =
      getAffineForm(comparison.lhs, factsOf);
  std::optional<AffineForm> bound = getAffineForm(comparison.rhs, factsOf);
  if (!coordinate || !bound || !bound->isUniform())
    return std::nullopt;
  std::optional<unsigned> dim = coordinate->getUnitDim();
  if (!dim)
    return std::nullopt;
  unsigned width = getIntegerWidth(comparison.lhs.getType());
  if (comparison.addend != 0) {
    if (!bound->base.isConstant() ||
        bound->base.constant >= llvm::maxIntN(width))
      return std::nullopt;
    ++bound->base.constant;
  }
  // Coordinates wrap nowhere if they are one aligned group (ValueFacts.h), or
  // if none is negative: a step over the largest integer makes one.
  ValueFacts facts = factsOf(comparison.lhs);
  int64_t size = getFactShape(comparison.lhs.getType())[*dim];
  bool aligned = facts.alignedContiguity(*dim) >= size;
  bool nonNegative =
      facts.isNonNegative() ||
      (aligned && isNonNegative(coordinate->base, width, factsOf));
  return MaskBound{*dim,
                   comparison.isLower,
                   coordinate->base,
                   bound->base,
                   width,
                   aligned || facts.isNonNegative(),
                   nonNegative};
}

/// Either side may be the coordinate.
static MaybeBounds ofComparison(arith::CmpIOp cmp, FactsOf factsOf) {
  for (bool swap : {false, true})
    if (std::optional<Comparison> comparison = normalize(cmp, swap))
      if (std::optional<MaskBound> bound = getBound(*comparison, factsOf))
        return SmallVector<MaskBound>{*bound};
  return std::nullopt;
}

namespace {
/// One query. Masks may have many users in a conjunction: the bounds of each
/// are collected once, and a comparison bounds a dimension once.
class BoundCollector {
public:
  explicit BoundCollector(FactsOf factsOf) : factsOf(factsOf) {}

  MaybeBounds getBounds(Value mask);

private:
  /// A comparison, by the operation that it is, of a coordinate of the mask.
  struct Bound {
    Operation *comparison;
    MaskBound bound;

    bool isSame(const Bound &other) const {
      return comparison == other.comparison && bound.dim == other.bound.dim;
    }
  };
  using Found = std::optional<SmallVector<Bound>>;
  using MapDim = llvm::function_ref<std::optional<int64_t>(int64_t)>;

  Found collect(Value mask);
  Found compute(Value mask);
  Found ofComparison(arith::CmpIOp cmp);
  Found ofConjunction(arith::AndIOp op);
  Found ofTrans(tile::TransOp op);
  Found ofBroadcast(tile::BroadcastOp op);
  Found mapDims(Value source, MapDim map);

  FactsOf factsOf;
  llvm::DenseMap<Value, Found> found;
};
} // namespace

/// Either side may be the coordinate.
BoundCollector::Found BoundCollector::ofComparison(arith::CmpIOp cmp) {
  for (bool swap : {false, true})
    if (std::optional<Comparison> comparison = normalize(cmp, swap))
      if (std::optional<MaskBound> bound = getBound(*comparison, factsOf))
        return SmallVector<Bound>{{cmp, *bound}};
  return std::nullopt;
}

/// Bounds of the source with each dimension mapped; nothing for a bound on a
/// dimension that `map` drops.
BoundCollector::Found BoundCollector::mapDims(Value source, MapDim map) {
  Found bounds = collect(source);
  if (!bounds)
    return std::nullopt;
  for (auto &[comparison, bound] : *bounds) {
    std::optional<int64_t> dim = map(bound.dim);
    if (!dim)
      return std::nullopt;
    bound.dim = *dim;
  }
  return bounds;
}

BoundCollector::Found BoundCollector::ofConjunction(arith::AndIOp op) {
  Found left = collect(op.getLhs()), right = collect(op.getRhs());
  if (!left || !right)
    return std::nullopt;
  for (const Bound &bound : *right)
    if (llvm::none_of(*left, [&](auto &other) { return bound.isSame(other); }))
      left->push_back(bound);
  return left;
}

BoundCollector::Found BoundCollector::ofTrans(tile::TransOp op) {
  return mapDims(op.getSrc(), [&](int64_t dim) -> std::optional<int64_t> {
    return llvm::find(op.getOrder(), int32_t(dim)) - op.getOrder().begin();
  });
}

/// A bound on a repeated dimension does not bound the result's coordinate.
BoundCollector::Found BoundCollector::ofBroadcast(tile::BroadcastOp op) {
  SmallVector<int64_t> shape = getFactShape(op.getSrc().getType());
  return mapDims(op.getSrc(), [&](int64_t dim) -> std::optional<int64_t> {
    if (shape[dim] == 1)
      return std::nullopt;
    return dim;
  });
}

BoundCollector::Found BoundCollector::collect(Value mask) {
  auto known = found.find(mask);
  if (known != found.end())
    return known->second;
  Found bounds = compute(mask);
  found[mask] = bounds;
  return bounds;
}

BoundCollector::Found BoundCollector::compute(Value mask) {
  APInt constant;
  if (matchPattern(mask, m_ConstantInt(&constant)) && constant.isOne())
    return SmallVector<Bound>();
  Operation *op = mask.getDefiningOp();
  if (!op)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case<arith::AndIOp>(
          [&](auto conjunction) { return ofConjunction(conjunction); })
      .Case<arith::CmpIOp>([&](auto cmp) { return ofComparison(cmp); })
      .Case<tile::ExpandDimsOp>([&](auto expand) {
        int64_t axis = expand.getAxis();
        return mapDims(expand.getSrc(),
                       [&](int64_t dim) -> std::optional<int64_t> {
                         return dim < axis ? dim : dim + 1;
                       });
      })
      .Case<tile::BroadcastOp>(
          [&](auto broadcast) { return ofBroadcast(broadcast); })
      .Case<tile::TransOp>([&](auto trans) { return ofTrans(trans); })
      .Case<tile_gpu::ConvertLayoutOp>(
          [&](auto convert) { return collect(convert.getSrc()); })
      .Default(Found());
}

MaybeBounds BoundCollector::getBounds(Value mask) {
  Found found = collect(mask);
  if (!found)
    return std::nullopt;
  SmallVector<MaskBound> bounds;
  for (const Bound &each : *found)
    bounds.push_back(each.bound);
  return bounds;
}

MaybeBounds tessera::getMaskBounds(Value mask, FactsOf factsOf) {
  return BoundCollector(factsOf).getBounds(mask);
}
