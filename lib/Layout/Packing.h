//===- Packing.h - coordinates packed in one word ---------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list of dims describes a record of bit fields in a 64-bit word: the first
// dim is the lowest field, a dim of size 2^k has k bits. These helpers take
// such words apart and move them from one list of dims to another.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_LAYOUT_PACKING_H
#define TESSERA_LIB_LAYOUT_PACKING_H

#include "tessera/Layout/LinearLayout.h"

namespace tessera::packing {

using Dims = std::vector<LayoutDim>;

/// The largest number of bits of one side, and of one dim.
inline constexpr int kMaxBits = 64;
inline constexpr int kMaxDimBits = 30;

/// Bits of all dims together.
int bitCount(const Dims &dims);

/// The lowest bit of dim number `index`; of the end, for index == size.
int fieldOffset(const Dims &dims, size_t index);

/// The position of a name, or -1.
int find(const Dims &dims, std::string_view name);

/// Bits offset .. offset+width-1 of a word; 0 <= width <= 30.
uint64_t extract(uint64_t word, int offset, int width);

/// Moves a word from the fields of `from` to the same-named ones of `to`.
/// nullopt if a value does not fit, or is not zero and has no field there.
std::optional<uint64_t> repack(uint64_t word, const Dims &from, const Dims &to);

/// Whether both lists hold the same names, in any order.
bool sameNames(const Dims &a, const Dims &b);

/// The dims of `dims` in the order of `names`; nullopt unless `names` is a
/// permutation of the dims' names.
std::optional<Dims> permute(const Dims &dims,
                            const std::vector<std::string> &names);

/// Checks names, sizes and limits of one side. The reason for a refusal goes
/// to `error`, if given; `side` ("input" or "output") is for its text.
bool check(const Dims &dims, const char *side, std::string *error = nullptr);

} // namespace tessera::packing

#endif // TESSERA_LIB_LAYOUT_PACKING_H
