//===- TileMutations.cpp - faults of computation and control flow ---------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::mutation;

/// A loop whose iterations carry something.
static scf::ForOp findLoop(ModuleOp module) {
  return findIf<scf::ForOp>(
      module, [](scf::ForOp loop) { return loop.getNumResults() == 1; });
}

static Value makeInt(Operation *before, Type type, int64_t value) {
  OpBuilder builder(before);
  return arith::ConstantOp::create(builder, before->getLoc(),
                                   builder.getIntegerAttr(type, value));
}

static bool dropAccumulator(ModuleOp module) {
  auto dot = find<tile::DotOp>(module);
  if (!dot)
    return false;
  OpBuilder builder(dot);
  Value zero = arith::ConstantOp::create(
      builder, dot.getLoc(),
      cast<TypedAttr>(builder.getZeroAttr(dot.getType())));
  dot.getAccMutable().assign(zero);
  return true;
}

static bool swapDotOperands(ModuleOp module) {
  auto dot = find<tile::DotOp>(module);
  if (!dot || dot.getA().getType() != dot.getB().getType())
    return false;
  Value a = dot.getA(), b = dot.getB();
  dot.getAMutable().assign(b);
  dot.getBMutable().assign(a);
  return true;
}

static bool lowerUpperBound(ModuleOp module) {
  auto loop = findLoop(module);
  if (!loop)
    return false;
  OpBuilder builder(loop);
  Value one = makeInt(loop, loop.getUpperBound().getType(), 1);
  loop.setUpperBound(
      arith::SubIOp::create(builder, loop.getLoc(), loop.getUpperBound(), one));
  return true;
}

static bool skipFirstIteration(ModuleOp module) {
  auto loop = findLoop(module);
  if (loop)
    loop.setLowerBound(loop.getStep());
  return bool(loop);
}

static bool doubleStep(ModuleOp module) {
  auto loop = findLoop(module);
  if (!loop)
    return false;
  OpBuilder builder(loop);
  loop.setStep(arith::AddIOp::create(builder, loop.getLoc(), loop.getStep(),
                                     loop.getStep()));
  return true;
}

static bool loseUpdate(ModuleOp module) {
  auto loop = findLoop(module);
  if (loop)
    loop.getBody()->getTerminator()->setOperand(0, loop.getRegionIterArg(0));
  return bool(loop);
}

static bool freezeInductionVariable(ModuleOp module) {
  auto loop = findLoop(module);
  if (loop)
    loop.getInductionVar().replaceAllUsesWith(loop.getLowerBound());
  return bool(loop);
}

static bool swapProgramIds(ModuleOp module) {
  bool found = false;
  module.walk([&](tile::ProgramIdOp op) {
    found |= op.getAxis() == tile::Axis::Y;
    op.setAxis(op.getAxis() == tile::Axis::X ? tile::Axis::Y : tile::Axis::X);
  });
  return found;
}

static bool changeAxis(ModuleOp module) {
  auto reduce = find<tile::ReduceOp>(module);
  if (reduce)
    reduce.setAxis(1 - reduce.getAxis());
  return bool(reduce);
}

/// Changes the combine operation of the first reduction that has an `Old`.
template <typename Old, typename New>
static bool combineWith(ModuleOp module) {
  return replaceBinary<New>(findIf<Old>(
      module, [](Old op) { return isa<tile::ReduceOp>(op->getParentOp()); }));
}

static bool extendAsUnsigned(ModuleOp module) {
  auto extension = findIf<arith::ExtSIOp>(module, [](arith::ExtSIOp op) {
    return getElementTypeOrSelf(op.getIn().getType()).isInteger(8);
  });
  if (!extension)
    return false;
  OpBuilder builder(extension);
  extension.replaceAllUsesWith(Value(arith::ExtUIOp::create(
      builder, extension.getLoc(), extension.getType(), extension.getIn())));
  return true;
}

static bool transposeByReshape(ModuleOp module) {
  auto trans = find<tile::TransOp>(module);
  if (!trans)
    return false;
  OpBuilder builder(trans);
  trans.replaceAllUsesWith(Value(tile::ReshapeOp::create(
      builder, trans.getLoc(), trans.getType(), trans.getSrc())));
  return true;
}

static bool swapSelection(ModuleOp module) {
  auto select = find<arith::SelectOp>(module);
  if (!select)
    return false;
  Value yes = select.getTrueValue(), no = select.getFalseValue();
  select.getTrueValueMutable().assign(no);
  select.getFalseValueMutable().assign(yes);
  return true;
}

static bool truncateResult(ModuleOp module) {
  auto convert = findIf<tile::ConvertOp>(module, [](tile::ConvertOp op) {
    return getElementTypeOrSelf(op.getType()).isF16();
  });
  if (convert)
    convert.setRounding(tile::Rounding::RTZ);
  return bool(convert);
}

static bool dropMaximum(ModuleOp module) {
  auto maximum = find<arith::MaximumFOp>(module);
  if (maximum)
    maximum.replaceAllUsesWith(maximum.getLhs());
  return bool(maximum);
}

static bool forgetLastGroup(ModuleOp module) {
  auto minimum = find<arith::MinSIOp>(module);
  if (minimum)
    minimum.replaceAllUsesWith(minimum.getRhs());
  return bool(minimum);
}

std::vector<Mutation> mutation::getTileMutations() {
  return {
      {"dropped accumulator", "matmul", Level::Tile, dropAccumulator},
      {"swapped operands of a product", "dot_of_dot", Level::Tile,
       swapDotOperands},
      {"upper bound one too low", "matmul", Level::Tile, lowerUpperBound},
      {"first iteration left out", "matmul", Level::Tile, skipFirstIteration},
      {"step of two blocks", "matmul_transposed", Level::Tile, doubleStep},
      {"lost update of a carried value", "matmul", Level::Tile, loseUpdate},
      {"stale induction variable", "dot_of_dot", Level::Tile,
       freezeInductionVariable},
      {"swapped program ids", "batched_matmul", Level::Tile, swapProgramIds},
      {"reduction along another axis", "column_sum", Level::Tile, changeAxis},
      {"maximum for a sum", "softmax", Level::Tile,
       combineWith<arith::AddFOp, arith::MaximumFOp>},
      {"minimum for a maximum", "softmax", Level::Tile,
       combineWith<arith::MaximumFOp, arith::MinimumFOp>},
      {"extension without the sign", "signed", Level::Tile, extendAsUnsigned},
      {"reshape for a transpose", "transposed", Level::Tile,
       transposeByReshape},
      {"swapped arms of a selection", "layernorm", Level::Tile, swapSelection},
      {"rounding towards zero", "matmul", Level::Tile, truncateResult},
      {"left out relu", "matmul_bias_relu", Level::Tile, dropMaximum},
      {"last group as large as all", "matmul_grouped", Level::Tile,
       forgetLastGroup},
  };
}
