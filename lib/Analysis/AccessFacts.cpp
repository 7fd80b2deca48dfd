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

Value tessera::getAccessPointer(Operation *access) {
  return llvm::TypeSwitch<Operation *, Value>(access)
      .Case<tile::LoadOp, tile::StoreOp>([](auto op) { return op.getPtr(); })
      .Default(Value());
}

Value tessera::getAccessMask(Operation *access) {
  return llvm::TypeSwitch<Operation *, Value>(access)
      .Case<tile::LoadOp, tile::StoreOp>([](auto op) { return op.getMask(); })
      .Default(Value());
}

bool tessera::isLoad(Operation *access) {
  return isa<tile::LoadOp, tile::DescLoadOp>(access);
}

SmallVector<Operation *> tessera::getTensorAccesses(tile::FuncOp function) {
  SmallVector<Operation *> accesses;
  function.walk([&](Operation *op) {
    if (tile::getMovedTensor(op))
      accesses.push_back(op);
  });
  return accesses;
}

/// Why addresses are consecutive over `contiguity` elements only.
static std::string describeContiguity(const AffineAccess &analysis,
                                      Operation *access, int64_t axis,
                                      int64_t contiguity) {
  if (contiguity > 1)
    return llvm::formatv("addresses consecutive over {0} along dim {1}",
                         contiguity, axis);
  std::optional<SmallVector<ScalarSum, 2>> strides =
      analysis.getStrides(access);
  if (!strides)
    return llvm::formatv("addresses along dim {0} not affine", axis);
  const ScalarSum &stride = (*strides)[axis];
  if (!stride.isConstant())
    return llvm::formatv("stride of dim {0} unknown", axis);
  return llvm::formatv("stride of dim {0} is {1}", axis, stride.constant);
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// The descriptor of an access and its offsets; no descriptor for other
/// accesses.
static Value getDesc(Operation *op, SmallVectorImpl<Value> &offsets) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<tile::DescLoadOp, tile::DescStoreOp>([&](auto access) {
        llvm::append_range(offsets, access.getOffsets());
        return access.getDesc();
      })
      .Default(Value());
}

/// The value that a sum of one value is, through extensions; a constant where
/// it is known to be one.
static ScalarSum getSum(const AffineAccess &analysis, Value value) {
  if (std::optional<int64_t> constant = analysis.getFacts(value).constant)
    return ScalarSum::ofConstant(*constant);
  while (auto extension = value.getDefiningOp<arith::ExtSIOp>())
    value = extension.getIn();
  return ScalarSum::ofValue(value);
}

std::optional<SmallVector<ScalarSum, 2>>
AffineAccess::getStrides(Operation *access) const {
  if (Value pointer = getAccessPointer(access)) {
    std::optional<AffineForm> form = getAffineForm(pointer);
    if (!form)
      return std::nullopt;
    return form->strides;
  }
  SmallVector<Value> offsets;
  Value desc = getDesc(access, offsets);
  auto make = desc ? desc.getDefiningOp<tile::MakeDescOp>() : nullptr;
  if (!make)
    return std::nullopt;
  SmallVector<ScalarSum, 2> strides;
  for (Value stride : make.getStrides())
    strides.push_back(getSum(*this, stride));
  return strides;
}

namespace {
/// What bounds the width of an access along its axis, all in elements.
struct WidthLimits {
  int64_t axis = 0;
  /// Groups of consecutive addresses, those that the first address's alignment
  /// allows, and those over which the mask, or the array's bounds, say one
  /// thing.
  int64_t contiguity = 1, aligned = 1, constant = 1;
  /// What divides the addresses of groups.
  int64_t alignmentBytes = 1;
};
} // namespace

