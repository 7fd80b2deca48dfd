//===- LinearLayoutShape.cpp - transposes, reshapes, projections ----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Packing.h"
#include "tessera/Layout/F2.h"
#include "tessera/Layout/LinearLayout.h"

#include <algorithm>
#include <iterator>

using namespace tessera;
using packing::Dims;

//===----------------------------------------------------------------------===//
// Order and names
//===----------------------------------------------------------------------===//

std::optional<LinearLayout>
LinearLayout::transposeOuts(const Names &newOrder) const {
  std::optional<Dims> newOuts = packing::permute(outs, newOrder);
  if (!newOuts)
    return std::nullopt;
  std::vector<uint64_t> result;
  for (uint64_t column : columns)
    result.push_back(*packing::repack(column, outs, *newOuts));
  return LinearLayout(ins, std::move(*newOuts), std::move(result));
}

std::optional<LinearLayout>
LinearLayout::transposeIns(const Names &newOrder) const {
  std::optional<Dims> newIns = packing::permute(ins, newOrder);
  if (!newIns)
    return std::nullopt;
  std::vector<uint64_t> result;
  for (const LayoutDim &dim : *newIns) {
    auto first = columns.begin() +
                 packing::fieldOffset(ins, packing::find(ins, dim.name));
    result.insert(result.end(), first, first + log2Floor(dim.size));
  }
  return LinearLayout(std::move(*newIns), outs, std::move(result));
}

static std::optional<Dims> rename(Dims dims, const LinearLayout::Names &names) {
  if (names.size() != dims.size())
    return std::nullopt;
  for (size_t i = 0; i < dims.size(); ++i)
    dims[i].name = names[i];
  if (!packing::check(dims, "renamed"))
    return std::nullopt;
  return dims;
}

std::optional<LinearLayout>
LinearLayout::renameOuts(const Names &newNames) const {
  std::optional<Dims> newOuts = rename(outs, newNames);
  if (!newOuts)
    return std::nullopt;
  return LinearLayout(ins, std::move(*newOuts), columns);
}

std::optional<LinearLayout>
LinearLayout::renameIns(const Names &newNames) const {
  std::optional<Dims> newIns = rename(ins, newNames);
  if (!newIns)
    return std::nullopt;
  return LinearLayout(std::move(*newIns), outs, columns);
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

static LinearLayout::Names reversedNames(const Dims &dims) {
  LinearLayout::Names names;
  for (auto dim = dims.rbegin(); dim != dims.rend(); ++dim)
    names.push_back(dim->name);
  return names;
}

static bool mayReshape(const Dims &from, const Dims &to) {
  return packing::check(to, "reshaped") &&
         packing::bitCount(from) == packing::bitCount(to);
}

// Packed words have the first dim in the lowest bits. So with the first dim
// fastest a reshape leaves the matrix alone and only cuts its rows (columns)
// differently; with the last dim fastest the same holds for the reversed lists.

std::optional<LinearLayout>
LinearLayout::reshapeOuts(std::vector<LayoutDim> newDims,
                          Fastest fastest) const {
  if (!mayReshape(outs, newDims))
    return std::nullopt;
  if (fastest == Fastest::FirstDim)
    return LinearLayout(ins, std::move(newDims), columns);
  Names order;
  for (const LayoutDim &dim : newDims)
    order.push_back(dim.name);
  std::reverse(newDims.begin(), newDims.end());
  return transposeOuts(reversedNames(outs))
      ->reshapeOuts(std::move(newDims), Fastest::FirstDim)
      ->transposeOuts(order);
}

std::optional<LinearLayout>
LinearLayout::reshapeIns(std::vector<LayoutDim> newDims,
                         Fastest fastest) const {
  if (!mayReshape(ins, newDims))
    return std::nullopt;
  if (fastest == Fastest::FirstDim)
    return LinearLayout(std::move(newDims), outs, columns);
  Names order;
  for (const LayoutDim &dim : newDims)
    order.push_back(dim.name);
  std::reverse(newDims.begin(), newDims.end());
  return transposeIns(reversedNames(ins))
      ->reshapeIns(std::move(newDims), Fastest::FirstDim)
      ->transposeIns(order);
}

std::optional<LinearLayout> LinearLayout::flattenOuts(std::string name,
                                                      Fastest fastest) const {
  int bits = totalOutBits();
  if (bits > packing::kMaxDimBits)
    return std::nullopt;
  return reshapeOuts({{std::move(name), int32_t(1) << bits}}, fastest);
}

std::optional<LinearLayout> LinearLayout::flattenIns(std::string name,
                                                     Fastest fastest) const {
  int bits = totalInBits();
  if (bits > packing::kMaxDimBits)
    return std::nullopt;
  return reshapeIns({{std::move(name), int32_t(1) << bits}}, fastest);
}

//===----------------------------------------------------------------------===//
// Single dims
//===----------------------------------------------------------------------===//

std::optional<LinearLayout>
LinearLayout::removeOutDim(std::string_view name) const {
  if (!hasOutDim(name))
    return std::nullopt;
  Names kept;
  for (const LayoutDim &dim : outs)
    if (dim.name != name)
      kept.push_back(dim.name);
  return sublayout(inDimNames(), kept);
}

std::optional<LinearLayout> LinearLayout::resizeOut(std::string_view name,
                                                    int32_t newSize) const {
  int index = packing::find(outs, name);
  if (index < 0)
    return std::nullopt;
  Dims newOuts = outs;
  newOuts[index].size = newSize;
  if (!packing::check(newOuts, "output"))
    return std::nullopt;

  // The coordinate's bits at and above log2(newSize) are dropped.
  int offset = packing::fieldOffset(outs, index);
  uint64_t dropped = 0;
  for (int bit = log2Floor(newSize); bit < log2Floor(outs[index].size); ++bit)
    dropped |= uint64_t(1) << (offset + bit);
  std::vector<uint64_t> result;
  for (uint64_t column : columns)
    result.push_back(*packing::repack(column & ~dropped, outs, newOuts));
  return LinearLayout(ins, std::move(newOuts), std::move(result));
}

std::optional<LinearLayout>
LinearLayout::zeroOutDim(std::string_view name) const {
  return resizeOut(name, 1);
}

std::optional<LinearLayout>
LinearLayout::appendOutDim(std::string name, int32_t size, int position) const {
  if (position < 0 || position > static_cast<int>(outs.size()))
    return std::nullopt;
  Dims newOuts = outs;
  newOuts.insert(newOuts.begin() + position, {std::move(name), size});
  if (!packing::check(newOuts, "output"))
    return std::nullopt;
  std::vector<uint64_t> result;
  for (uint64_t column : columns)
    result.push_back(*packing::repack(column, outs, newOuts));
  return LinearLayout(ins, std::move(newOuts), std::move(result));
}

LinearLayout LinearLayout::removeZeroBases(std::string_view in) const {
  int index = packing::find(ins, in);
  if (index < 0)
    return *this;
  auto first = columns.begin() + packing::fieldOffset(ins, index);
  auto last = first + log2Floor(ins[index].size);
  std::vector<uint64_t> result(columns.begin(), first);
  std::copy_if(first, last, std::back_inserter(result),
               [](uint64_t column) { return column != 0; });
  Dims newIns = ins;
  newIns[index].size = int32_t(1)
                       << (result.size() - (first - columns.begin()));
  result.insert(result.end(), last, columns.end());
  return LinearLayout(std::move(newIns), outs, std::move(result));
}
