//===- GroupMutations.cpp - faults of a tile's early groups of copies -----===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products over independent tiles whose threads copy. The first copies of a tile,
// two groups, stand before the loop over tiles, and in it behind the barrier that
// follows the products of the tile before; tiles hand the groups on. Results are
// stored meanwhile.
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
           llvm::any_of(loop.getResultTypes(), llvm::IsaPred<TokenType>);
  });
}

/// The loop over k of a tile.
static scf::ForOp findProducts(ModuleOp module) {
  return findInside<scf::ForOp>(module, findTileLoop(module));
}

/// The first copies of a tile, under the condition that it exists: those before
/// the loop, or those of the next tile.
static scf::IfOp findFirst(ModuleOp module, bool inLoop) {
  scf::ForOp tiles = findTileLoop(module);
  if (!tiles)
    return nullptr;
  Value group = inLoop ? tiles.getBody()->getTerminator()->getOperands().back()
                       : tiles.getInits().back();
  return group.getDefiningOp<scf::IfOp>();
}

/// The barrier between the products and the next tile's copies.
static BarrierOp findBarrier(ModuleOp module) {
  scf::IfOp next = findFirst(module, /*inLoop=*/true);
  for (Operation *op = next; op; op = op->getPrevNode())
    if (auto barrier = dyn_cast<BarrierOp>(op))
      return barrier;
  return nullptr;
}

/// Commit number `number` among the first copies.
static AsyncCommitOp findCommit(ModuleOp module, bool inLoop, int number) {
  scf::IfOp first = findFirst(module, inLoop);
  return findIf<AsyncCommitOp>(module, [&](AsyncCommitOp commit) {
    return first && first->isProperAncestor(commit) && number-- == 0;
  });
}

//===----------------------------------------------------------------------===//
// When copies are issued
//===----------------------------------------------------------------------===//

static bool dropBarrier(ModuleOp module) { return erase(findBarrier(module)); }

static bool fetchBeforeBarrier(ModuleOp module) {
  BarrierOp barrier = findBarrier(module);
  scf::IfOp next = findFirst(module, /*inLoop=*/true);
  if (barrier)
    barrier->moveAfter(next);
  return bool(barrier);
}

/// The next tile's copies fill slots that this tile's products are to read.
static bool fetchBeforeProducts(ModuleOp module) {
  scf::IfOp next = findFirst(module, /*inLoop=*/true);
  scf::ForOp products = findProducts(module);
  auto exists = next ? next.getCondition().getDefiningOp() : nullptr;
  if (!exists || !products)
    return false;
  // Where the next tile lies is known behind the products only: this tile's place
  // will do.
  scf::ForOp tiles = findTileLoop(module);
  auto guard = cast<scf::IfOp>(products->getParentOp());
  for (unsigned i = 1; i < guard.getNumResults(); ++i)
    guard.getResult(i).replaceUsesWithIf(
        tiles.getRegionIterArg(i - 1), [&](OpOperand &use) {
          return next->isProperAncestor(use.getOwner());
        });
  for (Operation *op :
       {exists->getOperand(0).getDefiningOp(), exists, next.getOperation()})
    op->moveBefore(guard);
  return true;
}

template <bool inLoop>
static bool dropCopies(ModuleOp module) {
  scf::IfOp first = findFirst(module, inLoop);
  return erase(findIf<scf::IfOp>(module, [&](scf::IfOp branch) {
    return first && first->isProperAncestor(branch) &&
           isa<DescCopyOp>(branch.thenBlock()->front());
  }));
}

