//===- GridAnalysis.h - how a kernel uses its grid --------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether programs of a kernel may be renumbered or put into one loop, and
// where a kernel splits the number of its tile into a row and a column.
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

/// Why the programs of `kernel` must run as they are launched; nothing when they
/// may run in any order and in turns. Programs are independent by the language
/// unless they wait for each other through memory.
GridObstacle findGridObstacle(tile::FuncOp kernel);

/// Whether all programs of a launch compute the same value: it comes from
/// arguments, constants and extents of the grid alone.
bool isLaunchUniform(mlir::Value value);

/// The kernel's scf.for that is marked `tile.tile_loop`; null without one.
mlir::scf::ForOp findMarkedForLoop(tile::FuncOp kernel);

/// Whether a loop of the kernel, of any kind, is marked `tile.tile_loop`.
bool hasTileLoop(tile::FuncOp kernel);

/// Where a kernel splits the number of its tile.
struct TileSplit {
  enum class Kind {
    /// Program id x, by division.
    Program,
    /// Program ids x (column) and y (row), as they are.
    Plane,
    /// The counter of a tile loop, by division.
    Loop
  };
  Kind kind;
  /// Operations whose results are the number, or x of a plane; the loop has
  /// its counter instead.
  llvm::SmallVector<mlir::Value> numbers;
  /// y of a plane.
  llvm::SmallVector<mlir::Value> planeRows;
  mlir::scf::ForOp loop;
  /// The divisor; null for a plane.
  mlir::Value columns;
  llvm::SmallVector<mlir::Value> quotients, remainders;

  /// Values that are a tile's row, and those that are its column.
  llvm::ArrayRef<mlir::Value> getRows() const {
    return kind == Kind::Plane ? planeRows : quotients;
  }
  llvm::ArrayRef<mlir::Value> getColumns() const {
    return kind == Kind::Plane ? numbers : remainders;
  }
};

/// The split, or with an empty `numbers` the reason why there is none.
struct TileSplitResult {
  TileSplit split;
  std::string reason;
};
TileSplitResult findTileSplit(tile::FuncOp kernel);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_GRID_GRIDANALYSIS_H
