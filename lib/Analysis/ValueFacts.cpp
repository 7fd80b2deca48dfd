//===- ValueFacts.cpp - what is known of an integer or pointer ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Analysis/ValueFacts.h"

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera {

llvm::SmallVector<int64_t> getFactShape(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return llvm::to_vector(tensor.getShape());
  return {1};
}

int64_t getDivisibility(int64_t value) {
  if (value == 0)
    return kMaxDivisibility;
  // The lowest set bit, computed without the overflow of -INT64_MIN.
  int zeros = llvm::countr_zero(static_cast<uint64_t>(value));
  return std::min(kMaxDivisibility, int64_t(1) << std::min(zeros, 62));
}

unsigned getIntegerWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isInteger() ? element.getIntOrFloatBitWidth() : 64;
}

bool DimFacts::operator==(const DimFacts &other) const {
  return contiguity == other.contiguity && divisibility == other.divisibility &&
         constancy == other.constancy;
}

ValueFacts ValueFacts::unknown(Type type) {
  ValueFacts facts;
  facts.dims.resize(getFactShape(type).size());
  auto pointer = dyn_cast<tile::PointerType>(getElementTypeOrSelf(type));
  if (!pointer)
    return facts;
  facts.unit = tile::getByteWidth(pointer.getPointee());
  for (DimFacts &dim : facts.dims)
    dim.divisibility = facts.unit;
  return facts;
}

ValueFacts ValueFacts::ofConstant(Type type, int64_t value) {
  ValueFacts facts = unknown(type);
  for (auto [dim, size] : llvm::zip(facts.dims, getFactShape(type)))
    dim = {/*contiguity=*/1, getDivisibility(value), /*constancy=*/size};
  facts.constant = value;
  if (value >= 0)
    facts.rangeBits = 64 - llvm::countl_zero(static_cast<uint64_t>(value));
  return facts;
}

ValueFacts ValueFacts::join(const ValueFacts &a, const ValueFacts &b) {
  ValueFacts facts;
  facts.unit = a.unit;
  facts.dims.resize(a.dims.size());
  for (auto [index, dim] : llvm::enumerate(facts.dims)) {
    const DimFacts &left = a.dims[index], &right = b.dims[index];
    dim.contiguity = std::min(left.contiguity, right.contiguity);
    dim.divisibility = std::min(a.divisibilityAt(index, dim.contiguity),
                                b.divisibilityAt(index, dim.contiguity));
    dim.constancy = std::min(left.constancy, right.constancy);
  }
  if (a.constant == b.constant)
    facts.constant = a.constant;
  facts.rangeBits = std::max(a.rangeBits, b.rangeBits);
  return facts;
}

int64_t ValueFacts::divisibilityAt(unsigned dim, int64_t position) const {
  const DimFacts &facts = dims[dim];
  return position >= facts.contiguity
             ? facts.divisibility
             : std::min(facts.divisibility, position * unit);
}

int64_t ValueFacts::elementDivisibility() const {
  int64_t divisibility = 1;
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    divisibility = std::max(divisibility, divisibilityAt(dim, 1));
  return divisibility;
}

int64_t ValueFacts::alignedContiguity(unsigned dim) const {
  return std::min(dims[dim].contiguity,
                  std::max<int64_t>(1, dims[dim].divisibility / unit));
}

bool ValueFacts::operator==(const ValueFacts &other) const {
  return dims == other.dims && unit == other.unit &&
         constant == other.constant && rangeBits == other.rangeBits;
}

void ValueFacts::print(llvm::raw_ostream &os) const {
  llvm::interleave(
      dims, os,
      [&](const DimFacts &dim) {
        os << "contiguity " << dim.contiguity << " divisibility "
           << dim.divisibility << " constancy " << dim.constancy;
      },
      "; ");
  if (constant)
    os << "; constant " << *constant;
  if (isNonNegative())
    os << "; below 2^" << rangeBits;
}

} // namespace tessera
