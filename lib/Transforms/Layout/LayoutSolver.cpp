//===- LayoutSolver.cpp - a solver of layout problems -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Greedy and deterministic: (1) each class with anchors takes the layout with
// the largest sum of weights; (2) relations carry layouts on to classes without
// anchors, until nothing changes; (3) the largest class still without one
// takes a coalesced default, and (2) again.
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Layout/LayoutInference.h"
#include "tessera/Transforms/Layout/LayoutProblem.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

/// The anchor layouts with the largest weights.
static void assignAnchors(const LayoutProblem &problem,
                          LayoutSolution &solution) {
  std::vector<llvm::MapVector<LayoutAttr, int64_t>> votes(
      problem.getNumClasses());
  for (const LayoutProblem::Anchor &anchor : problem.getAnchors())
    votes[anchor.id][anchor.layout] += anchor.weight;
  for (auto [id, candidates] : llvm::enumerate(votes)) {
    int64_t best = 0;
    for (auto &[layout, weight] : candidates)
      if (weight > best) {
        best = weight;
        solution.layouts[id] = layout;
      }
  }
}

/// Lets relations fill classes without a layout; true when one was filled.
static bool propagate(const LayoutProblem &problem, LayoutSolution &solution) {
  bool changed = false;
  auto fill = [&](LayoutProblem::ClassId id, LayoutAttr layout) {
    if (!layout || solution.layouts[id])
      return;
    solution.layouts[id] = layout;
    changed = true;
  };
  for (const LayoutProblem::Relation &relation : problem.getRelations()) {
    if (!relation.operand || !relation.result)
      continue;
    LayoutAttr operand = solution.layouts[*relation.operand];
    LayoutAttr result = solution.layouts[*relation.result];
    if (result && !operand)
      fill(*relation.operand, inferOperandLayout(relation.op, result));
    else if (operand && !result)
      fill(*relation.result, inferResultLayout(relation.op, operand));
  }
  return changed;
}

LayoutSolution tessera::solveLayouts(const LayoutProblem &problem) {
  LayoutSolution solution;
  solution.layouts.resize(problem.getNumClasses());
  assignAnchors(problem, solution);
  while (true) {
    while (propagate(problem, solution))
      ;
    std::optional<LayoutProblem::ClassId> largest;
    for (unsigned id = 0; id < problem.getNumClasses(); ++id)
      if (!solution.layouts[id] &&
          (!largest || problem.getType(id).getNumElements() >
                           problem.getType(*largest).getNumElements()))
        largest = id;
    if (!largest)
      return solution;
    RankedTensorType type = problem.getType(*largest);
    LayoutAttr layout = getCoalescedLayout(type, type.getRank() - 1, 1,
                                           problem.getNumWarps());
    if (!layout) // Refused by verify().
      return solution;
    solution.layouts[*largest] = layout;
  }
}
