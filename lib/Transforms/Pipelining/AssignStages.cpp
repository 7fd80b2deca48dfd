//===- AssignStages.cpp - tile-gpu-assign-stages --------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which loads of a loop run how many iterations ahead, and writes the
// decision down. PipelinePlan.h gives the rules.
//
//===----------------------------------------------------------------------===//

#include "MaskedReads.h"
#include "PipelinePlan.h"

#include "tessera/Layout/SharedMemory.h"
#include "tessera/Transforms/Memory/Lifetimes.h"
#include "tessera/Transforms/Memory/SharedAdvice.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"

namespace tessera {
#define GEN_PASS_DEF_TILEGPUASSIGNSTAGESPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

/// Gives a load whose value is used in registers a buffer that it is written to
/// and read from again, which a copy can then fill instead.
static AllocOp stageThroughShared(Operation *load) {
  auto type = cast<RankedTensorType>(load->getResult(0).getType());
  auto access = load->getAttrOfType<AccessAttr>(TileGPUDialect::kAccess);
  std::vector<int32_t> shape(type.getShape().begin(), type.getShape().end());
  std::vector<int32_t> order = {access ? int32_t(access.getAxis())
                                       : int32_t(shape.size()) - 1};
  for (int32_t axis = int32_t(shape.size()); axis-- > 0;)
    if (axis != order[0])
      order.push_back(axis);
  auto shared = makePlainShared(shape, order);
  if (!shared)
    return nullptr;
  MLIRContext *context = load->getContext();
  OpBuilder builder(context);
  builder.setInsertionPointAfter(load);
  auto bufferType =
      BufferType::get(context, type.getShape(), type.getElementType(),
                      SharedAttr::fromLinear(context, *shared));
  Location loc = load->getLoc();
  auto buffer = AllocOp::create(builder, loc, bufferType, IntegerAttr());
  auto store = LocalStoreOp::create(builder, loc, load->getResult(0), buffer);
  Value value = LocalLoadOp::create(builder, loc, type, buffer);
  load->getResult(0).replaceAllUsesExcept(value, store);
  return buffer;
}

namespace {
/// A loop and what was decided about it.
struct PipelinedLoop {
  scf::ForOp loop;
  int64_t stages;
  PipelinePlan plan;
};

struct AssignStages
    : tessera::impl::TileGPUAssignStagesPassBase<AssignStages> {
  using TileGPUAssignStagesPassBase::TileGPUAssignStagesPassBase;

  void runOnOperation() override {
    // A pass runs on one function after another.
    pipelined.clear();
    detours.clear();
    if (numStages < 0 || numStages > kMaxSlots) {
      getOperation().emitError() << "the number of stages has to be from 1 to "
                                 << kMaxSlots << ", not " << int32_t(numStages);
      return signalPassFailure();
    }
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (failed(assign(loop)))
        return signalPassFailure();
    if (!pipelined.empty() && failed(checkRoom()))
      signalPassFailure();
  }

private:
  LogicalResult assign(scf::ForOp loop);
  PipelinePlan plan(scf::ForOp loop, int64_t stages);
  PlannedRings planRings(const PipelinedLoop &loop, int64_t stages);
  Lifetimes findLifetimes(const PipelinedLoop *changed, int64_t stages);
  int64_t countBytes(const PipelinedLoop *changed, int64_t stages) {
    return placeFirstFit(findLifetimes(changed, stages).problem).total;
  }
  LogicalResult checkRoom();
  void advise(InFlightDiagnostic &diag, const PipelinedLoop &loop,
              int64_t room);
  void report(scf::ForOp loop, int64_t stages, const PipelinePlan &plan);
  remark::RemarkOpts getRemarkOpts() {
    return remark::RemarkOpts::name("stages")
        .category("tile-gpu-assign-stages")
        .function(getOperation().getName());
  }

  SmallVector<PipelinedLoop, 1> pipelined;
  /// Buffers that only pipelined loops have.
  llvm::SmallDenseSet<Operation *> detours;
};
} // namespace

/// Loads that are used in registers only are worth a detour through shared
/// memory where nothing else is pipelined.
PipelinePlan AssignStages::plan(scf::ForOp loop, int64_t stages) {
  PipelinePlan first = planPipeline(loop, stages);
  if (!first.loads.empty())
    return first;
  SmallVector<Operation *> loads;
  for (const DeclinedLoad &declined : first.declined)
    if (canStageThroughShared(loop, declined.load))
      loads.push_back(declined.load);
  if (loads.empty())
    return first;
  for (Operation *load : loads)
    if (AllocOp detour = stageThroughShared(load))
      detours.insert(detour);
  return planPipeline(loop, stages);
}

//===----------------------------------------------------------------------===//
// Room in shared memory
//===----------------------------------------------------------------------===//

/// What the loop's copies take with another number of stages; with 1 there are
/// none, and no buffers that only they fill.
PlannedRings AssignStages::planRings(const PipelinedLoop &loop,
                                     int64_t stages) {
  PlannedRings rings{loop.loop, {}, /*slots=*/0, /*numBarriers=*/0};
  bool runsAhead = stages > 1;
  for (const PipelinedLoad &load : loop.plan.loads)
    for (LocalStoreOp store : load.stores)
      if (runsAhead || detours.contains(getBuffer(store)))
        rings.buffers.push_back(getBuffer(store));
  if (runsAhead) {
    rings.slots = planPipeline(loop.loop, stages).slots;
    rings.numBarriers = loop.plan.usesTensorCopies ? rings.slots : 0;
  }
  return rings;
}

/// What the program has in shared memory when one loop has so many stages, or,
/// where an option gives them, all have.
Lifetimes AssignStages::findLifetimes(const PipelinedLoop *changed,
                                      int64_t stages) {
  SmallVector<PlannedRings> rings;
  for (const PipelinedLoop &loop : pipelined)
    rings.push_back(planRings(
        loop, numStages || &loop == changed ? stages : loop.stages));
  return computeLifetimes(getOperation(), rings);
}

/// Says which number of stages fits, or which tile with those that there are;
/// bytes are counted as allocation does.
void AssignStages::advise(InFlightDiagnostic &diag, const PipelinedLoop &loop,
                          int64_t room) {
  int64_t fits = loop.stages - 1;
  while (fits > 1 && countBytes(&loop, fits) > room)
    --fits;
  Diagnostic &note = diag.attachNote(loop.loop->getLoc());
  if (fits > 1) {
    note << "num_stages = " << fits << " fits";
    return;
  }
  std::string tile =
      describeTileThatFits(findLifetimes(nullptr, loop.stages), room);
  int64_t least = countBytes(&loop, 1);
  if (least > room)
    note << "no number of stages fits: without pipelining the program needs "
         << least << " bytes; "
         << (tile.empty() ? "what may help: a smaller tile" : tile);
  else
    // An option that turns pipelining off turns off tensor copies as well.
    note << "num_stages = 1 " << (numStages ? "may fit" : "fits")
         << ", without pipelining; "
         << (tile.empty() ? "so may a smaller tile" : tile);
}

/// Refuses rings that do not fit beside what is alive at the same time, with
/// what takes the room and what would fit. What needs too much without them is
/// left to allocation, unless they do alone.
LogicalResult AssignStages::checkRoom() {
  FailureOr<TargetInfo> target = getTargetInfo(getOperation());
  if (failed(target))
    return failure();
  int64_t room = target->maxSharedBytesPerCTA;
  const PipelinedLoop &loop = *llvm::max_element(
      pipelined, [](const PipelinedLoop &a, const PipelinedLoop &b) {
        return a.plan.getRingBytes() < b.plan.getRingBytes();
      });
  int64_t bytes = loop.plan.getRingBytes();
  int64_t total = countBytes(nullptr, loop.stages);
  if (total <= room || (bytes <= room && countBytes(&loop, 1) > room))
    return success();
  scf::ForOp op = loop.loop;
  InFlightDiagnostic diag =
      op.emitError() << "with " << loop.stages
                     << " stages the copies of this loop take " << bytes
                     << " bytes of shared memory";
  if (bytes <= room)
    diag << ", and the program " << total << " with what it has beside them";
  diag << "; a program has at most " << room << " on " << target->name;
  for (const PipelinedLoad &load : loop.plan.loads)
    for (LocalStoreOp store : load.stores)
      diag.attachNote(load.load->getLoc())
          << loop.plan.slots << " slots of "
          << store.getBuffer().getType().getSlotBytes() << " bytes";
  advise(diag, loop, room);
  return diag;
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

LogicalResult AssignStages::assign(scf::ForOp loop) {
  auto authors =
      loop->getAttrOfType<IntegerAttr>(tile::TileDialect::kNumStages);
  if (!authors)
    return success();
  int64_t stages = numStages ? int64_t(numStages) : authors.getInt();
  if (stages < 1 || stages > kMaxSlots)
    return loop.emitError() << tile::TileDialect::kNumStages << " = " << stages
                            << " is not in [1, " << kMaxSlots << "]";
  if (stages == 1)
    return success();
  PipelinePlan decision = plan(loop, stages);
  if (failed(decision.check()))
    return loop.emitError("the stages of this loop contradict each other");
  report(loop, stages, decision);
  if (decision.loads.empty())
    return success();
  Builder builder(&getContext());
  loop->setAttr(TileGPUDialect::kDistance,
                builder.getI32IntegerAttr(decision.distance));
  loop->setAttr(TileGPUDialect::kSlots,
                builder.getI32IntegerAttr(decision.slots));
  if (decision.usesTensorCopies)
    loop->setAttr(TileGPUDialect::kTensorCopies, builder.getUnitAttr());
  if (decision.readsAhead)
    loop->setAttr(TileGPUDialect::kReadsAhead, builder.getUnitAttr());
  for (const PipelinedLoad &load : decision.loads)
    load.load->setAttr(TileGPUDialect::kPipelined, builder.getUnitAttr());
  if (decision.inFlight)
    decision.inFlight->setAttr(TileGPUDialect::kInFlight,
                               builder.getUnitAttr());
  pipelined.push_back({loop, stages, std::move(decision)});
  return success();
}

void AssignStages::report(scf::ForOp loop, int64_t stages,
                          const PipelinePlan &plan) {
  for (const DeclinedLoad &declined : plan.declined)
    remark::missed(declined.load->getLoc(), getRemarkOpts())
        << remark::reason("the load is not pipelined: {0}", declined.reason);
  if (plan.loads.empty()) {
    remark::missed(loop.getLoc(), getRemarkOpts())
        << remark::metric("Stages", stages)
        << remark::reason("no load of the loop can run ahead");
    return;
  }
  if (!plan.noTensorCopies.reason.empty())
    remark::missed(plan.noTensorCopies.load->getLoc(), getRemarkOpts())
        << remark::reason("threads do the copies: {0}",
                          plan.noTensorCopies.reason);
  if (!plan.noReadsAhead.empty())
    remark::missed(loop.getLoc(), getRemarkOpts())
        << remark::reason("no operand is read ahead: {0}", plan.noReadsAhead);
  auto passed = remark::passed(loop.getLoc(), getRemarkOpts());
  passed << remark::metric("Stages", stages)
         << remark::metric("Loads", int64_t(plan.loads.size()))
         << remark::metric("Distance", plan.distance)
         << remark::metric("Slots", plan.slots)
         << remark::metric("SharedBytes", plan.getRingBytes())
         << remark::metric("ProductInFlight", plan.inFlight ? 1 : 0)
         << remark::metric("TensorCopies", plan.usesTensorCopies ? 1 : 0);
  if (plan.readsAhead)
    passed << remark::metric("ReadsAhead", 1);
  if (int64_t filled = llvm::count_if(plan.loads, [](const auto &load) {
        return hasNonzeroOther(load.load);
      }))
    passed << remark::metric("FilledWhenRead", filled);
}
