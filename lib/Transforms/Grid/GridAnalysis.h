//===- GridAnalysis.h - how a kernel uses its grid --------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether programs of a kernel may be renumbered or put into one loop.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_GRID_GRIDANALYSIS_H
#define TESSERA_LIB_TRANSFORMS_GRID_GRIDANALYSIS_H

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <string>

namespace tessera {

/// What stops a pass, and why; a null `op` stands for nothing.
struct GridObstacle {
  mlir::Operation *op = nullptr;
  std::string reason;
};

/// A call, whose callee nothing here looks into.
GridObstacle findCallObstacle(tile::FuncOp kernel);

/// Why the programs of `kernel` must run as they are launched; nothing when
/// they may run in any order and in turns. Programs are independent by the
/// language unless they wait for each other through memory.
GridObstacle findGridObstacle(tile::FuncOp kernel);

/// Whether all programs of a launch compute the same value: it comes from
/// arguments, constants and extents of the grid alone.
bool isLaunchUniform(mlir::Value value);

/// Whether a loop is marked `tile.tile_loop`.
bool isTileLoop(mlir::Operation *op);

/// Whether a loop of the kernel, of any kind, is marked `tile.tile_loop`.
bool hasTileLoop(tile::FuncOp kernel);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_GRID_GRIDANALYSIS_H
