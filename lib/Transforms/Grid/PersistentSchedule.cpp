//===- PersistentSchedule.cpp - tile-persistent-schedule ------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs of a launch are unordered, so that one program may run several of
// them in turn. The loop's counter is the id of the program that an iteration
// stands for, in a grid of one dimension:
//
//     program id x = tile rem X      y = tile / X rem Y      z = tile / (X Y)
//
// The counter is compared as an unsigned number: with 2^31 - 1 tiles, the last
// step goes beyond the signed ones.
//
// The plan starts no more programs than there are tiles, hence each iteration
// that a program begins with exists, and what each iteration computes alike may
// be computed before the loop, divisions included.
//
//===----------------------------------------------------------------------===//

#include "../Launch/KernelArguments.h"
#include "GridAnalysis.h"
#include "PersistentPlan.h"

#include "tessera/Dialect/Tile/IR/Assertions.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;

namespace tessera {
#define GEN_PASS_DEF_TILEPERSISTENTSCHEDULEPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace tessera;

static remark::RemarkOpts getRemarkOpts(tile::FuncOp kernel) {
  return remark::RemarkOpts::name("persistent-schedule")
      .category("tile-persistent-schedule")
      .function(kernel.getName());
}

//===----------------------------------------------------------------------===//
// Decision
//===----------------------------------------------------------------------===//

namespace {
struct PersistentDecision {
  GridArguments grid;
  tile::TileLoop overlap;
  TileAssignment assignment;
};

/// Which grid operations a kernel has, by axis.
struct GridUses {
  bool ids[3] = {}, counts[3] = {};

  explicit GridUses(tile::FuncOp kernel) {
    kernel.walk(
        [&](tile::ProgramIdOp op) { ids[unsigned(op.getAxis())] = true; });
    kernel.walk(
        [&](tile::NumProgramsOp op) { counts[unsigned(op.getAxis())] = true; });
  }
};
} // namespace

/// Whether a step of `loop` comes from the number of programs.
static bool isDealtOut(scf::ForOp loop) {
  SmallVector<Value> work = {loop.getStep()};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<tile::NumProgramsOp>(op))
      return true;
    llvm::append_range(work, op->getOperands());
  }
  return false;
}

/// What leaves `kernel` alone.
static GridObstacle findObstacle(tile::FuncOp kernel,
                                 ArrayRef<tile::PlanDispatchOp> dispatches) {
  if (GridObstacle obstacle = findCallObstacle(kernel); obstacle.op)
    return obstacle;
  if (!kernel.getBody().hasOneBlock())
    return {kernel.getBody().front().getTerminator(),
            "the kernel branches between blocks: tile-structure-branches has "
            "to run before"};
  if (hasTileLoop(kernel))
    return {kernel, "the kernel is persistent already"};
  if (dispatches.empty())
    return {kernel, "no launch plan dispatches the kernel"};
  GridUses uses(kernel);
  if (!uses.ids[0] && !uses.ids[1] && !uses.ids[2])
    return {kernel,
            "the kernel uses no program id: its programs are all the same"};
  GridObstacle obstacle;
  kernel.walk([&](scf::ForOp loop) {
    if (!isDealtOut(loop))
      return WalkResult::advance();
    obstacle = {loop, "the kernel distributes its work over programs itself: a "
                      "loop's step comes from num_programs"};
    return WalkResult::interrupt();
  });
  return obstacle.op ? obstacle : findGridObstacle(kernel);
}

/// Which extents the kernel needs to find out the program that a tile is, and
/// to answer num_programs.
static GridArguments
chooseArguments(tile::FuncOp kernel,
                ArrayRef<tile::PlanDispatchOp> dispatches) {
  GridArguments grid{1, {}};
  for (tile::PlanDispatchOp dispatch : dispatches)
    grid.rank = std::max<unsigned>(grid.rank, dispatch.getGrid().size());
  if (grid.rank == 1)
    return grid;
  GridUses uses(kernel);
  bool z = grid.rank == 3 && uses.ids[2];
  grid.extents.push_back(tile::Axis::X);
  if ((grid.rank == 3 && uses.ids[1]) || z || uses.counts[1])
    grid.extents.push_back(tile::Axis::Y);
  if (grid.rank == 3 && uses.counts[2])
    grid.extents.push_back(tile::Axis::Z);
  return grid;
}

