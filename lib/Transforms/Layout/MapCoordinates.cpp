//===- MapCoordinates.cpp - tiles of an array as boxes of its map ---------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Layout/MapCoordinates.h"

#include "tessera/Analysis/Extension.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

tile::MakeDescOp tessera::getMappedDesc(Value desc) {
  auto make = desc.getDefiningOp<tile::MakeDescOp>();
  return make && make.getMap() ? make : tile::MakeDescOp();
}

BufferType tessera::getMapBuffer(tile::TensorMapType map,
                                 ArrayRef<int64_t> shape, int rowAxis) {
  Type elementType = map.getElementType();
  auto copy = TensorCopy::create(
      {int32_t(shape[1 - rowAxis]), int32_t(shape[rowAxis])},
      {int32_t(map.getBox()[0]), int32_t(map.getBox()[1])},
      tile::getByteWidth(elementType), map.getSwizzle());
  if (!copy)
    return nullptr;
  MLIRContext *context = map.getContext();
  return BufferType::get(
      context, shape, elementType,
      SharedAttr::fromLinear(context, copy->getBuffer(rowAxis)));
}

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (matchPattern(stripAllExtensions(value), m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

/// The loop that counts upwards to a limit by the value; null for another.
static scf::ForOp getCountingLoop(Value value) {
  auto counter = dyn_cast<BlockArgument>(stripAllExtensions(value));
  auto loop = counter
                  ? dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp())
                  : scf::ForOp();
  bool counts = loop && counter == loop.getInductionVar() &&
                !loop.getUnsignedCmp() &&
                getConstant(loop.getStep()).value_or(0) > 0;
  return counts ? loop : scf::ForOp();
}

/// Whether 32 bits are known to hold the value: that of a counter where they
/// hold the bounds.
static bool isNarrow(Value value) {
  if (stripAllExtensions(value).getType().getIntOrFloatBitWidth() <= 32)
    return true;
  if (std::optional<int64_t> constant = getConstant(value))
    return llvm::isInt<32>(*constant);
  scf::ForOp loop = getCountingLoop(value);
  return loop && isNarrow(loop.getLowerBound()) &&
         isNarrow(loop.getUpperBound());
}

/// A constant, or a counter from there upwards.
static bool isNonNegative(Value offset) {
  if (std::optional<int64_t> constant = getConstant(offset))
    return *constant >= 0;
  scf::ForOp loop = getCountingLoop(offset);
  return loop && getConstant(loop.getLowerBound()).value_or(-1) >= 0;
}

std::string tessera::checkMapAccess(tile::MakeDescOp desc, ValueRange offsets,
                                    BufferType buffer) {
  for (auto [origin, offset] : llvm::zip(desc.getOrigin(), offsets))
    if (getConstant(origin) != 0 && !isNonNegative(offset))
      return "an offset may be negative";
  std::string error;
  std::optional<BufferCopy> copy =
      getBufferCopy(desc.getMap().getType(), buffer, &error);
  if (!copy)
    return error;
  if (copy->rowAxis != int(*desc.getUnitDim()))
    return "the buffer's rows lie along the other dimension";
  if (buffer.getSlotBytes() % copy->copy.getAlignment() != 0)
    return "slots of " + std::to_string(buffer.getSlotBytes()) +
           " bytes do not begin at multiples of " +
           std::to_string(copy->copy.getAlignment());
  return "";
}

/// The offset in the 32 bits that hold it.
static Value buildNarrow(OpBuilder &builder, Location loc, Value offset) {
  if (std::optional<int64_t> constant = getConstant(offset))
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(*constant));
  Type type = builder.getI32Type();
  Value stripped = stripAllExtensions(offset);
  if (stripped.getType() == type)
    return stripped;
  if (stripped.getType().getIntOrFloatBitWidth() < 32)
    return arith::ExtSIOp::create(builder, loc, type, stripped);
  return arith::TruncIOp::create(builder, loc, type, offset);
}

/// The sum, or the bound of 32 bits that it is beyond. An array has at most
/// 2^31 - 1 elements a dimension: one at the upper bound is as much outside of
/// it as one above, and a tile at the lower as much as one below.
static Value buildSaturated(OpBuilder &builder, Location loc, Value first,
                            Value offset) {
  Type wide = builder.getI64Type();
  auto widen = [&](Value value) -> Value {
    if (value.getType() == wide)
      return value;
    return arith::ExtSIOp::create(builder, loc, wide, value);
  };
  auto createBound = [&](int64_t bound) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(bound));
  };
  using Limits = std::numeric_limits<int32_t>;
  Value sum = widen(offset);
  if (getConstant(first) != 0)
    sum = arith::AddIOp::create(builder, loc, widen(first), sum);
  sum = arith::MaxSIOp::create(builder, loc, sum, createBound(Limits::min()));
  sum = arith::MinSIOp::create(builder, loc, sum, createBound(Limits::max()));
  return arith::TruncIOp::create(builder, loc, builder.getI32Type(), sum);
}

static Value buildCoordinate(OpBuilder &builder, Location loc, Value first,
                             Value offset) {
  if (getConstant(offset) == 0)
    return first;
  if (getConstant(first) == 0 && isNarrow(offset))
    return buildNarrow(builder, loc, offset);
  return buildSaturated(builder, loc, first, offset);
}

SmallVector<Value> tessera::buildMapCoordinates(OpBuilder &builder,
                                                Location loc,
                                                tile::MakeDescOp desc,
                                                ValueRange origin,
                                                ValueRange offsets) {
  SmallVector<Value> coordinates;
  for (auto [first, offset] : llvm::zip(origin, offsets))
    coordinates.push_back(buildCoordinate(builder, loc, first, offset));
  if (*desc.getUnitDim() == 0)
    std::swap(coordinates[0], coordinates[1]);
  return coordinates;
}
