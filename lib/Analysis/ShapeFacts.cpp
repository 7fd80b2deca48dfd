//===- ShapeFacts.cpp - facts of the tile dialect's operations ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shape operations move facts between dimensions; program ids, aranges and
// constants are where facts begin; addptr joins integers to pointers.
//
//===----------------------------------------------------------------------===//

#include "FactTransfer.h"

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;

/// `source` with other dimensions: its constant, range and unit hold for each
/// element.
static ValueFacts withDims(const ValueFacts &source, ArrayRef<DimFacts> dims) {
  ValueFacts facts = source;
  facts.dims.assign(dims.begin(), dims.end());
  return facts;
}

//===----------------------------------------------------------------------===//
// Where facts begin
//===----------------------------------------------------------------------===//

static ValueFacts constantFacts(Operation *op) {
  Type type = op->getResult(0).getType();
  APInt value;
  if (getElementTypeOrSelf(type).isIntOrIndex() &&
      matchPattern(op->getResult(0), m_ConstantInt(&value)) &&
      value.getBitWidth() <= 64)
    return ValueFacts::ofConstant(type, value.getSExtValue());
  return ValueFacts::unknown(type);
}

/// start + i: one group, which starts at `start`. The verifier excludes values
/// beyond i32.
static ValueFacts arangeFacts(tile::ArangeOp op) {
  ValueFacts facts = ValueFacts::unknown(op.getType());
  int64_t start = int32_t(op.getStart());
  int64_t size = getFactShape(op.getType())[0];
  if (size == 1)
    return ValueFacts::ofConstant(op.getType(), start);
  facts.dims[0] = {size, getDivisibility(start), 1};
  if (start >= 0)
    facts.rangeBits = llvm::Log2_64(start + size - 1) + 1;
  return facts;
}

