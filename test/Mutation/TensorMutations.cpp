//===- TensorMutations.cpp - faults of copies by tensor maps --------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products whose operands one thread copies, with an mbarrier a slot, after
// their expansion: copies of the first iterations, each under a condition, and
// a loop that waits, multiplies, and refills a slot behind a barrier. The
// result goes through a buffer, from where a copy stores it.
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

static MBarrierWaitOp findWait(ModuleOp module) {
  return find<MBarrierWaitOp>(module);
}

/// The loop of the products.
static scf::ForOp findLoop(ModuleOp module) {
  MBarrierWaitOp wait = findWait(module);
  return wait ? dyn_cast<scf::ForOp>(wait->getParentOp()) : scf::ForOp();
}

static bool isInLoop(Operation *op) {
  auto loop = op->getParentOfType<scf::ForOp>();
  return loop && !loop.getOps<MBarrierWaitOp>().empty();
}

/// The last copies before the loop, or those in it, with their condition, of
/// the first variant that has any.
static scf::IfOp findCopies(ModuleOp module, bool inLoop) {
  scf::IfOp found;
  for (auto kernel : module.getOps<tile::FuncOp>())
    if (!found)
      kernel.walk([&](scf::IfOp branch) {
        if (isa<MBarrierExpectOp>(branch.thenBlock()->front()) &&
            isInLoop(branch) == inLoop)
          found = branch;
      });
  return found;
}

/// The barrier of the loop.
static BarrierOp findBarrier(ModuleOp module) {
  return findIf<BarrierOp>(module, isInLoop);
}

static Value createConstant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(value));
}

/// The slot `distance` after another one.
static Value shift(Operation *before, Value slot, int64_t distance,
                   int64_t slots) {
  OpBuilder builder(before);
  Location loc = before->getLoc();
  Value sum = arith::AddIOp::create(builder, loc, slot,
                                    createConstant(builder, loc, distance));
  return arith::RemSIOp::create(builder, loc, sum,
                                createConstant(builder, loc, slots));
}

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

static bool dropWait(ModuleOp module) { return erase(findWait(module)); }

static bool waitForOtherSlot(ModuleOp module) {
  MBarrierWaitOp wait = findWait(module);
  if (wait)
    wait.getSlotMutable().assign(shift(
        wait, wait.getSlot(), 1, wait.getBarriers().getType().getSlots()));
  return bool(wait);
}

/// The parity stays as it was, when slots begin anew.
static bool dropFlip(ModuleOp module) {
  auto flip = findIf<arith::XOrIOp>(module, isInLoop);
  if (!flip)
    return false;
  flip.replaceAllUsesWith(flip.getLhs());
  flip.erase();
  return true;
}

template <bool inLoop>
static bool expectHalf(ModuleOp module) {
  scf::IfOp copies = findCopies(module, inLoop);
  if (!copies)
    return false;
  auto expect = cast<MBarrierExpectOp>(copies.thenBlock()->front());
  expect.setBytes(expect.getBytes() / 2);
  return true;
}

static bool dropExpect(ModuleOp module) {
  scf::IfOp copies = findCopies(module, /*inLoop=*/true);
  return copies && erase(&copies.thenBlock()->front());
}

