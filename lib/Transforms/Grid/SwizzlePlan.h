//===- SwizzlePlan.h - the order of tiles chosen by a launch ----*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel's tiles read together, found in the kernel, and the reuse
// model's question (TileReuse.h) asked in the launch plan, where sizes are
// known: does what a row of tiles reads fit in L2?
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_GRID_SWIZZLEPLAN_H
#define TESSERA_LIB_TRANSFORMS_GRID_SWIZZLEPLAN_H

#include "TileSplit.h"

#include "tessera/Schedule/TileReuse.h"

namespace tessera {

/// Bytes that loads read of a row's panel and of a column's.
struct PanelBytes {
  int64_t row = 0, column = 0;
};

/// What loads read of panels that depend on a tile's row only, or on its column
/// only.
struct PanelReads {
  /// In one iteration of `loop`; without a loop, all.
  PanelBytes step;
  /// Beside the loop, once.
  PanelBytes once;
  /// The loop that reads the panels; null without one.
  mlir::scf::ForOp loop;
  /// Tiles of a row; null for a plane, whose plan has them.
  mlir::Value columns;
};

/// The reads, or a reason why the model has no answer.
struct PanelResult {
  PanelReads reads;
  std::string reason;
};
PanelResult findPanelReads(tile::FuncOp kernel, const TileSplit &split);

/// Replaces `dispatch` by one with one more argument, the rows of a group: 1
/// when a row of tiles fits in `cacheBytes`, else `groupRows`.
void dispatchWithGroups(tile::PlanDispatchOp dispatch, const PanelReads &reads,
                        int64_t cacheBytes, int32_t groupRows);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_GRID_SWIZZLEPLAN_H
