//===- AsyncMutations.cpp - faults of copies under way --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of test/Mutation/Inputs/pipelined*.mlir after their expansion: copies
// of the first iterations, and a loop that waits, reads, copies and computes.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::mutation;
using namespace tessera::tile_gpu;

//===----------------------------------------------------------------------===//
// Parts of a pipelined loop
//===----------------------------------------------------------------------===//

static bool isInLoop(Operation *op) {
  return op->getParentOfType<scf::ForOp>() != nullptr;
}

static bool isCopy(Operation *op) { return isa<AsyncCopyOp, DescCopyOp>(op); }

/// The condition of the first copy, in the loop or before it.
static scf::IfOp findCopy(ModuleOp module, bool inLoop) {
  return findIf<scf::IfOp>(module, [&](scf::IfOp branch) {
    return isCopy(&branch.thenBlock()->front()) && isInLoop(branch) == inLoop;
  });
}

/// The wait for copies of the loop.
static AsyncWaitOp findWait(ModuleOp module) {
  return findIf<AsyncWaitOp>(module, isInLoop);
}

/// Barrier number `number` of the loop.
static BarrierOp findBarrier(ModuleOp module, unsigned number) {
  return findIf<BarrierOp>(module, [&](BarrierOp barrier) {
    return isInLoop(barrier) && number-- == 0;
  });
}

/// The slot that the loop fills, or the one that it reads.
static SlotOp findSlot(ModuleOp module, bool fills) {
  return findIf<SlotOp>(module, [&](SlotOp slot) {
    return isInLoop(slot) && isCopy(*slot->user_begin()) == fills;
  });
}

//===----------------------------------------------------------------------===//
// Waits, groups, fences and barriers
//===----------------------------------------------------------------------===//

static bool dropWait(ModuleOp module) { return erase(findWait(module)); }

static bool waitForLess(ModuleOp module) {
  AsyncWaitOp wait = findWait(module);
  if (wait)
    wait.setPending(wait.getPending() + 1);
  return bool(wait);
}

/// The copies become part of the next group.
static bool commitEarly(ModuleOp module) {
  scf::IfOp copy = findCopy(module, /*inLoop=*/true);
  auto commit = findIf<AsyncCommitOp>(module, isInLoop);
  if (copy && commit)
    commit->moveBefore(copy);
  return copy && commit;
}

/// Nothing is under way, says a program without a second group.
static bool dropCommit(ModuleOp module) {
  auto first = find<AsyncCommitOp>(module, 0),
       second = find<AsyncCommitOp>(module, 1);
  if (!second || isInLoop(second))
    return false;
  second.getResult().replaceAllUsesWith(first);
  second.erase();
  return true;
}

static bool dropFence(ModuleOp module) {
  return erase(findIf<FenceAsyncOp>(module, isInLoop));
}

template <unsigned number>
static bool dropLoopBarrier(ModuleOp module) {
  return erase(findBarrier(module, number));
}

