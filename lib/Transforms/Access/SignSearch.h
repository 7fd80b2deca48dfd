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
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_ACCESS_SIGNSEARCH_H
#define TESSERA_LIB_TRANSFORMS_ACCESS_SIGNSEARCH_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace tessera {

using ArgumentSet = llvm::SmallSetVector<mlir::BlockArgument, 4>;

/// Without sign extensions from 32 bits to 64: arithmetic in fewer bits wraps
/// within an array.
mlir::Value stripExtension(mlir::Value value);

/// The value of a constant, or of an extension of one.
std::optional<int64_t> getConstant(mlir::Value value);

class SignSearch {
public:
  /// Arguments of the kernel that have to be 0 or more for it go to `assumed`.
  explicit SignSearch(ArgumentSet &assumed) : assumed(assumed) {}

  bool isNonNegative(mlir::Value value);

private:
  /// constant + sum of multiples of values.
  struct Sum {
    int64_t constant = 0;
    llvm::SmallVector<std::pair<mlir::Value, int64_t>> terms;

    void add(mlir::Value value, int64_t factor);
  };

  bool isNonNegative(const Sum &sum);
  bool isNonNegativeTerm(mlir::Value value);
  bool isNonNegativeArgument(mlir::BlockArgument argument);
  bool isNonNegativeInWhile(mlir::scf::WhileOp loop,
                            mlir::BlockArgument argument);
  bool isNonNegativeChoice(mlir::Operation *select);
  bool tryNonNegative(mlir::Value value);
  std::optional<int64_t> getUpperBound(mlir::Value value);

  ArgumentSet &assumed;
  /// Found, or on the way to be: what a loop carries is so by induction.
  llvm::SmallDenseSet<mlir::Value> seen;
};

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_ACCESS_SIGNSEARCH_H
