//===- SignSearch.cpp - integers that are not negative --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SignSearch.h"

#include "tessera/Analysis/Extension.h"
#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;

std::optional<int64_t> tessera::getConstant(Value value) {
  APInt constant;
  if (matchPattern(stripExtension(value), m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// sum += factor * number. False where 64 bits do not hold it.
static bool addProduct(int64_t &sum, int64_t factor, int64_t number) {
  int64_t product;
  return !llvm::MulOverflow(factor, number, product) &&
         !llvm::AddOverflow(sum, product, sum);
}

bool SignSearch::Sum::add(Value value, int64_t factor, SearchBudget &budget) {
  if (!budget.spend())
    return false;
  value = stripExtension(value);
  if (std::optional<int64_t> number = getConstant(value))
    return addProduct(constant, factor, *number);
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    int64_t second = 0;
    return addProduct(second, factor, isa<arith::AddIOp>(op) ? 1 : -1) &&
           add(op->getOperand(0), factor, budget) &&
           add(op->getOperand(1), second, budget);
  }
  auto *term =
      llvm::find_if(terms, [&](auto &term) { return term.first == value; });
  if (term != terms.end())
    return addProduct(term->second, factor, 1);
  terms.emplace_back(value, factor);
  return true;
}

/// What is subtracted is at most its upper bound.
bool SignSearch::isNonNegative(const Sum &sum) {
  int64_t constant = sum.constant;
  for (auto [value, factor] : sum.terms)
    if (factor < 0) {
      std::optional<int64_t> bound = getUpperBound(value);
      if (!bound || !addProduct(constant, factor, *bound))
        return false;
    }
  return constant >= 0 && llvm::all_of(sum.terms, [&](auto &term) {
           return term.second <= 0 || isNonNegativeTerm(term.first);
         });
}

bool SignSearch::isNonNegative(Value value) {
  Sum sum;
  return sum.add(value, 1, budget) && isNonNegative(sum);
}

/// As above; what was found and assumed on the way to nothing is forgotten.
bool SignSearch::tryNonNegative(Value value) {
  auto before = seen;
  ArgumentSet assumedBefore = assumed;
  if (isNonNegative(value))
    return true;
  seen = before;
  assumed = assumedBefore;
  return false;
}

std::optional<int64_t> SignSearch::getUpperBound(Value value) {
  if (!budget.spend())
    return std::nullopt;
  value = stripExtension(value);
  if (std::optional<int64_t> constant = getConstant(value))
    return constant;
  Operation *op = value.getDefiningOp();
  auto getOperandBound = [&](unsigned i) {
    return getUpperBound(op->getOperand(i));
  };
  if (isa_and_nonnull<arith::AddIOp>(op)) {
    std::optional<int64_t> sum = getOperandBound(0);
    std::optional<int64_t> y = sum ? getOperandBound(1) : std::nullopt;
    return y && addProduct(*sum, 1, *y) ? sum : std::nullopt;
  }
  if (isa_and_nonnull<arith::SelectOp>(op)) {
    std::optional<int64_t> x = getOperandBound(1);
    std::optional<int64_t> y = x ? getOperandBound(2) : std::nullopt;
    return y ? std::optional(std::max(*x, *y)) : std::nullopt;
  }
  if (isa_and_nonnull<arith::SubIOp>(op))
    return tryNonNegative(op->getOperand(1)) ? getOperandBound(0)
                                             : std::nullopt;
  auto extension = value.getDefiningOp<arith::ExtUIOp>();
  if (extension && extension.getIn().getType().isInteger(1))
    return 1;
  if (isa_and_nonnull<arith::MulIOp>(op))
    if (auto factor = getConstant(op->getOperand(1)); factor && *factor >= 0)
      if (auto bound = getOperandBound(0)) {
        int64_t product = 0;
        return addProduct(product, *factor, *bound) ? std::optional(product)
                                                    : std::nullopt;
      }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

bool SignSearch::isNonNegativeArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (isa<tile::FuncOp>(parent))
    return assumed.insert(argument), true;
  if (auto loop = dyn_cast<scf::WhileOp>(parent))
    return isNonNegativeInWhile(loop, argument);
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop)
    return false;
  // An unsigned counter is below its limit, and so without a sign if that is.
  if (argument == loop.getInductionVar())
    return isNonNegative(loop.getUnsignedCmp() ? loop.getUpperBound()
                                               : loop.getLowerBound());
  unsigned carried = argument.getArgNumber() - 1;
  return isNonNegative(loop.getInitArgs()[carried]) &&
         isNonNegative(loop.getYieldedValues()[carried]);
}

/// As for an unsigned counter, where the loop goes on below a limit: that holds
/// in the body for what the condition compared and handed on.
bool SignSearch::isNonNegativeInWhile(scf::WhileOp loop,
                                      BlockArgument argument) {
  unsigned index = argument.getArgNumber();
  if (argument.getOwner() == loop.getBeforeBody())
    return isNonNegative(loop.getInits()[index]) &&
           isNonNegative(loop.getYieldOp().getResults()[index]);
  scf::ConditionOp end = loop.getConditionOp();
  Value value = end.getArgs()[index];
  if (auto condition = end.getCondition().getDefiningOp<arith::CmpIOp>()) {
    Value smaller = condition.getLhs(), larger = condition.getRhs();
    arith::CmpIPredicate predicate = condition.getPredicate();
    if (predicate == arith::CmpIPredicate::ugt ||
        predicate == arith::CmpIPredicate::uge)
      std::swap(smaller, larger);
    else if (predicate != arith::CmpIPredicate::ult &&
             predicate != arith::CmpIPredicate::ule)
      return isNonNegative(value);
    if (smaller == value && tryNonNegative(larger))
      return true;
  }
  return isNonNegative(value);
}

/// Whether the value is larger - smaller, or more by a constant.
bool SignSearch::isDifference(Value value, Value larger, Value smaller) {
  Sum rest;
  return rest.add(value, 1, budget) && rest.add(larger, -1, budget) &&
         rest.add(smaller, 1, budget) && rest.constant >= 0 &&
         llvm::all_of(rest.terms, [](auto &term) { return term.second == 0; });
}

/// The condition of a branch says lhs - rhs >= 0, or that the branch is dead.
bool SignSearch::isNonNegativeChoice(Operation *op) {
  auto select = cast<arith::SelectOp>(op);
  auto condition = select.getCondition().getDefiningOp<arith::CmpIOp>();
  auto isBranch = [&](Value value, bool taken) {
    if (!condition)
      return isNonNegative(value);
    arith::CmpIPredicate predicate = condition.getPredicate();
    if (!taken)
      predicate = arith::invertPredicate(predicate);
    Value larger = condition.getLhs(), smaller = condition.getRhs();
    bool isStrict = predicate == arith::CmpIPredicate::slt ||
                    predicate == arith::CmpIPredicate::sgt;
    if (predicate == arith::CmpIPredicate::slt ||
        predicate == arith::CmpIPredicate::sle)
      std::swap(larger, smaller);
    else if (predicate != arith::CmpIPredicate::sgt &&
             predicate != arith::CmpIPredicate::sge)
      return isNonNegative(value);
    // Nothing that is not negative is less than 0.
    if (isStrict && getConstant(larger) == 0 && tryNonNegative(smaller))
      return true;
    return isDifference(value, larger, smaller) || isNonNegative(value);
  };
  return isBranch(select.getTrueValue(), true) &&
         isBranch(select.getFalseValue(), false);
}

bool SignSearch::isNonNegativeTerm(Value value) {
  if (!seen.insert(value).second)
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isNonNegativeArgument(argument);
  Operation *op = value.getDefiningOp();
  auto isOperand = [&](unsigned i) { return isNonNegative(op->getOperand(i)); };
  auto isConstantOperand = [&](unsigned i) {
    return getConstant(op->getOperand(i)).value_or(-1) >= 0;
  };
  return TypeSwitch<Operation *, bool>(op)
      .Case<tile::ProgramIdOp, tile::NumProgramsOp, arith::ExtUIOp>(
          [](auto) { return true; })
      .Case<arith::MulIOp, arith::MinSIOp>(
          [&](auto) { return isOperand(0) && isOperand(1); })
      .Case<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>([&](auto) {
        return getConstant(op->getOperand(1)).value_or(1) > 0 && isOperand(0);
      })
      .Case<arith::RemSIOp, arith::ExtSIOp, arith::ShRSIOp, arith::ShLIOp>(
          [&](auto) { return isOperand(0); })
      .Case<arith::MaxSIOp, arith::AndIOp>([&](auto) {
        return isConstantOperand(1) || (isOperand(0) && isOperand(1));
      })
      .Case([&](arith::SelectOp) { return isNonNegativeChoice(op); })
      .Default([](Operation *) { return false; });
}