/// Program ids and their numbers are i32 and not negative.
static ValueFacts gridFacts(Operation *op) {
  ValueFacts facts = ValueFacts::unknown(op->getResult(0).getType());
  facts.rangeBits = 31;
  return facts;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static ValueFacts splatFacts(const ValueFacts &source, Type type) {
  SmallVector<DimFacts> dims;
  for (int64_t size : getFactShape(type))
    dims.push_back({1, source.dims[0].divisibility, size});
  return withDims(source, dims);
}

static ValueFacts expandFacts(const ValueFacts &source, int64_t axis) {
  SmallVector<DimFacts> dims(source.dims);
  dims.insert(dims.begin() + axis, {1, source.elementDivisibility(), 1});
  return withDims(source, dims);
}

/// A dimension of size 1 that is repeated is constant; what is known of the
/// others holds for each repetition.
static ValueFacts broadcastFacts(tile::BroadcastOp op,
                                 const ValueFacts &source) {
  SmallVector<DimFacts> dims(source.dims);
  for (auto [dim, from, to] :
       llvm::zip(dims, getFactShape(op.getSrc().getType()),
                 getFactShape(op.getType())))
    if (from == 1)
      dim = {1, source.elementDivisibility(), to};
  return withDims(source, dims);
}

static ValueFacts transFacts(tile::TransOp op, const ValueFacts &source) {
  SmallVector<DimFacts> dims;
  for (int32_t from : op.getOrder())
    dims.push_back(source.dims[from]);
  return withDims(source, dims);
}

/// Facts along a dimension of a reshape's result that has `size` elements, each
/// `step` elements of the row-major order apart. They follow the source's
/// dimension in which that step lies, `stride` elements apart in it; all sizes
/// being powers of two, there is exactly one.
static DimFacts reshapedDim(const ValueFacts &source, ArrayRef<int64_t> from,
                            int64_t step, int64_t size) {
  int64_t src = int64_t(from.size()) - 1;
  int64_t below = 1; // Elements of the source's dimensions inside `src`.
  while (src > 0 && step >= below * from[src])
    below *= from[src--];
  int64_t stride = step / below;
  DimFacts facts;
  // An aligned group of the result does not leave the source's dimension,
  // whose contiguity is at most its size.
  if (stride == 1)
    facts.contiguity = std::min(source.dims[src].contiguity, size);
  facts.divisibility = stride == 1
                           ? source.divisibilityAt(src, facts.contiguity)
                           : source.elementDivisibility();
  // A group that is constant up to the end of the source's dimension goes on in
  // the next one outside.
  facts.constancy = std::max<int64_t>(1, source.dims[src].constancy / stride);
  for (int64_t full = from[src] / stride; src > 0 && facts.constancy == full;
       full *= from[src])
    facts.constancy *= source.dims[--src].constancy;
  facts.constancy = std::min(facts.constancy, size);
  return facts;
}

static ValueFacts reshapeFacts(const ValueFacts &source, ArrayRef<int64_t> from,
                               ArrayRef<int64_t> to) {
  SmallVector<DimFacts> dims(to.size());
  int64_t step = 1;
  for (int64_t dim = int64_t(to.size()) - 1; dim >= 0; step *= to[dim--])
    dims[dim] = to[dim] == 1 ? DimFacts{1, source.elementDivisibility(), 1}
                             : reshapedDim(source, from, step, to[dim]);
  return withDims(source, dims);
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

/// A sum in bytes; the offset counts elements and is sign-extended.
static ValueFacts addPtrFacts(tile::AddPtrOp op, const ValueFacts &pointer,
                              const ValueFacts &narrow) {
  Type offsetType = op.getOffset().getType();
  ValueFacts offset =
      resizeFacts(narrow, offsetType, getIntegerWidth(offsetType), 64,
                  /*isSigned=*/true);
  ValueFacts facts = ValueFacts::unknown(op.getType());
  auto offsetBytesAt = [&](unsigned dim, int64_t position) {
    return std::min(kMaxDivisibility,
                    offset.divisibilityAt(dim, position) * facts.unit);
  };
  for (unsigned dim = 0; dim < facts.dims.size(); ++dim) {
    const DimFacts &p = pointer.dims[dim], &o = offset.dims[dim];
    int64_t group = std::max(std::min(p.contiguity, o.constancy),
                             std::min(p.constancy, o.contiguity));
    facts.dims[dim] = {
        group,
        std::min(pointer.divisibilityAt(dim, group), offsetBytesAt(dim, group)),
        std::min(p.constancy, o.constancy)};
  }
  return facts;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

static ValueFacts transferTile(Operation *op,
                               ArrayRef<const ValueFacts *> operands) {
  Type type = op->getResult(0).getType();
  return llvm::TypeSwitch<Operation *, ValueFacts>(op)
      .Case<arith::ConstantOp>([&](auto) { return constantFacts(op); })
      .Case<tile::ArangeOp>([&](auto arange) { return arangeFacts(arange); })
      .Case<tile::ProgramIdOp, tile::NumProgramsOp>(
          [&](auto) { return gridFacts(op); })
      .Case<tile::SplatOp>([&](auto) { return splatFacts(*operands[0], type); })
      .Case<tile::ExpandDimsOp>([&](auto expand) {
        return expandFacts(*operands[0], expand.getAxis());
      })
      .Case<tile::BroadcastOp>([&](auto broadcast) {
        return broadcastFacts(broadcast, *operands[0]);
      })
      .Case<tile::TransOp>(
          [&](auto trans) { return transFacts(trans, *operands[0]); })
      .Case<tile::ReshapeOp>([&](auto reshape) {
        return reshapeFacts(*operands[0],
                            getFactShape(reshape.getSrc().getType()),
                            getFactShape(type));
      })
      .Case<tile_gpu::ConvertLayoutOp>([&](auto) { return *operands[0]; })
      .Case<tile::AddPtrOp>([&](auto add) {
        return addPtrFacts(add, *operands[0], *operands[1]);
      })
      .Default([&](auto) { return ValueFacts::unknown(type); });
}

ValueFacts tessera::transferFacts(Operation *op,
                                  ArrayRef<const ValueFacts *> operands) {
  std::optional<ValueFacts> arithmetic = transferArithmetic(op, operands);
  ValueFacts facts = arithmetic ? *arithmetic : transferTile(op, operands);
  // The first element of a group is an element: what divides all, as seen
  // along any dimension, divides it.
  int64_t divisibility = facts.elementDivisibility();
  for (DimFacts &dim : facts.dims)
    dim.divisibility = std::max(dim.divisibility, divisibility);
  return facts;
}