/// Each tile begins with slot, or parity, number 0.
template <unsigned fromEnd>
static bool forgetPhase(ModuleOp module) {
  scf::ForOp loop = findLoop(module);
  auto outer = loop ? loop->getParentOfType<scf::ForOp>() : scf::ForOp();
  if (!outer)
    return false;
  auto yield = cast<scf::YieldOp>(outer.getBody()->getTerminator());
  unsigned number = yield->getNumOperands() - fromEnd;
  yield->setOperand(number, outer.getRegionIterArg(number));
  return true;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static bool dropLoopBarrier(ModuleOp module) {
  return erase(findBarrier(module));
}

static bool refillBeforeBarrier(ModuleOp module) {
  scf::IfOp copies = findCopies(module, /*inLoop=*/true);
  BarrierOp barrier = findBarrier(module);
  if (copies && barrier)
    barrier->moveAfter(copies);
  return copies && barrier;
}

/// Everything about the refill is for another slot: one that is to be read, or
/// has copies under way.
template <int distance>
static bool refillOtherSlot(ModuleOp module) {
  scf::IfOp copies = findCopies(module, /*inLoop=*/true);
  if (!copies)
    return false;
  auto expect = cast<MBarrierExpectOp>(copies.thenBlock()->front());
  int64_t slots = expect.getBarriers().getType().getSlots();
  Operation *first = copies;
  for (auto load : copies.thenBlock()->getOps<TMALoadOp>())
    if (Operation *slot = load.getBuffer().getDefiningOp();
        slot->isBeforeInBlock(first))
      first = slot;
  Value old = expect.getSlot();
  Value other = shift(first, old, slots + distance, slots);
  expect.getSlotMutable().assign(other);
  for (auto load : copies.thenBlock()->getOps<TMALoadOp>()) {
    load.getSlotMutable().assign(other);
    load.getBuffer().getDefiningOp<SlotOp>().getIndexMutable().assign(other);
  }
  return true;
}

/// The slot after the right one is read.
static bool readOtherSlot(ModuleOp module) {
  auto product = findIf<WgmmaOp>(module, isInLoop);
  auto slot = product ? product.getA().getDefiningOp<SlotOp>() : SlotOp();
  if (slot)
    slot.getIndexMutable().assign(
        shift(slot, slot.getIndex(), 1, slot.getBuffer().getType().getSlots()));
  return bool(slot);
}

template <bool inLoop>
static bool copyAlways(ModuleOp module) {
  scf::IfOp copies = findCopies(module, inLoop);
  if (!copies)
    return false;
  OpBuilder builder(copies);
  copies.getConditionMutable().assign(arith::ConstantOp::create(
      builder, copies.getLoc(), builder.getBoolAttr(true)));
  return true;
}

template <bool inLoop>
static bool dropCopies(ModuleOp module) {
  return erase(findCopies(module, inLoop));
}

/// One of two operands is not copied.
static bool dropOneCopy(ModuleOp module) {
  return erase(findIf<TMALoadOp>(module, isInLoop));
}

/// A tile further along one dimension.
static void moveOn(Operation *copy, OpOperand &coordinate, int64_t size) {
  OpBuilder builder(copy);
  Value next =
      arith::AddIOp::create(builder, copy->getLoc(), coordinate.get(),
                            createConstant(builder, copy->getLoc(), size));
  coordinate.set(next);
}

template <bool inLoop, unsigned dim>
static bool loadNextTile(ModuleOp module) {
  auto load = findIf<TMALoadOp>(
      module, [](Operation *op) { return isInLoop(op) == inLoop; });
  if (load)
    moveOn(load, load.getCoordinatesMutable()[dim],
           load.getBuffer().getType().getShape()[dim]);
  return bool(load);
}

static bool skipFenceBeforeCopies(ModuleOp module) {
  scf::ForOp loop = findLoop(module);
  auto outer = loop ? loop->getParentOfType<scf::ForOp>() : scf::ForOp();
  if (!outer)
    return false;
  auto fences = outer.getOps<FenceAsyncOp>();
  return !fences.empty() && erase(*fences.begin());
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// The operation of a kind that comes last before the store.
template <typename OpTy>
static bool dropBeforeStore(ModuleOp module) {
  Operation *op = find<TMAStoreOp>(module);
  while (op && !isa<OpTy>(op))
    op = op->getPrevNode();
  return erase(op);
}

template <typename OpTy>
static bool dropFirst(ModuleOp module) {
  return erase(find<OpTy>(module));
}

template <unsigned dim>
static bool storeNextTile(ModuleOp module) {
  auto store = find<TMAStoreOp>(module);
  if (store)
    moveOn(store, store.getCoordinatesMutable()[dim],
           store.getBuffer().getType().getShape()[dim]);
  return bool(store);
}

std::vector<Mutation> mutation::getTensorMutations() {
  const char *many = "tensor_copies", *loads = "tensor_loads",
             *rows = "row_tiles";
  Level level = Level::TileGPU;
  return {
      {"no wait for tensor copies", many, level, dropWait},
      {"wait for another slot", many, level, waitForOtherSlot},
      {"parity that never flips", many, level, dropFlip},
      {"half of the bytes expected", many, level, expectHalf<true>},
      {"half of the first bytes expected", many, level, expectHalf<false>},
      {"no bytes expected", many, level, dropExpect},
      {"parity that tiles do not hand on", many, level, forgetPhase<1>},
      {"slot that tiles do not hand on", many, level, forgetPhase<2>},
      {"no barrier before a slot's refill", many, level, dropLoopBarrier},
      {"refill of a slot before the barrier", many, level, refillBeforeBarrier},
      {"refill of the slot before", many, level, refillOtherSlot<-1>},
      {"refill of the slot after", many, level, refillOtherSlot<1>},
      {"other slot of copies read", many, level, readOtherSlot},
      {"first copies without condition", "matmul", level, copyAlways<false>},
      {"copies without condition", many, level, copyAlways<true>},
      {"no first copies", many, level, dropCopies<false>},
      {"no copies after the first ones", many, level, dropCopies<true>},
      {"copies of one operand", many, level, dropOneCopy},
      {"rows of the next tile", many, level, loadNextTile<true, 0>},
      {"columns of the next tile", many, level, loadNextTile<true, 1>},
      {"first columns of the next tile", many, level, loadNextTile<false, 1>},
      {"no fence before the first copies", loads, level, skipFenceBeforeCopies},
      {"no fence before the store", many, level, dropBeforeStore<FenceAsyncOp>},
      {"no fence before a store in the loop", rows, level,
       dropBeforeStore<FenceAsyncOp>},
      {"no barrier before the store", many, level, dropBeforeStore<BarrierOp>},
      {"nothing to store", many, level, dropBeforeStore<LocalStoreOp>},
      {"no group of the store", many, level, dropFirst<TMAStoreCommitOp>},
      {"no wait for the store", many, level, dropFirst<TMAStoreWaitOp>},
      {"no wait for the last store", "matmul", level,
       dropFirst<TMAStoreWaitOp>},
      {"rows stored to the next tile", many, level, storeNextTile<0>},
      {"columns stored to the next tile", many, level, storeNextTile<1>},
      {"no store of the result", many, level, dropFirst<TMAStoreOp>},
  };
}
