//===- ProductRegisters.cpp - room for accumulators -----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ProductRegisters.h.
//
//===----------------------------------------------------------------------===//

#include "ProductRegisters.h"

#include "tessera/Schedule/Occupancy.h"
#include "tessera/Transforms/Layout/DotLayouts.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/FormatVariadic.h"

#include <tuple>

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

/// Registers that a number of warps or a tile has to leave beside accumulators
/// to be proposed: indices, descriptors and what ptxas keeps.
static constexpr int64_t kRegistersBeside = 26;
/// The shortest rows of operands that selection gives to wgmma.
static constexpr int64_t kFewestColumns = 16;

//===----------------------------------------------------------------------===//
// One instruction
//===----------------------------------------------------------------------===//

static bool isWgmma(tile::DotOp dot) {
  return getInstruction(dot).getKind() == DotKind::Wgmma;
}

static bool usesTensorCores(tile::DotOp dot) {
  return isWgmma(dot) || getInstruction(dot).getKind() == DotKind::MmaSync;
}

static int32_t getLimit(const TargetInfo &target, const ThreadBudget &budget) {
  int32_t resident = getRegisterLimit(target, budget.warps, budget.minCTAs);
  return budget.maxRegisters ? std::min(budget.maxRegisters, resident)
                             : resident;
}

/// Registers that the product's instruction takes at once; 0 where none is
/// known to: tiles that the warps cannot share are left to layout assignment,
/// which refuses them.
static int32_t countInstruction(tile::DotOp dot, int32_t warps) {
  if (isWgmma(dot)) {
    std::optional<WgmmaTiling> tiling = getWgmmaTiling(dot, warps);
    return tiling ? countWgmmaRegisters(tiling->n) : 0;
  }
  InstructionAttr instruction = getInstruction(dot);
  if (instruction.getKind() != DotKind::MmaSync)
    return 0;
  auto getBits = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getElementTypeBitWidth();
  };
  return countMmaRegisters(
      {instruction.getM(), instruction.getN(), instruction.getK()},
      getBits(dot.getA()), getBits(dot.getAcc()));
}

/// The first product whose instruction does not fit; null for none.
static tile::DotOp findInstruction(tile::FuncOp function,
                                   const TargetInfo &target,
                                   const ThreadBudget &budget) {
  int32_t limit = getLimit(target, budget);
  tile::DotOp found;
  function.walk([&](tile::DotOp dot) {
    if (!found && countInstruction(dot, budget.warps) > limit)
      found = dot;
  });
  return found;
}

//===----------------------------------------------------------------------===//
// All accumulators
//===----------------------------------------------------------------------===//

/// Registers of a thread for its part of a tensor; more where threads hold
/// copies.
static int64_t countShare(int64_t elements, Type element, int32_t warps) {
  int64_t registers = elements * tile::getByteWidth(element) / 4;
  return llvm::divideCeil(registers, int64_t(warps) * kWarpSize);
}

static int64_t countShare(Value value, int32_t warps) {
  auto type = cast<RankedTensorType>(value.getType());
  return countShare(type.getNumElements(), type.getElementType(), warps);
}

/// Whether a value carried by a loop becomes a product's accumulators, itself
/// or after elementwise operations.
static bool isAccumulated(Value carried) {
  SmallVector<Value> work = {carried};
  llvm::SmallDenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (Operation *user : value.getUsers()) {
      auto dot = dyn_cast<tile::DotOp>(user);
      if (dot && usesTensorCores(dot) && dot.getAcc() == value)
        return true;
      if (OpTrait::hasElementwiseMappableTraits(user) &&
          user->getResult(0).getType() == carried.getType())
        work.push_back(user->getResult(0));
    }
  }
  return false;
}

/// Whether a product's accumulators are alive together: all are waited for
/// together, or a loop carries them. Of other products by mma.sync some are
/// stored before others begin, where registers are few: 128x64x16 over 2 warps
/// take 48 registers on sm_80, without spills, not 128.
static bool areAliveTogether(tile::DotOp dot) {
  auto carried = dyn_cast<BlockArgument>(dot.getAcc());
  return isWgmma(dot) ||
         (carried && usesTensorCores(dot) &&
          isa<LoopLikeOpInterface>(carried.getOwner()->getParentOp()));
}

