//===- FactSearch.cpp - which argument facts would pay --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactSearch.h"

#include "tessera/Analysis/LoopFrequency.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;

AccessWidths AccessWidths::compute(tile::FuncOp kernel,
                                   const FactOverrides &facts) {
  AffineAccess analysis(kernel, facts);
  AccessWidths widths;
  for (Operation *op : getTensorAccesses(kernel)) {
    AccessFacts access = analysis.getAccessFacts(op);
    int64_t elements = tile::getMovedTensor(op).getNumElements();
    widths.instructions +=
        std::max<int64_t>(elements / access.width, 1) * getLoopFrequency(op);
    widths.accesses.push_back(access);
  }
  return widths;
}

const AccessFacts *AccessWidths::firstNarrow() const {
  const AccessFacts *it =
      llvm::find_if(accesses, [](const AccessFacts &access) {
        return access.width < access.maxWidth;
      });
  return it == accesses.end() ? nullptr : it;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Every pointer and every integer with the divisibility that could matter,
/// unless the kernel states as much.
static FactOverrides getDivisibilities(tile::FuncOp kernel,
                                       const AccessWidths &widths) {
  int64_t elements = 1;
  for (const AccessFacts &access : widths.accesses)
    elements = std::max(elements, access.maxWidth);
  FactOverrides facts;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    ArgumentFacts stated = getArgumentFacts(kernel, index);
    int64_t wanted = 1;
    if (isa<tile::PointerType>(type))
      wanted = kMaxAccessBytes;
    else if (type.isInteger() && !type.isInteger(1) && !stated.equals)
      wanted = elements;
    if (stated.divisibleBy < wanted)
      facts[index].divisibleBy = wanted;
  }
  return facts;
}

std::optional<unsigned> tessera::getStrideArgument(tile::FuncOp kernel,
                                                   const ScalarSum &stride) {
  Value value = stride.getSingleValue();
  if (!value)
    return std::nullopt;
  if (auto extension = value.getDefiningOp<arith::ExtSIOp>())
    value = extension.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &kernel.getBody().front())
    return std::nullopt;
  return argument.getArgNumber();
}

/// Arguments that are strides of an access, those of last dimensions first,
/// each once.
static SmallVector<unsigned> getStrides(tile::FuncOp kernel,
                                        const std::set<unsigned> &excluded) {
  AffineAccess analysis(kernel);
  SmallVector<SmallVector<ScalarSum, 2>> accesses;
  size_t rank = 0;
  for (Operation *op : getTensorAccesses(kernel))
    if (auto access = analysis.getStrides(op)) {
      rank = std::max(rank, access->size());
      accesses.push_back(std::move(*access));
    }
  SmallVector<unsigned> strides;
  for (size_t fromLast = 0; fromLast < rank; ++fromLast)
    for (ArrayRef<ScalarSum> access : accesses) {
      if (fromLast >= access.size())
        continue;
      std::optional<unsigned> argument =
          getStrideArgument(kernel, access[access.size() - 1 - fromLast]);
      if (!argument || excluded.count(*argument) ||
          llvm::is_contained(strides, *argument))
        continue;
      // A stride that is stated to be a multiple of 2 is not 1.
      if (getArgumentFacts(kernel, *argument).divisibleBy == 1)
        strides.push_back(*argument);
    }
  return strides;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

/// What facts may cost less than: a store of few results does not decide
/// whether the fast variant runs.
static int64_t getTolerance(int64_t instructions) { return instructions / 16; }

/// Takes each fact away that is not missed, as long as at most `limit` access
/// instructions are made: first the strictest kind (an
/// integer equals 1), then divisible integers, then aligned pointers; arguments
/// in their order.
static void dropUseless(tile::FuncOp kernel, FactOverrides &facts,
                        int64_t limit) {
  auto getKind = [&](unsigned argument) {
    if (facts[argument].equals)
      return 0;
    return isa<tile::PointerType>(kernel.getArgumentTypes()[argument]) ? 2 : 1;
  };
  SmallVector<unsigned> order = llvm::to_vector(llvm::make_first_range(facts));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(getKind(a), a) < std::pair(getKind(b), b);
  });
  for (unsigned argument : order) {
    FactOverrides without = facts;
    without.erase(argument);
    if (AccessWidths::compute(kernel, without).instructions <= limit)
      facts = without;
  }
}

/// Halves divisibilities of integers as long as that costs nothing: launches
/// meet weaker facts more often.
static void weaken(tile::FuncOp kernel, FactOverrides &facts, int64_t limit) {
  SmallVector<unsigned> order = llvm::to_vector(llvm::make_first_range(facts));
  for (unsigned argument : order) {
    if (isa<tile::PointerType>(kernel.getArgumentTypes()[argument]))
      continue;
    while (facts[argument].divisibleBy > 2) {
      FactOverrides weaker = facts;
      weaker[argument].divisibleBy /= 2;
      if (AccessWidths::compute(kernel, weaker).instructions > limit)
        break;
      facts = weaker;
    }
  }
}

FactChoice tessera::searchFacts(tile::FuncOp kernel,
                                const std::set<unsigned> &excluded) {
  FactChoice choice;
  choice.before = choice.after = AccessWidths::compute(kernel, {});
  if (!choice.before.firstNarrow())
    return choice;
  FactOverrides facts = getDivisibilities(kernel, choice.before);
  choice.after = AccessWidths::compute(kernel, facts);
  for (unsigned stride : getStrides(kernel, excluded)) {
    FactOverrides trial = facts;
    trial[stride] = {/*divisibleBy=*/1, /*equals=*/1};
    AccessWidths widths = AccessWidths::compute(kernel, trial);
    if (widths.instructions >= choice.after.instructions)
      continue;
    facts = trial;
    choice.after = widths;
  }
  int64_t best = choice.after.instructions;
  choice.limit = best + getTolerance(best);
  if (choice.before.instructions <= choice.limit)
    return choice;
  dropUseless(kernel, facts, choice.limit);
  weaken(kernel, facts, AccessWidths::compute(kernel, facts).instructions);
  choice.facts = facts;
  choice.after = AccessWidths::compute(kernel, facts);
  return choice;
}
