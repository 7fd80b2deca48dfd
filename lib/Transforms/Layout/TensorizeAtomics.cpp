//===- TensorizeAtomics.cpp - tensors of one element of scalar atomics ----===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace tessera;

namespace tessera {
#define GEN_PASS_DEF_TILEGPUTENSORIZEATOMICSPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

/// The only element of a tensor<1xT>: a reduction that combines nothing.
static Value extractOnly(OpBuilder &builder, Location loc, Value tensor) {
  Type element = getElementTypeOrSelf(tensor.getType());
  auto reduce =
      tile::ReduceOp::create(builder, loc, TypeRange(element), tensor, 0);
  Block *block = builder.createBlock(&reduce.getCombine(), {},
                                     {element, element}, {loc, loc});
  // Any function will do.
  tile::ReduceReturnOp::create(builder, loc, block->getArgument(0));
  builder.setInsertionPointAfter(reduce);
  return reduce.getResult(0);
}

/// The first operation of the op's block that needs a result of `op`, also
/// deeper inside: until then, nobody has to wait for it.
static Operation *findFirstUse(Operation *op) {
  Operation *first = op->getBlock()->getTerminator();
  for (Operation *user : op->getUsers()) {
    Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
    if (!here) // A block after this one.
      return op->getNextNode();
    if (here->isBeforeInBlock(first))
      first = here;
  }
  return first;
}

static void tensorize(Operation *op) {
  OpBuilder builder(op);
  auto asTensor = [](Type type) { return RankedTensorType::get({1}, type); };
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(tile::SplatOp::create(
        builder, op->getLoc(), asTensor(operand.getType()), operand));
  OperationState state(op->getLoc(), op->getName(), operands,
                       asTensor(op->getResult(0).getType()), op->getAttrs());
  Operation *atomic = builder.create(state);
  builder.setInsertionPoint(findFirstUse(op));
  op->getResult(0).replaceAllUsesWith(
      extractOnly(builder, op->getLoc(), atomic->getResult(0)));
  op->erase();
}

namespace {
struct TensorizeAtomics
    : tessera::impl::TileGPUTensorizeAtomicsPassBase<TensorizeAtomics> {
  void runOnOperation() override {
    SmallVector<Operation *> atomics;
    getOperation().walk([&](Operation *op) {
      if (isa<tile::AtomicRMWOp, tile::AtomicCASOp>(op) && !op->use_empty() &&
          !isa<RankedTensorType>(op->getResult(0).getType()))
        atomics.push_back(op);
    });
    for (Operation *op : atomics) {
      remark::passed(op->getLoc(), remark::RemarkOpts::name("tensorize-atomic")
                                       .category("tile-gpu-tensorize-atomics")
                                       .function(getOperation().getName()))
          << remark::reason("all threads need the result");
      tensorize(op);
    }
  }
};
} // namespace