/// With results of atomics a program may learn what another one has stored, and
/// must not read it before.
static tile::TileLoop chooseOverlap(tile::FuncOp kernel) {
  WalkResult walk = kernel.walk([](Operation *op) {
    bool learns = isa<tile::AtomicRMWOp, tile::AtomicCASOp>(op) &&
                  !op->getResult(0).use_empty();
    return learns ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted() ? tile::TileLoop::Ordered
                               : tile::TileLoop::Independent;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {
/// The grid that an iteration stands for.
class VirtualGrid {
public:
  VirtualGrid(OpBuilder &builder, Location loc, const GridArguments &grid,
              Value tile, ValueRange arguments)
      : builder(builder), loc(loc), rank(grid.rank), tile(tile),
        tiles(arguments.front()) {
    for (auto [axis, value] : llvm::zip(grid.extents, arguments.drop_front()))
      extents[unsigned(axis)] = value;
  }

  Value getId(tile::Axis axis);
  Value getCount(tile::Axis axis);

private:
  Value constant(int32_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }
  template <typename OpTy>
  Value make(Value x, Value y) {
    return OpTy::create(builder, loc, x, y);
  }

  OpBuilder &builder;
  Location loc;
  unsigned rank;
  Value tile, tiles;
  Value extents[3];
};
} // namespace

Value VirtualGrid::getId(tile::Axis axis) {
  if (unsigned(axis) >= rank)
    return constant(0);
  if (rank == 1)
    return tile;
  Value x = extents[0];
  if (axis == tile::Axis::X)
    return make<arith::RemSIOp>(tile, x);
  if (axis == tile::Axis::Y) {
    Value row = make<arith::DivSIOp>(tile, x);
    return rank == 2 ? row : make<arith::RemSIOp>(row, extents[1]);
  }
  // X Y is at most the number of tiles.
  return make<arith::DivSIOp>(tile, make<arith::MulIOp>(x, extents[1]));
}

Value VirtualGrid::getCount(tile::Axis axis) {
  if (unsigned(axis) >= rank)
    return constant(1);
  return rank == 1 ? tiles : extents[unsigned(axis)];
}

namespace {
/// A loop whose iterations are tiles.
struct TileLoopBody {
  LoopLikeOpInterface loop;
  Block *block;
  Value tile;
  /// The body of the kernel goes before it.
  Block::iterator end;
};

/// The program, and how many there are.
struct ProgramNumbers {
  Value first, programs;
};
} // namespace

/// Every `programs`-th tile.
static TileLoopBody buildStaticLoop(OpBuilder &builder, Location loc,
                                    ProgramNumbers numbers, Value tiles) {
  auto loop = scf::ForOp::create(builder, loc, numbers.first, tiles,
                                 numbers.programs, ValueRange(),
                                 /*bodyBuilder=*/nullptr,
                                 /*unsignedCmp=*/true);
  Block *body = loop.getBody();
  return {loop, body, loop.getInductionVar(), Block::iterator(body->back())};
}

/// The tile that the counter gives. It is asked for before a tile is computed,
/// so that nobody waits for its answer. Tiles and programs are less than 2^31,
/// and a program asks once more at most than there are tiles.
static TileLoopBody buildDynamicLoop(OpBuilder &builder, Location loc,
                                     ProgramNumbers numbers, Value tiles,
                                     Value counter) {
  Type type = builder.getI32Type();
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 32);
  auto buildBefore = [&](OpBuilder &inner, Location, ValueRange arguments) {
    Value more = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::ult,
                                       arguments.front(), tiles);
    scf::ConditionOp::create(inner, loc, more, arguments);
  };
  Operation *end = nullptr;
  auto buildAfter = [&](OpBuilder &inner, Location, ValueRange) {
    Value taken = tile::AtomicRMWOp::create(
        inner, loc, type, tile::AtomicKind::Add, tile::MemorySemantic::Relaxed,
        tile::MemoryScope::GPU, counter, one, /*mask=*/Value());
    Value following =
        arith::AddIOp::create(inner, loc, taken, numbers.programs);
    end = following.getDefiningOp();
    scf::YieldOp::create(inner, loc, following);
  };
  auto loop =
      scf::WhileOp::create(builder, loc, TypeRange(type),
                           ValueRange(numbers.first), buildBefore, buildAfter);
  Block *body = loop.getAfterBody();
  return {loop, body, body->getArgument(0), Block::iterator(end)};
}

/// Moves the body into a loop over tiles.
static TileLoopBody buildTileLoop(tile::FuncOp kernel, Value tiles,
                                  Value counter, tile::TileLoop overlap) {
  Block &entry = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  Location loc = kernel.getLoc();
  auto axis = tile::AxisAttr::get(kernel.getContext(), tile::Axis::X);
  Type type = builder.getI32Type();
  ProgramNumbers numbers;
  numbers.first = tile::ProgramIdOp::create(builder, loc, type, axis);
  numbers.programs = tile::NumProgramsOp::create(builder, loc, type, axis);
  TileLoopBody body =
      counter ? buildDynamicLoop(builder, loc, numbers, tiles, counter)
              : buildStaticLoop(builder, loc, numbers, tiles);
  body.loop->setAttr(tile::TileDialect::kTileLoop,
                     tile::TileLoopAttr::get(kernel.getContext(), overlap));
  body.block->getOperations().splice(
      body.end, entry.getOperations(),
      std::next(Block::iterator(body.loop.getOperation())),
      Block::iterator(entry.getTerminator()));
  return body;
}

/// Replaces what the body asks about the grid.
static void replaceGridOps(const TileLoopBody &body, const GridArguments &grid,
                           ValueRange arguments) {
  body.block->walk([&](Operation *op) {
    if (!isa<tile::ProgramIdOp, tile::NumProgramsOp>(op))
      return;
    OpBuilder builder(op);
    VirtualGrid virtualGrid(builder, op->getLoc(), grid, body.tile, arguments);
    auto id = dyn_cast<tile::ProgramIdOp>(op);
    Value value =
        id ? virtualGrid.getId(id.getAxis())
           : virtualGrid.getCount(cast<tile::NumProgramsOp>(op).getAxis());
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  });
}

/// Moves scalar computation out of the loop. Tensors stay: held through the
/// loop they would cost registers; the back end hoists what it has room for.
static int64_t hoistScalars(const TileLoopBody &body) {
  LoopLikeOpInterface loop = body.loop;
  bool mayStop = tile::mayStop(body.block);
  auto isScalar = [mayStop](Operation *op, Region *) {
    return tile::canRunEarly(op, mayStop) && op->getNumRegions() == 0 &&
           llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>);
  };
  return moveLoopInvariantCode(
      body.block->getParent(),
      [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      isScalar, [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
}

/// Makes the kernel persistent. Returns how many operations left the loop.
static int64_t makePersistent(tile::FuncOp kernel,
                              const PersistentDecision &decision) {
  constexpr StringLiteral names[] = {"tiles_x", "tiles_y", "tiles_z"};
  Type number = IntegerType::get(kernel.getContext(), 32);
  SmallVector<Value> arguments = {addKernelArgument(kernel, "tiles", number)};
  for (tile::Axis axis : decision.grid.extents)
    arguments.push_back(
        addKernelArgument(kernel, names[unsigned(axis)], number));
  Value counter;
  if (decision.assignment == TileAssignment::Dynamic) {
    counter =
        addKernelArgument(kernel, "next_tile", tile::PointerType::get(number));
    // The launch gets memory for nothing else.
    kernel.setArgAttr(cast<BlockArgument>(counter).getArgNumber(),
                      tile::TileDialect::kNoAlias,
                      UnitAttr::get(kernel.getContext()));
  }
  TileLoopBody body =
      buildTileLoop(kernel, arguments.front(), counter, decision.overlap);
  replaceGridOps(body, decision.grid, arguments);
  return hoistScalars(body);
}

namespace {
struct TilePersistentSchedule
    : tessera::impl::TilePersistentSchedulePassBase<TilePersistentSchedule> {
  using TilePersistentSchedulePassBase::TilePersistentSchedulePassBase;

  void runOnOperation() override {
    if (programsPerSM < 0) {
      getOperation().emitError() << "programs-per-sm must not be negative";
      return signalPassFailure();
    }
    auto dispatches = collectDispatches(getOperation());
    for (auto kernel : getOperation().getOps<tile::FuncOp>())
      if (kernel.isKernel())
        visit(kernel, dispatches[kernel.getName()]);
  }

private:
  void visit(tile::FuncOp kernel, ArrayRef<tile::PlanDispatchOp> dispatches);
};
} // namespace

void TilePersistentSchedule::visit(tile::FuncOp kernel,
                                   ArrayRef<tile::PlanDispatchOp> dispatches) {
  if (GridObstacle obstacle = findObstacle(kernel, dispatches); obstacle.op) {
    remark::missed(obstacle.op->getLoc(), getRemarkOpts(kernel))
        << remark::reason("{0}", obstacle.reason);
    return;
  }
  PersistentDecision decision{chooseArguments(kernel, dispatches),
                              chooseOverlap(kernel), assignment};
  int64_t hoisted = makePersistent(kernel, decision);
  for (tile::PlanDispatchOp dispatch : dispatches)
    dispatchPersistent(dispatch, decision.grid, assignment, programsPerSM);
  std::string programs =
      programsPerSM ? std::to_string(programsPerSM) : "resident";
  remark::passed(kernel.getLoc(), getRemarkOpts(kernel))
      << remark::metric("ProgramsPerSM", programs)
      << remark::metric("Assignment", assignment == TileAssignment::Dynamic
                                          ? "dynamic"
                                          : "static")
      << remark::metric("GridDimensions", int64_t(decision.grid.rank))
      << remark::metric("Iterations", tile::stringifyTileLoop(decision.overlap))
      << remark::metric("HoistedScalars", hoisted);
}
