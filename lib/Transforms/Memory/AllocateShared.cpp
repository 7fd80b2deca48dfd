//===- AllocateShared.cpp - place buffers in shared memory ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds an IntervalProblem whose times are the pre-order numbers of
// operations, solves it, and writes the offsets to the allocs:
//
//     1  %a = alloc       a: [1, 8), made outside the loop and used in it, so
//     2  for {               alive through all iterations
//     3    %b = alloc     b: [3, 6), made in the loop: its contents do not
//     4    store %b          outlive the iteration
//     5    load %b
//     6    store %a
//     7    yield }
//
// Reuse of room saves bytes and costs a barrier, between the last read of the
// old buffer and the first write of the new one. Where all buffers together
// are small enough not to limit how many CTAs are resident, none is reused.
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"

#include "tessera/Dialect/TileGPU/IR/SharedAlignment.h"
#include "tessera/Schedule/IntervalPlacement.h"
#include "tessera/Schedule/Occupancy.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera {
#define GEN_PASS_DEF_TILEGPUALLOCATESHAREDPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

//===----------------------------------------------------------------------===//
// Lifetimes
//===----------------------------------------------------------------------===//

namespace {
/// The pre-order numbers of an operation and of those inside it: begin is its
/// own, end the next after it.
struct Span {
  int64_t begin, end;
};
using Spans = DenseMap<Operation *, Span>;

/// The buffers and mbarriers of a function, in program order, and when they are
/// alive.
struct Lifetimes {
  SmallVector<Operation *> allocs;
  IntervalProblem problem;
};
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
    auto holder = cast<RegionBranchOpInterface>(region->getParentOp());
    if (holder.isRepetitiveRegion(region->getRegionNumber()))
      end = spans.lookup(holder).end;
  }
  return end;
}

/// Whether `op` waits for all asynchronous accesses of the kind of `user`. What
/// a tensor load brings arrives at an mbarrier, whose waits do not say for which
/// of its copies they wait.
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

static Lifetimes computeLifetimes(tile::FuncOp function) {
  Spans spans;
  numberOps(function, 0, spans);
  Lifetimes result;
  auto append = [&](Operation *op, LiveBuffer life) {
    result.allocs.push_back(op);
    result.problem.buffers.push_back(life);
  };
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto alloc = dyn_cast<AllocOp>(op))
      append(op, computeLifetime(alloc, spans));
    // An mbarrier is never made invalid: its bytes stay its own.
    else if (auto barriers = dyn_cast<MBarrierInitOp>(op))
      append(op, {barriers.getType().getBytes(), kMBarrierAlignment,
                  spans.lookup(op).begin, spans.lookup(function).end});
  });
  return result;
}

//===----------------------------------------------------------------------===//
// The target's limit
//===----------------------------------------------------------------------===//

/// A note for each buffer, the largest first.
static void noteBuffers(InFlightDiagnostic &diag, const Lifetimes &lifetimes) {
  const std::vector<LiveBuffer> &buffers = lifetimes.problem.buffers;
  auto order = llvm::to_vector(llvm::seq<size_t>(0, buffers.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::make_pair(-buffers[a].bytes, a) <
           std::make_pair(-buffers[b].bytes, b);
  });
  for (size_t index : order)
    diag.attachNote(lifetimes.allocs[index]->getLoc())
        << (isa<AllocOp>(lifetimes.allocs[index]) ? "a buffer of "
                                                  : "mbarriers of ")
        << buffers[index].bytes << " bytes";
}

static LogicalResult checkLimit(tile::FuncOp function,
                                const Lifetimes &lifetimes, int64_t total,
                                const TargetInfo &target) {
  if (total <= target.maxSharedBytesPerCTA)
    return success();
  InFlightDiagnostic diag = function.emitError()
                            << "'" << function.getName() << "' needs " << total
                            << " bytes of shared memory; a program has at most "
                            << target.maxSharedBytesPerCTA << " on "
                            << target.name;
  noteBuffers(diag, lifetimes);
  return diag;
}

/// How many slots the longest rings have to give up for everything to fit into
/// `limit` bytes; nothing where even one slot is too much. A stage is a slot.
static std::optional<int64_t> countSlotsTooMany(const Lifetimes &lifetimes,
                                                int64_t limit) {
  auto getSlots = [](Operation *op) {
    auto alloc = dyn_cast<AllocOp>(op);
    return alloc ? int64_t(alloc.getType().getSlots()) : 1;
  };
  int64_t longest = 1;
  for (Operation *op : lifetimes.allocs)
    longest = std::max(longest, getSlots(op));
  for (int64_t fewer = 1; fewer < longest; ++fewer) {
    IntervalProblem shorter = lifetimes.problem;
    for (auto [op, buffer] : llvm::zip(lifetimes.allocs, shorter.buffers))
      if (int64_t slots = getSlots(op); slots == longest)
        buffer.bytes = buffer.bytes / slots * (slots - fewer);
    if (placeFirstFit(shorter).total <= limit)
      return fewer;
  }
  return std::nullopt;
}

