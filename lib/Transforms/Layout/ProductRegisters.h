//===- ProductRegisters.h - room for accumulators ---------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lower bounds of the registers that products on tensor cores take, before any
// layout is there. What exceeds them would be compiled for minutes and spill
// what is used in every iteration, or not be compiled at all.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_LAYOUT_PRODUCTREGISTERS_H
#define TESSERA_LIB_TRANSFORMS_LAYOUT_PRODUCTREGISTERS_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

namespace tessera {

/// What sets the registers of a thread.
struct ThreadBudget {
  int32_t warps;
  /// The options --maxnreg, 0 for none, and --min-ctas.
  int32_t maxRegisters, minCTAs;
};

/// Refuses the function, at the line of the product or of the loop and with
/// what fits instead, where
///
///   - what one instruction has to have in registers together, and what ptxas
///     keeps beside it, exceed the budget (C7602, at no line);
///   - a thread's accumulators of one product, or of all products that a loop
///     carries, exceed the registers that so many warps, or the budget, leave
///     each thread. By mma.sync those outside of loops need not be alive
///     together, and are left out.
mlir::LogicalResult checkProductRegisters(tile::FuncOp function,
                                          const TargetInfo &target,
                                          const ThreadBudget &budget);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_LAYOUT_PRODUCTREGISTERS_H
