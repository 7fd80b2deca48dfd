//===- DescAccess.cpp - a pointer access as a descriptor access -----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescAccess.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;

//===----------------------------------------------------------------------===//
// DescAccess
//===----------------------------------------------------------------------===//

static void collect(const ScalarSum &sum, llvm::SetVector<Value> &values) {
  for (const ScalarTerm &term : sum.terms)
    values.insert(term.values.begin(), term.values.end());
}

llvm::SetVector<Value> DescAccess::getLeaves() const {
  llvm::SetVector<Value> leaves;
  leaves.insert(pointer);
  collect(base, leaves);
  for (const DescDim &dim : dims) {
    collect(dim.stride, leaves);
    for (ArrayRef<MaskBound> bounds : {ArrayRef(dim.uppers),
                                       ArrayRef(dim.lowers)})
      for (const MaskBound &bound : bounds) {
        // The start of an array's dimension is an offset of the access.
        if (dim.origin == DescDim::Origin::Tile)
          collect(bound.start, leaves);
        collect(bound.bound, leaves);
      }
  }
  return leaves;
}

llvm::SetVector<BlockArgument> DescAccess::getAdvances() const {
  llvm::SetVector<Value> values = getLeaves();
  for (const DescDim &dim : dims)
    for (const MaskBound &bound : llvm::concat<const MaskBound>(dim.uppers,
                                                                dim.lowers))
      collect(bound.start, values);
  llvm::SetVector<BlockArgument> advances;
  for (Value value : values)
    if (isa<RankedTensorType>(value.getType()))
      advances.insert(cast<BlockArgument>(value));
  return advances;
}

//===----------------------------------------------------------------------===//
// Origins
//===----------------------------------------------------------------------===//

static bool isEqual(const ScalarSum &a, const ScalarSum &b) {
  std::optional<ScalarSum> difference = a.plus(b, -1);
  return difference && difference->isConstant(0);
}

static size_t countSummands(const ScalarSum &sum) {
  return sum.terms.size() + (sum.constant != 0);
}

/// Whether the mask's coordinate can be the array's: one coordinate for all
/// bounds, which an upper and the lower bound 0 describe. Its start leaves the
/// base as a sum in 64 bits, which has to be the mask's sum in fewer bits.
static bool canBeArray(const DescDim &dim, const AffineAccess &analysis) {
  if (dim.uppers.empty())
    return false;
  const MaskBound &first = dim.uppers.front();
  if (!first.start.isConstant() && !first.start.getSingleValue() &&
      !analysis.isNonNegative(first.start, first.width))
    return false;
  bool nonNegative = first.isNonNegative;
  for (const MaskBound &bound : llvm::concat<const MaskBound>(dim.uppers,
                                                              dim.lowers))
    if (bound.width != first.width || !isEqual(bound.start, first.start))
      return false;
  for (const MaskBound &lower : dim.lowers) {
    // x >= 0 is the descriptor's own; x >= -3 says nothing of x >= 0.
    bool implied = nonNegative && lower.bound.isConstant() &&
                   lower.bound.constant <= 0;
    if (!lower.bound.isConstant(0) && !implied)
      return false;
  }
  return nonNegative || !dim.lowers.empty();
}

/// What is left of `base` when a dimension's start becomes an offset.
static std::optional<ScalarSum> withoutStart(const ScalarSum &base,
                                             const DescDim &dim) {
  std::optional<ScalarSum> product =
      dim.uppers.front().start.times(dim.stride);
  return product ? base.plus(*product, -1) : std::nullopt;
}

