//===- ValueFacts.h - what is known of an integer or pointer ----*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contiguity, divisibility and constancy of the elements of a tensor, and the
// same for scalars: the state that the affine-access analysis propagates.
//
// **Overflow.** Nothing is assumed about overflow, because every fact about a
// w-bit integer is stated modulo 2^w:
//
// * contiguity n: x[a + i] = x[a] + i (mod 2^w) for i < n, a a multiple of n.
//   Addition is a ring operation modulo 2^w, so sums keep it without a proof
//   that they do not wrap.
// * divisibility by 2^k, k <= w, has one meaning for the residue and for its
//   signed and unsigned readings. (A w-bit multiple of more than 2^w is 0.)
// * constancy is equality.
//
// What is no ring operation (extension, comparison, division, minimum, ...)
// looks at *aligned groups* only: g <= min(contiguity, divisibility) elements
// of which the first is a multiple of g. They are g*s + i, i < g, for one s:
// adding i < g to a number with log2(g) zero bits at the end carries into no
// other bit, so that they wrap neither as signed nor as unsigned integers.
// All quantities are powers of two; hence of two groups one divides the other.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_VALUEFACTS_H
#define TESSERA_ANALYSIS_VALUEFACTS_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>

namespace tessera {

/// Divisibility is cut off here; 0 is divisible by this.
inline constexpr int64_t kMaxDivisibility = int64_t(1) << 30;
/// `rangeBits` of a value that may be negative or anything.
inline constexpr int32_t kUnknownRange = 64;

/// Facts along one dimension; powers of two, none above the dimension's size
/// but divisibility.
struct DimFacts {
  /// Elements of each aligned group of so many are consecutive: each is one
  /// more than the one before, for pointers by the size of one element.
  int64_t contiguity = 1;
  /// Divides the first element of each such group, at all positions in the
  /// other dimensions; bytes for pointers. At most kMaxDivisibility.
  int64_t divisibility = 1;
  /// Elements of each aligned group of so many are equal.
  int64_t constancy = 1;

  bool operator==(const DimFacts &other) const;
};

/// Facts about all values that an SSA value takes while a kernel runs.
struct ValueFacts {
  /// One entry a dimension. A scalar counts as a tensor of shape [1].
  llvm::SmallVector<DimFacts, 2> dims;
  /// What contiguous elements differ by: 1, or the bytes of a pointee.
  int64_t unit = 1;
  /// All elements are this integer (sign-extended to 64 bits).
  std::optional<int64_t> constant;
  /// All elements, read as signed integers, are in [0, 2^rangeBits);
  /// kUnknownRange when that is not known.
  int32_t rangeBits = kUnknownRange;

  /// What holds for every value of `type`. Pointers are multiples of the size
  /// of what they point to: no access through another one is valid.
  static ValueFacts unknown(mlir::Type type);
  /// All elements of `type`, an integer or a tensor of integers, are `value`.
  static ValueFacts ofConstant(mlir::Type type, int64_t value);

  /// What both say: the facts of a value that is one or the other.
  static ValueFacts join(const ValueFacts &a, const ValueFacts &b);

  /// Divides the elements at multiples of `position` (a power of two) along
  /// `dim`. From groups of n: group starts when n divides `position`; else
  /// starts plus multiples of `position`.
  int64_t divisibilityAt(unsigned dim, int64_t position) const;
  /// Divides every element.
  int64_t elementDivisibility() const;
  /// Largest g such that aligned groups of g elements along `dim` are
  /// consecutive *and* start at multiples of g (see the top of this file).
  int64_t alignedContiguity(unsigned dim) const;

  /// Whether all elements are known not to be negative.
  bool isNonNegative() const { return rangeBits < kUnknownRange; }

  bool operator==(const ValueFacts &other) const;
  void print(llvm::raw_ostream &os) const;
};

/// Extents of a tensor; [1] for a scalar.
llvm::SmallVector<int64_t> getFactShape(mlir::Type type);
/// Largest power of two, up to kMaxDivisibility, that divides `value`.
int64_t getDivisibility(int64_t value);
/// Bits of an integer type or of a tensor of integers; 64 for index.
unsigned getIntegerWidth(mlir::Type type);

} // namespace tessera

#endif // TESSERA_ANALYSIS_VALUEFACTS_H
