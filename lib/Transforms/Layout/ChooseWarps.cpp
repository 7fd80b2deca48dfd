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

#include "ProductRegisters.h"

#include "tessera/Analysis/LoopFrequency.h"
#include "tessera/Transforms/Layout/DotLayouts.h"
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

/// Registers of a thread that the values around dots leave for indices, loop
/// counters and what the assembler needs.
static constexpr int64_t kRegistersAside = 31;
/// Bytes of the widest access.
static constexpr int64_t kWidestAccess = 16;
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
  /// Whether a dot needs warps in groups of four.
  bool needsGroups = false;
};
} // namespace

/// 32-bit registers of a tensor.
static int64_t getRegisters(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getNumElements() *
                      tile::getByteWidth(tensor.getElementType()) / 4
                : 0;
}

static void addLoad(Demand &demand, Operation *load) {
  RankedTensorType type = tile::getMovedTensor(load);
  if (!type)
    return;
  auto access = load->getAttrOfType<AccessAttr>(TileGPUDialect::kAccess);
  int64_t width = access ? access.getWidth() : 1;
  int64_t accesses = type.getNumElements() / width;
  int64_t registers = getRegisters(type);
  if (isa<tile::DescLoadOp>(load)) {
    // Each access has registers of its own for its result; but the addresses of
    // a descriptor's tile follow from one another, and take no more than those
    // of the widest accesses.
    registers = std::max(registers, accesses);
    accesses = std::min(accesses, getRegisters(type) * 4 / kWidestAccess);
  }
  demand.loadRegisters += registers + accesses * kRegistersPerAccess;
}

static Demand getDemand(tile::FuncOp function) {
  Demand demand;
  function.walk([&](Operation *op) {
    demand.reduces |= isa<tile::ReduceOp>(op);
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      demand.loops = std::max(demand.loops, countLoops(dot));
      demand.dotRegisters += getRegisters(dot.getType());
      // wgmma reads its operands from shared memory, but for an A that has been
      // computed.
      if (getInstruction(dot).getKind() == DotKind::Wgmma) {
        demand.needsGroups = true;
        if (matchComputedA(dot))
          demand.dotRegisters += getRegisters(dot.getA().getType());
      } else {
        demand.dotRegisters += getRegisters(dot.getA().getType()) +
                               getRegisters(dot.getB().getType());
      }
    } else if (isa<tile::TransOp>(op)) {
      demand.loadRegisters += getRegisters(op->getResult(0).getType());
    } else if (isa<tile::LoadOp, tile::DescLoadOp>(op)) {
      addLoad(demand, op);
    }
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        demand.elements = std::max(demand.elements, tensor.getNumElements());
  });
  return demand;
}

/// The fewest warps whose threads have room for dots and loads: the more
/// accumulators a thread has, the more often an operand read from shared memory
/// is used. Where no number has, the one with the fewest registers too many:
/// the threads of many warps have fewer registers each.
static int32_t chooseWarpsWithDot(const Demand &demand,
                                  const TargetInfo &target) {
  int64_t registers = demand.dotRegisters + demand.loadRegisters;
  int64_t outer = std::max<int64_t>(demand.loops - 1, 0) * kRegistersPerLoop;
  int32_t least = demand.needsGroups ? kWarpsPerGroup : 1;
  int32_t best = least;
  int64_t leastExcess = std::numeric_limits<int64_t>::max();
  for (int32_t warps = least; warps <= 16; warps *= 2) {
    int64_t threads = warps * kWarpSize;
    int64_t room = std::min<int64_t>(target.maxRegistersPerThread,
                                     target.registersPerSM / threads) -
                   kRegistersAside;
    int64_t excess = (registers / threads + outer - room) * threads;
    if (excess <= 0)
      return warps;
    if (excess < leastExcess) {
      leastExcess = excess;
      best = warps;
    }
  }
  return best;
}

static int32_t chooseWarps(const Demand &demand, const TargetInfo &target) {
  if (demand.dotRegisters != 0)
    return chooseWarpsWithDot(demand, target);
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

/// The option if it is given, else the number on the kernel, the author's or a
/// model's, else a choice.
static WarpChoice choose(tile::FuncOp function, int32_t option, bool isModels,
                         const Demand &demand, const TargetInfo &target) {
  if (option != 0)
    return {option, "the num-warps option"};
  if (auto authors =
          function->getAttrOfType<IntegerAttr>(tile::TileDialect::kNumWarps))
    return {int32_t(authors.getInt()),
            isModels ? "the model of --assume" : "tile.num_warps"};
  const char *source =
      demand.dotRegisters != 0 ? "the registers of dots and loads"
      : demand.reduces         ? "the largest tensor, with a reduction"
                               : "the largest tensor, without a reduction";
  return {chooseWarps(demand, target), source};
}

/// Refuses more warps than a multiprocessor has room for.
static LogicalResult checkResidency(tile::FuncOp function, int32_t warps,
                                    int32_t minCTAs, const TargetInfo &target) {
  int32_t most = std::min(target.maxWarpsPerSM / warps, target.maxCTAsPerSM);
  if (minCTAs <= most)
    return success();
  return function.emitError()
         << minCTAs << " programs of " << warps
         << " warps on a multiprocessor (--min-ctas) are too many: "
         << target.name << " has room for " << target.maxWarpsPerSM
         << " warps in at most " << target.maxCTAsPerSM
         << " programs; what may help: --min-ctas=" << most
         << (most > 1 ? " or less" : "") << ", or fewer warps";
}

namespace {
struct ChooseWarps : tessera::impl::TileGPUChooseWarpsPassBase<ChooseWarps> {
  using TileGPUChooseWarpsPassBase::TileGPUChooseWarpsPassBase;

  /// Pipelines written as text reach here unchecked.
  LogicalResult checkOptions(tile::FuncOp function) {
    if (maxRegisters < 0 || minCTAs < 1)
      return function.emitError(
          "max-registers is 0 or more, and min-ctas 1 or more");
    if (numWarps < 0 || numWarps > tile::kMaxWarps ||
        (numWarps != 0 && !llvm::isPowerOf2_32(numWarps)))
      return function.emitError()
             << "the number of warps has to be a power of two from 1 to "
             << tile::kMaxWarps << ", not " << int32_t(numWarps);
    return success();
  }

  void runOnOperation() override {
    tile::FuncOp function = getOperation();
    if (failed(checkOptions(function)))
      return signalPassFailure();
    Demand demand = getDemand(function);
    FailureOr<TargetInfo> target = getTargetInfo(function);
    if (failed(target))
      return signalPassFailure();
    // Clones are called KERNEL$...
    bool isModels =
        llvm::is_contained(modelKernels, function.getName().split('$').first);
    WarpChoice choice = choose(function, numWarps, isModels, demand, *target);
    if (failed(checkResidency(function, choice.warps, minCTAs, *target)) ||
        failed(checkProductRegisters(function, *target,
                                     {choice.warps, maxRegisters, minCTAs})))
      return signalPassFailure();
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
