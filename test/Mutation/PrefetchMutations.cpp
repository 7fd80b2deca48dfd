//===- PrefetchMutations.cpp - faults of a tile's early copies ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products over independent tiles. The first copies of a tile stand before the
// loop over tiles, and in it behind the products of the tile before; results
// are stored meanwhile, from a buffer that the store of the tile before has
// read.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::mutation;
using namespace tessera::tile_gpu;

//===----------------------------------------------------------------------===//
// Parts of the kernel
//===----------------------------------------------------------------------===//

static scf::ForOp findTileLoop(ModuleOp module) {
  return findIf<scf::ForOp>(module, [](scf::ForOp loop) {
    return loop->hasAttr(tile::TileDialect::kTileLoop) &&
           !loop.getOps<TMAStoreOp>().empty();
  });
}

/// The first copies of a tile, under the condition that it exists: those before
/// the loop, or those in it.
static scf::IfOp findPrefetch(ModuleOp module, bool inLoop) {
  scf::ForOp loop = findTileLoop(module);
  return findIf<scf::IfOp>(module, [&](scf::IfOp branch) {
    bool isInside = branch->getParentOp() == loop;
    bool isBefore = loop && branch->getBlock() == loop->getBlock();
    WalkResult walk = branch.walk([](Operation *op) {
      return isa<MBarrierWaitOp>(op) ? WalkResult::interrupt()
                                     : WalkResult::advance();
    });
    return (inLoop ? isInside : isBefore) && branch.getNumResults() == 0 &&
           !walk.wasInterrupted() &&
           branch.walk([](TMALoadOp) { return WalkResult::interrupt(); })
               .wasInterrupted();
  });
}

