//===- AllocateShared.cpp - place buffers in shared memory ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds an IntervalProblem (Lifetimes.h), solves it, and writes the offsets to
// the allocs.
//
// Reuse of room saves bytes and costs a barrier, between the last read of the
// old buffer and the first write of the new one. Where all buffers together
// are small enough not to limit how many CTAs are resident, none is reused.
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"

#include "tessera/Schedule/IntervalPlacement.h"
#include "tessera/Schedule/Occupancy.h"
#include "tessera/Transforms/Memory/Lifetimes.h"
#include "tessera/Transforms/Memory/SharedAdvice.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

namespace tessera {
#define GEN_PASS_DEF_TILEGPUALLOCATESHAREDPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

//===----------------------------------------------------------------------===//
// The target's limit
//===----------------------------------------------------------------------===//

/// Says what would fit; where it is not known which tile, of what size buffers
/// would, all of them together.
static void advise(InFlightDiagnostic &diag, const Lifetimes &lifetimes,
                   size_t largest, int64_t total, const TargetInfo &target) {
  int64_t room = target.maxSharedBytesPerCTA;
  Diagnostic &note = diag.attachNote(lifetimes.allocs[largest]->getLoc());
  note << (lifetimes.problem.buffers[largest].bytes > room
               ? "the largest does not fit alone"
               : "together they do not fit");
  if (std::string fits = describeWhatFits(lifetimes, room); !fits.empty())
    note << "; " << fits;
  else
    note << "; what may help: tiles for which each takes 1/"
         << llvm::PowerOf2Ceil(llvm::divideCeil(total, room)) << " of that";
}

/// A note for each buffer, the largest first; returns that one.
static size_t noteBuffers(InFlightDiagnostic &diag,
                          const Lifetimes &lifetimes) {
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
  return order.front();
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
  size_t largest = noteBuffers(diag, lifetimes);
  advise(diag, lifetimes, largest, total, target);
  return diag;
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
      << "; what may help: --min-ctas=" << most.byShared
      << (most.byShared > 1 ? " or less" : "");
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
