//===- StoreOrder.cpp - stores that copies may do in any order ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoreOrder.h"

#include "tessera/Analysis/AffineAccess.h"
#include "tessera/Analysis/Extension.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;

//===----------------------------------------------------------------------===//
// Values in a loop
//===----------------------------------------------------------------------===//

namespace {
/// factor * root + what is the same in all iterations of a loop.
struct Progress {
  Value root;
  int64_t factor = 0;
};

/// What values depend on in a loop.
class LoopValues {
public:
  explicit LoopValues(scf::ForOp loop) : loop(loop) {}

  /// Whether the value is the same in all iterations.
  bool isInvariant(Value value);
  /// What the sum of the values depends on; nothing where that is not one
  /// value. Without a root, it is the same in all iterations. A null value
  /// counts as 0.
  std::optional<Progress> findProgress(ArrayRef<Value> values);
  /// Whether the values are quotient and remainder of something that is another
  /// number in each iteration.
  bool areQuotientAndRemainder(Value quotient, Value remainder);

private:
  bool addTo(Progress &progress, Value value, int64_t factor);
  bool addLeaf(Progress &progress, Value value, int64_t factor);

  scf::ForOp loop;
  SearchBudget budget{256};
};
} // namespace

bool LoopValues::isInvariant(Value value) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
      !budget.spend())
    return false;
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isInvariant(operand); });
}

bool LoopValues::addLeaf(Progress &progress, Value value, int64_t factor) {
  if (isInvariant(value))
    return true;
  if (progress.root && progress.root != value)
    return false;
  progress.root = value;
  return !llvm::AddOverflow(progress.factor, factor, progress.factor);
}

/// Adds factor * value. False where that is not of the form.
bool LoopValues::addTo(Progress &progress, Value value, int64_t factor) {
  if (!budget.spend())
    return false;
  value = stripExtension(value);
  auto addScaled = [&](Value part, int64_t by) {
    int64_t product;
    return !llvm::MulOverflow(factor, by, product) &&
           addTo(progress, part, product);
  };
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return addScaled(sum.getLhs(), 1) && addScaled(sum.getRhs(), 1);
  if (auto difference = value.getDefiningOp<arith::SubIOp>())
    return addScaled(difference.getLhs(), 1) &&
           addScaled(difference.getRhs(), -1);
  if (auto product = value.getDefiningOp<arith::MulIOp>()) {
    if (std::optional<int64_t> constant = getConstant(product.getRhs()))
      return addScaled(product.getLhs(), *constant);
    if (std::optional<int64_t> constant = getConstant(product.getLhs()))
      return addScaled(product.getRhs(), *constant);
  }
  if (auto shift = value.getDefiningOp<arith::ShLIOp>()) {
    std::optional<int64_t> bits = getConstant(shift.getRhs());
    if (bits && *bits >= 0 && *bits < 32)
      return addScaled(shift.getLhs(), int64_t(1) << *bits);
  }
  return addLeaf(progress, value, factor);
}

std::optional<Progress> LoopValues::findProgress(ArrayRef<Value> values) {
  Progress progress;
  for (Value value : values)
    if (value && !addTo(progress, value, 1))
      return std::nullopt;
  return progress;
}

bool LoopValues::areQuotientAndRemainder(Value quotient, Value remainder) {
  Operation *div = quotient.getDefiningOp(), *rem = remainder.getDefiningOp();
  if (!div || !rem)
    return false;
  bool isPair = (isa<arith::DivSIOp>(div) && isa<arith::RemSIOp>(rem)) ||
                (isa<arith::DivUIOp>(div) && isa<arith::RemUIOp>(rem));
  if (!isPair || !llvm::equal(div->getOperands(), rem->getOperands()) ||
      !isInvariant(div->getOperand(1)))
    return false;
  std::optional<Progress> divided = findProgress(div->getOperand(0));
  // Odd factors have an inverse modulo 2^32; others may wrap to a number again.
  return divided && divided->root == loop.getInductionVar() &&
         divided->factor % 2 != 0;
}

//===----------------------------------------------------------------------===//
// Iterations of one store
//===----------------------------------------------------------------------===//

/// Whether each change of the root moves the tile beside itself.
static bool movesByTiles(const Progress &progress, int64_t step, int64_t size) {
  int64_t distance;
  return !llvm::MulOverflow(progress.factor, step, distance) &&
         (distance >= size || -distance >= size);
}

/// Whether iterations of the loop store different elements, while those of
/// loops around it stand still.
static bool storesOnce(tile::DescStoreOp store, const MappedArray &array,
                       scf::ForOp loop) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(store.getValue().getType()).getShape();
  int64_t step = getConstant(loop.getStep()).value_or(1);
  LoopValues values(loop);
  SmallVector<std::optional<Progress>, 2> progress;
  for (unsigned dim : {0u, 1u}) {
    progress.push_back(
        values.findProgress({array.dims[dim].origin, store.getOffsets()[dim]}));
    const std::optional<Progress> &last = progress.back();
    if (last && last->root == loop.getInductionVar() &&
        movesByTiles(*last, step, shape[dim]))
      return true;
  }
  for (unsigned dim : {0u, 1u}) {
    const std::optional<Progress> &first = progress[dim],
                                  &second = progress[1 - dim];
    if (first && second && first->root && second->root &&
        values.areQuotientAndRemainder(first->root, second->root) &&
        movesByTiles(*first, 1, shape[dim]) &&
        movesByTiles(*second, 1, shape[1 - dim]))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// All stores
//===----------------------------------------------------------------------===//

static bool isMarkedTileLoop(Operation *loop) {
  return loop->hasAttr(tile::TileDialect::kTileLoop);
}

std::string tessera::checkStoreOrder(tile::MakeDescOp desc,
                                     const MappedArray &array) {
  for (Operation *user : desc->getUsers()) {
    auto store = dyn_cast<tile::DescStoreOp>(user);
    if (!store)
      continue;
    for (auto loop = store->getParentOfType<LoopLikeOpInterface>(); loop;
         loop = loop->getParentOfType<LoopLikeOpInterface>()) {
      auto counted = dyn_cast<scf::ForOp>(loop.getOperation());
      if (!isMarkedTileLoop(loop) &&
          !(counted && storesOnce(store, array, counted)))
        return "iterations of a loop may store the same elements, and copies "
               "are not ordered";
    }
  }
  return "";
}