/// The number of the tile that is fetched.
static arith::AddIOp findNext(scf::IfOp prefetch) {
  auto exists = prefetch.getCondition().getDefiningOp<arith::CmpIOp>();
  return exists ? exists.getLhs().getDefiningOp<arith::AddIOp>()
                : arith::AddIOp();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The copies take another tile's number; whether there is a tile is asked as
/// before.
static bool
fetch(ModuleOp module,
      llvm::function_ref<Value(OpBuilder &, arith::AddIOp)> choose) {
  scf::IfOp prefetch = findPrefetch(module, /*inLoop=*/true);
  arith::AddIOp next = prefetch ? findNext(prefetch) : arith::AddIOp();
  if (!next)
    return false;
  OpBuilder builder(prefetch);
  Value other = choose(builder, next);
  next->replaceUsesWithIf(ValueRange(other), [&](OpOperand &use) {
    return prefetch->isProperAncestor(use.getOwner());
  });
  return true;
}

static bool fetchSameTile(ModuleOp module) {
  return fetch(module,
               [](OpBuilder &, arith::AddIOp next) { return next.getLhs(); });
}

static bool fetchTileAfterNext(ModuleOp module) {
  return fetch(module, [](OpBuilder &builder, arith::AddIOp next) -> Value {
    return arith::AddIOp::create(builder, next.getLoc(), next.getResult(),
                                 next.getRhs());
  });
}

static bool fetchAlways(ModuleOp module) {
  scf::IfOp prefetch = findPrefetch(module, /*inLoop=*/true);
  if (!prefetch)
    return false;
  OpBuilder builder(prefetch);
  prefetch.getConditionMutable().assign(arith::ConstantOp::create(
      builder, prefetch.getLoc(), builder.getBoolAttr(true)));
  return true;
}

template <bool inLoop>
static bool dropPrefetch(ModuleOp module) {
  return erase(findPrefetch(module, inLoop));
}

static MBarrierExpectOp findExpect(ModuleOp module, scf::IfOp prefetch) {
  return findIf<MBarrierExpectOp>(module, [&](Operation *op) {
    return prefetch && prefetch->isProperAncestor(op);
  });
}

/// The next tile's copies stand before this tile's products, and fill the slots
/// that those are to read.
static bool fetchBeforeProducts(ModuleOp module) {
  scf::IfOp prefetch = findPrefetch(module, /*inLoop=*/true);
  MBarrierExpectOp expect = findExpect(module, prefetch);
  arith::AddIOp next = expect ? findNext(prefetch) : arith::AddIOp();
  Operation *products = expect ? expect.getSlot().getDefiningOp() : nullptr;
  if (!next || !products)
    return false;
  scf::ForOp loop = findTileLoop(module);
  auto yielded = llvm::find(loop.getYieldedValues(), expect.getSlot());
  Value first =
      loop.getRegionIterArg(yielded - loop.getYieldedValues().begin());
  expect.getSlot().replaceUsesWithIf(first, [&](OpOperand &use) {
    return prefetch->isProperAncestor(use.getOwner());
  });
  for (Operation *op :
       {next.getOperation(), prefetch.getCondition().getDefiningOp(),
        prefetch.getOperation()})
    op->moveBefore(products);
  return true;
}

/// The copies begin with slot 0, wherever the tile before stopped.
static bool fetchIntoFirstSlot(ModuleOp module) {
  scf::IfOp prefetch = findPrefetch(module, /*inLoop=*/true);
  MBarrierExpectOp expect = findExpect(module, prefetch);
  if (!expect)
    return false;
  OpBuilder builder(prefetch);
  Value zero = arith::ConstantOp::create(builder, prefetch.getLoc(),
                                         builder.getI32IntegerAttr(0));
  Value slot = expect.getSlot();
  slot.replaceUsesWithIf(zero, [&](OpOperand &use) {
    return prefetch->isProperAncestor(use.getOwner());
  });
  return true;
}

/// The next tile waits with the slot, or parity, of this one.
template <unsigned fromEnd>
static bool forgetPhase(ModuleOp module) {
  scf::ForOp loop = findTileLoop(module);
  if (!loop)
    return false;
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  unsigned number = yield->getNumOperands() - fromEnd;
  yield->setOperand(number, loop.getRegionIterArg(number));
  return true;
}

/// What threads write before the products is read by those unfenced.
static bool dropOperandFence(ModuleOp module) {
  scf::ForOp loop = findTileLoop(module);
  return erase(findIf<FenceAsyncOp>(module, [&](FenceAsyncOp fence) {
    return fence->getParentOp() == loop &&
           isa_and_nonnull<LocalStoreOp>(fence->getPrevNode()) &&
           llvm::any_of(cast<LocalStoreOp>(fence->getPrevNode())
                            .getBuffer()
                            .getUsers(),
                        llvm::IsaPred<WgmmaOp>);
  }));
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

static TMAStoreWaitOp findStoreWait(ModuleOp module, bool inLoop) {
  scf::ForOp loop = findTileLoop(module);
  return findIf<TMAStoreWaitOp>(module, [&](Operation *op) {
    return inLoop ? op->getParentOp() == loop
                  : loop && op->getBlock() == loop->getBlock();
  });
}

template <bool inLoop>
static bool dropStoreWait(ModuleOp module) {
  return erase(findStoreWait(module, inLoop));
}

static bool waitAfterWrite(ModuleOp module) {
  TMAStoreWaitOp wait = findStoreWait(module, /*inLoop=*/true);
  Operation *write = wait;
  while (write && !isa<LocalStoreOp>(write))
    write = write->getNextNode();
  if (write)
    wait->moveAfter(write);
  return write != nullptr;
}

/// Results go to the bytes that the next tile's copies fill.
static bool shareSlots(ModuleOp module) {
  scf::ForOp loop = findTileLoop(module);
  auto store = loop ? *loop.getOps<TMAStoreOp>().begin() : TMAStoreOp();
  auto buffer = store ? store.getBuffer().getDefiningOp<AllocOp>() : AllocOp();
  auto ring = findIf<AllocOp>(module, [](AllocOp alloc) {
    return alloc.getType().getSlots() > 1 && alloc.getOffset() == 0;
  });
  if (!buffer || !ring)
    return false;
  buffer.setOffset(0);
  return true;
}

std::vector<Mutation> mutation::getPrefetchMutations() {
  const char *tiles = "independent_tiles";
  Level level = Level::TileGPU;
  return {
      {"this tile fetched again", tiles, level, fetchSameTile},
      {"tile after the next fetched", tiles, level, fetchTileAfterNext},
      {"fetch behind the last tile", tiles, level, fetchAlways},
      {"no fetch of the first tile", tiles, level, dropPrefetch<false>},
      {"no fetch of the next tile", tiles, level, dropPrefetch<true>},
      {"fetch before this tile's products", tiles, level, fetchBeforeProducts},
      {"fetch into slot 0", tiles, level, fetchIntoFirstSlot},
      {"fetched slot not handed on", tiles, level, forgetPhase<2>},
      {"fetched parity not handed on", tiles, level, forgetPhase<1>},
      {"no fence of a kept operand", "kept_operand", level, dropOperandFence},
      {"no wait for the tile before", tiles, level, dropStoreWait<true>},
      {"no wait for the last tile", tiles, level, dropStoreWait<false>},
      {"wait after the buffer's write", tiles, level, waitAfterWrite},
      {"results in fetched slots", tiles, level, shareSlots},
  };
}
