//===- Packing.cpp - coordinates packed in one word -----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Packing.h"

#include "tessera/Layout/F2.h"

namespace tessera::packing {

int fieldOffset(const Dims &dims, size_t index) {
  int offset = 0;
  for (size_t i = 0; i < index; ++i)
    offset += log2Floor(dims[i].size);
  return offset;
}

int bitCount(const Dims &dims) { return fieldOffset(dims, dims.size()); }

int find(const Dims &dims, std::string_view name) {
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i].name == name)
      return static_cast<int>(i);
  return -1;
}

uint64_t extract(uint64_t word, int offset, int width) {
  // An empty field may lie at offset 64, where a shift would be undefined.
  if (width == 0)
    return 0;
  return word >> offset & ((uint64_t(1) << width) - 1);
}

std::optional<uint64_t> repack(uint64_t word, const Dims &from,
                               const Dims &to) {
  uint64_t result = 0;
  int offset = 0;
  for (const LayoutDim &dim : from) {
    int width = log2Floor(dim.size);
    uint64_t value = extract(word, offset, width);
    offset += width;
    if (value == 0)
      continue;
    int target = find(to, dim.name);
    if (target < 0 || value >= static_cast<uint64_t>(to[target].size))
      return std::nullopt;
    result |= value << fieldOffset(to, target);
  }
  return result;
}

bool sameNames(const Dims &a, const Dims &b) {
  if (a.size() != b.size())
    return false;
  for (const LayoutDim &dim : a)
    if (find(b, dim.name) < 0)
      return false;
  return true;
}

std::optional<Dims> permute(const Dims &dims,
                            const std::vector<std::string> &names) {
  if (names.size() != dims.size())
    return std::nullopt;
  Dims result;
  for (const std::string &name : names) {
    int index = find(dims, name);
    if (index < 0 || find(result, name) >= 0)
      return std::nullopt;
    result.push_back(dims[index]);
  }
  return result;
}

bool check(const Dims &dims, const char *side, std::string *error) {
  auto refuse = [&](const std::string &reason) {
    if (error)
      *error = reason;
    return false;
  };
  std::string prefix = std::string(side) + " dimension";
  int bits = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    const LayoutDim &dim = dims[i];
    if (dim.name.empty())
      return refuse(prefix + " " + std::to_string(i) + " has no name");
    if (find(dims, dim.name) != static_cast<int>(i))
      return refuse(prefix + " '" + dim.name + "' occurs twice");
    if (!isPowerOfTwo(dim.size))
      return refuse(prefix + " '" + dim.name + "' has size " +
                    std::to_string(dim.size) + ", which is no power of two");
    bits += log2Floor(dim.size);
  }
  if (bits > kMaxBits)
    return refuse(prefix + "s have " + std::to_string(bits) +
                  " bits in all, the limit is " + std::to_string(kMaxBits));
  return true;
}

} // namespace tessera::packing