/// Refuses buffers that leave no room for as many programs as are demanded.
static LogicalResult checkResidency(tile::FuncOp function,
                                    const Lifetimes &lifetimes, int64_t total,
                                    int32_t minCTAs, const TargetInfo &target) {
  int64_t limit = getSharedLimit(target, minCTAs);
  if (minCTAs == 1 || total <= limit)
    return success();
  Occupancy most = computeOccupancy(
      target, {/*warps=*/1, /*registers=*/0, total, /*barriers=*/0});
  InFlightDiagnostic diag =
      function.emitError()
      << "'" << function.getName() << "' needs " << total
      << " bytes of shared memory for its buffers; " << minCTAs
      << " programs on a multiprocessor (--min-ctas) leave each "
      << std::max<int64_t>(limit, 0) << " of the " << target.sharedBytesPerSM
      << " on " << target.name << ", beside the system's "
      << target.reservedSharedBytesPerCTA
      << "; what may help: --min-ctas=" << most.byShared;
  if (std::optional<int64_t> fewer = countSlotsTooMany(lifetimes, limit))
    diag << ", or " << *fewer << (*fewer == 1 ? " stage" : " stages")
         << " fewer";
  noteBuffers(diag, lifetimes);
  return diag;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Writes offsets and the total, which fit an i32: targets have less memory.
static void apply(tile::FuncOp function, const Lifetimes &lifetimes,
                  const IntervalPlacement &placement) {
  Builder builder(function.getContext());
  for (auto [op, offset] : llvm::zip(lifetimes.allocs, placement.offsets)) {
    IntegerAttr attr = builder.getI32IntegerAttr(offset);
    if (auto alloc = dyn_cast<AllocOp>(op))
      alloc.setOffsetAttr(attr);
    else
      cast<MBarrierInitOp>(op).setOffsetAttr(attr);
  }
  function->setAttr(TileGPUDialect::kSharedBytes,
                    builder.getI32IntegerAttr(placement.total));
}

/// Bytes that a CTA may take without limiting residency: its part of the
/// multiprocessor's memory when as many CTAs as possible are resident.
static int64_t getFreeBytes(const TargetInfo &target) {
  return target.sharedBytesPerSM / target.maxCTAsPerSM -
         target.reservedSharedBytesPerCTA;
}

/// Room of its own for each buffer if that costs nothing, else reuse.
static IntervalPlacement place(const IntervalProblem &problem,
                               int64_t freeBytes) {
  IntervalProblem apart = problem;
  for (LiveBuffer &buffer : apart.buffers) {
    buffer.begin = 0;
    buffer.end = 1;
  }
  IntervalPlacement placement = placeFirstFit(apart);
  return placement.total <= freeBytes ? placement : placeFirstFit(problem);
}

static void report(tile::FuncOp function, const Lifetimes &lifetimes,
                   const IntervalPlacement &placement) {
  if (lifetimes.allocs.empty())
    return;
  int64_t sum = 0;
  for (const LiveBuffer &buffer : lifetimes.problem.buffers)
    sum += buffer.bytes;
  remark::passed(function.getLoc(), remark::RemarkOpts::name("shared-memory")
                                        .category("tile-gpu-allocate-shared")
                                        .function(function.getName()))
      << remark::metric("Buffers", lifetimes.allocs.size())
      << remark::metric("BufferBytes", sum)
      << remark::metric("MostBytesAlive", lifetimes.problem.lowerBound())
      << remark::metric("SharedBytes", placement.total);
}

namespace {
struct AllocateShared
    : tessera::impl::TileGPUAllocateSharedPassBase<AllocateShared> {
  using TileGPUAllocateSharedPassBase::TileGPUAllocateSharedPassBase;

  void runOnOperation() override {
    tile::FuncOp function = getOperation();
    if (minCTAs < 1) {
      function.emitError("min-ctas is 1 or more");
      return signalPassFailure();
    }
    FailureOr<TargetInfo> target = getTargetInfo(function);
    if (failed(target) || failed(checkSharedMemoryUse(function)))
      return signalPassFailure();
    Lifetimes lifetimes = computeLifetimes(function);
    IntervalPlacement placement =
        place(lifetimes.problem,
              freeBytes < 0 ? getFreeBytes(*target) : int64_t(freeBytes));
    if (std::string fault = lifetimes.problem.verify(placement);
        !fault.empty()) {
      function.emitError() << "shared memory: " << fault;
      return signalPassFailure();
    }
    if (failed(checkLimit(function, lifetimes, placement.total, *target)) ||
        failed(checkResidency(function, lifetimes, placement.total, minCTAs,
                              *target)))
      return signalPassFailure();
    apply(function, lifetimes, placement);
    report(function, lifetimes, placement);
  }
};
} // namespace
