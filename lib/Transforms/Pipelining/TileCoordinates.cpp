//===- TileCoordinates.cpp - where the next tile lies ---------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileCoordinates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;

/// More would hold registers through the products.
static constexpr unsigned kMaxCarried = 8;

namespace {
/// Computations of an iteration from its counter.
struct Coordinates {
  /// Each after those that it uses.
  SmallVector<Operation *> ops;
  /// What others use of them.
  SmallVector<Value> results;
};
} // namespace

static bool isInteger(Value value) { return value.getType().isIntOrIndex(); }

/// Of `slice` the integers that depend on the counter; pointers and descriptors
/// are made of them anew. Other values of an iteration are not known before it
/// ends: nothing that takes them is among the operations.
static Coordinates findCoordinates(scf::ForOp loop,
                                   ArrayRef<Operation *> slice) {
  llvm::SmallSetVector<Operation *, 16> ops;
  Coordinates found;
  for (Operation *op : slice) {
    if (op->getBlock() != loop.getBody() || op->getNumRegions() != 0 ||
        !isMemoryEffectFree(op) || !llvm::all_of(op->getResults(), isInteger))
      continue;
    bool isKnown = true, depends = false;
    for (Value operand : op->getOperands()) {
      bool counted = operand == loop.getInductionVar() ||
                     ops.contains(operand.getDefiningOp());
      depends |= counted;
      isKnown &= counted || loop.isDefinedOutsideOfLoop(operand);
    }
    if (isKnown && depends)
      ops.insert(op);
  }
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (!llvm::all_of(result.getUsers(), [&](Operation *user) {
            return ops.contains(user);
          }))
        found.results.push_back(result);
  found.ops = ops.takeVector();
  return found;
}

/// The coordinates of another tile; zeros where it does not exist, whose
/// computations might not be defined.
static SmallVector<Value> buildCoordinates(OpBuilder &builder,
                                           const Coordinates &coordinates,
                                           Value counter,
                                           const OuterLoop::Iteration &tile) {
  Location loc = counter.getLoc();
  auto branch = scf::IfOp::create(
      builder, loc, tile.exists,
      [&](OpBuilder &inner, Location) {
        IRMapping mapping;
        mapping.map(counter, tile.arguments[0]);
        for (Operation *op : coordinates.ops)
          inner.clone(*op, mapping);
        SmallVector<Value> values;
        for (Value result : coordinates.results)
          values.push_back(mapping.lookup(result));
        scf::YieldOp::create(inner, loc, values);
      },
      [&](OpBuilder &inner, Location) {
        SmallVector<Value> zeros;
        for (Value result : coordinates.results)
          zeros.push_back(arith::ConstantOp::create(
              inner, loc, inner.getZeroAttr(result.getType())));
        scf::YieldOp::create(inner, loc, zeros);
      });
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// The next tile's coordinates behind the inner loop, whose products need not
/// have ended there; where that loop is skipped, as well. Replaces the holder.
static SmallVector<Value> buildNext(TileLoopParts &parts,
                                    const Coordinates &coordinates,
                                    Value counter) {
  IRRewriter rewriter(parts.inner);
  auto build = [&] {
    return buildCoordinates(rewriter, coordinates, counter,
                            parts.outer.buildNext(rewriter, IRMapping()));
  };
  rewriter.setInsertionPointAfter(parts.inner);
  auto guard = dyn_cast<scf::IfOp>(parts.holder);
  if (!guard)
    return build();
  SmallVector<Value> values = build();
  guard.thenYield().getResultsMutable().append(values);
  if (guard.elseBlock())
    rewriter.setInsertionPoint(guard.elseYield());
  else
    rewriter.createBlock(&guard.getElseRegion());
  values = build();
  if (guard.getElseRegion().front().mightHaveTerminator())
    guard.elseYield().getResultsMutable().append(values);
  else
    scf::YieldOp::create(rewriter, guard.getLoc(), values);

  rewriter.setInsertionPoint(guard);
  auto wider = scf::IfOp::create(rewriter, guard.getLoc(),
                                 guard.thenYield().getOperandTypes(),
                                 guard.getCondition());
  wider.getThenRegion().takeBody(guard.getThenRegion());
  wider.getElseRegion().takeBody(guard.getElseRegion());
  unsigned before = guard.getNumResults();
  rewriter.replaceOp(guard, wider.getResults().take_front(before));
  parts.holder = wider;
  return llvm::to_vector_of<Value>(wider.getResults().drop_front(before));
}

int64_t tessera::carryCoordinates(TileLoopParts &parts,
                                  ArrayRef<Operation *> slice) {
  auto loop = dyn_cast<scf::ForOp>(parts.outer.getOperation());
  if (!loop)
    return 0;
  Coordinates coordinates = findCoordinates(loop, slice);
  unsigned count = coordinates.results.size();
  if (count == 0 || count > kMaxCarried)
    return 0;

  OpBuilder builder(loop);
  Value counter = loop.getInductionVar();
  SmallVector<Value> inits = buildCoordinates(
      builder, coordinates, counter, parts.outer.buildFirst(builder));
  SmallVector<Value> next = buildNext(parts, coordinates, counter);
  parts.outer.addCarried(inits);
  parts.outer.setLast(next);
  auto carried = parts.outer.getBody()->getArguments().take_back(count);
  for (auto [result, argument] : llvm::zip(coordinates.results, carried))
    result.replaceAllUsesWith(argument);
  for (Operation *op : llvm::reverse(coordinates.ops))
    op->erase();
  return count;
}
