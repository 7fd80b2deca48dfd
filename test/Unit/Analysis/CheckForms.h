//===- CheckForms.h - forms and bounds against elements ---------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_ANALYSIS_CHECKFORMS_H
#define TESSERA_TEST_UNIT_ANALYSIS_CHECKFORMS_H

#include "Evaluate.h"

#include "tessera/Analysis/AffineAccess.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"

namespace tessera::test {

/// The shape of all tensors that are checked.
inline constexpr int64_t kRows = 4, kColumns = 8;

/// Compares claims with the values of one run.
class Checker {
public:
  explicit Checker(const Environment &values) : values(values) {}

  /// Modulo 2^64.
  uint64_t evaluate(const ScalarSum &sum) const {
    uint64_t total = sum.constant;
    for (const ScalarTerm &term : sum.terms) {
      uint64_t product = term.factor;
      for (mlir::Value value : term.values)
        product *= llvm::isa<mlir::RankedTensorType>(value.getType())
                       ? getAdvance(llvm::cast<mlir::BlockArgument>(value))
                       : values.lookup(value)[0];
      total += product;
    }
    return total;
  }

  void checkForm(mlir::Value value, const AffineForm &form) const {
    const Elements elements = values.lookup(value);
    unsigned width = getIntegerWidth(value.getType());
    for (int64_t i = 0; i < kRows; ++i)
      for (int64_t j = 0; j < kColumns; ++j)
        ASSERT_EQ(elements[i * kColumns + j],
                  llvm::SignExtend64(evaluate(form.base) +
                                         i * evaluate(form.strides[0]) +
                                         j * evaluate(form.strides[1]),
                                     width));
  }

  void checkBounds(mlir::Value mask, llvm::ArrayRef<MaskBound> bounds) const {
    const Elements elements = values.lookup(mask);
    for (int64_t i = 0; i < kRows; ++i)
      for (int64_t j = 0; j < kColumns; ++j) {
        bool expected = true;
        for (const MaskBound &bound : bounds) {
          int64_t start = llvm::SignExtend64(evaluate(bound.start), bound.width);
          int64_t limit = llvm::SignExtend64(evaluate(bound.bound), bound.width);
          int64_t exact = start + (bound.dim == 0 ? i : j);
          int64_t wrapped = llvm::SignExtend64(exact, bound.width);
          if (bound.isExact)
            ASSERT_EQ(exact, wrapped);
          if (bound.isNonNegative)
            ASSERT_GE(wrapped, 0);
          expected &= bound.isLower ? wrapped >= limit : wrapped < limit;
        }
        ASSERT_EQ(elements[i * kColumns + j] != 0, expected);
      }
  }

private:
  /// How far a carried tensor is from its first value, by element 0.
  int64_t getAdvance(mlir::BlockArgument argument) const {
    auto loop = llvm::cast<mlir::scf::ForOp>(argument.getOwner()->getParentOp());
    mlir::Value init = loop.getTiedLoopInit(argument)->get();
    return llvm::SignExtend64(
        values.lookup(argument)[0] - values.lookup(init)[0],
        getIntegerWidth(argument.getType()));
  }

  const Environment &values;
};

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_ANALYSIS_CHECKFORMS_H
