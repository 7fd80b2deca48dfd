//===- SwizzlePlan.cpp - the order of tiles chosen by a launch ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SwizzlePlan.h"

#include "../Launch/PlanGuards.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;

//===----------------------------------------------------------------------===//
// What loads depend on
//===----------------------------------------------------------------------===//

namespace {
/// Which values depend on a tile's row (bit 0) and on its column (bit 1).
class TileDependence {
public:
  TileDependence(tile::FuncOp kernel, const TileSplit &split);

  unsigned get(Value value) const { return bits.lookup(value); }

private:
  bool add(Value value, unsigned more) {
    unsigned &known = bits[value];
    bool changes = (known | more) != known;
    known |= more;
    return changes;
  }
  bool visit(Operation *op);

  llvm::DenseMap<Value, unsigned> bits;
  llvm::SmallPtrSet<Operation *, 4> sources;
};
} // namespace

TileDependence::TileDependence(tile::FuncOp kernel, const TileSplit &split) {
  for (auto [values, bit] :
       {std::pair(split.getRows(), 1u), std::pair(split.getColumns(), 2u)})
    for (Value value : values) {
      add(value, bit);
      // It depends on one of both, although the number depends on both.
      sources.insert(value.getDefiningOp());
    }
  if (split.kind != TileSplit::Kind::Plane)
    for (Value id : split.ids)
      add(id, 3);
  bool changed = true;
  while (changed) {
    changed = false;
    kernel.getBody().walk([&](Operation *op) { changed |= visit(op); });
  }
}

/// Results depend on operands. A region's arguments depend on what enters its
/// operation, results on what leaves its regions, without regard to positions.
bool TileDependence::visit(Operation *op) {
  if (sources.contains(op))
    return false;
  unsigned entering = 0, leaving = 0;
  for (Value operand : op->getOperands())
    entering |= get(operand);
  bool changed = false;
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      if (!block.empty())
        for (Value operand : block.back().getOperands())
          leaving |= get(operand);
      for (BlockArgument argument : block.getArguments())
        changed |= add(argument, entering);
    }
  for (Value result : op->getResults())
    changed |= add(result, entering | leaving);
  return changed;
}

/// The innermost loop around `op` in the kernel that is no tile loop.
static scf::ForOp getLoop(Operation *op, const TileSplit &split) {
  auto loop = op->getParentOfType<scf::ForOp>();
  return loop == split.loop.op ? scf::ForOp() : loop;
}

//===----------------------------------------------------------------------===//
// Values of the kernel in the plan
//===----------------------------------------------------------------------===//

static std::optional<int64_t> getConstant(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)) || number.getBitWidth() > 64)
    return std::nullopt;
  return number.getSExtValue();
}

/// Whether buildPlanValue() can build `value`: constants and arguments of at
/// most 32 bits, and quotients of them by positive constants, rounded up
/// either way. Nothing of that overflows in 64 bits.
static bool hasPlanValue(Value value) {
  if (getConstant(value))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<tile::FuncOp>(argument.getOwner()->getParentOp()) &&
           argument.getOwner()->isEntryBlock() &&
           argument.getType().isSignlessInteger() &&
           argument.getType().getIntOrFloatBitWidth() <= 32;
  return llvm::TypeSwitch<Operation *, bool>(value.getDefiningOp())
      .Case<arith::CeilDivSIOp, arith::DivSIOp>([](auto op) {
        return getConstant(op.getRhs()).value_or(0) > 0 &&
               hasPlanValue(op.getLhs());
      })
      .Case([](arith::AddIOp op) {
        return op.getType().getIntOrFloatBitWidth() <= 32 &&
               getConstant(op.getRhs()) && hasPlanValue(op.getLhs());
      })
      .Case([](arith::ExtSIOp op) { return hasPlanValue(op.getIn()); })
      .Default([](Operation *) { return false; });
}

static Value buildPlanValue(OpBuilder &builder, tile::PlanDispatchOp dispatch,
                            Value value) {
  Location loc = dispatch.getLoc();
  Type wide = builder.getI64Type();
  if (std::optional<int64_t> constant = getConstant(value))
    return tile::PlanConstantOp::create(builder, loc, wide,
                                        builder.getI64IntegerAttr(*constant));
  if (auto argument = dyn_cast<BlockArgument>(value))
    return dispatch.getArgs()[argument.getArgNumber()];
  Operation *op = value.getDefiningOp();
  Value lhs = buildPlanValue(builder, dispatch, op->getOperand(0));
  auto constant = [&]() {
    return builder.getI64IntegerAttr(*getConstant(op->getOperand(1)));
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::CeilDivSIOp) {
        return tile::PlanCDivOp::create(builder, loc, wide, lhs, Value(),
                                        constant());
      })
      .Case([&](arith::DivSIOp) {
        return tile::PlanDivOp::create(builder, loc, wide, lhs, Value(),
                                       constant());
      })
      .Case([&](arith::AddIOp) {
        return tile::PlanAddOp::create(builder, loc, wide, lhs, Value(),
                                       constant());
      })
      .Default([&](Operation *) { return lhs; });
}

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

/// Bytes of a load in one iteration; 0 for a scalar, which is no panel.
static int64_t getBytes(tile::LoadOp load) {
  auto type = dyn_cast<RankedTensorType>(load.getResult().getType());
  return type
             ? type.getNumElements() * tile::getByteWidth(type.getElementType())
             : 0;
}

/// Whether the plan can say how often `loop` runs.
static bool hasTripCount(scf::ForOp loop) {
  return getConstant(loop.getLowerBound()) == 0 &&
         getConstant(loop.getStep()).value_or(0) > 0 &&
         hasPlanValue(loop.getUpperBound());
}