/// Chooses the origin of one dimension; takes its start out of `base` if it
/// becomes an offset. False when neither origin is exact.
static bool chooseOrigin(DescDim &dim, ScalarSum &base,
                         const AffineAccess &analysis) {
  bool wide = llvm::any_of(
      llvm::concat<const MaskBound>(dim.uppers, dim.lowers),
      [](const MaskBound &bound) { return bound.width > 32; });
  std::optional<ScalarSum> rest =
      canBeArray(dim, analysis) ? withoutStart(base, dim) : std::nullopt;
  // An array that moves with the tile all the same is no gain.
  if (rest && (wide || countSummands(*rest) <= countSummands(base))) {
    dim.origin = DescDim::Origin::Array;
    base = *rest;
    return true;
  }
  return !wide;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// What rules out an access whatever its pointers and mask are; empty when
/// nothing does.
static std::string describeKind(Operation *op, RankedTensorType type,
                                int64_t maxRank) {
  if (type.getRank() > maxRank)
    return llvm::formatv("it has {0} dimensions, at most {1} are raised",
                         type.getRank(), maxRank);
  Type pointee =
      cast<tile::PointerType>(type.getElementType()).getPointee();
  if (isa<tile::PointerType>(pointee))
    return "its elements are pointers";
  auto load = dyn_cast<tile::LoadOp>(op);
  if (load && load.getIsVolatile())
    return "it is volatile";
  // Elements that the mask excludes become zero; -0.0 is none.
  if (load && load.getOther() && !matchPattern(load.getOther(), m_Zero()) &&
      !matchPattern(load.getOther(), m_PosZeroFloat()))
    return "'other' is not known to be zero";
  return "";
}

/// Whether all elements lie in a row: pointers to it are one address and
/// constants.
static bool isRow(const AffineForm &form) {
  auto along = llvm::make_filter_range(
      form.strides, [](const ScalarSum &s) { return !s.isConstant(0); });
  return llvm::all_of(along,
                      [](const ScalarSum &s) { return s.isConstant(1); }) &&
         llvm::range_size(along) <= 1;
}

/// Sorts the bounds of a mask into dimensions; what is wrong with one, or
/// nothing.
static std::string sortBounds(ArrayRef<MaskBound> bounds,
                              MutableArrayRef<DescDim> dims) {
  for (const MaskBound &bound : bounds) {
    if (!bound.isExact)
      return llvm::formatv("the mask's coordinate of dim {0} may wrap inside "
                           "the tile: its start is no multiple of the tile's "
                           "size",
                           bound.dim);
    DescDim &dim = dims[bound.dim];
    (bound.isLower ? dim.lowers : dim.uppers).push_back(bound);
  }
  return "";
}

/// What reads the data that a value is computed of; null where none is found.
static Operation *findData(Value value) {
  SmallVector<Value> work = {value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<tile::LoadOp, tile::DescLoadOp, tile::AtomicRMWOp,
            tile::AtomicCASOp>(op))
      return op;
    llvm::append_range(work, op->getOperands());
  }
  return nullptr;
}

/// "the mask depends on data, of 'tile.load' on line 9", or `otherwise`.
static std::string describeData(StringRef what, Value value,
                                StringRef otherwise) {
  Operation *data = findData(value);
  if (!data)
    return otherwise.str();
  std::string text = llvm::formatv("{0} on data, of '{1}'", what,
                                   data->getName().getStringRef());
  if (auto place = data->getLoc()->findInstanceOf<FileLineColLoc>())
    text += " on line " + std::to_string(place.getLine());
  return text;
}

DescChoice tessera::chooseDesc(Operation *op, const AffineAccess &analysis,
                               int64_t maxRank) {
  Value pointer = getAccessPointer(op);
  auto type = cast<RankedTensorType>(pointer.getType());
  if (std::string kind = describeKind(op, type, maxRank); !kind.empty())
    return {std::nullopt, kind};
  std::optional<AffineForm> form = analysis.getAffineForm(pointer);
  if (!form || !form->pointer)
    return {std::nullopt,
            describeData("the pointers depend", pointer,
                         "the pointers are no affine function of the "
                         "coordinates")};
  if (isRow(*form))
    return {std::nullopt, "the elements lie in a row, for which pointers are as "
                          "cheap"};
  std::optional<SmallVector<MaskBound>> bounds = SmallVector<MaskBound>();
  if (Value mask = getAccessMask(op))
    bounds = analysis.getMaskBounds(mask);
  if (!bounds)
    return {std::nullopt,
            describeData("the mask depends", getAccessMask(op),
                         "the mask is no conjunction of bounds of "
                         "coordinates")};

  DescAccess access{op, form->pointer, form->base, {}};
  access.dims.resize(type.getRank());
  for (auto [dim, stride] : llvm::zip(access.dims, form->strides))
    dim.stride = stride;
  if (std::string fault = sortBounds(*bounds, access.dims); !fault.empty())
    return {std::nullopt, fault};
  for (auto [index, dim] : llvm::enumerate(access.dims))
    if (!chooseOrigin(dim, access.base, analysis))
      return {std::nullopt,
              llvm::formatv("the mask's 64-bit coordinate of dim {0} may be "
                            "negative",
                            index)};
  return {std::move(access), ""};
}
