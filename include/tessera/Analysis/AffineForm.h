//===- AffineForm.h - values as affine functions of coordinates -*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Symbolic side of the affine-access analysis:
//
//     value[c0, c1, ...] = (pointer +) base + stride_0 * c0 + stride_1 * c1 ...
//
// where base and strides are sums of products of scalars. Raising turns such
// pointers into descriptors; remarks name the stride that is not known.
//
// A tensor that a loop carries has a form if each iteration adds one scalar to
// all of its elements: that of its first value, plus its *advance*, the sum of
// what has been added so far. The advance is no value of the program; in a sum,
// the loop's argument itself stands for it.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_AFFINEFORM_H
#define TESSERA_ANALYSIS_AFFINEFORM_H

#include "tessera/Analysis/ValueFacts.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace tessera {

/// factor * value * value * ...; at least one value, all scalar integers or
/// loop-carried tensors, which stand for their advance.
struct ScalarTerm {
  int64_t factor = 1;
  llvm::SmallVector<mlir::Value, 2> values;
};

/// constant + sum of terms, an integer of the width of the form it belongs to.
/// Values narrower than that are sign-extended. No two terms have the same
/// values, and no factor is 0.
struct ScalarSum {
  int64_t constant = 0;
  llvm::SmallVector<ScalarTerm, 2> terms;

  static ScalarSum ofConstant(int64_t value) { return {value, {}}; }
  static ScalarSum ofValue(mlir::Value value) { return {0, {{1, {value}}}}; }

  bool isConstant() const { return terms.empty(); }
  bool isConstant(int64_t value) const {
    return isConstant() && constant == value;
  }
  /// The value that this sum is, if it is nothing but one value; else null.
  mlir::Value getSingleValue() const;
  /// Whether an advance occurs in it.
  bool hasAdvance() const;

  /// *this + factor * other; nothing when a constant exceeds 64 bits or the sum
  /// has very many terms.
  std::optional<ScalarSum> plus(const ScalarSum &other, int64_t factor) const;
  /// *this * other; nothing when a constant exceeds 64 bits or the product has
  /// many terms, or terms of many values.
  std::optional<ScalarSum> times(const ScalarSum &other) const;
};

/// An integer tensor, or a tensor of pointers to E when `pointer` is set; then
/// base and strides count elements of E. Equality holds modulo 2^w for tensors
/// of w-bit integers, and for pointers in 64 bits.
struct AffineForm {
  mlir::Value pointer;
  ScalarSum base;
  /// One a dimension; a dimension of size 1 has stride 0.
  llvm::SmallVector<ScalarSum, 2> strides;

  /// Whether all elements are `base`.
  bool isUniform() const;
  /// The dimension along which the form is base + c: the only one whose stride
  /// is not 0, with stride 1.
  std::optional<unsigned> getUnitDim() const;
};

/// One condition of a mask on the coordinate x[c] = start + c[dim], a w-bit
/// integer (the sum is taken modulo 2^w): `x < bound`, or `x >= bound`, as
/// signed integers.
struct MaskBound {
  int64_t dim;
  bool isLower;
  ScalarSum start;
  ScalarSum bound;
  unsigned width;
  /// start + c[dim] is proven not to wrap at any element of the tensor.
  bool isExact;
  /// The coordinate is proven not to be negative at any element.
  bool isNonNegative;
};

/// Tells what is known of a value.
using FactsOf = llvm::function_ref<ValueFacts(mlir::Value value)>;

/// The form of an integer or pointer tensor; nothing when it has none. Of the
/// values that control flow produces, only the arguments of `scf.for` have one.
std::optional<AffineForm> getAffineForm(mlir::Value tensor, FactsOf factsOf);

/// What each iteration of its loop adds to all elements of a loop-carried
/// tensor, in values that are available at the loop's end; nothing when that is
/// not one scalar. Modulo 2^w for w-bit integers.
std::optional<ScalarSum> getCarriedStep(mlir::BlockArgument argument,
                                        FactsOf factsOf);

/// Whether a sum of w-bit integers is proven to be the sum of their signed
/// values, and not negative.
bool isNonNegative(const ScalarSum &sum, unsigned width, FactsOf factsOf);

/// The conditions whose conjunction the mask is, each once; empty for a mask
/// that is always true. Nothing for a mask that contains any other condition:
/// `eq` and `ne`, unsigned comparisons, disjunctions, strides other than 1, or
/// a bound that varies over the tensor.
std::optional<llvm::SmallVector<MaskBound>> getMaskBounds(mlir::Value mask,
                                                          FactsOf factsOf);

} // namespace tessera

#endif // TESSERA_ANALYSIS_AFFINEFORM_H
