//===- Specialize.cpp - tile-specialize -----------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Little is provable about the accesses of a kernel whose pointers and sizes
// are anything. FactSearch.h finds what would help; this pass clones the kernel
// under those facts and lets the launch plan choose:
//
//     tile.plan.dispatch @k grid(%g) args(%p, %n) : !tile.ptr<f32>, i32
//
// becomes
//
//     %0 = tile.plan.aligned %p, 16 : !tile.ptr<f32>
//     %1 = tile.plan.divisible %n, 4 : i32
//     %2 = tile.plan.all %0, %1
//     tile.plan.variant %2 {
//       tile.plan.dispatch @k$fast grid(%g) args(%p, %n) : !tile.ptr<f32>, i32
//     }
//     tile.plan.variant else {
//       tile.plan.dispatch @k grid(%g) args(%p, %n) : !tile.ptr<f32>, i32
//     }
//
//===----------------------------------------------------------------------===//

#include "../Launch/KernelArguments.h"
#include "../Launch/PlanGuards.h"
#include "FactSearch.h"
#include "ProductOrders.h"

#include "tessera/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tessera {
#define GEN_PASS_DEF_TILESPECIALIZEPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace tessera;

static remark::RemarkOpts getRemarkOpts(tile::FuncOp kernel) {
  return remark::RemarkOpts::name("specialize")
      .category("tile-specialize")
      .function(kernel.getName());
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// Whether no fact is known to be broken by the arguments of `dispatch`.
static bool canTake(tile::PlanDispatchOp dispatch, const FactOverrides &facts) {
  return llvm::all_of(facts, [&](const auto &entry) {
    return evaluateFacts(dispatch.getArgs()[entry.first], entry.second)
        .value_or(true);
  });
}

static bool isSameFact(const FactOverrides::value_type &a,
                       const FactOverrides::value_type &b) {
  return a.first == b.first && a.second.equals == b.second.equals &&
         a.second.divisibleBy == b.second.divisibleBy;
}

/// Whether all facts are known to hold for the arguments of `dispatch`.
static bool mustTake(tile::PlanDispatchOp dispatch,
                     const FactOverrides &facts) {
  return llvm::all_of(facts, [&](const auto &entry) {
    return evaluateFacts(dispatch.getArgs()[entry.first], entry.second)
        .value_or(false);
  });
}

/// "sak and sbn are not 1".
static std::string describeOrder(tile::FuncOp kernel,
                                 const std::set<unsigned> &strides) {
  std::string names = llvm::join(
      llvm::map_range(strides,
                      [&](unsigned argument) {
                        return getArgumentName(kernel, argument);
                      }),
      " and ");
  return names + (strides.size() == 1 ? " is not 1" : " are not 1");
}

/// Why there is no clone under facts that this search looked for.
static std::string describeMiss(const FactChoice &choice) {
  if (choice.before.accesses.empty())
    return "the kernel has no accesses of tensors";
  if (!choice.before.firstNarrow())
    return "every access has its full width";
  if (choice.facts.empty()) {
    if (const AccessFacts *narrow = choice.after.firstNarrow())
      return "no fact about an argument widens an access: " + narrow->reason();
    return "facts about arguments would widen too few accesses to matter";
  }
  return "the launch plan passes arguments that break the facts";
}

/// Whether a dispatch may launch a clone under `facts`: none of them is known
/// to be broken there, and no earlier clone is known to be launched instead.
static bool isLaunched(ArrayRef<tile::PlanDispatchOp> dispatches,
                       ArrayRef<FactChoice> earlier,
                       const FactOverrides &facts) {
  return llvm::any_of(dispatches, [&](tile::PlanDispatchOp dispatch) {
    return canTake(dispatch, facts) &&
           llvm::none_of(earlier, [&](const FactChoice &choice) {
             return mustTake(dispatch, choice.facts);
           });
  });
}

/// Why there is no clone for arrays in another order, which the facts of
/// `other` are about; empty if there is one.
static std::string checkOrder(const FactChoice &other, const FactChoice &first,
                              ArrayRef<FactChoice> earlier,
                              ArrayRef<tile::PlanDispatchOp> dispatches) {
  if (other.facts.empty())
    return "the kernel itself is as good";
  if (other.after.instructions > first.limit)
    return llvm::formatv("{0} access instructions would be left, with the "
                         "first choice {1}",
                         other.after.instructions, first.after.instructions);
  if (llvm::any_of(earlier, [&](const FactChoice &choice) {
        return llvm::equal(choice.facts, other.facts, isSameFact);
      }))
    return "an earlier clone has the same facts";
  if (!isLaunched(dispatches, earlier, other.facts))
    return "the launch plan passes arguments that break the facts, or that "
           "allow an earlier clone";
  return "";
}

/// Facts to clone `kernel` under, best first: those for arrays as the source
/// suggests, then those for operands of products in other orders that are as
/// good.
static SmallVector<FactChoice, 0>
chooseClones(tile::FuncOp kernel, ArrayRef<tile::PlanDispatchOp> dispatches,
             int32_t maxClones) {
  SmallVector<FactChoice, 0> clones;
  FactChoice first = searchFacts(kernel, {});
  if (!first.facts.empty() && isLaunched(dispatches, clones, first.facts))
    clones.push_back(first);
  auto decline = [&](const std::string &reason) {
    remark::missed(kernel.getLoc(), getRemarkOpts(kernel))
        << remark::reason("{0}", reason);
  };
  for (const std::set<unsigned> &strides :
       findOtherOrders(kernel, first.facts)) {
    if (int64_t(clones.size()) == maxClones) {
      decline(
          llvm::formatv("operands of products in more orders have no clone: "
                        "{0} are the most (max-clones)",
                        maxClones));
      break;
    }
    FactChoice other = searchFacts(kernel, strides);
    std::string reason = checkOrder(other, first, clones, dispatches);
    if (reason.empty())
      clones.push_back(std::move(other));
    else
      decline("no clone in which " + describeOrder(kernel, strides) + ": " +
              reason);
  }
  if (clones.empty())
    decline(describeMiss(first));
  return clones;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// The facts and the widths they change, for a reader.
static void remarkClone(tile::FuncOp kernel, tile::FuncOp clone,
                        const FactChoice &choice) {
  SmallVector<std::string> facts, widened;
  for (const auto &[argument, assumed] : choice.facts)
    facts.push_back(llvm::formatv(
        "{0} is {1}", getArgumentName(kernel, argument),
        describeFacts(assumed, kernel.getArgumentTypes()[argument])));
  for (auto [op, before, after] :
       llvm::zip(getTensorAccesses(kernel), choice.before.accesses,
                 choice.after.accesses))
    if (before.width != after.width)
      widened.push_back(llvm::formatv("{0} {1} to {2}",
                                      isLoad(op) ? "load" : "store",
                                      before.width, after.width));
  remark::passed(kernel.getLoc(), getRemarkOpts(kernel))
      << remark::metric("Clone", clone.getName().str())
      << remark::metric("Facts", llvm::join(facts, ", "))
      << remark::metric("Widths", llvm::join(widened, ", "));
}

/// A clone with the facts on its arguments, behind the kernel and its earlier
/// clones: `NAME$fast`, then `NAME$fast2`, ...
static tile::FuncOp buildClone(SymbolTable &symbols, tile::FuncOp kernel,
                               ArrayRef<tile::FuncOp> earlier,
                               const FactOverrides &facts) {
  tile::FuncOp clone = kernel.clone();
  std::string name = (kernel.getName() + "$fast").str();
  if (!earlier.empty())
    name += std::to_string(earlier.size() + 1);
  clone.setName(name);
  Builder builder(kernel.getContext());
  for (const auto &[argument, assumed] : facts) {
    // Facts that the author stated stay; a stronger divisibility replaces one.
    if (assumed.equals)
      clone.setArgAttr(argument, tile::TileDialect::kEquals,
                       builder.getI32IntegerAttr(*assumed.equals));
    if (assumed.divisibleBy > 1)
      clone.setArgAttr(argument, tile::TileDialect::kDivisibleBy,
                       builder.getI32IntegerAttr(assumed.divisibleBy));
  }
  Operation *last = earlier.empty() ? kernel : earlier.back();
  symbols.insert(clone, std::next(Block::iterator(last)));
  return clone;
}

namespace {
/// A kernel that a dispatch may launch, under a guard; none: always.
struct Alternative {
  Value guard;
  tile::FuncOp kernel;
};
} // namespace

/// The guard of all facts; null when they are known to hold.
static Value buildGuard(OpBuilder &builder, tile::PlanDispatchOp dispatch,
                        const FactOverrides &facts) {
  SmallVector<Value> guards;
  for (const auto &[argument, assumed] : facts)
    if (Value guard = *buildFactGuard(builder, dispatch.getLoc(),
                                      dispatch.getArgs()[argument], assumed))
      guards.push_back(guard);
  if (guards.size() <= 1)
    return guards.empty() ? Value() : guards[0];
  return tile::PlanAllOp::create(builder, dispatch.getLoc(),
                                 builder.getI1Type(), guards);
}

/// Turns a dispatch into a choice. Guards come first: a choice is a run of
/// adjacent variants.
static void rewriteDispatch(tile::PlanDispatchOp dispatch,
                            ArrayRef<FactChoice> choices,
                            ArrayRef<tile::FuncOp> clones,
                            tile::FuncOp kernel) {
  OpBuilder builder(dispatch);
  SmallVector<Alternative> alternatives;
  for (auto [choice, clone] : llvm::zip(choices, clones)) {
    if (!canTake(dispatch, choice.facts))
      continue;
    alternatives.push_back(
        {buildGuard(builder, dispatch, choice.facts), clone});
    if (!alternatives.back().guard)
      break;
  }
  if (alternatives.empty())
    return;
  if (alternatives.back().guard)
    alternatives.push_back({Value(), kernel});
  auto launch = [&](OpBuilder &inner, tile::FuncOp target) {
    auto copy = cast<tile::PlanDispatchOp>(inner.clone(*dispatch));
    copy.setKernel(target.getName());
  };
  if (alternatives.size() == 1)
    launch(builder, alternatives[0].kernel);
  else
    for (const Alternative &alternative : alternatives)
      buildVariant(
          builder, dispatch.getLoc(), alternative.guard,
          [&](OpBuilder &inner) { launch(inner, alternative.kernel); });
  dispatch.erase();
}

static void specialize(SymbolTable &symbols, tile::FuncOp kernel,
                       ArrayRef<tile::PlanDispatchOp> dispatches,
                       int32_t maxClones) {
  SmallVector<FactChoice, 0> choices =
      chooseClones(kernel, dispatches, maxClones);
  SmallVector<tile::FuncOp> clones;
  for (const FactChoice &choice : choices) {
    clones.push_back(buildClone(symbols, kernel, clones, choice.facts));
    remarkClone(kernel, clones.back(), choice);
  }
  for (tile::PlanDispatchOp dispatch : dispatches)
    rewriteDispatch(dispatch, choices, clones, kernel);
}

namespace {
struct TileSpecialize : tessera::impl::TileSpecializePassBase<TileSpecialize> {
  using TileSpecializePassBase::TileSpecializePassBase;

  void runOnOperation() override {
    if (maxClones <= 0)
      return;
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    auto dispatches = collectDispatches(module);
    auto kernels = llvm::to_vector(module.getOps<tile::FuncOp>());
    for (tile::FuncOp kernel : kernels) {
      if (!kernel.isKernel())
        continue;
      auto it = dispatches.find(kernel.getName());
      if (it == dispatches.end())
        remark::missed(kernel.getLoc(), getRemarkOpts(kernel))
            << remark::reason("no launch plan dispatches the kernel");
      else
        specialize(symbols, kernel, it->second, maxClones);
    }
  }
};
} // namespace
