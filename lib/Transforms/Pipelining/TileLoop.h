//===- TileLoop.h - a loop over tiles and its first copies ------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tile-gpu-expand-pipeline leaves of a tile with a pipelined loop:
//
//     for tile {
//       barrier                   other buffers leave the slots' bytes
//       first copies              of iterations 0, 1, …; where threads copy, each
//                                 iteration's become a group, which is a token
//       loop(tokens)
//       wait for products, for copies
//       barrier                   behind it nobody reads a slot
//       results
//     }
//
// Copies by tensor maps arrive at mbarriers, whose slots and phases tiles hand
// on. Groups of threads' copies are counted instead, from the last one backwards:
// nothing else may commit any from the first copies on until the loop has ended.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_PIPELINING_TILELOOP_H
#define TESSERA_LIB_TRANSFORMS_PIPELINING_TILELOOP_H

#include "TileCoordinates.h"

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

namespace tessera {

/// A loop over tiles, and the pipelined loop in it.
struct TileLoop : TileLoopParts {
  bool usesTensorCopies = false;
  /// The first copies, each iteration's under its condition if it has one; where
  /// threads copy, with the commits of their groups.
  llvm::SmallVector<mlir::Operation *> first;
  /// Behind it, no product reads a slot any more.
  tile_gpu::BarrierOp barrier;

  /// The groups that threads' first copies become.
  llvm::SmallVector<tile_gpu::AsyncCommitOp> getCommits() const;
  /// Iterations that have copies among the first.
  int64_t countIterations() const;
  /// The buffers that the first copies fill.
  llvm::SmallVector<tile_gpu::AllocOp> getRings() const;
  /// The buffers that live from one tile to the next, once copies begin early and
  /// tensor stores end late: slots, and what those stores read. Where tensor maps
  /// copy, threads meet seldom, and others do not share bytes either, which would
  /// cost barriers.
  llvm::SmallVector<tile_gpu::AllocOp> getKept() const;
  /// Whether buffers of something else may have the bytes of slots before.
  bool hasOtherBuffers() const;
};

/// A tile loop, or why copies that run ahead cannot begin a tile early.
struct TileLoopMatch {
  std::optional<TileLoop> loop;
  /// What a reason is about; null where there is none.
  mlir::Operation *at = nullptr;
  std::string reason;
};

/// The loops in the body of `outer`, not inside other loops there, whose copies
/// run ahead: at most one match of copies by tensor maps and one of others.
/// Nothing where there are none.
llvm::SmallVector<TileLoopMatch, 2> matchTileLoops(OuterLoop outer);

/// Whether there are asynchronous copies to shared memory in the operation.
bool hasCopies(mlir::Operation *op);

/// Whether the operation is copies by tensor maps under a condition.
bool isTensorCopyBranch(mlir::Operation *op);

/// The operation of a kind that comes last before `op`, with nothing but
/// computations between; null for none.
template <typename OpTy>
OpTy findBefore(mlir::Operation *op) {
  for (op = op->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto found = mlir::dyn_cast<OpTy>(op))
      return found;
    if (!mlir::isMemoryEffectFree(op) && !mlir::isa<tile_gpu::AllocOp>(op))
      return nullptr;
  }
  return nullptr;
}

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_PIPELINING_TILELOOP_H
