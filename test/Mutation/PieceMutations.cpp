//===- PieceMutations.cpp - faults of results stored in pieces ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products over independent tiles whose results go through two buffers in
// turns, each for a part of the tile, while the next tile's copies are on their
// way.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::mutation;
using namespace tessera::tile_gpu;

/// The wait that leaves one store under way.
static TMAStoreWaitOp findWait(ModuleOp module) {
  return findIf<TMAStoreWaitOp>(
      module, [](TMAStoreWaitOp wait) { return wait.getPending() == 1; });
}

static bool dropWait(ModuleOp module) { return erase(findWait(module)); }

static bool waitForOneLess(ModuleOp module) {
  TMAStoreWaitOp wait = findWait(module);
  if (wait)
    wait.setPending(2);
  return bool(wait);
}

/// The first pieces of a tile are written while the last of the one before are
/// stored.
static bool dropFirstWait(ModuleOp module) {
  return erase(findIf<TMAStoreWaitOp>(module, [](TMAStoreWaitOp wait) {
    return wait.getPending() == 0 && isa<scf::ForOp>(wait->getParentOp());
  }));
}

static bool dropLastWait(ModuleOp module) {
  return erase(findIf<TMAStoreWaitOp>(module, [](TMAStoreWaitOp wait) {
    return isa<tile::FuncOp>(wait->getParentOp());
  }));
}

static bool storeSamePart(ModuleOp module) {
  auto part = find<ExtractSliceOp>(module, /*number=*/1);
  if (part)
    part.setOffsets(find<ExtractSliceOp>(module).getOffsets());
  return bool(part);
}

static bool storeToSamePlace(ModuleOp module) {
  auto first = findIf<TMAStoreOp>(module, [](TMAStoreOp) { return true; });
  auto second = find<TMAStoreOp>(module, /*number=*/1);
  if (second)
    second.getCoordinatesMutable().assign(first.getCoordinates());
  return bool(second);
}

static bool writeToSameBuffer(ModuleOp module) {
  auto third = find<TMAStoreOp>(module, /*number=*/2);
  auto fourth = find<TMAStoreOp>(module, /*number=*/3);
  auto write = third ? findIf<LocalStoreOp>(module, [&](LocalStoreOp op) {
    return op.getBuffer() == fourth.getBuffer() && third->isBeforeInBlock(op);
  })
                     : LocalStoreOp();
  if (!write)
    return false;
  write.getBufferMutable().assign(third.getBuffer());
  fourth.getBufferMutable().assign(third.getBuffer());
  return true;
}

static bool dropFence(ModuleOp module) {
  auto third = find<TMAStoreOp>(module, /*number=*/2);
  Operation *fence = third;
  while (fence && !isa<FenceAsyncOp>(fence))
    fence = fence->getPrevNode();
  return erase(fence);
}

std::vector<Mutation> mutation::getPieceMutations() {
  const char *tiles = "large_tiles";
  Level level = Level::TileGPU;
  return {
      {"no wait before a piece", tiles, level, dropWait},
      {"wait for one piece less", tiles, level, waitForOneLess},
      {"no wait before the first pieces", tiles, level, dropFirstWait},
      {"no wait for the last pieces", tiles, level, dropLastWait},
      {"part stored twice", tiles, level, storeSamePart},
      {"piece in another's place", tiles, level, storeToSamePlace},
      {"piece in the buffer under way", tiles, level, writeToSameBuffer},
      {"no fence of a piece", tiles, level, dropFence},
  };
}
