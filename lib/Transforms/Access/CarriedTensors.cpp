//===- CarriedTensors.cpp - loop-carried tensors as scalars ---------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     %r = scf.for ... iter_args(%p = %first) {     %r = scf.for ... iter_args(%a = 0) {
//       ... %p ...                                    %p = tile.addptr %first, splat(%a)
//       %q = tile.addptr %p, splat(%step)      =>     ... %p ...
//       scf.yield %q                                  %b = arith.addi %a, %step
//     }                                               scf.yield %b
//
//===----------------------------------------------------------------------===//

#include "CarriedTensors.h"

#include "ScalarCode.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tessera;

namespace {
/// One argument that becomes a scalar: its number among the loop's, and what
/// each iteration adds.
struct Scalarized {
  unsigned index;
  Value step;
};
} // namespace

/// Bits of the advance of a tensor: those of its elements, 64 for pointers.
static unsigned getAdvanceWidth(Type type) {
  return isa<tile::PointerType>(getElementTypeOrSelf(type))
             ? 64
             : getIntegerWidth(type);
}

/// first + splat(advance), elementwise.
static Value addAdvance(OpBuilder &builder, Location loc, Value first,
                        Value advance) {
  Type type = tile::withElementType(first.getType(), advance.getType());
  Value all = tile::SplatOp::create(builder, loc, type, advance);
  if (isa<tile::PointerType>(getElementTypeOrSelf(first.getType())))
    return tile::AddPtrOp::create(builder, loc, first.getType(), first, all);
  return arith::AddIOp::create(builder, loc, first, all);
}

namespace {
/// Rebuilds one loop.
class Rebuilder {
public:
  Rebuilder(scf::ForOp loop, ArrayRef<Scalarized> scalarized)
      : loop(loop), scalarized(scalarized), rewriter(loop.getContext()) {}

  void run();

private:
  const Scalarized *find(unsigned index) const {
    auto it = llvm::find_if(scalarized, [&](const Scalarized &argument) {
      return argument.index == index;
    });
    return it == scalarized.end() ? nullptr : it;
  }
  Value getInit(unsigned index) { return loop.getInitArgs()[index]; }
  scf::ForOp createLoop();
  void moveBody(scf::ForOp rebuilt);
  void replaceResults(scf::ForOp rebuilt);

  scf::ForOp loop;
  ArrayRef<Scalarized> scalarized;
  IRRewriter rewriter;
};
} // namespace

/// The loop without a body. Arguments keep their places.
scf::ForOp Rebuilder::createLoop() {
  rewriter.setInsertionPoint(loop);
  ScalarCode code(rewriter, loop.getLoc());
  SmallVector<Value> inits(loop.getInitArgs());
  for (const Scalarized &argument : scalarized)
    inits[argument.index] =
        code.constant(0, getAdvanceWidth(inits[argument.index].getType()));
  auto rebuilt = scf::ForOp::create(
      rewriter, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
      loop.getStep(), inits, /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  rebuilt->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  return rebuilt;
}

void Rebuilder::moveBody(scf::ForOp rebuilt) {
  Block *body = rebuilt.getBody();
  rewriter.setInsertionPointToStart(body);
  SmallVector<Value> arguments{rebuilt.getInductionVar()};
  for (auto [index, argument] : llvm::enumerate(rebuilt.getRegionIterArgs()))
    arguments.push_back(find(index)
                            ? addAdvance(rewriter, loop.getLoc(),
                                         getInit(index), argument)
                            : Value(argument));
  rewriter.mergeBlocks(loop.getBody(), body, arguments);
  auto yield = cast<scf::YieldOp>(body->getTerminator());
  rewriter.setInsertionPoint(yield);
  ScalarCode code(rewriter, loop.getLoc());
  for (const Scalarized &argument : scalarized)
    yield.setOperand(argument.index,
                     code.add(rebuilt.getRegionIterArg(argument.index),
                              argument.step));
}

void Rebuilder::replaceResults(scf::ForOp rebuilt) {
  rewriter.setInsertionPointAfter(rebuilt);
  for (auto [index, result] : llvm::enumerate(loop.getResults())) {
    Value replacement = rebuilt.getResult(index);
    if (find(index) && !result.use_empty())
      replacement = addAdvance(rewriter, loop.getLoc(), getInit(index),
                               replacement);
    if (!result.use_empty())
      result.replaceAllUsesWith(replacement);
  }
}

void Rebuilder::run() {
  scf::ForOp rebuilt = createLoop();
  moveBody(rebuilt);
  replaceResults(rebuilt);
  rewriter.eraseOp(loop);
}

void tessera::scalarizeCarried(const llvm::SetVector<BlockArgument> &arguments,
                               const AffineAccess &analysis) {
  // Steps become values before any loop is rebuilt: values keep up with that.
  llvm::MapVector<Operation *, SmallVector<Scalarized>> loops;
  for (BlockArgument argument : arguments) {
    auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
    OpBuilder builder(loop.getBody()->getTerminator());
    ScalarCode code(builder, loop.getLoc());
    Value step = code.sum(*analysis.getCarriedStep(argument),
                          getAdvanceWidth(argument.getType()));
    loops[loop].push_back(
        {argument.getArgNumber() - loop.getNumInductionVars(), step});
  }
  for (auto &[loop, scalarized] : loops)
    Rebuilder(cast<scf::ForOp>(loop), scalarized).run();
}
