//===- FactSearch.h - which argument facts would pay ------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decision of tile-specialize, apart from the rewrite. What facts are worth
// is asked of the affine-access analysis: the sum of the widths, in elements,
// of a kernel's accesses.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_ACCESS_FACTSEARCH_H
#define TESSERA_LIB_TRANSFORMS_ACCESS_FACTSEARCH_H

#include "tessera/Analysis/AffineAccess.h"

#include <set>

namespace tessera {

/// The accesses of a kernel under some facts, in the order of the source.
struct AccessWidths {
  llvm::SmallVector<AccessFacts, 0> accesses;

  static AccessWidths compute(tile::FuncOp kernel, const FactOverrides &facts);
  /// Access instructions of one program, a loop counting as ten iterations,
  /// if each access is as wide as it may be.
  int64_t instructions = 0;
  /// The first access that is not as wide as possible; null when all are.
  const AccessFacts *firstNarrow() const;
};

/// What the search found.
struct FactChoice {
  /// No fact can be dropped without a sixteenth more access instructions, and
  /// no divisibility halved without one more; empty when nothing pays.
  FactOverrides facts;
  AccessWidths before, after;
  /// Access instructions that are not too many: a sixteenth more than with all
  /// facts.
  int64_t limit = 0;
};

/// Searches facts for `kernel` that it does not state itself: pointers aligned
/// to 16 bytes; integers divisible by as many elements as 16 bytes hold of the
/// smallest type accessed; strides equal to 1. A stride is assumed to be 1,
/// last dimensions first, where that widens more than its divisibility does.
/// `excluded` are arguments not to be assumed equal to 1.
FactChoice searchFacts(tile::FuncOp kernel, const std::set<unsigned> &excluded);

/// The argument of the kernel that `stride` is, through an extension.
std::optional<unsigned> getStrideArgument(tile::FuncOp kernel,
                                          const ScalarSum &stride);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_ACCESS_FACTSEARCH_H