/// Results go to the bytes that the next tile's copies fill.
static bool shareSlots(ModuleOp module) {
  auto results = findInside<AllocOp>(module, findTileLoop(module));
  if (results)
    results.setOffset(0);
  return bool(results);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// The next tile waits for its second group where it is to wait for the first.
static bool swapGroups(ModuleOp module) {
  scf::ForOp tiles = findTileLoop(module);
  if (!tiles)
    return false;
  Operation *yield = tiles.getBody()->getTerminator();
  unsigned last = yield->getNumOperands() - 1;
  Value first = yield->getOperand(last - 1), second = yield->getOperand(last);
  yield->setOperand(last - 1, second);
  yield->setOperand(last, first);
  return true;
}

/// The next tile's copies are one group: what a tile waits for is fewer groups
/// back than it says.
static bool joinGroups(ModuleOp module) {
  AsyncCommitOp first = findCommit(module, /*inLoop=*/true, 0),
                second = findCommit(module, /*inLoop=*/true, 1);
  if (!first || !second || first->getBlock() != second->getBlock())
    return false;
  first.getToken().replaceAllUsesWith(second.getToken());
  first.erase();
  return true;
}

/// The first group is empty, and the copies belong to the second.
static bool commitEarly(ModuleOp module) {
  AsyncCommitOp commit = findCommit(module, /*inLoop=*/true, 0);
  if (commit)
    commit->moveBefore(&commit->getBlock()->front());
  return bool(commit);
}

static AsyncWaitOp findWait(ModuleOp module) {
  scf::ForOp products = findProducts(module);
  return findIf<AsyncWaitOp>(module, [&](AsyncWaitOp wait) {
    return products && products->isProperAncestor(wait);
  });
}

/// The products do not wait for what the tile before has issued.
static bool dropWait(ModuleOp module) { return erase(findWait(module)); }

//===----------------------------------------------------------------------===//
// Which tile
//===----------------------------------------------------------------------===//

/// The copies take where this tile lies.
static bool fetchSameTile(ModuleOp module) {
  scf::ForOp tiles = findTileLoop(module), products = findProducts(module);
  scf::IfOp next = findFirst(module, /*inLoop=*/true);
  auto guard =
      products ? dyn_cast<scf::IfOp>(products->getParentOp()) : scf::IfOp();
  if (!next || !guard || guard.getNumResults() != 3)
    return false;
  for (unsigned i = 1; i < 3; ++i)
    guard.getResult(i).replaceUsesWithIf(
        tiles.getRegionIterArg(i - 1), [&](OpOperand &use) {
          return next->isProperAncestor(use.getOwner());
        });
  return true;
}

/// The next tile begins with the place of this one.
static bool forgetPlace(ModuleOp module) {
  scf::ForOp tiles = findTileLoop(module);
  if (!tiles)
    return false;
  tiles.getBody()->getTerminator()->setOperand(1, tiles.getRegionIterArg(1));
  return true;
}

/// The next tile is fetched only where there is none.
static bool negateExists(ModuleOp module) {
  scf::IfOp next = findFirst(module, /*inLoop=*/true);
  auto exists = next ? next.getCondition().getDefiningOp<arith::CmpIOp>()
                     : arith::CmpIOp();
  if (!exists)
    return false;
  OpBuilder builder(next);
  next.getConditionMutable().assign(arith::CmpIOp::create(
      builder, next.getLoc(), arith::CmpIPredicate::uge, exists.getLhs(),
      exists.getRhs()));
  return true;
}

std::vector<Mutation> mutation::getGroupMutations() {
  const char *tiles = "grouped_tiles";
  Level level = Level::TileGPU;
  return {
      {"no barrier before a tile's groups", tiles, level, dropBarrier},
      {"groups before the barrier", tiles, level, fetchBeforeBarrier},
      {"groups before this tile's products", tiles, level, fetchBeforeProducts},
      {"no copies of the first tile", tiles, level, dropCopies<false>},
      {"no copies of the next tile", tiles, level, dropCopies<true>},
      {"results in the groups' slots", tiles, level, shareSlots},
      {"groups swapped", tiles, level, swapGroups},
      {"two groups of the next tile in one", tiles, level, joinGroups},
      {"first group of the next tile empty", tiles, level, commitEarly},
      {"no wait for the next tile's groups", tiles, level, dropWait},
      {"groups of this tile's place", tiles, level, fetchSameTile},
      {"place of the groups not handed on", tiles, level, forgetPlace},
      {"groups only where no tile is", tiles, level, negateExists},
  };
}