namespace {
/// The reads of each loop, and of none.
using ReadsByLoop = llvm::MapVector<scf::ForOp, PanelBytes>;
} // namespace

static ReadsByLoop collectReads(tile::FuncOp kernel, const TileSplit &split) {
  TileDependence dependence(kernel, split);
  ReadsByLoop reads;
  kernel.walk([&](tile::LoadOp load) {
    unsigned bits = dependence.get(load.getPtr());
    if (bits != 1 && bits != 2)
      return; // The same for all tiles, or read once.
    PanelBytes &bytes = reads[getLoop(load, split)];
    (bits == 1 ? bytes.row : bytes.column) += getBytes(load);
  });
  return reads;
}

/// The loop whose reads count: the only one, or the only one that reads panels
/// of both kinds. Null without a loop; nothing where that is not one.
static std::optional<scf::ForOp> findPanelLoop(const ReadsByLoop &reads) {
  SmallVector<scf::ForOp> all, both;
  for (auto &[loop, bytes] : reads) {
    if (!loop)
      continue;
    all.push_back(loop);
    if (bytes.row != 0 && bytes.column != 0)
      both.push_back(loop);
  }
  if (all.empty())
    return scf::ForOp();
  if (all.size() > 1)
    all = both;
  return all.size() == 1 ? std::optional(all.front()) : std::nullopt;
}

PanelResult tessera::findPanelReads(tile::FuncOp kernel,
                                    const TileSplit &split) {
  auto miss = [](std::string reason) {
    return PanelResult{{}, std::move(reason)};
  };
  ReadsByLoop found = collectReads(kernel, split);
  std::optional<scf::ForOp> loop = findPanelLoop(found);
  if (!loop || (*loop && getLoop(*loop, split)))
    return miss("the shared loads are not in one loop");
  PanelReads reads;
  reads.loop = *loop;
  reads.step = found.lookup(*loop);
  if (*loop)
    reads.once = found.lookup(scf::ForOp());
  reads.columns = split.columns;
  if (reads.step.row + reads.once.row == 0 ||
      reads.step.column + reads.once.column == 0)
    return miss("no loads are shared by the tiles of a row and others by those "
                "of a column");
  if (reads.loop && !hasTripCount(reads.loop))
    return miss("the launch plan cannot count the iterations of the loop with "
                "the shared loads");
  if (reads.columns && !hasPlanValue(reads.columns))
    return miss("the launch plan cannot compute the tiles of a row");
  return {reads, {}};
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// columns * bytes.column + bytes.row: what a row of tiles reads.
static Value buildRowBytes(OpBuilder &builder, Location loc, Value columns,
                           const PanelBytes &bytes) {
  Type wide = builder.getI64Type();
  Value all =
      tile::PlanMulOp::create(builder, loc, wide, columns, Value(),
                              builder.getI64IntegerAttr(bytes.column));
  return tile::PlanAddOp::create(builder, loc, wide, all, Value(),
                                 builder.getI64IntegerAttr(bytes.row));
}

/// The bytes that one iteration may read for a row of tiles to fit:
/// (cacheBytes - what is read once) / iterations, rounded down.
static Value buildRoom(OpBuilder &builder, tile::PlanDispatchOp dispatch,
                       const PanelReads &reads, Value columns,
                       int64_t cacheBytes) {
  Location loc = dispatch.getLoc();
  Type wide = builder.getI64Type();
  Value room = tile::PlanConstantOp::create(
      builder, loc, wide, builder.getI64IntegerAttr(cacheBytes));
  if (!reads.loop)
    return room;
  if (reads.once.row != 0 || reads.once.column != 0)
    room = tile::PlanSubOp::create(
        builder, loc, wide, room,
        buildRowBytes(builder, loc, columns, reads.once), IntegerAttr());
  scf::ForOp loop = reads.loop;
  Value end = buildPlanValue(builder, dispatch, loop.getUpperBound());
  Value steps = tile::PlanCDivOp::create(
      builder, loc, wide, end, Value(),
      builder.getI64IntegerAttr(*getConstant(loop.getStep())));
  // A loop that never runs: no division by zero.
  steps = tile::PlanMaxOp::create(builder, loc, wide, steps, Value(),
                                  builder.getI64IntegerAttr(1));
  return tile::PlanDivOp::create(builder, loc, wide, room, steps,
                                 IntegerAttr());
}

void tessera::dispatchWithGroups(tile::PlanDispatchOp dispatch,
                                 const PanelReads &reads, int64_t cacheBytes,
                                 int32_t groupRows) {
  OpBuilder builder(dispatch);
  Location loc = dispatch.getLoc();
  Type wide = builder.getI64Type();
  Value columns = reads.columns
                      ? buildPlanValue(builder, dispatch, reads.columns)
                      : Value(dispatch.getGrid().front());
  Value bytes = buildRowBytes(builder, loc, columns, reads.step);
  Value room = buildRoom(builder, dispatch, reads, columns, cacheBytes);
  Value fits = tile::PlanCmpOp::create(
      builder, loc, builder.getI1Type(),
      tile::PlanPredicateAttr::get(builder.getContext(),
                                   tile::PlanPredicate::LE),
      bytes, room, IntegerAttr());
  auto launch = [&](int32_t rows) {
    return [&, rows](OpBuilder &inner) {
      Value group = tile::PlanConstantOp::create(inner, loc, wide,
                                                 inner.getI64IntegerAttr(rows));
      auto copy = cast<tile::PlanDispatchOp>(inner.clone(*dispatch));
      copy.getArgsMutable().append(group);
    };
  };
  buildVariant(builder, loc, fits, launch(1));
  buildVariant(builder, loc, Value(), launch(groupRows));
  dispatch.erase();
}
