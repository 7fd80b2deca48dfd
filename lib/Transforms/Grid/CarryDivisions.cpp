//===- CarryDivisions.cpp - tile-carry-divisions --------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A division of integers takes some twenty instructions on a GPU. A persistent
// program does one for each tile, unless it takes the step into account.
//
// **Why it is right**, for a divisor d != 0 and counters i >= 0, s = step > 0,
// i + s < 2^32, with a = |d| and sign = 1 or -1: i = q d + r, 0 <= r < a. With
// s = dq d + ds, 0 <= ds < a, the next quotient and remainder are those of
// r + ds, which is less than 2 a: q + dq and r + ds, or with a carry q + dq +
// sign and r + ds - a. t = r - (a - ds) = r + ds - a lies in [-a, a), so that
// nothing overflows; a carry is t >= 0. (d = -2^31: a is 2^31 in 32 bits; the
// counter is less, and t of the iterations that run is negative.)
//
// **When it pays.** Up to six values for each divisor stay in registers from tile
// to tile. Where a tile has a loop, that loop has to hold them, and takes longer
// than any division: there they are left alone.
//
// Divisions by zero have no value, but undefined behaviour before a loop that
// does not run would be new: there, 1 stands for a divisor of 0.
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tessera {
#define GEN_PASS_DEF_TILECARRYDIVISIONSPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace tessera;

namespace {
/// Divisions of one loop's counter by one divisor.
struct CarriedDivision {
  SmallVector<Value> quotients, remainders;
};
using CarriedDivisions = llvm::MapVector<Value, CarriedDivision>;
} // namespace

/// Whether the loop deals tiles out to programs: its counter is not negative
/// and its step positive.
static bool stridesByPrograms(scf::ForOp loop) {
  return loop.getInductionVar().getType().isInteger(32) &&
         loop.getLowerBound().getDefiningOp<tile::ProgramIdOp>() &&
         loop.getStep().getDefiningOp<tile::NumProgramsOp>();
}

/// Whether an iteration runs a loop.
static bool hasLoop(scf::ForOp loop) {
  WalkResult walk = loop.getBody()->walk(
      [](LoopLikeOpInterface) { return WalkResult::interrupt(); });
  return walk.wasInterrupted();
}

/// Divisions that every iteration makes, by divisor.
static CarriedDivisions findDivisions(scf::ForOp loop) {
  CarriedDivisions divisions;
  for (Operation &op : *loop.getBody()) {
    if (!isa<arith::DivSIOp, arith::RemSIOp>(op) ||
        op.getOperand(0) != loop.getInductionVar() ||
        !loop.isDefinedOutsideOfLoop(op.getOperand(1)))
      continue;
    CarriedDivision &entry = divisions[op.getOperand(1)];
    (isa<arith::DivSIOp>(op) ? entry.quotients : entry.remainders)
        .push_back(op.getResult(0));
  }
  return divisions;
}

namespace {
/// Builds arithmetic at one place.
struct Builder32 {
  OpBuilder &builder;
  Location loc;

  template <typename OpTy>
  Value make(Value x, Value y) {
    return builder.createOrFold<OpTy>(loc, x, y);
  }
  Value constant(int32_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }
  Value select(arith::CmpIPredicate predicate, Value x, Value y, Value yes,
               Value no) {
    Value which = builder.createOrFold<arith::CmpIOp>(loc, predicate, x, y);
    return builder.createOrFold<arith::SelectOp>(loc, which, yes, no);
  }
};

/// What the iterations of one division have in common.
struct DivisionStep {
  Value firstQuotient, firstRemainder;
  Value sign, size, quotientStep, rest;
};
} // namespace

/// Computed before the loop.
static DivisionStep buildStep(Builder32 b, scf::ForOp loop, Value divisor) {
  Value zero = b.constant(0);
  Value negated = b.make<arith::SubIOp>(zero, divisor);
  auto less = arith::CmpIPredicate::slt;
  DivisionStep step;
  step.sign = b.select(less, divisor, zero, b.constant(-1), b.constant(1));
  step.size = b.select(less, divisor, zero, negated, divisor);
  Value first = loop.getLowerBound(), by = loop.getStep();
  divisor =
      b.select(arith::CmpIPredicate::eq, divisor, zero, b.constant(1), divisor);
  step.firstQuotient = b.make<arith::DivSIOp>(first, divisor);
  step.firstRemainder = b.make<arith::RemSIOp>(first, divisor);
  step.quotientStep = b.make<arith::DivSIOp>(by, divisor);
  Value remainderStep = b.make<arith::RemSIOp>(by, divisor);
  step.rest = b.make<arith::SubIOp>(step.size, remainderStep);
  return step;
}

/// Quotient and remainder of the next iteration.
static SmallVector<Value> buildNext(Builder32 b, const DivisionStep &step,
                                    Value quotient, Value remainder) {
  Value zero = b.constant(0);
  Value t = b.make<arith::SubIOp>(remainder, step.rest);
  auto carries = arith::CmpIPredicate::sge;
  Value back = b.make<arith::AddIOp>(t, step.size);
  Value next = b.select(carries, t, zero, t, back);
  Value carry = b.select(carries, t, zero, step.sign, zero);
  Value more = b.make<arith::AddIOp>(step.quotientStep, carry);
  return {b.make<arith::AddIOp>(quotient, more), next};
}

/// Carries all `divisions` of `loop`.
static void carryDivisions(scf::ForOp loop, CarriedDivisions &divisions) {
  IRRewriter rewriter(loop);
  Location loc = loop.getLoc();
  SmallVector<DivisionStep> steps;
  SmallVector<Value> inits;
  for (auto &[divisor, division] : divisions) {
    steps.push_back(buildStep({rewriter, loc}, loop, divisor));
    inits.append({steps.back().firstQuotient, steps.back().firstRemainder});
  }
  unsigned before = loop.getNumRegionIterArgs();
  auto buildYields = [&](OpBuilder &builder, Location where,
                         ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> yields;
    for (auto [index, step] : llvm::enumerate(steps))
      yields.append(buildNext({builder, where}, step, arguments[2 * index],
                              arguments[2 * index + 1]));
    return yields;
  };
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, buildYields);
  // scf.for always can.
  auto carried = cast<scf::ForOp>(**replaced);
  auto arguments = carried.getRegionIterArgs().drop_front(before);
  for (auto &[divisor, division] : divisions) {
    for (Value quotient : division.quotients)
      rewriter.replaceOp(quotient.getDefiningOp(), arguments[0]);
    for (Value remainder : division.remainders)
      rewriter.replaceOp(remainder.getDefiningOp(), arguments[1]);
    arguments = arguments.drop_front(2);
  }
}

namespace {
struct TileCarryDivisions
    : tessera::impl::TileCarryDivisionsPassBase<TileCarryDivisions> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      if (!stridesByPrograms(loop))
        continue;
      CarriedDivisions divisions = findDivisions(loop);
      if (divisions.empty())
        continue;
      if (hasLoop(loop)) {
        remark::missed(loop.getLoc(), getRemarkOpts()) << remark::reason(
            "a loop inside would hold what is carried in registers");
        continue;
      }
      remark::passed(loop.getLoc(), getRemarkOpts())
          << remark::metric("Divisors", int64_t(divisions.size()));
      carryDivisions(loop, divisions);
    }
  }

private:
  remark::RemarkOpts getRemarkOpts() {
    return remark::RemarkOpts::name("carry-divisions")
        .category("tile-carry-divisions")
        .function(getOperation().getName());
  }
};
} // namespace
