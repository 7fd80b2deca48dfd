//===- LinearLayout.cpp - construction, evaluation, printing --------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mathematics is told in the header. The algebra, the shape operations and
// the analyses have files of their own.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/LinearLayout.h"

#include "Packing.h"
#include "tessera/Layout/F2.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace tessera;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

namespace {

/// Packs one base, or gives the reason why it is not one in `error`.
std::optional<uint64_t> packBase(const std::vector<int32_t> &base,
                                 const std::vector<LayoutDim> &outDims,
                                 const std::string &where, std::string &error) {
  if (base.size() != outDims.size()) {
    error = where + " has " + std::to_string(base.size()) +
            " coordinates, but there are " + std::to_string(outDims.size()) +
            " output dimensions";
    return std::nullopt;
  }
  uint64_t column = 0;
  int offset = 0;
  for (size_t i = 0; i < base.size(); ++i) {
    if (base[i] < 0 || base[i] >= outDims[i].size) {
      error = where + " has coordinate " + std::to_string(base[i]) +
              " in output dimension '" + outDims[i].name + "' of size " +
              std::to_string(outDims[i].size);
      return std::nullopt;
    }
    // A dim of size 1 may sit at offset 64; its coordinate is 0 anyway.
    if (base[i] != 0)
      column |= static_cast<uint64_t>(base[i]) << offset;
    offset += log2Floor(outDims[i].size);
  }
  return column;
}

/// The layouts of one dim: bit i of `in` has the base firstBase << i, which is
/// zero throughout for firstBase = 0.
LinearLayout make1D(int32_t size, int32_t firstBase, std::string in,
                    std::string out, int64_t outSize) {
  std::vector<std::vector<int32_t>> bases;
  bool valid = isPowerOfTwo(size) && outSize > 0 &&
               outSize <= int64_t(1) << packing::kMaxDimBits;
  for (int bit = 0; valid && bit < log2Floor(size); ++bit)
    bases.push_back({firstBase << bit});
  std::string error = "sizes have to be powers of two, at most 2^30";
  std::optional<LinearLayout> layout;
  if (valid)
    layout = LinearLayout::create(
        {{std::move(in), std::move(bases)}},
        {{std::move(out), static_cast<int32_t>(outSize)}}, &error);
  if (!layout) {
    std::fprintf(stderr, "one-dimensional layout: %s\n", error.c_str());
    std::abort();
  }
  return *layout;
}

} // namespace

std::optional<LinearLayout> LinearLayout::create(std::vector<NamedBases> bases,
                                                 std::vector<LayoutDim> outDims,
                                                 std::string *error) {
  std::string ignored;
  std::string &reason = error ? *error : ignored;
  if (!packing::check(outDims, "output", &reason))
    return std::nullopt;

  std::vector<LayoutDim> inDims;
  for (const NamedBases &dim : bases) {
    if (dim.second.size() > static_cast<size_t>(packing::kMaxDimBits)) {
      reason = "input dimension '" + dim.first + "' has " +
               std::to_string(dim.second.size()) + " bits, the limit is " +
               std::to_string(packing::kMaxDimBits);
      return std::nullopt;
    }
    inDims.push_back({dim.first, int32_t(1) << dim.second.size()});
  }
  if (!packing::check(inDims, "input", &reason))
    return std::nullopt;

  std::vector<uint64_t> columns;
  for (const NamedBases &dim : bases)
    for (size_t bit = 0; bit < dim.second.size(); ++bit) {
      std::string where =
          "base " + std::to_string(bit) + " of '" + dim.first + "'";
      auto column = packBase(dim.second[bit], outDims, where, reason);
      if (!column)
        return std::nullopt;
      columns.push_back(*column);
    }
  return LinearLayout(std::move(inDims), std::move(outDims),
                      std::move(columns));
}

LinearLayout LinearLayout::identity1D(int32_t size, std::string in,
                                      std::string out) {
  return make1D(size, 1, std::move(in), std::move(out), size);
}

LinearLayout LinearLayout::zeros1D(int32_t size, std::string in,
                                   std::string out, int32_t outSize) {
  return make1D(size, 0, std::move(in), std::move(out), outSize);
}

