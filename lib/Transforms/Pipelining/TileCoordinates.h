//===- TileCoordinates.h - where the next tile lies -------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a tile lies takes divisions of its number, one after another. In a loop
// over tiles they would be made twice for each tile: for its first copies,
// which begin a tile earlier, and for the others and the results; and nothing
// runs beside them. Here they are made once, while the last products of the
// tile before are under way, and carried from there:
//
//     before                        after
//
//                                   row = f(first)
//     for tile {                    for tile, row {
//       row = f(tile)
//       loop                          loop
//                                     next row = f(tile + step), if it exists
//       wait for products             wait for products
//       results                       results
//     }                             }
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_PIPELINING_TILECOORDINATES_H
#define TESSERA_LIB_TRANSFORMS_PIPELINING_TILECOORDINATES_H

#include "OuterLoop.h"

namespace tessera {

/// The parts of a loop over tiles.
struct TileLoopParts {
  OuterLoop outer;
  mlir::scf::ForOp inner;
  /// The operation of the outer loop's body that holds the inner loop: the loop
  /// itself, or the condition that it runs at all.
  mlir::Operation *holder;
};

/// Carries the integers that `slice`, computations of a tile in program order,
/// takes of the counter and that others use as well. Returns how many; none
/// where the loop is not an scf.for, or they take other values of an iteration.
/// Replaces the outer loop and the holder.
int64_t carryCoordinates(TileLoopParts &parts,
                         llvm::ArrayRef<mlir::Operation *> slice);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_PIPELINING_TILECOORDINATES_H
