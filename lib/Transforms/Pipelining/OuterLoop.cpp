//===- OuterLoop.cpp - the loop around a pipelined one --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OuterLoop.h"

#include "tessera/Dialect/Tile/IR/Assertions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;

std::optional<OuterLoop> OuterLoop::get(Operation *op) {
  if (isa<scf::ForOp, scf::WhileOp>(op))
    return OuterLoop(op);
  return std::nullopt;
}

std::optional<OuterLoop> OuterLoop::getAround(Operation *op) {
  std::optional<OuterLoop> loop = get(op->getParentOp());
  return loop && loop->getBody() == op->getBlock() ? loop : std::nullopt;
}

Block *OuterLoop::getBody() const {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getBody();
  return cast<scf::WhileOp>(op).getAfterBody();
}

//===----------------------------------------------------------------------===//
// More values
//===----------------------------------------------------------------------===//

/// The region before hands the values on.
static scf::WhileOp addToWhile(scf::WhileOp loop, ValueRange inits) {
  IRRewriter rewriter(loop);
  SmallVector<Value> all(loop.getInits());
  llvm::append_range(all, inits);
  SmallVector<Type> types(loop.getResultTypes());
  llvm::append_range(types, inits.getTypes());
  auto wider = scf::WhileOp::create(rewriter, loop.getLoc(), types, all,
                                    /*beforeBuilder=*/nullptr,
                                    /*afterBuilder=*/nullptr);
  wider->setAttrs(loop->getAttrs());
  wider.getBefore().takeBody(loop.getBefore());
  wider.getAfter().takeBody(loop.getAfter());
  for (Value init : inits) {
    Value before =
        wider.getBeforeBody()->addArgument(init.getType(), loop.getLoc());
    Value after =
        wider.getAfterBody()->addArgument(init.getType(), loop.getLoc());
    wider.getConditionOp().getArgsMutable().append(before);
    wider.getYieldOp().getResultsMutable().append(after);
  }
  rewriter.replaceOp(loop, wider.getResults().take_front(loop.getNumResults()));
  return wider;
}

void OuterLoop::addCarried(ValueRange inits) {
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    op = addToWhile(loop, inits);
    return;
  }
  IRRewriter rewriter(op);
  auto yields = [](OpBuilder &, Location, ArrayRef<BlockArgument> added) {
    return SmallVector<Value>(added.begin(), added.end());
  };
  auto wider = cast<scf::ForOp>(op).replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, yields);
  op = wider->getOperation();
}

void OuterLoop::setLast(ValueRange values) {
  Operation *yield = getBody()->getTerminator();
  yield->setOperands(yield->getNumOperands() - values.size(), values.size(),
                     values);
}

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

OuterLoop::Iteration OuterLoop::buildFrom(OpBuilder &builder,
                                          ValueRange carried) const {
  auto loop = cast<scf::WhileOp>(op);
  IRMapping mapping;
  mapping.map(loop.getBeforeArguments(), carried);
  for (Operation &inner : loop.getBeforeBody()->without_terminator())
    builder.clone(inner, mapping);
  scf::ConditionOp end = loop.getConditionOp();
  Iteration iteration{mapping.lookupOrDefault(end.getCondition()), {}};
  for (Value value : end.getArgs())
    iteration.arguments.push_back(mapping.lookupOrDefault(value));
  return iteration;
}

/// Whether a counter is one of the loop's.
static Value buildExists(OpBuilder &builder, scf::ForOp loop, Value counter) {
  return arith::CmpIOp::create(builder, loop.getLoc(),
                               loop.getUnsignedCmp()
                                   ? arith::CmpIPredicate::ult
                                   : arith::CmpIPredicate::slt,
                               counter, loop.getUpperBound());
}

OuterLoop::Iteration OuterLoop::buildFirst(OpBuilder &builder) const {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return buildFrom(builder, cast<scf::WhileOp>(op).getInits());
  Value first = loop.getLowerBound();
  Iteration iteration{buildExists(builder, loop, first), {first}};
  llvm::append_range(iteration.arguments, loop.getInitArgs());
  return iteration;
}

/// The counter does not wrap: tiles are counted in fewer bits than it has, in
/// signed loops by their contract.
OuterLoop::Iteration OuterLoop::buildNext(OpBuilder &builder,
                                          const IRMapping &current) const {
  SmallVector<Value> carried;
  for (Value update : getBody()->getTerminator()->getOperands())
    carried.push_back(current.lookupOrDefault(update));
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return buildFrom(builder, carried);
  Value next = arith::AddIOp::create(builder, loop.getLoc(),
                                     loop.getInductionVar(), loop.getStep());
  Iteration iteration{buildExists(builder, loop, next), {next}};
  llvm::append_range(iteration.arguments, carried);
  return iteration;
}

bool OuterLoop::canBuild() const {
  auto loop = dyn_cast<scf::WhileOp>(op);
  return !loop || llvm::all_of(loop.getBeforeBody()->without_terminator(),
                               [](Operation &inner) {
                                 return isMemoryEffectFree(&inner) &&
                                        inner.getNumRegions() == 0;
                               });
}

bool OuterLoop::mayStop() const { return tile::mayStop(getBody()); }

SmallVector<Value>
OuterLoop::getUpdates(ArrayRef<BlockArgument> arguments) const {
  SmallVector<Value> updates;
  ValueRange carried = getBody()->getTerminator()->getOperands();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [argument, value] : llvm::zip(loop.getRegionIterArgs(), carried))
      if (llvm::is_contained(arguments, argument))
        updates.push_back(value);
    return updates;
  }
  auto loop = cast<scf::WhileOp>(op);
  scf::ConditionOp end = loop.getConditionOp();
  for (auto [argument, value] : llvm::zip(loop.getBeforeArguments(), carried)) {
    // Only handed on, it matters where the body's argument does.
    bool matters = llvm::any_of(argument.getUses(), [&](OpOperand &use) {
      unsigned number = use.getOperandNumber();
      return use.getOwner() != end || number == 0 ||
             llvm::is_contained(arguments,
                                loop.getAfterArguments()[number - 1]);
    });
    if (matters)
      updates.push_back(value);
  }
  return updates;
}
