//===- StageConversions.cpp - lower conversions between threads to shared memory -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/DimNames.h"
#include "tessera/Layout/SharedMemory.h"
#include "tessera/Transforms/Layout/LayoutInference.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

namespace tessera {
#define GEN_PASS_DEF_TILEGPUSTAGECONVERSIONSPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

/// The buffer with the fewest bank conflicts for both sides.
static std::optional<SharedChoice> chooseBuffer(ConvertLayoutOp op) {
  auto src = cast<RankedTensorType>(op.getSrc().getType());
  auto dst = cast<RankedTensorType>(op.getType());
  std::vector<int32_t> shape(src.getShape().begin(), src.getShape().end());
  return chooseShared(getLinearLayout(src), getLinearLayout(dst), shape,
                      tile::getByteWidth(src.getElementType()));
}

namespace {
/// Puts conversions through shared memory. Those of one block form groups, all
/// stores of a group before all its loads, so that one barrier serves a group.
class Stager {
public:
  void stage(ConvertLayoutOp op, SharedAttr layout);

private:
  /// Where the stores of the current group go: its first load.
  llvm::DenseMap<Block *, Operation *> firstLoads;
};
} // namespace

void Stager::stage(ConvertLayoutOp op, SharedAttr layout) {
  Location loc = op.getLoc();
  auto result = cast<RankedTensorType>(op.getType());
  auto bufferType =
      BufferType::get(op.getContext(), result.getShape(),
                      result.getElementType(), layout);
  Operation *&firstLoad = firstLoads[op->getBlock()];
  Operation *def = op.getSrc().getDefiningOp();
  bool joins = firstLoad && (!def || def->getBlock() != op->getBlock() ||
                             def->isBeforeInBlock(firstLoad));
  OpBuilder builder(joins ? firstLoad : op.getOperation());
  Value buffer =
      AllocOp::create(builder, loc, bufferType, /*offset=*/IntegerAttr());
  LocalStoreOp::create(builder, loc, op.getSrc(), buffer);
  builder.setInsertionPoint(op);
  auto load = LocalLoadOp::create(builder, loc, result, buffer);
  if (!joins)
    firstLoad = load;
  op.getResult().replaceAllUsesWith(load);
  op.erase();
}

/// Brings the results of an atomic to the threads that hold copies.
static void broadcastAtomic(Operation *op) {
  Value result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || !hasLayout(type) || result.use_empty())
    return;
  std::map<std::string, int32_t> copies =
      getLinearLayout(type).freeVariableMasks();
  if (copies[kLaneDim] == 0 && copies[kWarpDim] == 0)
    return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  // A single number waits in its thread for the first that needs it.
  if (type.getNumElements() == 1 && result.hasOneUse() &&
      result.getUsers().begin()->getBlock() == op->getBlock())
    builder.setInsertionPoint(*result.getUsers().begin());
  auto bufferType = BufferType::get(
      op->getContext(), type.getShape(), type.getElementType(),
      SharedAttr::getRowMajor(op->getContext(), type.getShape()));
  Value buffer = AllocOp::create(builder, op->getLoc(), bufferType,
                                 /*offset=*/IntegerAttr());
  auto store = LocalStoreOp::create(builder, op->getLoc(), result, buffer);
  Value all = LocalLoadOp::create(builder, op->getLoc(), type, buffer);
  result.replaceAllUsesExcept(all, store);
}

namespace {
struct StageConversions
    : tessera::impl::TileGPUStageConversionsPassBase<StageConversions> {
  void runOnOperation() override {
    SmallVector<ConvertLayoutOp> conversions;
    SmallVector<Operation *> atomics;
    getOperation().walk([&](Operation *op) {
      if (auto convert = dyn_cast<ConvertLayoutOp>(op))
        conversions.push_back(convert);
      else if (isa<tile::AtomicRMWOp, tile::AtomicCASOp>(op))
        atomics.push_back(op);
    });
    SmallVector<std::pair<ConvertLayoutOp, SharedChoice>> choices;
    for (ConvertLayoutOp op : conversions) {
      if (getPlacesInThread(op)) {
        remark::missed(op.getLoc(), getRemarkOpts())
            << remark::reason("each thread holds what it needs");
        continue;
      }
      std::optional<SharedChoice> choice = chooseBuffer(op);
      if (!choice) {
        op.emitError("no buffer in shared memory fits the conversion");
        return signalPassFailure();
      }
      choices.emplace_back(op, *choice);
    }
    llvm::for_each(atomics, broadcastAtomic);
    Stager stager;
    for (auto &[op, choice] : choices) {
      report(op, choice);
      stager.stage(op, SharedAttr::fromLinear(&getContext(), choice.shared));
    }
  }

private:
  remark::RemarkOpts getRemarkOpts() {
    return remark::RemarkOpts::name("stage-conversion")
        .category("tile-gpu-stage-conversions")
        .function(getOperation().getName());
  }

  void report(ConvertLayoutOp op, const SharedChoice &choice) {
    auto type = cast<RankedTensorType>(op.getType());
    remark::passed(op.getLoc(), getRemarkOpts())
        << remark::metric("Bytes",
                          type.getNumElements() *
                              tile::getByteWidth(type.getElementType()))
        << remark::metric("Buffer", choice.description)
        << remark::metric("WriteWavefronts", choice.writes.wavefronts)
        << remark::metric("WriteWavefrontsIdeal", choice.writes.ideal)
        << remark::metric("ReadWavefronts", choice.reads.wavefronts)
        << remark::metric("ReadWavefrontsIdeal", choice.reads.ideal);
  }
};
} // namespace