/// The barrier comes before the wait: for what other threads have copied it is
/// too early.
static bool barrierBeforeWait(ModuleOp module) {
  AsyncWaitOp wait = findWait(module);
  BarrierOp barrier = findBarrier(module, 0);
  if (wait && barrier)
    barrier->moveBefore(wait);
  return wait && barrier;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// The slot after the right one; past the last there is none.
template <bool fills>
static bool shiftSlot(ModuleOp module) {
  SlotOp slot = findSlot(module, fills);
  if (!slot)
    return false;
  OpBuilder builder(slot);
  Location loc = slot.getLoc();
  Value one = arith::ConstantOp::create(builder, loc,
                                        builder.getI32IntegerAttr(1));
  Value next = arith::AddIOp::create(builder, loc, slot.getIndex(), one);
  int64_t slots = slot.getBuffer().getType().getSlots();
  Value count = arith::ConstantOp::create(builder, loc,
                                          builder.getI32IntegerAttr(slots));
  slot.getIndexMutable().assign(
      arith::RemSIOp::create(builder, loc, next, count).getResult());
  return true;
}

/// Replaces the limit at which the counters of the loop's slots wrap.
static bool setLimit(ModuleOp module, int64_t slots, int64_t limit) {
  bool found = false;
  module.walk([&](arith::CmpIOp wraps) {
    APInt old;
    if (!isInLoop(wraps) || wraps.getPredicate() != arith::CmpIPredicate::eq ||
        !matchPattern(wraps.getRhs(), m_ConstantInt(&old)) || old != slots)
      return;
    OpBuilder builder(wraps);
    wraps.getRhsMutable().assign(arith::ConstantOp::create(
        builder, wraps.getLoc(), builder.getI32IntegerAttr(limit)));
    found = true;
  });
  return found;
}

/// Both counters wrap a slot later than the ring has.
static bool wrapLate(ModuleOp module) {
  SlotOp slot = findSlot(module, /*fills=*/false);
  if (!slot)
    return false;
  int64_t slots = slot.getBuffer().getType().getSlots();
  return setLimit(module, slots, slots + 1);
}

/// Both counters wrap one slot early, and are as they would be then when the loop
/// begins.
static bool oneSlotTooFew(ModuleOp module) {
  SlotOp slot = findSlot(module, /*fills=*/false);
  if (!slot)
    return false;
  int64_t slots = slot.getBuffer().getType().getSlots();
  auto loop = slot->getParentOfType<scf::ForOp>();
  for (OpOperand &init : loop.getInitArgsMutable()) {
    APInt first;
    if (!matchPattern(init.get(), m_ConstantInt(&first)) || first != slots - 1)
      continue;
    OpBuilder builder(loop);
    init.set(arith::ConstantOp::create(builder, loop.getLoc(),
                                       builder.getI32IntegerAttr(0)));
  }
  return setLimit(module, slots, slots - 1);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The copy comes before the wait and the barrier of its iteration.
static bool refillEarly(ModuleOp module) {
  scf::IfOp copy = findCopy(module, /*inLoop=*/true);
  AsyncWaitOp wait = findWait(module);
  if (!copy || !wait)
    return false;
  // What the copy needs goes with it.
  SmallVector<Operation *> ops = {copy};
  for (Operation *op = copy; (op = op->getPrevNode()) && op != wait;)
    if (isPure(op))
      ops.push_back(op);
  for (Operation *op : ops) {
    op->moveBefore(wait);
    wait = findWait(module);
  }
  for (Operation *op : llvm::reverse(ops))
    op->moveBefore(wait);
  return true;
}

template <bool inLoop>
static bool dropCopy(ModuleOp module) {
  return erase(findCopy(module, inLoop));
}

/// The iteration that the copy is for need not exist.
template <bool inLoop>
static bool copyAlways(ModuleOp module) {
  scf::IfOp copy = findCopy(module, inLoop);
  if (!copy)
    return false;
  OpBuilder builder(copy);
  copy.getConditionMutable().assign(arith::ConstantOp::create(
      builder, copy.getLoc(), builder.getBoolAttr(true)));
  return true;
}

template <bool inLoop>
static bool negateCondition(ModuleOp module) {
  scf::IfOp copy = findCopy(module, inLoop);
  if (!copy)
    return false;
  OpBuilder builder(copy);
  Value ones = arith::ConstantOp::create(builder, copy.getLoc(),
                                         builder.getBoolAttr(true));
  copy.getConditionMutable().assign(
      arith::XOrIOp::create(builder, copy.getLoc(), copy.getCondition(), ones)
          .getResult());
  return true;
}

std::vector<Mutation> mutation::getAsyncMutations() {
  const char *flight = "pipelined", *both = "pipelined_both",
             *rows = "pipelined_rows";
  Level level = Level::TileGPU;
  return {
      {"no wait for copies", flight, level, dropWait},
      {"no wait for copies into registers", rows, level, dropWait},
      {"wait for one group less", flight, level, waitForLess},
      {"wait for one group less of rows", rows, level, waitForLess},
      {"commit before the copies", flight, level, commitEarly},
      {"two groups in one", rows, level, dropCommit},
      {"no fence after the copies", flight, level, dropFence},
      {"no barrier after the wait", flight, level, dropLoopBarrier<0>},
      {"no barrier before the refill", rows, level, dropLoopBarrier<1>},
      {"barrier before the wait", flight, level, barrierBeforeWait},
      {"other slot read", flight, level, shiftSlot<false>},
      {"other slot of rows read", rows, level, shiftSlot<false>},
      {"other slot filled", flight, level, shiftSlot<true>},
      {"slot outside the ring", flight, level, wrapLate},
      {"one slot too few", flight, level, oneSlotTooFew},
      {"one slot too few for products", both, level, oneSlotTooFew},
      {"refill before the barrier", flight, level, refillEarly},
      {"refill before the read", rows, level, refillEarly},
      {"no copy for the first iteration", flight, level, dropCopy<false>},
      {"no copies in the loop", flight, level, dropCopy<true>},
      {"copy for no iteration", rows, level, copyAlways<false>},
      {"copies after the last iteration", rows, level, copyAlways<true>},
      {"first copy only if not needed", rows, level, negateCondition<false>},
      {"copies only if not needed", flight, level, negateCondition<true>},
  };
}
