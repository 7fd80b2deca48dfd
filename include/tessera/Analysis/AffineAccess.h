//===- AffineAccess.h - the affine-access analysis --------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one source of what is known about addresses and masks. It has two sides:
//
// * facts (ValueFacts.h): contiguity, divisibility, constancy, by a forward
//   dataflow analysis to the greatest fixpoint. A loop-carried value has only
//   the facts that its first value *and* every later one have. Vector widths
//   follow from facts.
// * affine forms (AffineForm.h): base and strides as scalars, read off the
//   chain of operations that produces a value.
//
// What no rule covers is unknown: loads, calls, reductions, other dialects.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_AFFINEACCESS_H
#define TESSERA_ANALYSIS_AFFINEACCESS_H

#include "tessera/Analysis/AffineForm.h"
#include "tessera/Analysis/ValueFacts.h"
#include "tessera/Dialect/Tile/IR/Tile.h"

#include <map>
#include <memory>
#include <string>

namespace mlir {
class DataFlowSolver;
} // namespace mlir

namespace tessera {

/// Bytes of the widest access.
inline constexpr int64_t kMaxAccessBytes = 16;

/// Facts about a function's argument: `tile.divisible_by`, `tile.equals`.
struct ArgumentFacts {
  int64_t divisibleBy = 1; // Bytes for pointers.
  std::optional<int64_t> equals;
};

/// Facts to assume on top of those that the function states, by the argument's
/// index.
using FactOverrides = std::map<unsigned, ArgumentFacts>;

/// The facts that `function` states about an argument.
ArgumentFacts getArgumentFacts(mlir::FunctionOpInterface function,
                               unsigned index);

/// How wide an access of a tensor may be. For each aligned group of `width`
/// elements along `axis`: addresses are consecutive, the first is a multiple of
/// the group's bytes, and the mask has one value.
struct AccessFacts {
  int64_t axis = 0;
  /// Elements; a power of two, of at most kMaxAccessBytes together.
  int64_t width = 1;
  /// The width that kMaxAccessBytes allow.
  int64_t maxWidth = 1;
  /// What keeps the width below maxWidth, each in a few words; empty at
  /// maxWidth.
  llvm::SmallVector<std::string, 2> limits;

  /// The limits in one line.
  std::string reason() const;
};

/// Facts of one function under given assumptions. The function must not change
/// while this object is in use.
class AffineAccess {
public:
  explicit AffineAccess(tile::FuncOp function, FactOverrides overrides = {});
  ~AffineAccess();

  /// Facts of an integer, a pointer, or a tensor of either.
  ValueFacts getFacts(mlir::Value value) const;

  /// Facts of an access of a tensor, through pointers or a descriptor. The axis
  /// is the dimension with the largest contiguity, of equal ones the last.
  AccessFacts getAccessFacts(mlir::Operation *access) const;
  /// What an access's address gains from one element to the next, along each
  /// dimension; nothing when that is not known.
  std::optional<llvm::SmallVector<ScalarSum, 2>>
  getStrides(mlir::Operation *access) const;

  std::optional<AffineForm> getAffineForm(mlir::Value tensor) const;
  std::optional<llvm::SmallVector<MaskBound>>
  getMaskBounds(mlir::Value mask) const;
  std::optional<ScalarSum> getCarriedStep(mlir::BlockArgument argument) const;
  bool isNonNegative(const ScalarSum &sum, unsigned width) const;

private:
  std::unique_ptr<mlir::DataFlowSolver> solver;
};

/// The loads and stores of tensors in `function`, through pointers or
/// descriptors, in the order of the source.
llvm::SmallVector<mlir::Operation *> getTensorAccesses(tile::FuncOp function);
/// Whether an access reads.
bool isLoad(mlir::Operation *access);
/// The pointers and the mask of a `tile.load` or `tile.store`; null where there
/// are none, as for accesses of descriptors.
mlir::Value getAccessPointer(mlir::Operation *access);
mlir::Value getAccessMask(mlir::Operation *access);

} // namespace tessera

#endif // TESSERA_ANALYSIS_AFFINEACCESS_H
