//===- PrefetchMutations.cpp - faults of a tile's early copies ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products over independent tiles. The first copies of a tile stand before the
// loop over tiles, and in it before the last product of the tile before is
// waited for; where the tile lies is computed there, and carried. Results are
// stored meanwhile, from a buffer that the store of the tile before has read.
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

/// The loop over k of a tile.
static scf::ForOp findProducts(ModuleOp module) {
  return findInside<scf::ForOp>(module, findTileLoop(module));
}

/// The first copies of a tile, under the condition that it exists: those before
/// the loop, or those behind the products.
static scf::IfOp findPrefetch(ModuleOp module, bool inLoop) {
  scf::ForOp tiles = findTileLoop(module), products = findProducts(module);
  return findIf<scf::IfOp>(module, [&](scf::IfOp branch) {
    Operation *there = inLoop ? products : tiles;
    bool isThere = there && branch->getBlock() == there->getBlock() &&
                   branch->isBeforeInBlock(there) != inLoop;
    return isThere && branch.getNumResults() == 0 &&
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

/// Where that tile lies.
static scf::IfOp findCoordinates(scf::IfOp prefetch) {
  for (Operation *op = prefetch; op; op = op->getPrevNode())
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && branch.getNumResults())
      return branch;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The copies take where this tile lies.
static bool fetchSameTile(ModuleOp module) {
  scf::ForOp tiles = findTileLoop(module);
  scf::IfOp prefetch = findPrefetch(module, /*inLoop=*/true);
  scf::IfOp coordinates = prefetch ? findCoordinates(prefetch) : scf::IfOp();
  if (!coordinates)
    return false;
  auto carried =
      tiles.getRegionIterArgs().take_back(coordinates.getNumResults());
  for (auto [next, current] : llvm::zip(coordinates.getResults(), carried))
    next.replaceUsesWithIf(current, [&](OpOperand &use) {
      return prefetch->isProperAncestor(use.getOwner());
    });
  return true;
}

static bool fetchTileAfterNext(ModuleOp module) {
  scf::IfOp prefetch = findPrefetch(module, /*inLoop=*/true);
  scf::IfOp coordinates = prefetch ? findCoordinates(prefetch) : scf::IfOp();
  arith::AddIOp next = coordinates ? findNext(prefetch) : arith::AddIOp();
  if (!next)
    return false;
  OpBuilder builder(coordinates);
  Value other = arith::AddIOp::create(builder, next.getLoc(), next.getResult(),
                                      next.getRhs());
  next->replaceUsesWithIf(ValueRange(other), [&](OpOperand &use) {
    return coordinates->isProperAncestor(use.getOwner());
  });
  return true;
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
  scf::ForOp products = findProducts(module);
  scf::IfOp prefetch = findPrefetch(module, /*inLoop=*/true);
  MBarrierExpectOp expect = findExpect(module, prefetch);
  arith::AddIOp next = expect ? findNext(prefetch) : arith::AddIOp();
  auto slot = expect ? dyn_cast<OpResult>(expect.getSlot()) : OpResult();
  if (!next || !slot || slot.getOwner() != products)
    return false;
  Value first = products.getInits()[slot.getResultNumber()];
  slot.replaceUsesWithIf(first, [&](OpOperand &use) {
    return prefetch->isProperAncestor(use.getOwner());
  });
  for (Operation *op :
       {next.getOperation(), prefetch.getCondition().getDefiningOp(),
        findCoordinates(prefetch).getOperation(), prefetch.getOperation()})
    op->moveBefore(products);
  return true;
}

/// The copies fill buffers one slot too early, from that of the product under
/// way.
static bool fetchIntoSlotUnderWay(ModuleOp module) {
  scf::IfOp prefetch = findPrefetch(module, /*inLoop=*/true);
  MBarrierExpectOp expect = findExpect(module, prefetch);
  if (!expect)
    return false;
  Location loc = prefetch.getLoc();
  OpBuilder builder(prefetch);
  auto number = [&](int32_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  };
  Value slot = expect.getSlot();
  int32_t slots = expect.getBarriers().getType().getSlots();
  Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      slot, number(0));
  Value before = arith::SubIOp::create(builder, loc, slot, number(1));
  Value other = arith::SelectOp::create(builder, loc, wraps, number(slots - 1),
                                        before);
  slot.replaceUsesWithIf(other, [&](OpOperand &use) {
    return isa<SlotOp>(use.getOwner()) &&
           prefetch->isProperAncestor(use.getOwner());
  });
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

/// The next tile begins with the slot, parity or place of this one.
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
      {"fetch into the slot under way", tiles, level, fetchIntoSlotUnderWay},
      {"fetched slot not handed on", tiles, level, forgetPhase<4>},
      {"fetched parity not handed on", tiles, level, forgetPhase<3>},
      {"next place not handed on", tiles, level, forgetPhase<1>},
      {"no fence of a kept operand", "kept_operand", level, dropOperandFence},
      {"no wait for the tile before", tiles, level, dropStoreWait<true>},
      {"no wait for the last tile", tiles, level, dropStoreWait<false>},
      {"wait after the buffer's write", tiles, level, waitAfterWrite},
      {"results in fetched slots", tiles, level, shareSlots},
  };
}
