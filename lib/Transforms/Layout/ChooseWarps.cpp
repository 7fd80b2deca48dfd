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

#include "tessera/Analysis/LoopFrequency.h"
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

/// Registers that the values around dots may take of a thread's 255; the rest is
/// for indices, loop counters and what the assembler needs.
static constexpr int64_t kRegistersWithDot = 224;
/// Registers of an access in flight: a 64-bit address, its offset or fill, and
/// its mask.
static constexpr int64_t kRegistersPerAccess = 4;
/// Registers that a loop around the innermost one keeps alive through it.
static constexpr int64_t kRegistersPerLoop = 16;
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
  /// Registers, of all threads together, of the accumulators and operands of
  /// dots and of the loads in flight, with transposed copies; 0 without a
  /// dot.
  int64_t dotRegisters = 0, loadRegisters = 0;
  /// Loops around the deepest dot.
  int64_t loops = 0;
  bool reduces = false;
};
} // namespace

/// 32-bit registers of a tensor.
static int64_t getRegisters(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getNumElements() *
                      tile::getByteWidth(tensor.getElementType()) / 4
                : 0;
}

static void addLoad(Demand &demand, tile::LoadOp load) {
  auto type = dyn_cast<RankedTensorType>(load.getType());
  if (!type)
    return;
  auto access = load->getAttrOfType<AccessAttr>(TileGPUDialect::kAccess);
  int64_t width = access ? access.getWidth() : 1;
  demand.loadRegisters += getRegisters(type) + type.getNumElements() / width *
                                                   kRegistersPerAccess;
}

static Demand getDemand(tile::FuncOp function) {
  Demand demand;
  function.walk([&](Operation *op) {
    demand.reduces |= isa<tile::ReduceOp>(op);
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      demand.loops = std::max(demand.loops, countLoops(dot));
      demand.dotRegisters += getRegisters(dot.getType()) +
                             getRegisters(dot.getA().getType()) +
                             getRegisters(dot.getB().getType());
    } else if (isa<tile::TransOp>(op)) {
      demand.loadRegisters += getRegisters(op->getResult(0).getType());
    } else if (auto load = dyn_cast<tile::LoadOp>(op)) {
      addLoad(demand, load);
    }
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        demand.elements = std::max(demand.elements, tensor.getNumElements());
  });
  return demand;
}

/// The fewest warps whose threads have room for dots and loads: the more
/// accumulators a thread has, the more often an operand read from shared memory
/// is used.
static int32_t chooseWarpsWithDot(const Demand &demand) {
  int64_t registers = demand.dotRegisters + demand.loadRegisters;
  int64_t outer = std::max<int64_t>(demand.loops - 1, 0) * kRegistersPerLoop;
  int32_t warps = 1;
  while (warps < 16 &&
         registers / (warps * kWarpSize) + outer > kRegistersWithDot)
    warps *= 2;
  return warps;
}

static int32_t chooseWarps(const Demand &demand) {
  if (demand.dotRegisters != 0)
    return chooseWarpsWithDot(demand);
  int64_t perThread =
      demand.reduces ? kElementsWithReduction : kElementsElementwise;
  int64_t warps = demand.elements / (perThread * kWarpSize);
  // Above 16 warps a second CTA no longer fits beside the first one; more are
  // worth it only where a thread would have too few registers.
  bool crowded = demand.elements > kMostElements * 16 * kWarpSize;
  return std::clamp<int64_t>(warps, 1, crowded ? 32 : 16);
}

namespace {
/// A number of warps, and where it comes from.
struct WarpChoice {
  int32_t warps;
  const char *source;
};
} // namespace

/// The option if it is given, else the author's number, else a choice.
static WarpChoice choose(tile::FuncOp function, int32_t option,
                         const Demand &demand) {
  if (option != 0)
    return {option, "the num-warps option"};
  if (auto authors =
          function->getAttrOfType<IntegerAttr>(tile::TileDialect::kNumWarps))
    return {int32_t(authors.getInt()), "tile.num_warps"};
  const char *source =
      demand.dotRegisters != 0 ? "the registers of dots and loads"
      : demand.reduces         ? "the largest tensor, with a reduction"
                               : "the largest tensor, without a reduction";
  return {chooseWarps(demand), source};
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
    Demand demand = getDemand(function);
    WarpChoice choice = choose(function, numWarps, demand);
    function->setAttr(
        TileGPUDialect::kNumWarps,
        IntegerAttr::get(IntegerType::get(&getContext(), 32), choice.warps));
    remark::passed(function.getLoc(), remark::RemarkOpts::name("num-warps")
                                          .category("tile-gpu-choose-warps")
                                          .function(function.getName()))
        << remark::metric("Warps", choice.warps)
        << remark::metric("Elements", demand.elements)
        << remark::reason("from {0}", choice.source);
  }
};
} // namespace
