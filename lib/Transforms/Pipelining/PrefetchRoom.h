//===- PrefetchRoom.h - shared memory of a loop over tiles ------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the buffers of a tile's results have room beside the slots that the
// next tile's copies fill, and what a multiprocessor loses by it.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_PIPELINING_PREFETCHROOM_H
#define TESSERA_LIB_TRANSFORMS_PIPELINING_PREFETCHROOM_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera {

class StorePieces;

/// Bytes of shared memory that a program takes.
struct SharedBytes {
  /// As it is, with slots that are free when results are stored.
  int64_t inTurn;
  /// With slots that are in use all through the loop over tiles.
  int64_t sideBySide;

  /// `kept` are the buffers that are then in use all the time. Buffers of before
  /// and after the loop count beside them.
  static SharedBytes count(tile::FuncOp function,
                           llvm::ArrayRef<tile_gpu::AllocOp> kept);
};

/// Programs on a multiprocessor, of `bytes` of shared memory. Of the registers
/// only those are known that hold what the inner loop carries, and what it holds
/// at a barrier.
int32_t countPrograms(const TargetInfo &target, mlir::scf::ForOp inner,
                      int64_t bytes);

/// Why the buffers side by side are too many bytes, where a multiprocessor
/// holds `before` programs with them in turn; empty when they are not.
std::string checkRoom(const TargetInfo &target, mlir::scf::ForOp inner,
                      const SharedBytes &shared, int32_t before);

/// Bytes that results take more when they are stored in pieces.
int64_t getBytesMore(StorePieces &pieces);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_PIPELINING_PREFETCHROOM_H