static WidthLimits getPointerLimits(const AffineAccess &analysis,
                                    Operation *op) {
  ValueFacts facts = analysis.getFacts(getAccessPointer(op));
  WidthLimits limits;
  for (unsigned dim = 0; dim < facts.dims.size(); ++dim)
    if (facts.dims[dim].contiguity >= facts.dims[limits.axis].contiguity)
      limits.axis = dim;
  const DimFacts &along = facts.dims[limits.axis];
  limits.contiguity = along.contiguity;
  limits.alignmentBytes = along.divisibility;
  limits.aligned = std::max<int64_t>(1, along.divisibility / facts.unit);
  limits.constant = tile::getMovedTensor(op).getDimSize(limits.axis);
  if (Value mask = getAccessMask(op))
    limits.constant = analysis.getFacts(mask).dims[limits.axis].constancy;
  return limits;
}

/// Groups of g elements along the axis, whose stride is 1, are consecutive. The
/// first element of one is at base + (offset + g * s) * size, plus multiples of
/// the other strides: what divides g, the base, the offset and the other strides
/// divides it. A group lies on one side of each of the array's edges, 0 and the
/// extent, if g divides both the offset and the extent.
static WidthLimits getDescLimits(const AffineAccess &analysis, Operation *op) {
  RankedTensorType type = tile::getMovedTensor(op);
  WidthLimits limits;
  limits.axis = type.getRank() - 1;
  limits.constant = type.getDimSize(limits.axis);
  SmallVector<Value> offsets;
  auto make = getDesc(op, offsets).getDefiningOp<tile::MakeDescOp>();
  if (!make)
    return limits;
  auto divisibility = [&](Value value) {
    return analysis.getFacts(value).elementDivisibility();
  };
  std::optional<int64_t> axis;
  for (auto [dim, stride] : llvm::enumerate(make.getStrides()))
    if (analysis.getFacts(stride).constant == 1 &&
        (!axis || type.getDimSize(dim) > 1))
      axis = dim;
  if (!axis)
    return limits;
  limits.axis = *axis;
  limits.contiguity = type.getDimSize(*axis);
  int64_t elements = divisibility(offsets[*axis]);
  limits.constant = std::min(elements, divisibility(make.getExtents()[*axis]));
  for (auto [dim, stride] : llvm::enumerate(make.getStrides()))
    if (int64_t(dim) != *axis)
      elements = std::min(
          elements, type.getDimSize(dim) == 1
                        ? divisibility(stride) * divisibility(offsets[dim])
                        : divisibility(stride));
  int64_t size = tile::getByteWidth(type.getElementType());
  limits.alignmentBytes =
      std::min(divisibility(make.getBase()),
               std::min(elements, kMaxDivisibility / size) * size);
  limits.aligned = std::max<int64_t>(1, limits.alignmentBytes / size);
  return limits;
}

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

AccessFacts AffineAccess::getAccessFacts(Operation *op) const {
  WidthLimits limits = getAccessPointer(op) ? getPointerLimits(*this, op)
                                            : getDescLimits(*this, op);
  RankedTensorType type = tile::getMovedTensor(op);
  AccessFacts access;
  access.axis = limits.axis;
  access.maxWidth = std::max<int64_t>(
      1, kMaxAccessBytes / tile::getByteWidth(type.getElementType()));
  access.width = std::min({access.maxWidth, limits.contiguity, limits.aligned,
                           limits.constant});
  if (access.width == access.maxWidth)
    return access;

  // Each limit that would keep the width where it is if the others were lifted.
  auto limit = [&](int64_t bound, llvm::function_ref<std::string()> text) {
    if (bound == access.width)
      access.limits.push_back(text());
  };
  int64_t size = type.getDimSize(access.axis);
  if (size == access.width)
    access.limits.push_back(
        llvm::formatv("dim {0} has {1} elements", access.axis, size));
  else
    limit(limits.contiguity, [&] {
      return describeContiguity(*this, op, access.axis, limits.contiguity);
    });
  // Addresses that are not consecutive have no use for more alignment.
  if (limits.contiguity > access.width)
    limit(limits.aligned, [&]() -> std::string {
      return llvm::formatv("pointer alignment {0} bytes",
                           limits.alignmentBytes);
    });
  if (size > access.width)
    limit(limits.constant, [&]() -> std::string {
      return llvm::formatv("mask constant over {0}", limits.constant);
    });
  return access;
}
