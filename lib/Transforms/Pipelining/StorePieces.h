//===- StorePieces.h - results stored in pieces -----------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of results goes to memory through a buffer of its size. Where that is
// too much beside the slots of the next tile's copies, it can go in pieces,
// each as wide as a box of the tensor map, through two buffers in turns:
//
//     before                        after, for each piece i
//
//                                   wait until one store is left
//     write the tile                write piece i to buffer i % 2
//     fence                         fence
//     store it, commit              store it, commit
//     wait for the store
//                                   behind the loop: wait for all stores
//
// The first two are written together, since both buffers are free then. A piece
// is made of whole registers of each thread, so that cutting costs nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_PIPELINING_STOREPIECES_H
#define TESSERA_LIB_TRANSFORMS_PIPELINING_STOREPIECES_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

namespace tessera {

/// The only store by tensor map in a loop over tiles, and how it is cut.
class StorePieces {
public:
  /// nullopt where the body has no such store or several, another operation
  /// uses its buffer, or boxes are not made of whole registers.
  static std::optional<StorePieces> get(mlir::Block *body);

  /// The buffer of the whole tile.
  tile_gpu::AllocOp getWhole() const { return whole; }
  /// The type of each of the buffers in place of that one.
  tile_gpu::BufferType getPieceBuffer() const { return pieceBuffer; }
  static constexpr int64_t kNumBuffers = 2;
  int64_t getNumPieces();

  /// Cuts the store. `loop` has the body as its region; the buffers are made
  /// before it, since a store is waited for in the next iteration.
  void build(mlir::Operation *loop);

private:
  void buildWrite(mlir::OpBuilder &builder, int64_t index);
  void buildStore(mlir::OpBuilder &builder, int64_t index);
  mlir::Value getBuffer(int64_t index) { return buffers[index % kNumBuffers]; }

  tile_gpu::AllocOp whole;
  tile_gpu::LocalStoreOp write;
  tile_gpu::FenceAsyncOp fence;
  tile_gpu::TMAStoreOp store;
  tile_gpu::TMAStoreCommitOp commit;
  tile_gpu::TMAStoreWaitOp wait;
  /// The dimension that is cut.
  int axis = 0;
  tile_gpu::BufferType pieceBuffer;
  mlir::RankedTensorType piece;
  llvm::SmallVector<mlir::Value, kNumBuffers> buffers;
};

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_PIPELINING_STOREPIECES_H
