//===- GridAnalysis.cpp - how a kernel uses its grid ----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridAnalysis.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;

//===----------------------------------------------------------------------===//
// Obstacles
//===----------------------------------------------------------------------===//

static bool isTileLoop(Operation *op) {
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
    obstacle = {call, "the kernel calls a function, which may ask for the grid: "
                      "tile-inline-calls has to run before"};
    return WalkResult::interrupt();
  });
  return obstacle;
}

GridObstacle tessera::findGridObstacle(tile::FuncOp kernel) {
  if (Operation *waiting = findWaiting(kernel))
    return {waiting, "a loop without a fixed number of iterations reads memory: "
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

bool tessera::isLaunchUniform(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->isEntryBlock() &&
           isa<tile::FuncOp>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  if (isa<tile::NumProgramsOp>(op))
    return true;
  return isa<arith::ArithDialect>(op->getDialect()) && isMemoryEffectFree(op) &&
         op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), isLaunchUniform);
}

scf::ForOp tessera::findMarkedForLoop(tile::FuncOp kernel) {
  scf::ForOp found;
  kernel.walk([&](scf::ForOp loop) {
    if (isTileLoop(loop))
      found = loop;
  });
  return found;
}

bool tessera::hasTileLoop(tile::FuncOp kernel) {
  WalkResult walk = kernel.walk([](LoopLikeOpInterface loop) {
    return isTileLoop(loop) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Splits
//===----------------------------------------------------------------------===//

/// Whether both are one value or equal constants.
static bool isSame(Value a, Value b) {
  APInt x, y;
  return a == b || (matchPattern(a, m_ConstantInt(&x)) &&
                    matchPattern(b, m_ConstantInt(&y)) && x == y);
}

/// Sorts the divisions of `number` into the split. Returns a reason against it.
static std::string collectDivisions(Value number, TileSplit &split) {
  for (Operation *user : number.getUsers()) {
    bool quotient = isa<arith::DivSIOp>(user);
    if (!quotient && !isa<arith::RemSIOp>(user))
      continue;
    if (user->getOperand(0) != number)
      continue;
    Value divisor = user->getOperand(1);
    if (split.columns && !isSame(split.columns, divisor))
      return "the tile is divided in more than one way";
    if (!split.columns)
      split.columns = divisor;
    (quotient ? split.quotients : split.remainders)
        .push_back(user->getResult(0));
  }
  return {};
}

static bool isDivided(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return isa<arith::DivSIOp, arith::RemSIOp, arith::DivUIOp, arith::RemUIOp,
               arith::FloorDivSIOp>(user);
  });
}

/// Whether code right behind the divisor, or at the start of the loop's body,
/// comes before all uses of the number.
static bool canCompute(const TileSplit &split) {
  if (scf::ForOp loop = split.loop)
    return loop.isDefinedOutsideOfLoop(split.columns);
  Operation *divisor = split.columns.getDefiningOp();
  if (!divisor)
    return true;
  DominanceInfo dominance;
  return llvm::all_of(split.numbers, [&](Value number) {
    return llvm::all_of(number.getUsers(), [&](Operation *user) {
      return dominance.properlyDominates(divisor, user);
    });
  });
}

/// Checks a split by division. Returns a reason against it.
static std::string checkDivisions(const TileSplit &split) {
  if (split.quotients.empty() || split.remainders.empty())
    return "the tile is not split into a quotient and a remainder of one "
           "divisor";
  scf::ForOp loop = split.loop;
  if (loop && !isLaunchUniform(loop.getUpperBound()))
    return "the bound of the tile loop is not known to be the same for all "
           "programs";
  if (!isLaunchUniform(split.columns))
    return "the divisor is not known to be the same for all programs, so that "
           "the new numbers may not be a permutation";
  if (llvm::any_of(split.quotients, isDivided) ||
      llvm::any_of(split.remainders, isDivided))
    return "the kernel orders its tiles itself: what it divides it divides "
           "again";
  if (!canCompute(split))
    return "the tile is used before the divisor is known";
  return {};
}

static TileSplitResult finish(TileSplit split, std::string reason) {
  if (!reason.empty())
    split.numbers.clear();
  return {std::move(split), std::move(reason)};
}

TileSplitResult tessera::findTileSplit(tile::FuncOp kernel) {
  TileSplit split;
  SmallVector<Value> rows;
  kernel.walk([&](tile::ProgramIdOp op) {
    if (op.getAxis() == tile::Axis::X)
      split.numbers.push_back(op);
    else if (op.getAxis() == tile::Axis::Y)
      rows.push_back(op);
  });
  split.kind = TileSplit::Kind::Program;
  if ((split.loop = findMarkedForLoop(kernel))) {
    split.kind = TileSplit::Kind::Loop;
    split.numbers.assign({split.loop.getInductionVar()});
  }
  bool divided = llvm::any_of(split.numbers, isDivided);
  if (!divided && !split.loop && !split.numbers.empty() && !rows.empty()) {
    split.kind = TileSplit::Kind::Plane;
    split.planeRows = rows;
    if (llvm::any_of(rows, isDivided))
      return finish(std::move(split), "program id y is divided");
    return finish(std::move(split), {});
  }
  if (split.numbers.empty())
    return finish(std::move(split), "the kernel does not use program id x");
  for (Value number : split.numbers)
    if (std::string reason = collectDivisions(number, split); !reason.empty())
      return finish(std::move(split), reason);
  std::string reason = checkDivisions(split);
  return finish(std::move(split), std::move(reason));
}
