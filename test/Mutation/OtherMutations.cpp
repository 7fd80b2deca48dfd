//===- OtherMutations.cpp - faults of what stands where masks are false ---===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of test/Mutation/Inputs/other_*.mlir after their expansion: copies
// leave zeros where masks are false, and selects put in what the loads want.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::mutation;
using namespace tessera::tile_gpu;

/// Select number `number` between tensors.
static arith::SelectOp findSelect(ModuleOp module, unsigned number = 0) {
  return findIf<arith::SelectOp>(module, [&](arith::SelectOp select) {
    return isa<RankedTensorType>(select.getType()) && number-- == 0;
  });
}

static bool isInLoop(Operation *op) {
  return op->getParentOfType<scf::ForOp>() != nullptr;
}

/// The copies' zeros stay.
template <unsigned number>
static bool keepZeros(ModuleOp module) {
  arith::SelectOp select = findSelect(module, number);
  if (!select)
    return false;
  select.replaceAllUsesWith(select.getTrueValue());
  select.erase();
  return true;
}

/// The mask is that of a copy: in the loop that of a later iteration, before it
/// that of the first one.
template <bool inLoop>
static bool useCopysMask(ModuleOp module) {
  arith::SelectOp select = findSelect(module);
  auto copy = findIf<AsyncCopyOp>(
      module, [](AsyncCopyOp copy) { return isInLoop(copy) == inLoop; });
  if (!select || !copy)
    return false;
  select.getConditionMutable().assign(copy.getMask());
  return true;
}

/// What stands there is what stood there in the first iteration.
static bool keepFirstOther(ModuleOp module) {
  arith::SelectOp select = findSelect(module);
  auto half = select ? select.getFalseValue().getDefiningOp<arith::MulFOp>()
                     : arith::MulFOp();
  auto sum = half ? dyn_cast<BlockArgument>(half.getLhs()) : BlockArgument();
  if (!sum)
    return false;
  auto loop = cast<scf::ForOp>(sum.getOwner()->getParentOp());
  half.getLhsMutable().assign(loop.getTiedLoopInit(sum)->get());
  return true;
}

/// The masks of registers are those of the iteration that will read them.
static bool useNextMask(ModuleOp module) {
  auto start = findIf<tile::SplatOp>(module, [](tile::SplatOp splat) {
    auto loop = splat->getParentOfType<scf::ForOp>();
    return loop && splat.getSrc() == loop.getInductionVar();
  });
  if (!start)
    return false;
  auto loop = start->getParentOfType<scf::ForOp>();
  OpBuilder builder(start);
  Value next = arith::AddIOp::create(builder, start.getLoc(), start.getSrc(),
                                     loop.getStep());
  start.getSrcMutable().assign(next);
  return true;
}

std::vector<Mutation> mutation::getOtherMutations() {
  const char *rows = "other_rows", *product = "other_mma";
  Level level = Level::TileGPU;
  return {
      {"zeros kept in a row", rows, level, keepZeros<0>},
      {"mask of a later copy", rows, level, useCopysMask<true>},
      {"mask of the first copy", rows, level, useCopysMask<false>},
      {"'other' of the first iteration", rows, level, keepFirstOther},
      {"zeros kept in A", product, level, keepZeros<0>},
      {"zeros kept in B", product, level, keepZeros<1>},
      {"mask of the next registers", product, level, useNextMask},
  };
}
