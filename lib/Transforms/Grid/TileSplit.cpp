//===- TileSplit.cpp - a kernel's rows and columns of tiles ---------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number is split in the width in which it is divided, or in the narrower of
// several: tiles are not negative, so that quotients and remainders of extended
// numbers by extended divisors are those of narrow ones, extended. One divisor
// may be computed at each division: what is computed alike from the same values
// is the same. The divisor of all programs is made of arguments, constants and
// extents of the grid, so that it can be computed anywhere, unless it divides
// itself.
//
//===----------------------------------------------------------------------===//

#include "TileSplit.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;

//===----------------------------------------------------------------------===//
// Marked loops
//===----------------------------------------------------------------------===//

/// Whether what `value` is computed from, inside `loop`, contains an argument
/// of its regions.
static bool dependsOnIteration(Value value, Operation *loop) {
  SmallVector<Value> work = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!work.empty()) {
    Value current = work.pop_back_val();
    auto argument = dyn_cast<BlockArgument>(current);
    if (argument && argument.getOwner()->getParentOp() == loop)
      return true;
    Operation *op = current.getDefiningOp();
    if (!op || !loop->isProperAncestor(op) || !seen.insert(op).second)
      continue;
    op->walk([&](Operation *inner) {
      llvm::append_range(work, inner->getOperands());
    });
  }
  return false;
}

/// The tile and the bound of a loop that goes on while the tile is less, and
/// finds the next tile without this one. Null for others.
static MarkedLoop matchWhile(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  auto less = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!less || condition.getArgs().empty() ||
      !llvm::is_contained(
          {arith::CmpIPredicate::ult, arith::CmpIPredicate::slt},
          less.getPredicate()) ||
      less.getLhs() != condition.getArgs().front() ||
      !loop.isDefinedOutsideOfLoop(less.getRhs()))
    return {};
  auto next = dyn_cast<BlockArgument>(less.getLhs());
  if (!next || next.getOwner() != loop.getBeforeBody() ||
      dependsOnIteration(loop.getYieldOp().getOperand(next.getArgNumber()),
                         loop))
    return {};
  return {loop, loop.getAfterBody(), loop.getAfterArguments().front(),
          less.getRhs()};
}

static MarkedLoop findMarkedLoop(tile::FuncOp kernel) {
  MarkedLoop found;
  kernel.walk([&](Operation *op) {
    if (!isTileLoop(op))
      return;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      found = {loop, loop.getBody(), loop.getInductionVar(),
               loop.getUpperBound()};
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      found = matchWhile(loop);
  });
  return found;
}

//===----------------------------------------------------------------------===//
// Divisions
//===----------------------------------------------------------------------===//

/// Whether both are one value, equal constants, or computed alike by at most
/// `depth` operations in a row.
static bool isSame(Value a, Value b, unsigned depth = 6) {
  APInt x, y;
  if (a == b || (matchPattern(a, m_ConstantInt(&x)) &&
                 matchPattern(b, m_ConstantInt(&y)) &&
                 a.getType() == b.getType() && x == y))
    return true;
  Operation *left = a.getDefiningOp(), *right = b.getDefiningOp();
  if (depth == 0 || !left || !right || !isMemoryEffectFree(left) ||
      left->getNumRegions() != 0 ||
      cast<OpResult>(a).getResultNumber() !=
          cast<OpResult>(b).getResultNumber())
    return false;
  return OperationEquivalence::isEquivalentTo(
      left, right,
      [depth](Value p, Value q) { return success(isSame(p, q, depth - 1)); },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

static bool isQuotient(Operation *op) {
  return isa<arith::DivSIOp, arith::FloorDivSIOp, arith::DivUIOp>(op);
}

static bool isRemainder(Operation *op) {
  return isa<arith::RemSIOp, arith::RemUIOp>(op);
}

static bool isDivided(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return isQuotient(user) || isRemainder(user);
  });
}

