//===- LinearLayoutAlgebra.cpp - composition, inversion, products ---------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Packing.h"
#include "tessera/Layout/F2.h"
#include "tessera/Layout/LinearLayout.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace tessera;
using packing::Dims;

//===----------------------------------------------------------------------===//
// Composition and inversion
//===----------------------------------------------------------------------===//

EchelonBasis LinearLayout::echelon() const {
  EchelonBasis basis;
  for (size_t i = 0; i < columns.size(); ++i)
    basis.insert(columns[i], static_cast<int>(i));
  return basis;
}

std::optional<LinearLayout>
LinearLayout::compose(const LinearLayout &outer) const {
  if (!packing::sameNames(outs, outer.ins))
    return std::nullopt;
  for (const LayoutDim &dim : outs)
    if (dim.size > outer.getInDimSize(dim.name))
      return std::nullopt;

  std::vector<uint64_t> result;
  for (uint64_t column : columns)
    result.push_back(
        outer.applyPacked(*packing::repack(column, outs, outer.ins)));
  return LinearLayout(ins, outer.outs, std::move(result));
}

std::optional<LinearLayout> LinearLayout::pseudoInvert() const {
  EchelonBasis basis = echelon();
  int outBits = totalOutBits();
  if (basis.rank() != outBits)
    return std::nullopt;
  // An input of this is packed by its input dims, which are the output dims of
  // the inverse: a solution is a column of the inverse as it stands.
  std::vector<uint64_t> result;
  for (int bit = 0; bit < outBits; ++bit)
    result.push_back(*basis.solve(uint64_t(1) << bit));
  return LinearLayout(outs, ins, std::move(result));
}

std::optional<LinearLayout> LinearLayout::invert() const {
  // Injective and surjective: as many input bits as output bits, full rank.
  if (totalInBits() != totalOutBits())
    return std::nullopt;
  return pseudoInvert();
}

std::optional<LinearLayout>
LinearLayout::invertAndCompose(const LinearLayout &dst) const {
  if (!packing::sameNames(outs, dst.outs))
    return std::nullopt;
  EchelonBasis basis = dst.echelon();
  std::vector<uint64_t> result;
  size_t next = 0;
  for (const LayoutDim &dim : ins) {
    int dstIndex = packing::find(dst.ins, dim.name);
    int dstBits = dst.getInDimSizeLog2(dim.name);
    for (int bit = 0; bit < log2Floor(dim.size); ++bit) {
      auto wanted = packing::repack(columns[next++], outs, dst.outs);
      if (!wanted)
        return std::nullopt;
      // Columns may be chosen one by one: if dst(X(e_i)) = this(e_i) for all
      // unit vectors e_i, linearity gives it for all x.
      if (bit < dstBits) {
        int same = packing::fieldOffset(dst.ins, dstIndex) + bit;
        if (dst.columns[same] == *wanted) {
          result.push_back(uint64_t(1) << same);
          continue;
        }
      }
      std::optional<uint64_t> solution = basis.solve(*wanted);
      if (!solution)
        return std::nullopt;
      result.push_back(*solution);
    }
  }
  return LinearLayout(ins, dst.ins, std::move(result));
}

//===----------------------------------------------------------------------===//
// Direct sums
//===----------------------------------------------------------------------===//

/// The dims of a product: `a`'s with multiplied sizes, then `b`'s others.
/// nullopt beyond a limit.
static std::optional<Dims> productDims(const Dims &a, const Dims &b) {
  Dims result = a;
  for (const LayoutDim &dim : b) {
    int index = packing::find(result, dim.name);
    if (index < 0) {
      result.push_back(dim);
      continue;
    }
    int64_t size = int64_t(result[index].size) * dim.size;
    if (size > int64_t(1) << packing::kMaxDimBits)
      return std::nullopt;
    result[index].size = static_cast<int32_t>(size);
  }
  if (packing::bitCount(result) > packing::kMaxBits)
    return std::nullopt;
  return result;
}

/// Moves a column of a product's right factor to the upper part of the
/// product's fields; the size that the left factor has in a dim is the shift.
static uint64_t shiftAboveLeft(uint64_t column, const Dims &rightOuts,
                               const LinearLayout &left,
                               const Dims &productOuts) {
  uint64_t result = 0;
  for (size_t i = 0; i < rightOuts.size(); ++i) {
    uint64_t value =
        packing::extract(column, packing::fieldOffset(rightOuts, i),
                         log2Floor(rightOuts[i].size));
    if (value == 0)
      continue;
    int target = packing::find(productOuts, rightOuts[i].name);
    result |= value << (packing::fieldOffset(productOuts, target) +
                        left.getOutDimSizeLog2(rightOuts[i].name));
  }
  return result;
}

