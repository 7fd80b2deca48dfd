//===- Lifetimes.cpp - when buffers are alive -----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Lifetimes.h.
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Memory/Lifetimes.h"

#include "tessera/Dialect/TileGPU/IR/SharedAlignment.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

namespace {
/// The pre-order numbers of an operation and of those inside it: begin is its
/// own, end the next after it.
struct Span {
  int64_t begin, end;
};
using Spans = DenseMap<Operation *, Span>;
} // namespace

/// Numbers `op` and what is inside, from `next` on; returns the next number.
static int64_t numberOps(Operation *op, int64_t next, Spans &spans) {
  int64_t begin = next++;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      next = numberOps(&inner, next, spans);
  spans[op] = {begin, next};
  return next;
}

/// When the buffer is dead after `user`: after the outermost loop around the
/// user that does not hold the alloc too, else after the user itself.
static int64_t findDeath(AllocOp alloc, Operation *user, const Spans &spans) {
  int64_t end = spans.lookup(user).end;
  for (Region *region = user->getParentRegion();
       region != alloc->getParentRegion();
       region = region->getParentOp()->getParentRegion()) {
    Operation *holder = region->getParentOp();
    auto branch = dyn_cast<RegionBranchOpInterface>(holder);
    if (!branch || branch.isRepetitiveRegion(region->getRegionNumber()))
      end = spans.lookup(holder).end;
  }
  return end;
}

/// Whether `op` waits for all asynchronous accesses of the kind of `user`. What
/// a tensor load brings arrives at an mbarrier, whose waits do not say for
/// which of its copies they wait.
static bool waitsForAll(Operation *op, Operation *user) {
  return TypeSwitch<Operation *, bool>(user)
      .Case([&](WgmmaOp) {
        auto wait = dyn_cast<WgmmaWaitOp>(op);
        return wait && wait.getPending() == 0;
      })
      .Case<AsyncCopyOp, DescCopyOp>([&](auto) {
        auto wait = dyn_cast<AsyncWaitOp>(op);
        return wait && wait.getPending() == 0;
      })
      .Case([&](TMALoadOp load) {
        auto end = dyn_cast<TMALoadEndOp>(op);
        return end && end.getBarriers() == load.getBarriers();
      })
      .Case([&](TMAStoreOp) {
        auto wait = dyn_cast<TMAStoreWaitOp>(op);
        return wait && wait.getPending() == 0;
      })
      .Default([](Operation *) { return false; });
}

/// Where an asynchronous access of `user`, which makes no further ones from
/// `from` on, has certainly ended: there, if a wait for all of its kind follows
/// the user in its block; after the first such wait that follows `from` in the
/// alloc's own block; else at the end of the function.
static int64_t findEndOfAsync(AllocOp alloc, Operation *user, int64_t from,
                              const Spans &spans) {
  for (Operation *op = user->getNextNode(); op; op = op->getNextNode())
    if (waitsForAll(op, user))
      return std::max(from, spans.lookup(op).end);
  for (Operation &op : *alloc->getBlock())
    if (waitsForAll(&op, user) && spans.lookup(&op).begin >= from)
      return spans.lookup(&op).end;
  return spans.lookup(alloc->getParentOfType<tile::FuncOp>()).end;
}

/// The operations that access a buffer, themselves or by a slot.
static SmallVector<Operation *> getAccesses(AllocOp alloc) {
  SmallVector<Operation *> accesses;
  for (Operation *user : alloc->getUsers()) {
    if (isa<SlotOp>(user))
      llvm::append_range(accesses, user->getUsers());
    else
      accesses.push_back(user);
  }
  return accesses;
}

static LiveBuffer computeLifetime(AllocOp alloc, const Spans &spans) {
  Span life = spans.lookup(alloc);
  bool isAsync = false;
  for (Operation *user : getAccesses(alloc)) {
    int64_t end = findDeath(alloc, user, spans);
    if (isa<AsyncCopyOp, DescCopyOp, WgmmaOp, TMALoadOp, TMAStoreOp>(user)) {
      isAsync = true;
      end = findEndOfAsync(alloc, user, end, spans);
    }
    life.end = std::max(life.end, end);
  }
  int64_t bytes = alloc.getType().getBytes();
  return {bytes, getSharedAlignment(bytes, isAsync), life.begin, life.end};
}

/// Before the loop, where it is made, until the wait behind it.
static LiveBuffer computeLifetime(const PlannedRings &rings, AllocOp buffer,
                                  const Spans &spans) {
  Span life = spans.lookup(rings.loop);
  return {rings.slots * buffer.getType().getBytes(), kMaxSharedAlignment,
          life.begin, life.end};
}

Lifetimes tessera::computeLifetimes(tile::FuncOp function,
                                    ArrayRef<PlannedRings> planned) {
  Spans spans;
  numberOps(function, 0, spans);
  Lifetimes result;
  auto append = [&](Operation *op, LiveBuffer life) {
    result.allocs.push_back(op);
    result.problem.buffers.push_back(life);
  };
  DenseMap<Operation *, const PlannedRings *> rings;
  for (const PlannedRings &plan : planned) {
    for (AllocOp buffer : plan.buffers)
      rings[buffer] = &plan;
    if (plan.numBarriers)
      append(plan.loop,
             {MBarrierType::get(function.getContext(), plan.numBarriers)
                  .getBytes(),
              kMBarrierAlignment, spans.lookup(function).begin,
              spans.lookup(function).end});
  }
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto alloc = dyn_cast<AllocOp>(op);
    if (const PlannedRings *plan = rings.lookup(op)) {
      if (plan->slots)
        append(op, computeLifetime(*plan, alloc, spans));
    } else if (alloc) {
      append(op, computeLifetime(alloc, spans));
    } else if (auto barriers = dyn_cast<MBarrierInitOp>(op)) {
      // An mbarrier is never made invalid: its bytes stay its own.
      append(op, {barriers.getType().getBytes(), kMBarrierAlignment,
                  spans.lookup(op).begin, spans.lookup(function).end});
    }
  });
  return result;
}
