//===- MapCoordinates.cpp - tiles of an array as boxes of its map ---------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Layout/MapCoordinates.h"

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

/// The offset in 32 bits: itself, what was extended to it, or a constant. Null
/// for a value that may need more.
static Value getNarrow(Value offset) {
  if (offset.getType().isInteger(32))
    return offset;
  auto extension = offset.getDefiningOp<arith::ExtSIOp>();
  bool fits = extension && extension.getIn().getType().isInteger(32);
  return fits ? extension.getIn() : Value();
}

static std::optional<int32_t> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.isSignedIntN(32))
    return int32_t(constant.getSExtValue());
  return std::nullopt;
}

/// A constant, or a counter from there upwards.
static bool isNonNegative(Value offset) {
  if (std::optional<int32_t> constant = getConstant(offset))
    return *constant >= 0;
  auto counter = dyn_cast_or_null<BlockArgument>(getNarrow(offset));
  auto loop =
      counter ? dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp())
              : scf::ForOp();
  return loop && counter == loop.getInductionVar() && !loop.getUnsignedCmp() &&
         getConstant(loop.getLowerBound()).value_or(-1) >= 0 &&
         getConstant(loop.getStep()).value_or(0) > 0;
}

std::string tessera::checkMapAccess(tile::MakeDescOp desc, ValueRange offsets,
                                    BufferType buffer) {
  for (auto [origin, offset] : llvm::zip(desc.getOrigin(), offsets)) {
    if (!getNarrow(offset) && !getConstant(offset))
      return "an offset has 64 bits, a tensor map's coordinates have 32";
    if (getConstant(origin) != 0 && !isNonNegative(offset))
      return "an offset may be negative";
  }
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

SmallVector<Value> tessera::buildMapCoordinates(OpBuilder &builder,
                                                Location loc,
                                                tile::MakeDescOp desc,
                                                ValueRange origin,
                                                ValueRange offsets) {
  SmallVector<Value> coordinates;
  for (auto [first, offset] : llvm::zip(origin, offsets)) {
    std::optional<int32_t> constant = getConstant(offset);
    Value narrow = getNarrow(offset);
    if (constant && *constant == 0)
      coordinates.push_back(first);
    else if (getConstant(first) == 0 && narrow)
      coordinates.push_back(narrow);
    else
      coordinates.push_back(arith::AddIOp::create(
          builder, loc, first,
          narrow ? narrow
                 : arith::ConstantOp::create(builder, loc,
                                             builder.getI32IntegerAttr(*constant))
                       .getResult()));
  }
  if (*desc.getUnitDim() == 0)
    std::swap(coordinates[0], coordinates[1]);
  return coordinates;
}