namespace {
/// Accumulators that are alive together: of one product, or those that a loop
/// carries.
struct Accumulators {
  Operation *op = nullptr;
  int64_t registers = 0;
};
} // namespace

/// The most accumulators of a thread that are certainly alive together.
static Accumulators findMost(tile::FuncOp function, int32_t warps) {
  Accumulators most;
  function.walk([&](Operation *op) {
    int64_t registers = 0;
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      if (areAliveTogether(dot))
        registers = countShare(dot.getResult(), warps);
    } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      for (BlockArgument carried : loop.getRegionIterArgs())
        if (isa<RankedTensorType>(carried.getType()) && isAccumulated(carried))
          registers += countShare(carried, warps);
    }
    if (registers > most.registers)
      most = {op, registers};
  });
  return most;
}

//===----------------------------------------------------------------------===//
// What fits instead
//===----------------------------------------------------------------------===//

/// Registers of a thread for the function's accumulators, and some to work
/// with.
static int64_t countNeed(tile::FuncOp function, int32_t warps) {
  int64_t accumulators = findMost(function, warps).registers;
  int64_t instruction = 0;
  function.walk([&](tile::DotOp dot) {
    if (usesTensorCores(dot))
      accumulators = std::max(accumulators, countShare(dot.getResult(), warps));
    instruction =
        std::max<int64_t>(instruction, countInstruction(dot, warps));
  });
  return std::max(accumulators + kRegistersBeside, instruction);
}

