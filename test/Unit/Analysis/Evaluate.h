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

#include <map>
#include <vector>

namespace tessera::test {

/// Elements of a tensor in row-major order, or a scalar; each sign-extended.
using Elements = std::vector<int64_t>;
/// All values of one run, in the order of the operations.
using Run = std::vector<std::pair<mlir::Value, Elements>>;

/// The current values of a run.
using Environment = llvm::DenseMap<mlir::Value, Elements>;
/// Is told about each value when it is defined, with all others as they are.
using Observer = llvm::function_ref<void(mlir::Value, const Environment &)>;

/// Runs the body of `function`, integer operations and `scf.for`, on scalar
/// integer arguments. Stops before the first operation that has no defined
/// result (division by zero, a shift by the width).
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
