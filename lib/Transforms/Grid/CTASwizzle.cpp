//===- CTASwizzle.cpp - tile-cta-swizzle ----------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Renumbering is right when the new numbers of a launch's programs are a
// permutation of the old ones, for programs are unordered. TileOrder.h has the
// formulas, for any number of programs and any divisor that all programs share;
// here they are built on IR. What is left to prove is that the divisor is
// shared and that every use of the old number gets the new one:
//
//   quotient by the divisor   -> row of the tile
//   remainder                 -> its column
//   any other use             -> row * divisor + column
//
// in the narrowest width in which the number is divided. Numbers are not
// negative, so that a quotient that is rounded down is the other one, unless
// the divisor is negative: then it is one less where there is a remainder.
//
//===----------------------------------------------------------------------===//

#include "../Launch/KernelArguments.h"
#include "SwizzlePlan.h"
#include "TileSplit.h"

#include "tessera/Schedule/TileOrder.h"
#include "tessera/Transforms/Passes.h"
#include "tessera/Transforms/SwizzleOrders.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera {
#define GEN_PASS_DEF_TILECTASWIZZLEPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace tessera;

static remark::RemarkOpts getRemarkOpts(tile::FuncOp kernel) {
  return remark::RemarkOpts::name("cta-swizzle")
      .category("tile-cta-swizzle")
      .function(kernel.getName());
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

namespace {
/// The arithmetic of TileOrder.h on values of one type; folds what it can.
struct IRArithmetic {
  using Value = mlir::Value;
  OpBuilder &builder;
  Location loc;
  Type type;

  Value make(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }
  Value constant(int32_t value) { return make(value); }
  Value most() {
    return make(
        llvm::maxIntN(type.isIndex() ? 64 : type.getIntOrFloatBitWidth()));
  }
  /// A number in another width; it fits.
  Value convert(Value number, Type to) {
    Type from = number.getType();
    if (from == to)
      return number;
    if (from.isIndex() || to.isIndex())
      return builder.createOrFold<arith::IndexCastOp>(loc, to, number);
    if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
      return builder.createOrFold<arith::ExtSIOp>(loc, to, number);
    return builder.createOrFold<arith::TruncIOp>(loc, to, number);
  }
  template <typename OpTy>
  Value make(Value x, Value y) {
    return builder.createOrFold<OpTy>(loc, x, y);
  }
  Value add(Value x, Value y) { return make<arith::AddIOp>(x, y); }
  Value sub(Value x, Value y) { return make<arith::SubIOp>(x, y); }
  Value mul(Value x, Value y) { return make<arith::MulIOp>(x, y); }
  Value div(Value x, Value y) { return make<arith::DivSIOp>(x, y); }
  Value rem(Value x, Value y) { return make<arith::RemSIOp>(x, y); }
  Value min(Value x, Value y) { return make<arith::MinSIOp>(x, y); }
  Value max(Value x, Value y) { return make<arith::MaxSIOp>(x, y); }
  Value both(Value x, Value y) { return make<arith::AndIOp>(x, y); }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return builder.createOrFold<arith::CmpIOp>(loc, predicate, x, y);
  }
  Value less(Value x, Value y) {
    return compare(arith::CmpIPredicate::slt, x, y);
  }
  Value same(Value x, Value y) {
    return compare(arith::CmpIPredicate::eq, x, y);
  }
  Value select(Value which, Value x, Value y) {
    return builder.createOrFold<arith::SelectOp>(loc, which, x, y);
  }
};

/// What is to be done to one kernel.
struct SwizzleDecision {
  TileSplit split;
  TileOrderShape shape;
  /// With auto: the launch gives the rows of a group.
  std::optional<PanelReads> panels;
};
} // namespace

static tile::AxisAttr getAxis(OpBuilder &builder, tile::Axis axis) {
  return tile::AxisAttr::get(builder.getContext(), axis);
}

static Value buildProgramId(OpBuilder &builder, Location loc, tile::Axis axis) {
  return tile::ProgramIdOp::create(builder, loc, builder.getI32Type(),
                                   getAxis(builder, axis));
}