static unsigned getWidth(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// The divisor before extensions that keep its value, as a signed or an
/// unsigned number.
static Value stripWidening(Value value, bool isUnsigned) {
  while (Operation *op = value.getDefiningOp()) {
    bool widens = isUnsigned ? isa<arith::ExtUIOp, arith::IndexCastUIOp>(op)
                             : isa<arith::ExtSIOp, arith::IndexCastOp>(op);
    if (!widens ||
        getWidth(op->getOperand(0).getType()) > getWidth(value.getType()))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether both divisors are the same number, perhaps in different widths.
static bool isSameDivisor(Value a, Value b, bool isUnsigned) {
  if (a.getType() == b.getType() && isSame(a, b))
    return true;
  a = stripWidening(a, isUnsigned);
  b = stripWidening(b, isUnsigned);
  return a.getType() == b.getType() && isSame(a, b);
}

/// The ids, or what one extension makes of them, whichever are divided. Returns
/// a reason against it.
static std::string chooseNumbers(TileSplit &split) {
  SmallVector<Value> candidates(split.ids);
  for (Value id : split.ids)
    for (Operation *user : id.getUsers())
      if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::IndexCastOp,
              arith::IndexCastUIOp>(user))
        candidates.push_back(user->getResult(0));
  SetVector<Type> types;
  for (Value value : candidates)
    if (isDivided(value))
      types.insert(value.getType());
  Type own = split.ids.front().getType();
  if (types.empty())
    types.insert(own);
  // What is cut off of the number in one width is there in the other.
  if (types.size() > 1 && llvm::any_of(types, [&](Type type) {
        return getWidth(type) < getWidth(own);
      }))
    return "the tile is divided in more than one width, one of them narrower "
           "than its own";
  for (Value value : candidates)
    if (types.contains(value.getType()))
      split.numbers.push_back(value);
  return {};
}

/// Sorts the divisions of `number` into the split. Returns a reason against it.
static std::string collectDivisions(Value number, TileSplit &split) {
  for (Operation *user : number.getUsers()) {
    if ((!isQuotient(user) && !isRemainder(user)) ||
        user->getOperand(0) != number)
      continue;
    Value divisor = user->getOperand(1);
    bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp>(user);
    if (split.columns && split.isUnsigned != isUnsigned)
      return "the tile is divided both as a signed and as an unsigned number";
    if (split.columns && !isSameDivisor(split.columns, divisor, isUnsigned))
      return split.columns.getType() == divisor.getType()
                 ? "the tile is divided in more than one way"
                 : "the tile is divided in more than one width, by divisors "
                   "that are not known to be equal";
    if (!split.columns ||
        getWidth(divisor.getType()) < getWidth(split.columns.getType()))
      split.columns = divisor;
    split.isUnsigned = isUnsigned;
    (isQuotient(user) ? split.quotients : split.remainders)
        .push_back(user->getResult(0));
  }
  return {};
}

/// Finds remainders that are number - quotient * columns.
static void collectDifferences(Value number, TileSplit &split) {
  auto isMultiple = [&](Value quotient, Value columns) {
    return (llvm::is_contained(split.quotients, quotient) ||
            llvm::is_contained(split.quotients,
                               stripWidening(quotient, split.isUnsigned))) &&
           isSameDivisor(split.columns, columns, split.isUnsigned);
  };
  for (Operation *user : number.getUsers()) {
    auto sub = dyn_cast<arith::SubIOp>(user);
    if (!sub || sub.getLhs() != number)
      continue;
    auto product = sub.getRhs().getDefiningOp<arith::MulIOp>();
    if (product && (isMultiple(product.getLhs(), product.getRhs()) ||
                    isMultiple(product.getRhs(), product.getLhs())))
      split.remainders.push_back(sub);
  }
}

/// Why there is no quotient, or no remainder.
static std::string explainMissing(tile::FuncOp kernel, const TileSplit &split) {
  if (!split.quotients.empty())
    return "the tile has a quotient, and no remainder of the same divisor";
  if (!split.remainders.empty())
    return "the tile has a remainder, and no quotient of the same divisor";
  WalkResult walk = kernel.walk([](LoopLikeOpInterface loop) {
    bool deals = llvm::any_of(loop->getOperands(), [](Value operand) {
      return operand.getDefiningOp<tile::ProgramIdOp>() != nullptr;
    });
    return deals ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!split.loop && walk.wasInterrupted())
    return "the tiles are numbers of a loop that is not marked tile.tile_loop";
  return "the tile is not split into a quotient and a remainder of one divisor";
}

bool TileSplit::isFloored(Value value) const {
  auto isRoundedDown = [&](Value factor) {
    Value quotient = stripWidening(factor, /*isUnsigned=*/false);
    // Not any such division: the divisor may be one of something else.
    return quotient.getDefiningOp<arith::FloorDivSIOp>() &&
           llvm::is_contained(quotients, quotient);
  };
  auto sub = value.getDefiningOp<arith::SubIOp>();
  if (!sub)
    return isRoundedDown(value);
  auto product = sub.getRhs().getDefiningOp<arith::MulIOp>();
  return product && (isRoundedDown(product.getLhs()) ||
                     isRoundedDown(product.getRhs()));
}

//===----------------------------------------------------------------------===//
// The divisor's place
//===----------------------------------------------------------------------===//

/// Whether code right behind the divisor, or before the loop, comes before all
/// uses of the number.
static bool isPlaced(const TileSplit &split) {
  if (split.loop)
    return cast<LoopLikeOpInterface>(split.loop.op)
        .isDefinedOutsideOfLoop(split.columns);
  Operation *divisor = split.columns.getDefiningOp();
  if (!divisor)
    return true;
  DominanceInfo dominance;
  return llvm::all_of(split.ids, [&](Value id) {
    return llvm::all_of(id.getUsers(), [&](Operation *user) {
      return dominance.properlyDominates(divisor, user);
    });
  });
}

/// What computes the divisor, in order: all of it, or all in the loop.
static SetVector<Operation *> getComputation(const TileSplit &split) {
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  if (Operation *loop = split.loop.op)
    options.filter = [loop](Operation *op) {
      return loop->isProperAncestor(op);
    };
  SetVector<Operation *> slice;
  // Fails for operations with regions, of which a uniform value has none.
  (void)getBackwardSlice(split.columns, &slice, options);
  return slice;
}

Value tessera::placeColumns(OpBuilder &builder, tile::FuncOp kernel,
                            const TileSplit &split) {
  if (split.loop)
    builder.setInsertionPoint(split.loop.op);
  else
    builder.setInsertionPointToStart(&kernel.getBody().front());
  if (isPlaced(split)) {
    if (!split.loop && split.columns.getDefiningOp())
      builder.setInsertionPointAfterValue(split.columns);
    return split.columns;
  }
  IRMapping mapping;
  for (Operation *op : getComputation(split))
    builder.clone(*op, mapping);
  return mapping.lookup(split.columns);
}

//===----------------------------------------------------------------------===//
// Splits
//===----------------------------------------------------------------------===//

/// Checks a split by division. Returns a reason against it.
static std::string checkDivisions(tile::FuncOp kernel, const TileSplit &split) {
  if (split.quotients.empty() || split.remainders.empty())
    return explainMissing(kernel, split);
  if (split.loop && !isLaunchUniform(split.loop.bound))
    return "the bound of the tile loop is not known to be the same for all "
           "programs";
  if (!isLaunchUniform(split.columns))
    return "the divisor is not known to be the same for all programs, so that "
           "the new numbers may not be a permutation";
  if (llvm::any_of(split.quotients, isDivided) ||
      llvm::any_of(split.remainders, isDivided))
    return "the kernel orders its tiles itself: what it divides it divides "
           "again";
  if (!isPlaced(split) && !llvm::all_of(getComputation(split), isSpeculatable))
    return "the tile is used before the divisor is known, which may divide by "
           "zero itself";
  return {};
}

/// Splits the ids of `split` by division.
static TileSplitResult splitByDivision(tile::FuncOp kernel, TileSplit split) {
  std::string reason = chooseNumbers(split);
  for (Value number : split.numbers)
    if (reason.empty())
      reason = collectDivisions(number, split);
  if (reason.empty() && split.columns)
    for (Value number : split.numbers)
      collectDifferences(number, split);
  if (reason.empty())
    reason = checkDivisions(kernel, split);
  return {std::move(split), std::move(reason)};
}

TileSplitResult tessera::findTileSplit(tile::FuncOp kernel) {
  TileSplit split;
  SmallVector<Value> rows;
  kernel.walk([&](tile::ProgramIdOp op) {
    if (op.getAxis() == tile::Axis::X)
      split.ids.push_back(op);
    else if (op.getAxis() == tile::Axis::Y)
      rows.push_back(op);
  });
  if ((split.loop = findMarkedLoop(kernel))) {
    split.kind = TileSplit::Kind::Loop;
    split.ids.assign({split.loop.number});
    return splitByDivision(kernel, std::move(split));
  }
  if (hasTileLoop(kernel))
    return {{}, "how the tile loop comes by its tiles is not known"};
  if (split.ids.empty())
    return {{}, "the kernel does not use program id x"};
  TileSplitResult divided = splitByDivision(kernel, split);
  ArrayRef<Value> numbers = divided.split.numbers;
  if (rows.empty() || numbers.empty() || llvm::any_of(numbers, isDivided))
    return divided;
  if (llvm::any_of(rows, isDivided))
    return {{}, "program id y is divided"};
  split.kind = TileSplit::Kind::Plane;
  split.planeRows = rows;
  return {std::move(split), {}};
}
