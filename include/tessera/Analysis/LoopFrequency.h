//===- LoopFrequency.h - how often an operation runs ------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_LOOPFREQUENCY_H
#define TESSERA_ANALYSIS_LOOPFREQUENCY_H

#include "mlir/IR/Operation.h"

namespace tessera {

/// Loops around `op`.
int64_t countLoops(mlir::Operation *op);

/// Runs of `op` in one program, for weights: each loop counts as ten iterations,
/// three loops and more as a thousand.
int64_t getLoopFrequency(mlir::Operation *op);

} // namespace tessera

#endif // TESSERA_ANALYSIS_LOOPFREQUENCY_H
