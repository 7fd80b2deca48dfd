//===- ChooseWarps.cpp - fix the number of warps of a program -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory-bound kernels run at the rate of memory when enough bytes are in
// flight; beyond that, fewer warps a program are better, since a reduction
// then crosses fewer of them. Elements a thread, measured on an H200 with row
// softmax: 32 is within 1 % of the best for rows of 1024 to 16384 elements of
// 2 or 4 bytes; 64 costs 1 to 2 %, 128 spills.
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

namespace tessera {
#define GEN_PASS_DEF_TILEGPUCHOOSEWARPSPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

/// Accumulators of a dot that a thread holds. 128 make the most of each operand
/// read from shared memory; where global accesses are narrow, so that a thread
/// has many addresses in flight, 64 leave room for them.
static constexpr int64_t kAccumulators = 128;
static constexpr int64_t kAccumulatorsNarrow = 64;
/// Bytes of a narrow access.
static constexpr int64_t kNarrowBytes = 4;
/// Elements that a thread holds of the largest tensor.
static constexpr int64_t kElementsWithReduction = 32;
static constexpr int64_t kElementsElementwise = 8;
/// Elements that leave a thread's registers room for little else.
static constexpr int64_t kMostElements = 64;

namespace {
/// What the choice depends on.
struct Demand {
  /// Elements of the largest tensor in the program.
  int64_t elements = 1;
  /// Accumulators of the largest dot; 0 without one.
  int64_t accumulators = 0;
  /// Bytes of the narrowest load of a tensor.
  int64_t loadBytes = 16;
  bool reduces = false;
};
} // namespace

static Demand getDemand(tile::FuncOp function) {
  Demand demand;
  function.walk([&](Operation *op) {
    demand.reduces |= isa<tile::ReduceOp>(op);
    if (auto dot = dyn_cast<tile::DotOp>(op))
      demand.accumulators = std::max(
          demand.accumulators,
          cast<RankedTensorType>(dot.getType()).getNumElements());
    auto access = op->getAttrOfType<AccessAttr>(TileGPUDialect::kAccess);
    if (access && isa<tile::LoadOp>(op))
      demand.loadBytes = std::min(
          demand.loadBytes,
          access.getWidth() *
              tile::getByteWidth(getElementTypeOrSelf(op->getResult(0))));
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        demand.elements = std::max(demand.elements, tensor.getNumElements());
  });
  return demand;
}

static int32_t chooseWarps(const Demand &demand) {
  if (demand.accumulators != 0) {
    int64_t each = demand.loadBytes <= kNarrowBytes ? kAccumulatorsNarrow
                                                    : kAccumulators;
    return std::clamp<int64_t>(demand.accumulators / (each * kWarpSize), 1, 8);
  }
  int64_t perThread =
      demand.reduces ? kElementsWithReduction : kElementsElementwise;
  int64_t warps = demand.elements / (perThread * kWarpSize);
  // Above 16 warps a second CTA no longer fits beside the first one; more are
  // worth it only where a thread would have too few registers.
  bool crowded = demand.elements > kMostElements * 16 * kWarpSize;
  return std::clamp<int64_t>(warps, 1, crowded ? 32 : 16);
}

namespace {
struct ChooseWarps : tessera::impl::TileGPUChooseWarpsPassBase<ChooseWarps> {
  using TileGPUChooseWarpsPassBase::TileGPUChooseWarpsPassBase;

  void runOnOperation() override {
    tile::FuncOp function = getOperation();
    if (numWarps < 0 || numWarps > tile::kMaxWarps ||
        (numWarps != 0 && !llvm::isPowerOf2_32(numWarps))) {
      function.emitError() << "the number of warps has to be a power of two "
                           << "from 1 to " << tile::kMaxWarps << ", not "
                           << int32_t(numWarps);
      return signalPassFailure();
    }
    auto authors =
        function->getAttrOfType<IntegerAttr>(tile::TileDialect::kNumWarps);
    Demand demand = getDemand(function);
    int32_t warps = numWarps;
    const char *source = "the num-warps option";
    if (warps == 0 && authors) {
      warps = authors.getInt();
      source = "tile.num_warps";
    } else if (warps == 0) {
      warps = chooseWarps(demand);
      source = demand.accumulators != 0 ? "the largest dot"
               : demand.reduces ? "the largest tensor, with a reduction"
                                : "the largest tensor, without a reduction";
    }
    function->setAttr(
        TileGPUDialect::kNumWarps,
        IntegerAttr::get(IntegerType::get(&getContext(), 32), warps));
    remark::passed(function.getLoc(), remark::RemarkOpts::name("NumWarps")
                                          .category("tile-gpu-choose-warps")
                                          .function(function.getName()))
        << remark::metric("Warps", warps)
        << remark::metric("Elements", int64_t(demand.elements))
        << remark::reason("from {0}", source);
  }
};
} // namespace
