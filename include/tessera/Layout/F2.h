//===- F2.h - arithmetic over the two-element field -------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// F2 is the field {0, 1} with addition = xor and multiplication = and. A vector
// over F2 of up to 64 components is one machine word, so a matrix is a list of
// words, one for each column, and Gaussian elimination is a loop over xors.
//
// This file holds the one piece of linear algebra that layouts need: a basis in
// echelon form that remembers how each of its vectors was made, which is enough
// to compute ranks, to find dependent columns and to solve A x = y.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_F2_H
#define TESSERA_LAYOUT_F2_H

#include <array>
#include <cstdint>
#include <optional>

namespace tessera {

/// True for 1, 2, 4, ..., 2^30.
constexpr bool isPowerOfTwo(int32_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

/// floor(log2(value)) for a positive value; the exact logarithm of a power of
/// two.
constexpr int log2Floor(int32_t value) {
  int result = 0;
  while (value >>= 1)
    ++result;
  return result;
}

/// The columns of a matrix A over F2 (at most 64 columns of at most 64 rows),
/// brought to echelon form one by one.
///
/// A column that depends linearly on those inserted before it is not kept: the
/// columns kept (the pivots) are the lexicographically first set of independent
/// ones. Each stored vector v carries the set of inserted columns whose sum it
/// is, as a word `tag`, so that solve() can give the answer in terms of the
/// original columns.
///
/// Invariants: entry[i].vector is zero or has i as its highest set bit;
/// A * entry[i].tag == entry[i].vector; a tag names pivot columns only.
class EchelonBasis {
public:
  /// Inserts column number `index` (0..63) of A. Returns true if it is
  /// independent of the columns inserted so far (a pivot).
  bool insert(uint64_t column, int index);

  /// The x with A x = y whose bits outside the pivot columns are all zero
  /// (bit i of x stands for column i). There is exactly one, unless y lies
  /// outside the span of the columns: then nullopt.
  std::optional<uint64_t> solve(uint64_t y) const;

  /// The number of pivots: the dimension of the span.
  int rank() const { return numPivots; }

private:
  struct Entry {
    uint64_t vector = 0;
    uint64_t tag = 0;
  };

  /// Subtracts stored vectors from `value` until its highest bit meets no
  /// entry; `value.tag` follows along.
  Entry reduce(Entry value) const;

  std::array<Entry, 64> entries{};
  int numPivots = 0;
};

} // namespace tessera

#endif // TESSERA_LAYOUT_F2_H
