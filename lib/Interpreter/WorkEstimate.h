//===- WorkEstimate.h - how much there is to interpret ----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_INTERPRETER_WORKESTIMATE_H
#define TESSERA_LIB_INTERPRETER_WORKESTIMATE_H

#include "mlir/IR/Operation.h"

namespace tessera::interpreter {

/// Elements that the operations inside `op` compute or move when each runs
/// once: of an operation those of its largest tensor, of a product m * n * k.
/// Inner loops count as one iteration. Saturates.
int64_t countElements(mlir::Operation *op);

} // namespace tessera::interpreter

#endif // TESSERA_LIB_INTERPRETER_WORKESTIMATE_H
