//===- Evaluate.h - integer chains on given arguments -----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the operations of a function on integers, element by element, to compare
// what the analysis claims with what is the case.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_ANALYSIS_EVALUATE_H
#define TESSERA_TEST_UNIT_ANALYSIS_EVALUATE_H

#include "tessera/Analysis/ValueFacts.h"
#include "tessera/Dialect/Tile/IR/Tile.h"

#include <numeric>
#include <optional>
#include <vector>

namespace tessera::test {

/// A tensor's index: row-major, from coordinates and back.
struct Shape {
  llvm::SmallVector<int64_t> sizes;

  int64_t count() const {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                           std::multiplies<>());
  }
  llvm::SmallVector<int64_t> coordinates(int64_t index) const {
    llvm::SmallVector<int64_t> result(sizes.size());
    for (int64_t dim = int64_t(sizes.size()) - 1; dim >= 0; --dim) {
      result[dim] = index % sizes[dim];
      index /= sizes[dim];
    }
    return result;
  }
  int64_t index(llvm::ArrayRef<int64_t> coordinates) const {
    int64_t result = 0;
    for (auto [coordinate, size] : llvm::zip(coordinates, sizes))
      result = result * size + coordinate;
    return result;
  }
};

inline Shape getShape(mlir::Type type) { return {getFactShape(type)}; }

/// Elements of a tensor in row-major order, or a scalar; each sign-extended.
using Elements = std::vector<int64_t>;
/// All values of one run, in the order of the operations.
using Run = std::vector<std::pair<mlir::Value, Elements>>;

/// The current values of a run. A pointer is a number that counts elements; a
/// descriptor is base, extents and strides; what a load yields is 0.
using Environment = llvm::DenseMap<mlir::Value, Elements>;
/// Is told about each value when it is defined, with all others as they are.
using Observer = llvm::function_ref<void(mlir::Value, const Environment &)>;

/// Addresses that a load or store touches, in the order of the elements;
/// nothing for elements whose memory is left alone.
using Touched = std::vector<std::optional<int64_t>>;
/// What a load or store touches, by the definition of its operation.
Touched getTouched(mlir::Operation *access, const Environment &values);

/// Runs the body of `function`: integer operations, loads of tensors and
/// `scf.for`, on scalar arguments. Stops before the first operation that has no
/// defined result (division by zero, a shift by the width).
void observe(tile::FuncOp function, llvm::ArrayRef<int64_t> arguments,
             Observer observer);

/// The values of such a run until it stops, those in a loop once an iteration.
Run evaluate(tile::FuncOp function, llvm::ArrayRef<int64_t> arguments);

/// What is wrong with `facts` for these elements of a value of `type`; empty
/// when they hold.
std::string findViolation(const ValueFacts &facts, mlir::Type type,
                          const Elements &elements);

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_ANALYSIS_EVALUATE_H
