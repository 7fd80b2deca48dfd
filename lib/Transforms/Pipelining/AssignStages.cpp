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

#include "PipelinePlan.h"

#include "tessera/Layout/SharedMemory.h"
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
static void stageThroughShared(Operation *load) {
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
    return;
  MLIRContext *context = load->getContext();
  OpBuilder builder(context);
  builder.setInsertionPointAfter(load);
  auto bufferType =
      BufferType::get(context, type.getShape(), type.getElementType(),
                      SharedAttr::fromLinear(context, *shared));
  Location loc = load->getLoc();
  Value buffer = AllocOp::create(builder, loc, bufferType, IntegerAttr());
  auto store = LocalStoreOp::create(builder, loc, load->getResult(0), buffer);
  Value value = LocalLoadOp::create(builder, loc, type, buffer);
  load->getResult(0).replaceAllUsesExcept(value, store);
}

namespace {
struct AssignStages
    : tessera::impl::TileGPUAssignStagesPassBase<AssignStages> {
  using TileGPUAssignStagesPassBase::TileGPUAssignStagesPassBase;

  void runOnOperation() override {
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
  }

private:
  LogicalResult assign(scf::ForOp loop);
  PipelinePlan plan(scf::ForOp loop, int64_t stages);
  LogicalResult checkRoom(scf::ForOp loop, int64_t stages,
                          const PipelinePlan &plan);
  void report(scf::ForOp loop, int64_t stages, const PipelinePlan &plan);
  remark::RemarkOpts getRemarkOpts() {
    return remark::RemarkOpts::name("stages")
        .category("tile-gpu-assign-stages")
        .function(getOperation().getName());
  }
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
  llvm::for_each(loads, stageThroughShared);
  return planPipeline(loop, stages);
}

/// Refuses rings that cannot fit, with what takes the room and what would fit.
LogicalResult AssignStages::checkRoom(scf::ForOp loop, int64_t stages,
                                      const PipelinePlan &plan) {
  FailureOr<TargetInfo> target = getTargetInfo(loop);
  if (failed(target))
    return failure();
  int64_t room = target->maxSharedBytesPerCTA, bytes = plan.getRingBytes();
  if (bytes <= room)
    return success();
  InFlightDiagnostic diag =
      loop.emitError() << "with " << stages << " stages the copies of this loop "
                       << "take " << bytes << " bytes of shared memory; a "
                       << "program has at most " << room << " on "
                       << target->name;
  for (const PipelinedLoad &load : plan.loads)
    for (LocalStoreOp store : load.stores)
      diag.attachNote(load.load->getLoc())
          << plan.slots << " slots of "
          << store.getBuffer().getType().getSlotBytes() << " bytes";
  int64_t fits = stages;
  while (fits > 1 && planPipeline(loop, fits).getRingBytes() > room)
    --fits;
  diag.attachNote(loop.getLoc())
      << "num_stages = " << fits << " fits"
      << (fits == 1 ? ", without pipelining; so may a smaller tile" : "");
  return diag;
}

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
  if (failed(checkRoom(loop, stages, decision)))
    return failure();
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
}
