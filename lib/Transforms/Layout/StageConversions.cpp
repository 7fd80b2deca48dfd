//===- StageConversions.cpp - lower conversions between threads to shared memory -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/DimNames.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

namespace tessera {
#define GEN_PASS_DEF_TILEGPUSTAGECONVERSIONSPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

/// Whether each thread finds the values of the result among its own: the place
/// that holds an element in `src`, for each place of `dst`, has the same lane
/// and warp, and a register that does not depend on them.
static bool staysInThread(const LinearLayout &src, const LinearLayout &dst) {
  std::optional<LinearLayout> places = dst.invertAndCompose(src);
  return places && places->preserves(kLaneDim) && places->preserves(kWarpDim) &&
         places->sublayoutIsZero({kLaneDim, kWarpDim}, {kRegisterDim});
}

/// The buffer's order: the coordinates in the order in which the reader's
/// registers, then its lanes, then its warps run through them, so that reads
/// are wide and free of bank conflicts; writes are, where the orders agree.
static SharedAttr getBufferLayout(RankedTensorType type) {
  LinearLayout reader = getLinearLayout(type);
  std::vector<std::vector<int32_t>> offsets;
  // The coordinate bits seen so far: a buffer holds each element once. A bit
  // is taken from bases with a single coordinate bit, as blocked layouts have.
  llvm::SmallSet<std::vector<int32_t>, 16> seen;
  for (const char *dim : {kRegisterDim, kLaneDim, kWarpDim})
    for (int bit = 0; bit < reader.getInDimSizeLog2(dim); ++bit) {
      std::vector<int32_t> basis = reader.getBasis(dim, bit);
      int ones = 0;
      for (int32_t coordinate : basis)
        ones += llvm::popcount(uint32_t(coordinate));
      if (ones == 1 && seen.insert(basis).second)
        offsets.push_back(basis);
    }
  std::vector<LayoutDim> outs;
  for (int64_t d = 0; d < type.getRank(); ++d)
    outs.push_back({tensorDimName(d), int32_t(type.getDimSize(d))});
  std::optional<LinearLayout> layout =
      LinearLayout::create({{kOffsetDim, offsets}}, outs);
  if (!layout || !layout->isBijective())
    return SharedAttr::getRowMajor(type.getContext(), type.getShape());
  return SharedAttr::fromLinear(type.getContext(), *layout);
}

static void stage(ConvertLayoutOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto result = cast<RankedTensorType>(op.getType());
  auto bufferType =
      BufferType::get(op.getContext(), result.getShape(),
                      result.getElementType(), getBufferLayout(result));
  Value buffer =
      AllocOp::create(builder, loc, bufferType, /*offset=*/IntegerAttr());
  LocalStoreOp::create(builder, loc, op.getSrc(), buffer);
  Value loaded = LocalLoadOp::create(builder, loc, result, buffer);
  op.getResult().replaceAllUsesWith(loaded);
  op.erase();
}

namespace {
struct StageConversions
    : tessera::impl::TileGPUStageConversionsPassBase<StageConversions> {
  void runOnOperation() override {
    SmallVector<ConvertLayoutOp> conversions;
    getOperation().walk([&](ConvertLayoutOp op) { conversions.push_back(op); });
    for (ConvertLayoutOp op : conversions) {
      auto src = cast<RankedTensorType>(op.getSrc().getType());
      auto opts = remark::RemarkOpts::name("StageConversion")
                      .category("tile-gpu-stage-conversions")
                      .function(getOperation().getName());
      if (staysInThread(getLinearLayout(src),
                        getLinearLayout(cast<RankedTensorType>(op.getType())))) {
        remark::missed(op.getLoc(), opts)
            << remark::reason("each thread holds what it needs");
        continue;
      }
      remark::passed(op.getLoc(), opts) << remark::metric(
          "Bytes", src.getNumElements() * tile::getByteWidth(src.getElementType()));
      stage(op);
    }
  }
};
} // namespace
