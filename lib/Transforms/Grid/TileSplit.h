//===- TileSplit.h - a kernel's rows and columns of tiles -------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a kernel splits the number of its tile into a row and a column.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_GRID_TILESPLIT_H
#define TESSERA_LIB_TRANSFORMS_GRID_TILESPLIT_H

#include "GridAnalysis.h"

namespace tessera {

/// A loop that is marked `tile.tile_loop`: an scf.for, or an scf.while that
/// asks a counter for the next tile.
struct MarkedLoop {
  mlir::Operation *op = nullptr;
  /// Where an iteration computes its tile.
  mlir::Block *body = nullptr;
  /// The tile, and the number of tiles of all programs.
  mlir::Value number, bound;

  explicit operator bool() const { return op; }
};

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
  Kind kind = Kind::Program;
  /// Program ids x, or the loop's counter.
  llvm::SmallVector<mlir::Value> ids;
  /// What is divided: the ids, or extensions of them to wider types.
  llvm::SmallVector<mlir::Value> numbers;
  /// y of a plane.
  llvm::SmallVector<mlir::Value> planeRows;
  MarkedLoop loop;
  /// The divisor, in the narrowest width in which one is there; null for a
  /// plane. Equal ones are computed in other places.
  mlir::Value columns;
  /// Whether numbers are divided as unsigned ones.
  bool isUnsigned = false;
  /// A quotient may be rounded down (isFloored). A remainder is a division's,
  /// or number - quotient * columns.
  llvm::SmallVector<mlir::Value> quotients, remainders;

  /// Values that are a tile's row, and those that are its column.
  llvm::ArrayRef<mlir::Value> getRows() const {
    return kind == Kind::Plane ? planeRows : quotients;
  }
  llvm::ArrayRef<mlir::Value> getColumns() const {
    return kind == Kind::Plane ? ids : remainders;
  }

  /// Whether a quotient is rounded down, or a remainder is what such a one
  /// leaves.
  bool isFloored(mlir::Value value) const;
};

/// The split, or the reason why there is none.
struct TileSplitResult {
  TileSplit split;
  std::string reason;
};
TileSplitResult findTileSplit(tile::FuncOp kernel);

/// The divisor of a split by division, for code before all uses of the number;
/// puts the builder there.
mlir::Value placeColumns(mlir::OpBuilder &builder, tile::FuncOp kernel,
                         const TileSplit &split);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_GRID_TILESPLIT_H
