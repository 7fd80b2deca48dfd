//===- ReadsAheadMutations.cpp - faults of registers read ahead -----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop of test/Mutation/Inputs/pipelined_mma.mlir after its expansion:
// it waits, multiplies what the iteration before has read, reads for the next one,
// and copies.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::mutation;
using namespace tessera::tile_gpu;

/// The first operation of a kind in the loop.
template <typename OpTy>
static OpTy findInLoop(ModuleOp module) {
  return findIf<OpTy>(module, [](OpTy op) {
    return op->template getParentOfType<scf::ForOp>() != nullptr;
  });
}

/// The registers of the next iteration are multiplied.
static bool multiplyNext(ModuleOp module) {
  auto dot = findInLoop<tile::DotOp>(module);
  auto carried = dot ? dyn_cast<BlockArgument>(dot.getA()) : BlockArgument();
  if (!carried)
    return false;
  auto loop = cast<scf::ForOp>(carried.getOwner()->getParentOp());
  dot->moveBefore(loop.getBody()->getTerminator());
  dot.getAMutable().assign(loop.getTiedLoopYieldedValue(carried)->get());
  return true;
}

/// The registers stay those of the first iteration.
static bool keepFirst(ModuleOp module) {
  auto dot = findInLoop<tile::DotOp>(module);
  auto carried = dot ? dyn_cast<BlockArgument>(dot.getA()) : BlockArgument();
  if (!carried)
    return false;
  auto loop = cast<scf::ForOp>(carried.getOwner()->getParentOp());
  loop.getTiedLoopYieldedValue(carried)->set(carried);
  return true;
}

/// Before the copies that they are of have arrived.
static bool readBeforeWait(ModuleOp module) {
  auto wait = findInLoop<AsyncWaitOp>(module);
  auto read = findInLoop<LocalLoadOp>(module);
  if (!wait || !read)
    return false;
  wait->moveAfter(read);
  return true;
}

/// The barrier that follows a read.
static bool eraseNextBarrier(Operation *read) {
  BarrierOp barrier;
  for (Operation *op = read; op && !barrier; op = op->getNextNode())
    barrier = dyn_cast<BarrierOp>(op);
  return erase(barrier);
}

/// The barrier before the loop's copies, which others' reads precede.
static bool refillEarly(ModuleOp module) {
  return eraseNextBarrier(findInLoop<LocalLoadOp>(module));
}

/// The same before the loop, of the first iteration.
static bool refillFirstEarly(ModuleOp module) {
  auto read = find<LocalLoadOp>(module);
  return read && !read->getParentOfType<scf::ForOp>() && eraseNextBarrier(read);
}

/// Before the loop nothing is waited for.
static bool dropFirstWait(ModuleOp module) {
  auto wait = find<AsyncWaitOp>(module);
  return wait && !wait->getParentOfType<scf::ForOp>() && erase(wait);
}

std::vector<Mutation> mutation::getReadsAheadMutations() {
  const char *kernel = "pipelined_mma";
  Level level = Level::TileGPU;
  return {
      {"next registers multiplied", kernel, level, multiplyNext},
      {"first registers kept", kernel, level, keepFirst},
      {"registers read before the wait", kernel, level, readBeforeWait},
      {"slot refilled before all have read", kernel, level, refillEarly},
      {"first slot refilled early", kernel, level, refillFirstEarly},
      {"no wait before the first read", kernel, level, dropFirstWait},
  };
}