LinearLayout LinearLayout::strided1D(int32_t size, int32_t stride,
                                     std::string in, std::string out) {
  return make1D(size, stride, std::move(in), std::move(out),
                int64_t(size) * stride);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

static LinearLayout::Names namesOf(const std::vector<LayoutDim> &dims) {
  LinearLayout::Names names;
  for (const LayoutDim &dim : dims)
    names.push_back(dim.name);
  return names;
}

static int32_t sizeOf(const std::vector<LayoutDim> &dims,
                      std::string_view name) {
  int index = packing::find(dims, name);
  return index < 0 ? 1 : dims[index].size;
}

LinearLayout::Names LinearLayout::inDimNames() const { return namesOf(ins); }
LinearLayout::Names LinearLayout::outDimNames() const { return namesOf(outs); }

bool LinearLayout::hasInDim(std::string_view name) const {
  return packing::find(ins, name) >= 0;
}
bool LinearLayout::hasOutDim(std::string_view name) const {
  return packing::find(outs, name) >= 0;
}

int32_t LinearLayout::getInDimSize(std::string_view name) const {
  return sizeOf(ins, name);
}
int32_t LinearLayout::getOutDimSize(std::string_view name) const {
  return sizeOf(outs, name);
}
int LinearLayout::getInDimSizeLog2(std::string_view name) const {
  return log2Floor(sizeOf(ins, name));
}
int LinearLayout::getOutDimSizeLog2(std::string_view name) const {
  return log2Floor(sizeOf(outs, name));
}

int LinearLayout::totalOutBits() const { return packing::bitCount(outs); }

/// One value for each dim of a packed word.
static std::vector<int32_t> unpack(uint64_t word,
                                   const std::vector<LayoutDim> &dims) {
  std::vector<int32_t> values;
  values.reserve(dims.size());
  int offset = 0;
  for (const LayoutDim &dim : dims) {
    int width = log2Floor(dim.size);
    values.push_back(
        static_cast<int32_t>(packing::extract(word, offset, width)));
    offset += width;
  }
  return values;
}

std::vector<int32_t> LinearLayout::getBasis(std::string_view in,
                                            int bit) const {
  int index = packing::find(ins, in);
  if (index < 0 || bit < 0 || bit >= log2Floor(ins[index].size))
    return std::vector<int32_t>(outs.size(), 0);
  return unpack(columns[packing::fieldOffset(ins, index) + bit], outs);
}

int32_t LinearLayout::getBasis(std::string_view in, int bit,
                               std::string_view out) const {
  int index = packing::find(outs, out);
  return index < 0 ? 0 : getBasis(in, bit)[index];
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

uint64_t LinearLayout::applyPacked(uint64_t packedIn) const {
  uint64_t result = 0;
  for (uint64_t column : columns) {
    // All ones if the lowest bit is set, else zero.
    result ^= column & (~(packedIn & 1) + 1);
    packedIn >>= 1;
  }
  return result;
}

std::vector<int32_t>
LinearLayout::applyValues(const std::vector<int32_t> &inValuesInOrder) const {
  uint64_t packed = 0;
  int offset = 0;
  size_t count = std::min(ins.size(), inValuesInOrder.size());
  for (size_t i = 0; i < count; ++i) {
    uint64_t value = static_cast<uint32_t>(inValuesInOrder[i]) &
                     static_cast<uint32_t>(ins[i].size - 1);
    if (value != 0)
      packed |= value << offset;
    offset += log2Floor(ins[i].size);
  }
  return unpack(applyPacked(packed), outs);
}

std::vector<LinearLayout::NamedValue>
LinearLayout::apply(const std::vector<NamedValue> &values) const {
  std::vector<int32_t> ordered(ins.size(), 0);
  for (const NamedValue &value : values) {
    int index = packing::find(ins, value.first);
    if (index >= 0)
      ordered[index] = value.second;
  }
  std::vector<int32_t> coordinates = applyValues(ordered);
  std::vector<NamedValue> result;
  for (size_t i = 0; i < outs.size(); ++i)
    result.emplace_back(outs[i].name, coordinates[i]);
  return result;
}

//===----------------------------------------------------------------------===//
// Comparison and printing
//===----------------------------------------------------------------------===//

bool LinearLayout::operator==(const LinearLayout &other) const {
  return ins == other.ins && outs == other.outs && columns == other.columns;
}

std::string LinearLayout::str() const {
  std::string text = "{";
  for (size_t i = 0; i < ins.size(); ++i) {
    text += (i ? ", " : "") + ins[i].name + " = [";
    for (int bit = 0; bit < log2Floor(ins[i].size); ++bit) {
      text += bit ? ", [" : "[";
      std::vector<int32_t> base = getBasis(ins[i].name, bit);
      for (size_t j = 0; j < base.size(); ++j)
        text += (j ? ", " : "") + std::to_string(base[j]);
      text += "]";
    }
    text += "]";
  }
  text += "} -> {";
  for (size_t i = 0; i < outs.size(); ++i)
    text +=
        (i ? ", " : "") + outs[i].name + " = " + std::to_string(outs[i].size);
  return text + "}";
}
