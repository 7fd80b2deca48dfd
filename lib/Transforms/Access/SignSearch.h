//===- SignSearch.h - integers that are not negative ------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Coordinates of tiles are made of program ids, counters and sizes by
// arithmetic that subtracts only what is there: under a condition that says so,
// or less than a constant. Found here: values of 0 or more, if arithmetic does
// not wrap and divisors, which count something, are positive.
//
// Expressions may share parts, so that walking one may take exponentially many
// steps. A search has a number of them, and finds nothing when it has taken all.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_ACCESS_SIGNSEARCH_H
#define TESSERA_LIB_TRANSFORMS_ACCESS_SIGNSEARCH_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace tessera {

using ArgumentSet = llvm::SmallSetVector<mlir::BlockArgument, 4>;

/// The value of a constant, or of an extension of one.
std::optional<int64_t> getConstant(mlir::Value value);

/// The steps that walks over expressions may take, which share it.
class SearchBudget {
public:
  explicit SearchBudget(unsigned steps = 1024) : left(steps) {}

  /// Takes a step; false where none is left.
  bool spend() { return left != 0 && left-- != 0; }

private:
  unsigned left;
};

class SignSearch {
public:
  /// Arguments of the kernel that have to be 0 or more for it go to `assumed`.
  SignSearch(ArgumentSet &assumed, SearchBudget &budget)
      : assumed(assumed), budget(budget) {}

  bool isNonNegative(mlir::Value value);

private:
  /// constant + sum of multiples of values.
  struct Sum {
    int64_t constant = 0;
    llvm::SmallVector<std::pair<mlir::Value, int64_t>> terms;

    /// False where 64 bits do not hold a number of it, or the budget is spent.
    [[nodiscard]] bool add(mlir::Value value, int64_t factor,
                           SearchBudget &budget);
  };

  bool isNonNegative(const Sum &sum);
  bool isNonNegativeTerm(mlir::Value value);
  bool isNonNegativeArgument(mlir::BlockArgument argument);
  bool isNonNegativeInWhile(mlir::scf::WhileOp loop,
                            mlir::BlockArgument argument);
  bool isNonNegativeChoice(mlir::Operation *select);
  bool isDifference(mlir::Value value, mlir::Value larger, mlir::Value smaller);
  bool tryNonNegative(mlir::Value value);
  std::optional<int64_t> getUpperBound(mlir::Value value);

  ArgumentSet &assumed;
  SearchBudget &budget;
  /// Found, or on the way to be: what a loop carries is so by induction.
  llvm::SmallDenseSet<mlir::Value> seen;
};

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_ACCESS_SIGNSEARCH_H
