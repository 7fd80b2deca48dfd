//===- GridAnalysis.cpp - how a kernel uses its grid ----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridAnalysis.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;

//===----------------------------------------------------------------------===//
// Obstacles
//===----------------------------------------------------------------------===//

bool tessera::isTileLoop(Operation *op) {
  return op->hasAttr(tile::TileDialect::kTileLoop);
}

static bool readsMemoryInside(Operation *outer) {
  WalkResult walk = outer->walk([](Operation *op) {
    return hasEffect<MemoryEffects::Read>(op) ? WalkResult::interrupt()
                                              : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

/// A loop without a fixed number of iterations that reads memory: it may wait
/// for another program. Null without one. Not a tile loop, whose iterations are
/// tiles and which asks a counter for the next one.
static Operation *findWaiting(tile::FuncOp kernel) {
  Operation *waiting = nullptr;
  kernel.walk([&](scf::WhileOp loop) {
    if (isTileLoop(loop) || !readsMemoryInside(loop))
      return WalkResult::advance();
    waiting = loop;
    return WalkResult::interrupt();
  });
  if (waiting)
    return waiting;
  // Branches: a block that is dominated by one of its successors ends a loop.
  // Which blocks that loop has is not worth finding out.
  if (kernel.getBody().hasOneBlock() || !readsMemoryInside(kernel))
    return nullptr;
  DominanceInfo dominance(kernel);
  for (Block &block : kernel.getBody())
    for (Block *successor : block.getSuccessors())
      if (dominance.dominates(successor, &block))
        return block.getTerminator();
  return nullptr;
}

GridObstacle tessera::findCallObstacle(tile::FuncOp kernel) {
  GridObstacle obstacle;
  kernel.walk([&](tile::CallOp call) {
    obstacle = {call,
                "the kernel calls a function, which may ask for the grid: "
                "tile-inline-calls has to run before"};
    return WalkResult::interrupt();
  });
  return obstacle;
}

GridObstacle tessera::findGridObstacle(tile::FuncOp kernel) {
  if (Operation *waiting = findWaiting(kernel))
    return {waiting,
            "a loop without a fixed number of iterations reads memory: "
            "it may wait for another program"};
  GridObstacle obstacle;
  kernel.walk([&](tile::InlinePTXOp op) {
    if (!op.getText().contains("ctaid"))
      return WalkResult::advance();
    obstacle = {op, "PTX of the source reads the grid"};
    return WalkResult::interrupt();
  });
  return obstacle;
}

/// Whether the value is the same in all programs if its operands are.
static bool isUniformIfOperandsAre(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->isEntryBlock() &&
           isa<tile::FuncOp>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  return isa<tile::NumProgramsOp>(op) ||
         (isa<arith::ArithDialect>(op->getDialect()) &&
          isMemoryEffectFree(op) && op->getNumRegions() == 0);
}

bool tessera::isLaunchUniform(Value value) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    if (!isUniformIfOperandsAre(values[i]))
      return false;
    if (Operation *op = values[i].getDefiningOp())
      values.insert_range(op->getOperands());
  }
  return true;
}

bool tessera::hasTileLoop(tile::FuncOp kernel) {
  WalkResult walk = kernel.walk([](LoopLikeOpInterface loop) {
    return isTileLoop(loop) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}
