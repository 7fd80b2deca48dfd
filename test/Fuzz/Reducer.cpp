//===- Reducer.cpp - make a failing kernel smaller ------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reducer.h"

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

/// Operations that may go, the last first: their uses have gone before them.
static SmallVector<Operation *> collect(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    bool isFrame =
        isa<ModuleOp, tile::FuncOp, tile::ReduceReturnOp>(op) ||
        op->hasTrait<OpTrait::IsTerminator>() ||
        op->getParentOfType<tile::ReduceOp>() || isa<tile::LaunchOp>(op) ||
        op->getParentOfType<tile::LaunchOp>() || isa<arith::ConstantOp>(op);
    if (!isFrame)
      ops.push_back(op);
  });
  std::reverse(ops.begin(), ops.end());
  return ops;
}

/// A zero of the type, or null for pointers and descriptors.
static Value makeZero(OpBuilder &builder, Location loc, Type type) {
  TypedAttr zero =
      tile::isPointerOrTensorOf(type) ? TypedAttr() : builder.getZeroAttr(type);
  return zero ? arith::ConstantOp::create(builder, loc, zero) : Value();
}

namespace {
/// What takes the place of an operation's results.
enum class Mode { Operands, Zeros, Then, Else };
} // namespace

/// Puts a branch in the place of its `scf.if`.
static bool unwrap(scf::IfOp branch, Region &region) {
  if (!branch || region.empty())
    return false;
  Operation *yield = region.front().getTerminator();
  SmallVector<Value> results(yield->getOperands());
  yield->erase();
  branch->getBlock()->getOperations().splice(Block::iterator(branch),
                                             region.front().getOperations());
  branch.replaceAllUsesWith(results);
  branch.erase();
  return true;
}

/// Takes out one operation: its results become operands of the same type, or
/// zeros. False when that is not possible.
static bool takeOut(Operation *op, Mode mode) {
  auto branch = dyn_cast<scf::IfOp>(op);
  if (mode == Mode::Then || mode == Mode::Else)
    return branch &&
           unwrap(branch, mode == Mode::Then ? branch.getThenRegion()
                                             : branch.getElseRegion());
  bool useOperands = mode == Mode::Operands;
  OpBuilder builder(op);
  SmallVector<Value> replacements;
  for (Value result : op->getResults()) {
    Value other;
    if (useOperands)
      for (Value operand : op->getOperands())
        if (!other && operand.getType() == result.getType())
          other = operand;
    if (!other && !result.use_empty() && !useOperands)
      other = makeZero(builder, op->getLoc(), result.getType());
    if (!other && !result.use_empty())
      return false;
    replacements.push_back(other);
  }
  for (auto [result, other] : llvm::zip(op->getResults(), replacements))
    if (other)
      result.replaceAllUsesWith(other);
  op->erase();
  return true;
}

/// Erases what has no effect and no use, and arguments without uses, where no
/// plan passes them.
static void clean(ModuleOp module) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation *op : collect(module))
      if (op->use_empty() && isMemoryEffectFree(op)) {
        op->erase();
        changed = true;
        break;
      }
  }
  SmallVector<Operation *> constants;
  module.walk([&](arith::ConstantOp op) {
    if (op->use_empty())
      constants.push_back(op);
  });
  for (Operation *op : constants)
    op->erase();
  if (!module.getOps<tile::LaunchOp>().empty())
    return;
  for (auto kernel : module.getOps<tile::FuncOp>())
    for (unsigned i = kernel.getNumArguments(); i-- > 0;)
      if (kernel.getBody().getArgument(i).use_empty())
        (void)kernel.eraseArgument(i);
}

OwningOpRef<ModuleOp>
fuzz::reduceModule(ModuleOp module, llvm::function_ref<bool(ModuleOp)> fails,
                   unsigned maxTries) {
  OwningOpRef<ModuleOp> best = module.clone();
  for (bool progress = true; progress && maxTries > 0;) {
    progress = false;
    for (unsigned i = 0; i < collect(*best).size() && maxTries > 0; ++i)
      for (Mode mode : {Mode::Operands, Mode::Zeros, Mode::Then, Mode::Else}) {
        OwningOpRef<ModuleOp> candidate = best->clone();
        SmallVector<Operation *> ops = collect(*candidate);
        if (i >= ops.size() || !takeOut(ops[i], mode))
          continue;
        clean(*candidate);
        if (failed(mlir::verify(*candidate)) || maxTries-- == 0 ||
            !fails(*candidate))
          continue;
        best = std::move(candidate);
        progress = true;
      }
  }
  return best;
}