static Value buildNumPrograms(OpBuilder &builder, Location loc,
                              tile::Axis axis) {
  return tile::NumProgramsOp::create(builder, loc, builder.getI32Type(),
                                     getAxis(builder, axis));
}

/// The tile as quotients that are rounded down have it.
static TilePosition<Value> buildFloored(IRArithmetic &a, Value columns,
                                        TilePosition<Value> tile) {
  Value zero = a.constant(0);
  Value isNegative = a.less(columns, zero);
  if (matchPattern(isNegative, m_Zero()))
    return tile;
  Value isBelow = a.both(isNegative, a.less(zero, tile.column));
  return {a.select(isBelow, a.sub(tile.row, a.constant(1)), tile.row),
          a.select(isBelow, a.add(tile.column, columns), tile.column)};
}

/// Gives the new tile to all that used the old one, in their widths.
static void replaceTile(IRArithmetic &a, const TileSplit &split, Value columns,
                        TilePosition<Value> tile) {
  TilePosition<Value> floored = tile;
  auto isFloored = [&](Value value) { return split.isFloored(value); };
  if (llvm::any_of(split.quotients, isFloored) ||
      llvm::any_of(split.remainders, isFloored))
    floored = buildFloored(a, columns, tile);
  auto give = [&](Value value, Value usual, Value rounded) {
    value.replaceAllUsesWith(
        a.convert(isFloored(value) ? rounded : usual, value.getType()));
  };
  // Columns first: what a quotient leaves is told by its use of the quotient.
  for (Value value : split.getColumns())
    give(value, tile.column, floored.column);
  for (Value value : split.getRows())
    give(value, tile.row, floored.row);
  if (split.kind == TileSplit::Kind::Plane)
    return;
  for (ArrayRef<Value> values :
       {ArrayRef(split.quotients), ArrayRef(split.remainders)})
    for (Value value : values)
      value.getDefiningOp()->erase();
}

/// Erases what gave the old numbers and is not used any more.
static void eraseOldIds(const TileSplit &split) {
  // An extension is a number, and goes before the id.
  SetVector<Operation *> ops;
  for (ArrayRef<Value> values : {ArrayRef(split.numbers), ArrayRef(split.ids),
                                 ArrayRef(split.planeRows)})
    for (Value value : values)
      if (Operation *op = value.getDefiningOp())
        ops.insert(op);
  for (Operation *op : ops)
    if (op->use_empty())
      op->erase();
}

/// Uses of the number, in any width, that are no part of the split.
static SetVector<OpOperand *> getOtherUses(const TileSplit &split) {
  llvm::SmallPtrSet<Operation *, 8> parts;
  for (ArrayRef<Value> values :
       {ArrayRef(split.numbers), ArrayRef(split.quotients),
        ArrayRef(split.remainders)})
    for (Value value : values)
      parts.insert(value.getDefiningOp());
  SetVector<OpOperand *> uses;
  for (ArrayRef<Value> values : {ArrayRef(split.ids), ArrayRef(split.numbers)})
    for (Value value : values)
      for (OpOperand &use : value.getUses())
        if (!parts.contains(use.getOwner()))
          uses.insert(&use);
  return uses;
}

/// The rows of a group: those given, or the decision's.
static Value buildGroupRows(IRArithmetic &a, const SwizzleDecision &decision,
                            Value given) {
  return given ? a.convert(given, a.type)
               : a.constant(decision.shape.groupRows);
}

