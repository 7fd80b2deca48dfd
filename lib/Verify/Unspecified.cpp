//===- Unspecified.cpp - results that a source leaves open ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Verify/Unspecified.h"

#include "tessera/Verify/Comparison.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::verify;
using namespace tessera::interpreter;

/// Whether a mask may leave elements of a load without a value.
static bool leavesOpen(Operation *op) {
  auto load = dyn_cast<tile::LoadOp>(op);
  return load && load.getMask() && !load.getOther();
}

/// The loads that `op` uses, in the order of the program, as far as values lead
/// to them without loops in between; all of the kernel where none do.
static SmallVector<Operation *> findLoads(Operation *op) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Operation *> work = {op};
  while (!work.empty())
    for (Value operand : work.pop_back_val()->getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && seen.insert(def).second)
        work.push_back(def);
  SmallVector<Operation *> used, all;
  auto kernel = op->getParentOfType<tile::FuncOp>();
  if (!kernel)
    return used;
  kernel.walk([&](Operation *load) {
    if (!leavesOpen(load))
      return;
    all.push_back(load);
    if (seen.contains(load))
      used.push_back(load);
  });
  return used.empty() ? all : used;
}

/// Flags the elements of one buffer that differ; returns the first one.
static std::optional<int64_t> flagDifferences(const InputBuffer &buffer,
                                              ArrayRef<uint8_t> one,
                                              ArrayRef<uint8_t> other,
                                              MutableArrayRef<uint8_t> flags) {
  int64_t width = getByteWidth(buffer.kind);
  std::optional<int64_t> found;
  // Elements count from the pointer.
  int64_t first = ((buffer.before % width) + width) % width;
  for (int64_t i = first; i + width <= int64_t(one.size()); i += width) {
    if (one.slice(i, width) == other.slice(i, width))
      continue;
    llvm::fill(flags.slice(i, width), 1);
    if (!found)
      found = i;
  }
  return found;
}

std::optional<UnspecifiedUse>
verify::markUnspecified(ModuleOp module, const Input &input, Outcome &outcome) {
  WalkResult walk = module.walk([](Operation *op) {
    return leavesOpen(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!walk.wasInterrupted())
    return std::nullopt;
  Outcome other =
      execute(module, input, /*observer=*/nullptr, /*zeroesUnloaded=*/true);
  if (!other.ran)
    return std::nullopt;
  std::vector<std::vector<uint8_t>> flags;
  std::optional<ElementDifference> first;
  for (auto [index, buffer] : llvm::enumerate(input.buffers)) {
    flags.emplace_back(outcome.buffers[index].size());
    std::optional<int64_t> place =
        flagDifferences(buffer, outcome.buffers[index], other.buffers[index],
                        flags.back());
    if (!place || first)
      continue;
    int64_t offset = *place - buffer.before;
    first = ElementDifference{unsigned(index),
                              offset / int64_t(getByteWidth(buffer.kind)),
                              offset, "", ""};
  }
  if (!first)
    return std::nullopt;
  outcome.unspecified = std::move(flags);
  std::optional<AccessEvent> store = findStore(module, input, *first);
  if (!store)
    return std::nullopt;
  return UnspecifiedUse{store->op, findLoads(store->op),
                        "element " + std::to_string(first->element) + " of '" +
                            input.buffers[first->buffer].name + "'"};
}

void verify::report(const UnspecifiedUse &use) {
  InFlightDiagnostic warning =
      use.store->emitWarning()
      << "what is stored depends on values that the source leaves unspecified: "
      << use.element << "; such elements are not compared";
  for (Operation *load : use.loads)
    warning.attachNote(load->getLoc())
        << "elements that the mask of this load leaves out have no value "
           "without 'other'";
}
