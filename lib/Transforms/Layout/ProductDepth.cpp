//===- ProductDepth.cpp - where along k a product may stop ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductDepth.h"

#include "tessera/Analysis/Extension.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;

/// Where an operand that is loaded from an array lies along `axis`.
static std::optional<TileSpan> findSpan(Value operand, unsigned axis) {
  auto load = operand.getDefiningOp<tile::DescLoadOp>();
  auto desc = load ? load.getDesc().getDefiningOp<tile::MakeDescOp>() : nullptr;
  if (!desc)
    return std::nullopt;
  return TileSpan{stripExtension(desc.getExtents()[axis]),
                  stripExtension(load.getOffsets()[axis])};
}

/// Whether a step of the tile may lie behind the end of its array, and another
/// before it.
static bool mayEndInside(const TileSpan &span, int64_t extentK, int64_t step,
                         const AffineAccess &analysis) {
  ValueFacts extent = analysis.getFacts(span.extent),
             offset = analysis.getFacts(span.offset);
  // The array ends with a tile.
  if (extent.elementDivisibility() >= extentK &&
      offset.elementDivisibility() >= extentK)
    return false;
  int64_t rest;
  bool isKnown = extent.constant && offset.constant &&
                 !llvm::SubOverflow(*extent.constant, *offset.constant, rest);
  return !isKnown || rest <= extentK - step;
}

std::optional<ProductDepth>
tessera::chooseProductDepth(tile::DotOp dot, int64_t step,
                            const AffineAccess &analysis, std::string &reason) {
  int64_t extentK = cast<RankedTensorType>(dot.getA().getType()).getDimSize(1);
  if (extentK <= step)
    return std::nullopt;
  std::optional<TileSpan> a = findSpan(dot.getA(), 1),
                          b = findSpan(dot.getB(), 0);
  if (!a || !b) {
    reason = std::string(a ? "B" : "A") + " is no tile of an array";
    return std::nullopt;
  }
  if (!mayEndInside(*a, extentK, step, analysis) ||
      !mayEndInside(*b, extentK, step, analysis))
    return std::nullopt;
  ProductDepth depth{{*a}, extentK};
  if (!(*a == *b))
    depth.spans.push_back(*b);
  return depth;
}

/// min(max(extent - offset, 0), K) of the exact difference: where it is
/// positive it fits as an unsigned integer.
static Value buildRest(OpBuilder &builder, Location loc, const TileSpan &span,
                       int64_t extentK) {
  Value extent = span.extent, offset = span.offset;
  Type type = builder.getIntegerType(
      std::max(extent.getType().getIntOrFloatBitWidth(),
               offset.getType().getIntOrFloatBitWidth()));
  for (Value *value : {&extent, &offset})
    if (value->getType() != type)
      *value = builder.createOrFold<arith::ExtSIOp>(loc, type, *value);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  };
  Value exists = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::sgt, extent, offset);
  Value rest = builder.createOrFold<arith::SubIOp>(loc, extent, offset);
  rest = builder.createOrFold<arith::MinUIOp>(loc, rest, constant(extentK));
  rest = builder.createOrFold<arith::SelectOp>(loc, exists, rest, constant(0));
  if (type.isInteger(32))
    return rest;
  return builder.createOrFold<arith::TruncIOp>(loc, builder.getI32Type(), rest);
}

Value ProductDepth::build(OpBuilder &builder, Location loc) const {
  Value depth;
  for (const TileSpan &span : spans) {
    Value rest = buildRest(builder, loc, span, extentK);
    depth =
        depth ? builder.createOrFold<arith::MaxSIOp>(loc, depth, rest) : rest;
  }
  return depth;
}