/// Program ids or the loop's counter: a split by division. What tiles have in
/// common is computed at the divisor, or before the loop.
static void swizzleDivisions(OpBuilder &builder, Location loc,
                             tile::FuncOp kernel,
                             const SwizzleDecision &decision, Value groupRows) {
  const TileSplit &split = decision.split;
  IRArithmetic a{builder, loc, split.columns.getType()};
  // Before the formulas add theirs.
  SetVector<OpOperand *> others = getOtherUses(split);
  Value columns = placeColumns(builder, kernel, split);
  groupRows = buildGroupRows(a, decision, groupRows);
  MarkedLoop loop = split.loop;
  Value number =
      loop ? loop.number : buildProgramId(builder, loc, tile::Axis::X);
  Value count =
      loop ? loop.bound : buildNumPrograms(builder, loc, tile::Axis::X);
  auto grid = buildTileGrid(a, a.convert(count, a.type), columns, groupRows,
                            split.isUnsigned);
  if (loop)
    builder.setInsertionPointToStart(loop.body);
  auto tile = buildTilePosition(a, grid, a.convert(number, a.type),
                                decision.shape.levels);
  if (!others.empty()) {
    Value renumbered = a.add(a.mul(tile.row, columns), tile.column);
    llvm::SmallDenseMap<Type, Value> widths;
    for (OpOperand *use : others) {
      Value &number = widths[use->get().getType()];
      if (!number)
        number = a.convert(renumbered, use->get().getType());
      use->set(number);
    }
  }
  replaceTile(a, split, columns, tile);
}

/// Program ids x and y. Their product may not fit in 32 bits, where the
/// source's order stays.
static void swizzlePlane(OpBuilder &builder, Location loc,
                         const SwizzleDecision &decision, Value groupRows) {
  IRArithmetic a{builder, loc, builder.getI32Type()};
  groupRows = buildGroupRows(a, decision, groupRows);
  Type wide = builder.getI64Type();
  Value x = buildProgramId(builder, loc, tile::Axis::X);
  Value y = buildProgramId(builder, loc, tile::Axis::Y);
  Value columns = buildNumPrograms(builder, loc, tile::Axis::X);
  Value rows = buildNumPrograms(builder, loc, tile::Axis::Y);
  Value count = a.mul(arith::ExtSIOp::create(builder, loc, wide, columns),
                      arith::ExtSIOp::create(builder, loc, wide, rows));
  Value most = arith::ConstantIntOp::create(
      builder, loc, std::numeric_limits<int32_t>::max(), 64);
  Value fits = a.compare(arith::CmpIPredicate::sle, count, most);
  groupRows = a.select(fits, groupRows, a.constant(1));
  auto grid = buildFullTileGrid(a, rows, columns, groupRows);
  Value number = a.add(a.mul(y, columns), x);
  auto tile = buildFullTilePosition(a, grid, number, decision.shape.levels);
  tile.row = a.select(fits, tile.row, y);
  tile.column = a.select(fits, tile.column, x);
  replaceTile(a, decision.split, columns, tile);
}

