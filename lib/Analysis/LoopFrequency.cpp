//===- LoopFrequency.cpp - how often an operation runs --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Analysis/LoopFrequency.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

int64_t tessera::countLoops(Operation *op) {
  int64_t loops = 0;
  for (op = op->getParentOp(); op; op = op->getParentOp())
    loops += isa<LoopLikeOpInterface>(op);
  return loops;
}

int64_t tessera::getLoopFrequency(Operation *op) {
  constexpr int64_t kFrequencies[] = {1, 10, 100, 1000};
  return kFrequencies[std::min<int64_t>(countLoops(op), 3)];
}
