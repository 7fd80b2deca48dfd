//===- DealtMutations.cpp - faults of tiles that a counter deals out ------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread asks a counter for the program's next tile, and hands the answer to
// the others behind the products: it writes, all meet at a barrier, all read.
// The copies of that tile begin before the results of this one are stored.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::mutation;
using namespace tessera::tile_gpu;

static scf::WhileOp findTileLoop(ModuleOp module) {
  return findIf<scf::WhileOp>(module, [](scf::WhileOp loop) {
    return loop->hasAttr(tile::TileDialect::kTileLoop) &&
           loop->getNumResults() == 3 &&
           !loop.getAfterBody()->getOps<TMAStoreOp>().empty();
  });
}

/// The read of the next tile's number; null without.
static LocalLoadOp findRead(scf::WhileOp loop) {
  if (!loop || loop.getAfterBody()->getOps<LocalLoadOp>().empty())
    return nullptr;
  return *loop.getAfterBody()->getOps<LocalLoadOp>().begin();
}

//===----------------------------------------------------------------------===//
// The number of the next tile
//===----------------------------------------------------------------------===//

static bool readBeforeBarrier(ModuleOp module) {
  LocalLoadOp read = findRead(findTileLoop(module));
  auto barrier = read ? dyn_cast<BarrierOp>(read->getPrevNode()) : BarrierOp();
  if (barrier)
    read->moveBefore(barrier);
  return barrier != nullptr;
}

static bool dropWrite(ModuleOp module) {
  LocalLoadOp read = findRead(findTileLoop(module));
  return erase(findIf<LocalStoreOp>(module, [&](LocalStoreOp write) {
    return read && write.getBuffer() == read.getBuffer();
  }));
}

/// Every other tile is left out.
static bool askTwice(ModuleOp module) {
  scf::WhileOp loop = findTileLoop(module);
  if (!loop || loop.getAfterBody()->getOps<tile::AtomicRMWOp>().empty())
    return false;
  tile::AtomicRMWOp ask =
      *loop.getAfterBody()->getOps<tile::AtomicRMWOp>().begin();
  OpBuilder(ask).clone(*ask);
  return true;
}

//===----------------------------------------------------------------------===//
// From tile to tile
//===----------------------------------------------------------------------===//

/// The program computes a tile whose copies nobody began.
static bool goOnOnceMore(ModuleOp module) {
  scf::WhileOp loop = findTileLoop(module);
  auto more =
      loop ? loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>()
           : arith::CmpIOp();
  if (more)
    more.setPredicate(arith::CmpIPredicate::ule);
  return more != nullptr;
}

/// The copies of the next tile have begun.
static bool stopAtOnce(ModuleOp module) {
  scf::WhileOp loop = findTileLoop(module);
  if (!loop)
    return false;
  // Without a sign, it is above every limit.
  OpBuilder builder(loop.getYieldOp());
  Value none = arith::ConstantOp::create(builder, loop.getLoc(),
                                         builder.getI32IntegerAttr(-1));
  loop.getYieldOp()->setOperand(0, none);
  return true;
}

/// The body takes the slot for the parity, and the parity for the slot.
static bool swapPhase(ModuleOp module) {
  scf::WhileOp loop = findTileLoop(module);
  if (!loop)
    return false;
  scf::ConditionOp end = loop.getConditionOp();
  Value slot = end.getArgs()[1], parity = end.getArgs()[2];
  end->setOperand(2, parity);
  end->setOperand(3, slot);
  return true;
}

/// The next tile waits with the slot, or parity, of this one.
template <unsigned number>
static bool forgetPhase(ModuleOp module) {
  scf::WhileOp loop = findTileLoop(module);
  if (!loop)
    return false;
  loop.getYieldOp()->setOperand(number, loop.getAfterArguments()[number]);
  return true;
}

std::vector<Mutation> mutation::getDealtMutations() {
  const char *tiles = "dealt_tiles";
  Level level = Level::TileGPU;
  return {
      {"next tile read before the barrier", tiles, level, readBeforeBarrier},
      {"next tile not written", tiles, level, dropWrite},
      {"counter asked twice", tiles, level, askTwice},
      {"one tile too many", tiles, level, goOnOnceMore},
      {"no tile after the first", tiles, level, stopAtOnce},
      {"slot and parity swapped", tiles, level, swapPhase},
      {"dealt tile's slot not handed on", tiles, level, forgetPhase<1>},
      {"dealt tile's parity not handed on", tiles, level, forgetPhase<2>},
  };
}
