//===- AccessFacts.cpp - how wide an access may be ------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The width of an access is the smallest of four powers of two: what 16 bytes
// hold, the groups of consecutive addresses, the groups that their alignment
// allows, and the groups over which the mask has one value.
//
//===----------------------------------------------------------------------===//

#include "tessera/Analysis/AffineAccess.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;

std::string AccessFacts::reason() const { return llvm::join(limits, ", "); }

Value tessera::getAccessPointer(Operation *loadOrStore) {
  return llvm::TypeSwitch<Operation *, Value>(loadOrStore)
      .Case<tile::LoadOp, tile::StoreOp>([](auto op) { return op.getPtr(); })
      .Default(Value());
}

Value tessera::getAccessMask(Operation *loadOrStore) {
  return llvm::TypeSwitch<Operation *, Value>(loadOrStore)
      .Case<tile::LoadOp, tile::StoreOp>([](auto op) { return op.getMask(); })
      .Default(Value());
}

SmallVector<Operation *> tessera::getTensorAccesses(tile::FuncOp function) {
  SmallVector<Operation *> accesses;
  function.walk([&](Operation *op) {
    Value pointer = getAccessPointer(op);
    if (pointer && isa<RankedTensorType>(pointer.getType()))
      accesses.push_back(op);
  });
  return accesses;
}

/// Why addresses are consecutive over `contiguity` elements only.
static std::string describeContiguity(const AffineAccess &analysis,
                                      Value pointer, int64_t axis,
                                      int64_t contiguity) {
  if (contiguity > 1)
    return llvm::formatv("addresses consecutive over {0} along dim {1}",
                         contiguity, axis);
  std::optional<AffineForm> form = analysis.getAffineForm(pointer);
  if (!form)
    return llvm::formatv("addresses along dim {0} not affine", axis);
  const ScalarSum &stride = form->strides[axis];
  if (!stride.isConstant())
    return llvm::formatv("stride of dim {0} unknown", axis);
  return llvm::formatv("stride of dim {0} is {1}", axis, stride.constant);
}

AccessFacts AffineAccess::getAccessFacts(Operation *loadOrStore) const {
  Value pointer = getAccessPointer(loadOrStore);
  auto type = cast<RankedTensorType>(pointer.getType());
  ValueFacts facts = getFacts(pointer);
  AccessFacts access;
  for (unsigned dim = 0; dim < facts.dims.size(); ++dim)
    if (facts.dims[dim].contiguity >= facts.dims[access.axis].contiguity)
      access.axis = dim;
  access.maxWidth = std::max<int64_t>(1, kMaxAccessBytes / facts.unit);

  int64_t size = type.getDimSize(access.axis);
  const DimFacts &along = facts.dims[access.axis];
  int64_t aligned = std::max<int64_t>(1, along.divisibility / facts.unit);
  int64_t constant = size;
  if (Value mask = getAccessMask(loadOrStore))
    constant = getFacts(mask).dims[access.axis].constancy;
  int64_t contiguity = along.contiguity;
  access.width = std::min({access.maxWidth, contiguity, aligned, constant});
  if (access.width == access.maxWidth)
    return access;

  // Each limit that would keep the width where it is if the others were lifted.
  auto limit = [&](int64_t bound, llvm::function_ref<std::string()> text) {
    if (bound == access.width)
      access.limits.push_back(text());
  };
  if (size == access.width)
    access.limits.push_back(
        llvm::formatv("dim {0} has {1} elements", access.axis, size));
  else
    limit(contiguity, [&] {
      return describeContiguity(*this, pointer, access.axis, contiguity);
    });
  // Addresses that are not consecutive have no use for more alignment.
  if (contiguity > access.width)
    limit(aligned, [&]() -> std::string {
      return llvm::formatv("pointer alignment {0} bytes", along.divisibility);
    });
  if (size > access.width)
    limit(constant, [&]() -> std::string {
      return llvm::formatv("mask constant over {0}", constant);
    });
  return access;
}
