//===- InsertBarriers.cpp - barriers between dependent accesses -----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a BarrierProblem from the accesses of a function and its control flow,
// solves it, and puts barriers before the operations that the solution names.
//
// Two buffers may share bytes, so that accesses are compared by the bytes of
// shared memory, not by their buffers. The whole CTA meets at a barrier: it may
// stand inside `scf.if` or a loop, since conditions and bounds are scalars, and
// a scalar has one value in all threads of a program. Programs of one warp need
// barriers as well: its lanes do not run in lockstep.
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"

#include "tessera/Schedule/BarrierPlacement.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera {
#define GEN_PASS_DEF_TILEGPUINSERTBARRIERSPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

//===----------------------------------------------------------------------===//
// From the function to the problem
//===----------------------------------------------------------------------===//

namespace {
/// The graph of a function's accesses. The function passed
/// checkSharedMemoryUse() and its buffers have offsets.
class GraphBuilder {
public:
  explicit GraphBuilder(tile::FuncOp function) {
    function.walk([&](TMAStoreOp store) { stored.insert(store.getBuffer()); });
    appendBlock(function.getBody().front(), addNode(problem.addJoin()));
  }

  BarrierProblem problem;
  /// The operation of each access; null for other nodes.
  SmallVector<Operation *> ops;

private:
  /// The buffers that tensor stores read.
  llvm::SetVector<Value> stored;

  int32_t addNode(int32_t number, Operation *op = nullptr) {
    ops.push_back(op);
    return number;
  }

  /// Adds `next` after `last`; returns it.
  int32_t follow(int32_t last, int32_t next) {
    problem.addEdge(last, next);
    return next;
  }

  // Each takes the node that control comes from and returns the one where it
  // ends up.
  int32_t appendBlock(Block &block, int32_t last);
  int32_t appendOp(Operation *op, int32_t last);
  int32_t appendAccess(Operation *op, ValueRange buffers, bool isWrite,
                       int32_t last);
  int32_t appendRegions(RegionBranchOpInterface op, int32_t last);
};
} // namespace

int32_t GraphBuilder::appendBlock(Block &block, int32_t last) {
  for (Operation &op : block)
    last = appendOp(&op, last);
  return last;
}

int32_t GraphBuilder::appendOp(Operation *op, int32_t last) {
  return TypeSwitch<Operation *, int32_t>(op)
      .Case([&](LocalStoreOp store) {
        return appendAccess(op, store.getBuffer(), /*isWrite=*/true, last);
      })
      .Case([&](LocalLoadOp load) {
        return appendAccess(op, load.getBuffer(), /*isWrite=*/false, last);
      })
      .Case([&](WgmmaOp product) {
        SmallVector<Value, 2> operands = {product.getB()};
        if (!product.readsRegisters())
          operands.push_back(product.getA());
        return appendAccess(op, operands, /*isWrite=*/false, last);
      })
      .Case([&](TMALoadOp load) {
        return appendAccess(op, load.getBuffer(), /*isWrite=*/true, last);
      })
      .Case([&](TMAStoreOp store) {
        return appendAccess(op, store.getBuffer(), /*isWrite=*/false, last);
      })
      // Thread 0 waits: only then may others write, after a barrier.
      .Case([&](TMAStoreWaitOp) {
        return appendAccess(op, stored.getArrayRef(), /*isWrite=*/false, last);
      })
      .Case<BarrierOp, MBarrierInitOp>(
          [&](auto) { return follow(last, addNode(problem.addBarrier())); })
      .Case([&](RegionBranchOpInterface branch) {
        return appendRegions(branch, last);
      })
      // Regions of other operations hold no accesses.
      .Default([&](Operation *) { return last; });
}

/// One node for all buffers of the operation: a barrier is put before all of it.
int32_t GraphBuilder::appendAccess(Operation *op, ValueRange buffers,
                                   bool isWrite, int32_t last) {
  ByteSet bytes;
  for (Value buffer : buffers) {
    AllocOp alloc = getAlloc(buffer);
    // Who fills a ring of slots knows which of them are in use, and has put the
    // barriers there.
    if (alloc.getType().getSlots() != 1)
      continue;
    int64_t offset = *alloc.getOffset();
    bytes.insert({offset, offset + alloc.getType().getBytes()});
  }
  if (bytes.ranges().empty())
    return last;
  return follow(last, addNode(problem.addAccess(std::move(bytes), isWrite), op));
}

/// Regions follow each other in program order, each with a join in front (a
/// region without a block, an absent `else`, is one that no branch leads to);
/// one more join comes after all of them. Edges are the branches of the
/// interface, with the way around a loop that runs zero times.
int32_t GraphBuilder::appendRegions(RegionBranchOpInterface op, int32_t last) {
  SmallVector<int32_t> entries, ends;
  for (Region &region : op->getRegions()) {
    entries.push_back(addNode(problem.addJoin()));
    ends.push_back(region.empty()
                       ? entries.back()
                       : appendBlock(region.front(), entries.back()));
  }
  int32_t exit = addNode(problem.addJoin());
  auto branch = [&](int32_t from, ArrayRef<RegionSuccessor> successors) {
    for (RegionSuccessor successor : successors)
      problem.addEdge(
          from, successor.isParent()
                    ? exit
                    : entries[successor.getSuccessor()->getRegionNumber()]);
  };
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  branch(last, successors);
  for (auto [region, end] : llvm::zip(op->getRegions(), ends)) {
    successors.clear();
    op.getSuccessorRegions(region, successors);
    branch(end, successors);
  }
  return exit;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static LogicalResult checkOffsets(tile::FuncOp function) {
  WalkResult walk = function.walk([](AllocOp alloc) {
    if (alloc.getOffset())
      return WalkResult::advance();
    alloc.emitOpError() << "has no offset; tile-gpu-allocate-shared sets it";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

static void report(tile::FuncOp function, size_t numBarriers,
                   size_t numInLoops) {
  remark::passed(function.getLoc(), remark::RemarkOpts::name("barriers")
                                        .category("tile-gpu-insert-barriers")
                                        .function(function.getName()))
      << remark::metric("Barriers", numBarriers)
      << remark::metric("InLoops", numInLoops);
}

namespace {
struct InsertBarriers
    : tessera::impl::TileGPUInsertBarriersPassBase<InsertBarriers> {
  void runOnOperation() override {
    tile::FuncOp function = getOperation();
    if (failed(checkSharedMemoryUse(function)) ||
        failed(checkOffsets(function)) || failed(checkFences(function)))
      return signalPassFailure();
    GraphBuilder graph(function);
    BarrierPlacement placement = placeBarriers(graph.problem);
    if (std::string fault = graph.problem.verify(placement); !fault.empty()) {
      function.emitError() << "barriers: " << fault;
      return signalPassFailure();
    }
    size_t numInLoops = 0;
    for (int32_t number : placement.before) {
      OpBuilder builder(graph.ops[number]);
      BarrierOp::create(builder, graph.ops[number]->getLoc());
      numInLoops +=
          bool(graph.ops[number]->getParentOfType<LoopLikeOpInterface>());
    }
    // Rings count: their barriers are to be checked as well.
    if (function.walk([](AllocOp) { return WalkResult::interrupt(); })
            .wasInterrupted())
      function->setAttr(TileGPUDialect::kSynchronized,
                        UnitAttr::get(function.getContext()));
    if (!placement.before.empty())
      report(function, placement.before.size(), numInLoops);
  }
};
} // namespace
