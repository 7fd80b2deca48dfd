//===- ProductOrders.cpp - other orders of products' operands -------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductOrders.h"

#include "FactSearch.h"

#include "tessera/Analysis/OperandLoads.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;

/// Strides of what `operand` is loaded from that `facts` assume to be 1.
static std::set<unsigned> getUnitStrides(tile::FuncOp kernel, Value operand,
                                         const AffineAccess &analysis,
                                         const FactOverrides &facts) {
  std::set<unsigned> units;
  for (Operation *load : findOperandLoads(operand))
    if (auto strides = analysis.getStrides(load))
      for (const ScalarSum &stride : *strides) {
        std::optional<unsigned> argument = getStrideArgument(kernel, stride);
        auto fact = argument ? facts.find(*argument) : facts.end();
        if (fact != facts.end() && fact->second.equals)
          units.insert(*argument);
      }
  return units;
}

SmallVector<std::set<unsigned>>
tessera::findOtherOrders(tile::FuncOp kernel, const FactOverrides &facts) {
  SmallVector<std::set<unsigned>> orders;
  auto add = [&](const std::set<unsigned> &strides) {
    if (!strides.empty() && !llvm::is_contained(orders, strides))
      orders.push_back(strides);
  };
  SmallVector<tile::DotOp> dots;
  kernel.walk([&](tile::DotOp dot) { dots.push_back(dot); });
  if (dots.empty())
    return orders;
  AffineAccess analysis(kernel);
  std::set<unsigned> all;
  for (bool isSecond : {true, false}) {
    SmallVector<std::set<unsigned>> units;
    std::set<unsigned> side;
    for (tile::DotOp dot : dots) {
      units.push_back(getUnitStrides(
          kernel, isSecond ? dot.getB() : dot.getA(), analysis, facts));
      side.insert(units.back().begin(), units.back().end());
    }
    add(side);
    llvm::for_each(units, add);
    all.insert(side.begin(), side.end());
  }
  add(all);
  return orders;
}
