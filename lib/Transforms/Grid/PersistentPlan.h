//===- PersistentPlan.h - launches of persistent programs -------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_GRID_PERSISTENTPLAN_H
#define TESSERA_LIB_TRANSFORMS_GRID_PERSISTENTPLAN_H

#include "tessera/Transforms/Passes.h"

#include "llvm/ADT/SmallVector.h"

namespace tessera {

/// What a persistent kernel is told about the grid that it stands for.
struct GridArguments {
  /// Extents of the grid, 1 to 3: the most of all dispatches.
  unsigned rank;
  /// Axes whose extents are arguments, after the number of tiles; in order.
  llvm::SmallVector<tile::Axis> extents;
};

/// Launches min(multiprocessors * programsPerSM, tiles) programs instead of one
/// a tile; programsPerSM of 0 stands for the resident ones. The kernel gets the
/// number of tiles and the extents asked for; with dynamic assignment also a
/// counter that is zero.
void dispatchPersistent(tile::PlanDispatchOp dispatch,
                        const GridArguments &arguments,
                        TileAssignment assignment, int32_t programsPerSM);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_GRID_PERSISTENTPLAN_H