std::optional<LinearLayout>
LinearLayout::product(const LinearLayout &other) const {
  std::optional<Dims> newIns = productDims(ins, other.ins);
  std::optional<Dims> newOuts = productDims(outs, other.outs);
  if (!newIns || !newOuts)
    return std::nullopt;

  std::vector<uint64_t> result;
  for (const LayoutDim &dim : *newIns) {
    int left = packing::find(ins, dim.name);
    int right = packing::find(other.ins, dim.name);
    int leftStart = left < 0 ? 0 : packing::fieldOffset(ins, left);
    int rightStart = right < 0 ? 0 : packing::fieldOffset(other.ins, right);
    for (int bit = 0; bit < getInDimSizeLog2(dim.name); ++bit)
      result.push_back(
          *packing::repack(columns[leftStart + bit], outs, *newOuts));
    for (int bit = 0; bit < other.getInDimSizeLog2(dim.name); ++bit)
      result.push_back(shiftAboveLeft(other.columns[rightStart + bit],
                                      other.outs, *this, *newOuts));
  }
  return LinearLayout(std::move(*newIns), std::move(*newOuts),
                      std::move(result));
}

LinearLayout LinearLayout::operator*(const LinearLayout &other) const {
  std::optional<LinearLayout> result = product(other);
  if (!result) {
    std::fprintf(stderr, "product of layouts exceeds the limits: %s * %s\n",
                 str().c_str(), other.str().c_str());
    std::abort();
  }
  return *result;
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

/// dims / divisor, dim by dim; nullopt if the divisor has a dim that is absent
/// or smaller here.
static std::optional<Dims> quotientDims(const Dims &dims, const Dims &divisor) {
  Dims result = dims;
  for (const LayoutDim &dim : divisor) {
    int index = packing::find(result, dim.name);
    if (index < 0 || result[index].size < dim.size)
      return std::nullopt;
    result[index].size /= dim.size;
  }
  return result;
}

// Both divisions read off the only candidate for the quotient, then multiply to
// see whether it is one: what the divisor's part has to look like is said only
// once, in product().

std::optional<LinearLayout>
LinearLayout::divideLeft(const LinearLayout &left) const {
  std::optional<Dims> newIns = quotientDims(ins, left.ins);
  std::optional<Dims> newOuts = quotientDims(outs, left.outs);
  if (!newIns || !newOuts)
    return std::nullopt;

  std::vector<uint64_t> upper;
  for (size_t i = 0; i < ins.size(); ++i)
    for (int bit = left.getInDimSizeLog2(ins[i].name);
         bit < log2Floor(ins[i].size); ++bit) {
      uint64_t column = columns[packing::fieldOffset(ins, i) + bit];
      uint64_t packed = 0;
      for (size_t j = 0; j < outs.size(); ++j) {
        int width = log2Floor((*newOuts)[j].size);
        int shift = log2Floor(outs[j].size) - width;
        uint64_t value = packing::extract(
            column, packing::fieldOffset(outs, j) + shift, width);
        if (value != 0)
          packed |= value << packing::fieldOffset(*newOuts, j);
      }
      upper.push_back(packed);
    }
  LinearLayout quotient(*newIns, *newOuts, std::move(upper));
  LinearLayout check = *left.product(quotient);
  if (check.transposeIns(inDimNames())->transposeOuts(outDimNames()) != *this)
    return std::nullopt;
  return quotient;
}

std::optional<LinearLayout>
LinearLayout::divideRight(const LinearLayout &right) const {
  std::optional<Dims> newIns = quotientDims(ins, right.ins);
  std::optional<Dims> newOuts = quotientDims(outs, right.outs);
  if (!newIns || !newOuts)
    return std::nullopt;

  std::vector<uint64_t> lower;
  for (size_t i = 0; i < ins.size(); ++i)
    for (int bit = 0; bit < log2Floor((*newIns)[i].size); ++bit) {
      auto packed = packing::repack(columns[packing::fieldOffset(ins, i) + bit],
                                    outs, *newOuts);
      if (!packed)
        return std::nullopt;
      lower.push_back(*packed);
    }
  // The quotient has all dims of this in order, so the product has as well.
  LinearLayout quotient(*newIns, *newOuts, std::move(lower));
  if (quotient.product(right) != *this)
    return std::nullopt;
  return quotient;
}

//===----------------------------------------------------------------------===//
// Blocks of the matrix
//===----------------------------------------------------------------------===//

LinearLayout LinearLayout::sublayout(const Names &inNames,
                                     const Names &outNames) const {
  auto contains = [](const Names &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  Dims newIns, newOuts;
  uint64_t kept = 0;
  for (size_t j = 0; j < outs.size(); ++j)
    if (contains(outNames, outs[j].name)) {
      newOuts.push_back(outs[j]);
      for (int bit = 0; bit < log2Floor(outs[j].size); ++bit)
        kept |= uint64_t(1) << (packing::fieldOffset(outs, j) + bit);
    }
  std::vector<uint64_t> result;
  for (size_t i = 0; i < ins.size(); ++i)
    if (contains(inNames, ins[i].name)) {
      newIns.push_back(ins[i]);
      for (int bit = 0; bit < log2Floor(ins[i].size); ++bit)
        result.push_back(*packing::repack(
            columns[packing::fieldOffset(ins, i) + bit] & kept, outs, newOuts));
    }
  return LinearLayout(std::move(newIns), std::move(newOuts), std::move(result));
}

bool LinearLayout::sublayoutIsZero(const Names &inNames,
                                   const Names &outNames) const {
  std::vector<uint64_t> block = sublayout(inNames, outNames).columns;
  return std::all_of(block.begin(), block.end(),
                     [](uint64_t column) { return column == 0; });
}
