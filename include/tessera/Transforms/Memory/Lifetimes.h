//===- Lifetimes.h - when buffers are alive ---------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The buffers of a function as an IntervalProblem whose times are the pre-order
// numbers of operations:
//
//     1  %a = alloc       a: [1, 8), made outside the loop and used in it, so
//     2  for {               alive through all iterations
//     3    %b = alloc     b: [3, 6), made in the loop: its contents do not
//     4    store %b          outlive the iteration
//     5    load %b
//     6    store %a
//     7    yield }
//
// Allocation solves it. Who plans rings of slots in place of buffers, as
// tile-gpu-async-copies makes them, asks before whether they would fit.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TRANSFORMS_MEMORY_LIFETIMES_H
#define TESSERA_TRANSFORMS_MEMORY_LIFETIMES_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Schedule/IntervalPlacement.h"

namespace tessera {

/// What a loop's copies are to take: rings of `slots` in place of these of its
/// buffers, alive all through it, and mbarriers; no slots, no buffers.
struct PlannedRings {
  mlir::Operation *loop;
  llvm::SmallVector<tile_gpu::AllocOp> buffers;
  int64_t slots, numBarriers;
};

/// The buffers and mbarriers of a function, in program order after planned
/// mbarriers, which stand for their loop, and when they are alive.
struct Lifetimes {
  llvm::SmallVector<mlir::Operation *> allocs;
  IntervalProblem problem;
};

/// Right for functions that allocation accepts, an estimate for others.
Lifetimes computeLifetimes(tile::FuncOp function,
                           llvm::ArrayRef<PlannedRings> planned = {});

} // namespace tessera

#endif // TESSERA_TRANSFORMS_MEMORY_LIFETIMES_H
