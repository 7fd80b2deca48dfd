//===- Comparison.h - two outcomes of one input -----------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass keeps every bit, unless it is on the list of those that change the
// order of additions of floats; NaN equals NaN. A fault that a program did not
// have before is a difference as well.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_VERIFY_COMPARISON_H
#define TESSERA_VERIFY_COMPARISON_H

#include "tessera/Verify/Execution.h"

namespace tessera::verify {

/// How far a float may move: by `relative` of the larger of its magnitude and
/// the largest magnitude in its buffer, plus one unit in the last place of its
/// type on the same scale. Nothing may move at 0.
struct Tolerance {
  double relative = 0;
};

/// What the pass of this name may change in results of `before`, the module it
/// was given.
Tolerance getTolerance(llvm::StringRef pass, mlir::ModuleOp before);

/// The first element that differs.
struct ElementDifference {
  unsigned buffer;
  /// From the pointer: in elements, and in bytes.
  int64_t element, offset;
  std::string before, after;
  /// How far it may lie from what it was.
  double allowed = 0;
};

std::optional<ElementDifference> compareBuffers(const Input &input,
                                                const Outcome &before,
                                                const Outcome &after,
                                                Tolerance tolerance);

/// The last store, or fill, to an element that differs; nothing for none.
std::optional<interpreter::AccessEvent>
findStore(mlir::ModuleOp module, const Input &input,
          const ElementDifference &difference);

/// What is wrong with a program, compared with the one that it was made from.
struct Fault {
  enum class Kind { CannotRun, Finding, Difference } kind;
  /// What to look at; in the new module, or in the old one if `inOld`.
  mlir::Operation *op = nullptr;
  bool inOld = false;
  std::string message = {};
  /// Of a difference.
  std::optional<ElementDifference> difference = {};
};

/// Runs `after` on an input that gave `expected` with `before`; `outcome` gets
/// what came out.
std::optional<Fault> checkAgainst(mlir::ModuleOp before,
                                  const Outcome &expected, mlir::ModuleOp after,
                                  const Input &input, Tolerance tolerance,
                                  Outcome &outcome);

} // namespace tessera::verify

#endif // TESSERA_VERIFY_COMPARISON_H
