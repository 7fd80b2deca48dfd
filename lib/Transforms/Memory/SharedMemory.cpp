//===- SharedMemory.cpp - which programs memory passes handle -------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

/// Buffers go from an alloc, or from a slot of one, straight to the operations
/// that access them.
static LogicalResult checkOperands(Operation *op) {
  for (Value operand : op->getOperands()) {
    if (!isa<BufferType>(operand.getType()))
      continue;
    if (!isa<tile_gpu::TileGPUDialect>(op->getDialect()))
      return op->emitOpError()
             << "is not supported on a buffer in shared memory: only "
                "operations of tile_gpu are";
    if (!getAlloc(operand))
      return op->emitOpError()
             << "is not supported on a buffer that is no result of a "
                "tile_gpu.alloc";
  }
  return success();
}

/// It is known how control reaches the operation.
static LogicalResult checkControlFlow(Operation *op) {
  Region *region = op->getParentRegion();
  while (true) {
    Operation *holder = region->getParentOp();
    if (!region->hasOneBlock())
      return op->emitOpError() << "is not supported in a region of '"
                               << holder->getName() << "' with several blocks";
    if (isa<tile::FuncOp>(holder))
      return success();
    if (!isa<RegionBranchOpInterface>(holder))
      return op->emitOpError()
             << "is not supported in a region of '" << holder->getName() << "'";
    region = holder->getParentRegion();
  }
}

LogicalResult tessera::checkSharedMemoryUse(tile::FuncOp function) {
  WalkResult walk = function.getBody().walk([](Operation *op) {
    if (failed(checkOperands(op)))
      return WalkResult::interrupt();
    if (isa<AllocOp, LocalStoreOp, LocalLoadOp, AsyncCopyOp, DescCopyOp, WgmmaOp,
            TMALoadOp, TMAStoreOp, TMAStoreWaitOp, BarrierOp>(op) &&
        failed(checkControlFlow(op)))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// The write by threads that `reader` sees of the buffer without a fence; null
/// for none.
static LocalStoreOp findUnfencedWrite(Operation *reader, Value buffer) {
  for (Operation *op = reader; !isa<tile::FuncOp>(op); op = op->getParentOp())
    for (Operation *last = op->getPrevNode(); last;
         last = last->getPrevNode()) {
      if (isa<FenceAsyncOp>(last))
        return nullptr;
      auto store = dyn_cast<LocalStoreOp>(last);
      if (store && store.getBuffer() == buffer)
        return store;
    }
  return nullptr;
}

LogicalResult tessera::checkFences(tile::FuncOp function) {
  WalkResult walk = function.getBody().walk([](Operation *op) {
    if (!isa<WgmmaOp, TMAStoreOp>(op))
      return WalkResult::advance();
    for (Value operand : op->getOperands()) {
      if (!isa<BufferType>(operand.getType()))
        continue;
      LocalStoreOp store = findUnfencedWrite(op, operand);
      if (!store)
        continue;
      InFlightDiagnostic error = op->emitOpError(
          "reads what threads wrote to a buffer without a fence in between");
      error.attachNote(store.getLoc()) << "written here";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

AllocOp tessera::getAlloc(Value buffer) {
  if (auto slot = buffer.getDefiningOp<SlotOp>())
    buffer = slot.getBuffer();
  return buffer.getDefiningOp<AllocOp>();
}