/// Renumbers the tiles of `kernel`. `groupRows` is null for the decision's own.
static void swizzle(tile::FuncOp kernel, const SwizzleDecision &decision,
                    Value groupRows) {
  auto builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = decision.split.ids.front().getLoc();
  if (decision.split.kind == TileSplit::Kind::Plane)
    swizzlePlane(builder, loc, decision, groupRows);
  else
    swizzleDivisions(builder, loc, kernel, decision, groupRows);
  eraseOldIds(decision.split);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Of more the largest group is best in any case.
static constexpr int64_t kMostWaveTiles = 1 << 24;

static TileOrderShape getShape(SwizzleOrder order, int32_t groupRows) {
  switch (order) {
  case SwizzleOrder::Column:
    return getOrderShape(TileOrder::Column, groupRows);
  case SwizzleOrder::Hilbert:
    return getOrderShape(TileOrder::Hilbert, groupRows);
  default:
    return getOrderShape(TileOrder::Grouped, groupRows);
  }
}

static StringRef nameOf(TileSplit::Kind kind) {
  switch (kind) {
  case TileSplit::Kind::Program:
    return "program id x";
  case TileSplit::Kind::Plane:
    return "program ids x and y";
  case TileSplit::Kind::Loop:
    break;
  }
  return "counter of the tile loop";
}

namespace {
struct TileCTASwizzle : tessera::impl::TileCTASwizzlePassBase<TileCTASwizzle> {
  using TileCTASwizzlePassBase::TileCTASwizzlePassBase;

  void runOnOperation() override {
    if (failed(checkOptions()))
      return signalPassFailure();
    if (order == SwizzleOrder::Row)
      return;
    auto dispatches = collectDispatches(getOperation());
    for (auto kernel : getOperation().getOps<tile::FuncOp>())
      if (kernel.isKernel())
        visit(kernel, dispatches[kernel.getName()]);
  }

private:
  LogicalResult checkOptions();
  void visit(tile::FuncOp kernel, ArrayRef<tile::PlanDispatchOp> dispatches);
  /// Fills in the decision; returns what stands against it.
  GridObstacle decide(tile::FuncOp kernel,
                      ArrayRef<tile::PlanDispatchOp> dispatches,
                      SwizzleDecision &decision);
};
} // namespace

LogicalResult TileCTASwizzle::checkOptions() {
  if (groupM < 1 || groupM > kMaxGroupRows)
    return getOperation().emitError()
           << "group-m=" << int64_t(groupM) << ": a group has 1 to "
           << kMaxGroupRows << " rows of tiles";
  if (order == SwizzleOrder::Hilbert &&
      (groupM < 2 || !llvm::isPowerOf2_32(groupM)))
    return getOperation().emitError()
           << "group-m=" << int64_t(groupM)
           << ": the squares of Hilbert's curve have 2, 4, 8, ... rows";
  if (l2Bytes < 1 || sms < 1 || residentCTAs < 0)
    return getOperation().emitError()
           << "l2-bytes and sms have to be positive, and resident-ctas has to "
              "be at least 0";
  return success();
}

GridObstacle TileCTASwizzle::decide(tile::FuncOp kernel,
                                    ArrayRef<tile::PlanDispatchOp> dispatches,
                                    SwizzleDecision &decision) {
  if (GridObstacle obstacle = findCallObstacle(kernel); obstacle.op)
    return obstacle;
  if (GridObstacle obstacle = findGridObstacle(kernel); obstacle.op)
    return obstacle;
  TileSplitResult found = findTileSplit(kernel);
  if (!found.reason.empty())
    return {kernel, found.reason};
  decision.split = std::move(found.split);
  decision.shape = getShape(order, groupM);
  if (order != SwizzleOrder::Auto)
    return {};
  if (dispatches.empty())
    return {kernel, "no launch plan dispatches the kernel"};
  PanelResult panels = findPanelReads(kernel, decision.split);
  if (!panels.reason.empty())
    return {kernel, panels.reason};
  decision.panels = panels.reads;
  int64_t wave = int64_t(sms) * std::max<int32_t>(residentCTAs, 1);
  decision.shape.groupRows =
      chooseGroupRows(panels.reads.step.row, panels.reads.step.column,
                      int32_t(std::min<int64_t>(wave, kMostWaveTiles)));
  return {};
}

void TileCTASwizzle::visit(tile::FuncOp kernel,
                           ArrayRef<tile::PlanDispatchOp> dispatches) {
  SwizzleDecision decision;
  if (GridObstacle obstacle = decide(kernel, dispatches, decision);
      obstacle.op) {
    remark::missed(obstacle.op->getLoc(), getRemarkOpts(kernel))
        << remark::reason("{0}", obstacle.reason);
    return;
  }
  auto report = remark::passed(kernel.getLoc(), getRemarkOpts(kernel));
  report << remark::metric("Order", getOrderName(order))
         << remark::metric("Tile", nameOf(decision.split.kind));
  if (order != SwizzleOrder::Column)
    report << remark::metric("GroupM", decision.shape.groupRows);
  if (!decision.panels)
    return swizzle(kernel, decision, Value());
  report << remark::metric("RowPanelBytesAStep", decision.panels->step.row)
         << remark::metric("ColumnPanelBytesAStep",
                           decision.panels->step.column)
         << remark::metric("L2Bytes", int64_t(l2Bytes));
  if (residentCTAs > 0)
    report << remark::metric("ResidentCTAs", int32_t(residentCTAs));
  else
    report << remark::metric("ResidentCTAs", "not known, taken as 1");
  // The plan first: the kernel's values are what it is made of.
  for (tile::PlanDispatchOp dispatch : dispatches)
    dispatchWithGroups(dispatch, *decision.panels, l2Bytes,
                       decision.shape.groupRows);
  swizzle(kernel, decision,
          addKernelArgument(kernel, "group_m",
                            IntegerType::get(kernel.getContext(), 32)));
}