/// Whether the function has room for its accumulators, and some to work with.
static bool fits(tile::FuncOp function, const TargetInfo &target,
                 const ThreadBudget &budget) {
  WalkResult tilings = function.walk([&](tile::DotOp dot) {
    return isWgmma(dot) && !getWgmmaTiling(dot, budget.warps)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !tilings.wasInterrupted() &&
         countNeed(function, budget.warps) <= getLimit(target, budget);
}

/// The number of warps nearest to the budget's that fits; 0 for none.
static int32_t findWarps(tile::FuncOp function, const TargetInfo &target,
                         ThreadBudget budget, bool more) {
  while (more ? budget.warps < tile::kMaxWarps : budget.warps > 1) {
    budget.warps = more ? budget.warps * 2 : budget.warps / 2;
    if (fits(function, target, budget))
      return budget.warps;
  }
  return 0;
}

/// The largest tile of which the product's is a multiple that has room; its
/// longer side is halved first. Nothing where there is none.
static std::string findTile(tile::DotOp dot, const TargetInfo &target,
                            const ThreadBudget &budget) {
  DotShape shape = getDotShape(dot);
  int64_t limit = getLimit(target, budget);
  Type element = cast<RankedTensorType>(dot.getType()).getElementType();
  while (true) {
    int64_t &longer = shape.n >= shape.m ? shape.n : shape.m;
    longer /= 2;
    if (shape.n < kFewestColumns || shape.m < kFewestColumns)
      return "";
    if (countShare(shape.batch * shape.m * shape.n, element, budget.warps) +
            kRegistersBeside >
        limit)
      continue;
    std::optional<WgmmaTiling> tiling;
    if (isWgmma(dot))
      tiling = chooseWgmmaTiling(shape.m, shape.n, budget.warps);
    if (!isWgmma(dot) || (tiling && countWgmmaRegisters(tiling->n) <= limit))
      return llvm::formatv("a tile of {0}x{1}", shape.m, shape.n);
  }
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

/// What sets the limit of a thread, and what lifts it, if anything.
static std::pair<std::string, std::string>
explainLimit(tile::FuncOp function, const TargetInfo &target,
             const ThreadBudget &budget) {
  int32_t resident = getRegisterLimit(target, budget.warps, budget.minCTAs);
  if (budget.maxRegisters && budget.maxRegisters <= resident) {
    int64_t need = countNeed(function, budget.warps);
    return {"the limit (--maxnreg) is",
            need <= resident
                ? llvm::formatv("--maxnreg={0} or more", need).str()
                : ""};
  }
  if (budget.minCTAs > 1) {
    ThreadBudget fewer = budget;
    while (--fewer.minCTAs > 0 && !fits(function, target, fewer))
      ;
    return {llvm::formatv("{0} programs of {1} warps on a multiprocessor "
                          "(--min-ctas) leave",
                          budget.minCTAs, budget.warps),
            fewer.minCTAs > 1
                ? llvm::formatv("--min-ctas={0} or less", fewer.minCTAs).str()
            : fewer.minCTAs ? "--min-ctas=1"
                            : ""};
  }
  int32_t warps = findWarps(function, target, budget, /*more=*/false);
  return {llvm::formatv("{0} warps leave", budget.warps),
          warps ? llvm::formatv("{0} warps", warps).str() : ""};
}

static void explain(InFlightDiagnostic &error, ArrayRef<std::string> helps) {
  const char *before = "; what may help: ";
  for (const std::string &help : helps)
    if (!help.empty()) {
      error << before << help;
      before = ", or ";
    }
}

/// Of how many columns the product may be within the limit; nothing where that
/// is not enough for all that its threads accumulate.
static std::string findColumns(tile::DotOp dot, const WgmmaTiling &tiling,
                               int32_t limit, int32_t warps) {
  int32_t columns = tiling.n;
  while (columns > 8 && countWgmmaRegisters(columns) > limit)
    columns /= 2;
  int64_t accumulators =
      countShare(dot.getResult(), warps) * columns / tiling.n;
  if (columns < kFewestColumns || accumulators + kRegistersBeside > limit)
    return "";
  return llvm::formatv("a tile of at most {0} columns",
                       columns * tiling.groupsN);
}

static LogicalResult refuseInstruction(tile::DotOp dot,
                                       const TargetInfo &target,
                                       const ThreadBudget &budget) {
  int32_t limit = getLimit(target, budget);
  int32_t registers = countInstruction(dot, budget.warps);
  auto [source, help] =
      explainLimit(dot->getParentOfType<tile::FuncOp>(), target, budget);
  InFlightDiagnostic error = dot.emitError();
  std::string tile;
  if (isWgmma(dot)) {
    WgmmaTiling tiling = *getWgmmaTiling(dot, budget.warps);
    tile = findColumns(dot, tiling, limit, budget.warps);
    error << "wgmma of " << tiling.n << " columns takes " << registers
          << " registers of a thread at once, " << tiling.n / 2
          << " of them accumulators";
  } else {
    InstructionAttr instruction = getInstruction(dot);
    error << "mma.sync of " << instruction.getM() << "x" << instruction.getN()
          << "x" << instruction.getK() << " takes " << registers
          << " registers of a thread at once";
  }
  error << ", but " << source << " " << limit;
  explain(error, {help, tile});
  return error;
}

static LogicalResult refuseAccumulators(const Accumulators &most,
                                        const TargetInfo &target,
                                        const ThreadBudget &budget) {
  auto function = most.op->getParentOfType<tile::FuncOp>();
  auto dot = dyn_cast<tile::DotOp>(most.op);
  int32_t warps = findWarps(function, target, budget, /*more=*/true);
  // Where options are not to blame, none helps.
  int32_t limit = getRegisterLimit(target, budget.warps, /*CTAs=*/1);
  std::string source = llvm::formatv("{0} warps leave", budget.warps), help;
  if (most.registers <= limit) {
    limit = getLimit(target, budget);
    std::tie(source, help) = explainLimit(function, target, budget);
  }
  InFlightDiagnostic error = most.op->emitError()
                             << "the accumulators of "
                             << (dot ? "this product"
                                     : "the products that this loop carries")
                             << " take " << most.registers
                             << " registers of a thread, but " << source << " "
                             << limit;
  std::string more, tile = "smaller tiles";
  if (warps)
    more = llvm::formatv("{0} warps", warps);
  if (dot)
    tile = findTile(dot, target, budget);
  explain(error, {help, more, tile});
  return error;
}

LogicalResult tessera::checkProductRegisters(tile::FuncOp function,
                                             const TargetInfo &target,
                                             const ThreadBudget &budget) {
  Accumulators most = findMost(function, budget.warps);
  // More than there are has a reason that no option lifts.
  if (most.registers > getRegisterLimit(target, budget.warps, /*CTAs=*/1))
    return refuseAccumulators(most, target, budget);
  // ptxas refuses these; the others it would spill, in every iteration.
  if (tile::DotOp dot = findInstruction(function, target, budget))
    return refuseInstruction(dot, target, budget);
  if (most.registers > getLimit(target, budget))
    return refuseAccumulators(most, target, budget);
  return success();
}
