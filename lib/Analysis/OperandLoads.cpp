//===- OperandLoads.cpp - what operands of products are loaded by ---------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Analysis/OperandLoads.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;

/// Whether elements of the result are made of those of the operands that lie at
/// the same place, or at the transposed one.
static bool keepsTile(Operation *op) {
  return isa<tile::ConvertOp, tile::TransOp>(op) ||
         op->hasTrait<OpTrait::Elementwise>();
}

SmallVector<Operation *> tessera::findOperandLoads(Value operand) {
  SmallVector<Operation *> loads;
  llvm::SetVector<Value> values;
  values.insert(operand);
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (isa_and_nonnull<tile::LoadOp, tile::DescLoadOp>(op))
      loads.push_back(op);
    else if (op && keepsTile(op))
      values.insert_range(op->getOperands());
  }
  return loads;
}
