//===- PersistentPlan.cpp - launches of persistent programs ---------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PersistentPlan.h"

#include "../Launch/PlanGuards.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;

namespace {
/// Builds plan arithmetic in front of a dispatch.
struct PlanBuilder {
  OpBuilder builder;
  Location loc;

  explicit PlanBuilder(Operation *op) : builder(op), loc(op->getLoc()) {}

  Type wide() { return builder.getI64Type(); }
  IntegerAttr attribute(int64_t value) {
    return builder.getI64IntegerAttr(value);
  }
  template <typename OpTy>
  Value make(Value x, Value y) {
    return OpTy::create(builder, loc, wide(), x, y, IntegerAttr());
  }
  template <typename OpTy>
  Value make(Value x, int64_t y) {
    return OpTy::create(builder, loc, wide(), x, Value(), attribute(y));
  }
  Value constant(int64_t value) {
    return tile::PlanConstantOp::create(builder, loc, wide(), attribute(value));
  }
};
} // namespace

/// A product of extents is that of a grid if none is negative: two negative
/// ones, which no launch accepts, would make a positive one. Refuses them.
static void refuseNegativeExtents(PlanBuilder &plan, ValueRange extents) {
  SmallVector<Value> unknown = llvm::filter_to_vector(extents, [](Value value) {
    return !value.getDefiningOp<tile::PlanConstantOp>();
  });
  if (unknown.size() < 2)
    return;
  SmallVector<Value> guards;
  for (Value extent : unknown)
    guards.push_back(tile::PlanCmpOp::create(
        plan.builder, plan.loc, plan.builder.getI1Type(),
        tile::PlanPredicateAttr::get(plan.builder.getContext(),
                                     tile::PlanPredicate::GE),
        extent, Value(), plan.attribute(0)));
  Value all = tile::PlanAllOp::create(plan.builder, plan.loc,
                                      plan.builder.getI1Type(), guards);
  buildVariant(plan.builder, plan.loc, all, [](OpBuilder &) {});
  buildVariant(plan.builder, plan.loc, Value(), [&](OpBuilder &inner) {
    tile::PlanRefuseOp::create(inner, plan.loc,
                               "an extent of the grid is negative");
  });
}

/// Whether a grid has less than 2^31 programs for any caller: one extent is not
/// 1, and 32 bits hold it.
static bool isKnownSmall(ValueRange extents) {
  int64_t counted = 0;
  bool fits = true;
  for (Value extent : extents) {
    auto constant = extent.getDefiningOp<tile::PlanConstantOp>();
    if (constant && constant.getValue() == 1)
      continue;
    ++counted;
    fits &= constant ? llvm::isInt<32>(constant.getValue())
                     : extent.getType().isSignlessInteger(32);
  }
  return counted <= 1 && fits;
}

/// A program counts its tiles in 32 bits. Refuses more.
static void refuseManyTiles(PlanBuilder &plan, ValueRange extents,
                            Value tiles) {
  if (isKnownSmall(extents))
    return;
  Value few = tile::PlanCmpOp::create(
      plan.builder, plan.loc, plan.builder.getI1Type(),
      tile::PlanPredicateAttr::get(plan.builder.getContext(),
                                   tile::PlanPredicate::LE),
      tiles, Value(), plan.attribute(std::numeric_limits<int32_t>::max()));
  buildVariant(plan.builder, plan.loc, few, [](OpBuilder &) {});
  buildVariant(plan.builder, plan.loc, Value(), [&](OpBuilder &inner) {
    tile::PlanRefuseOp::create(inner, plan.loc,
                               "the grid has 2^31 programs or more, which "
                               "persistent programs cannot count");
  });
}

/// Memory for one number, zero at each launch.
static Value buildCounter(PlanBuilder &plan) {
  Type number = plan.builder.getI32Type();
  return tile::PlanScratchOp::create(plan.builder, plan.loc,
                                     tile::PointerType::get(number),
                                     plan.constant(sizeof(int32_t)),
                                     /*zero=*/true);
}

void tessera::dispatchPersistent(tile::PlanDispatchOp dispatch,
                                 const GridArguments &arguments,
                                 TileAssignment assignment,
                                 int32_t programsPerSM) {
  PlanBuilder plan(dispatch);
  SmallVector<Value> extents(dispatch.getGrid());
  while (extents.size() < arguments.rank)
    extents.push_back(plan.constant(1));
  refuseNegativeExtents(plan, extents);
  Value tiles = extents.front();
  for (Value extent : ArrayRef(extents).drop_front())
    tiles = plan.make<tile::PlanMulOp>(tiles, extent);
  refuseManyTiles(plan, extents, tiles);
  Value programs =
      tile::PlanNumSMsOp::create(plan.builder, plan.loc, plan.wide());
  if (programsPerSM != 0) {
    programs = plan.make<tile::PlanMulOp>(programs, programsPerSM);
  } else {
    Value resident = tile::PlanResidentCTAsOp::create(
        plan.builder, plan.loc, plan.wide(), dispatch.getKernelAttr());
    programs = plan.make<tile::PlanMulOp>(programs, resident);
  }
  programs = plan.make<tile::PlanMinOp>(programs, tiles);
  SmallVector<Value> args(dispatch.getArgs());
  args.push_back(tiles);
  for (tile::Axis axis : arguments.extents)
    args.push_back(extents[unsigned(axis)]);
  if (assignment == TileAssignment::Dynamic)
    args.push_back(buildCounter(plan));
  tile::PlanDispatchOp::create(plan.builder, plan.loc, dispatch.getKernel(),
                               ValueRange(programs), args);
  dispatch.erase();
}
