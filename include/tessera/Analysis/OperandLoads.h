//===- OperandLoads.h - what operands of products are loaded by -*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_OPERANDLOADS_H
#define TESSERA_ANALYSIS_OPERANDLOADS_H

#include "tessera/Dialect/Tile/IR/Tile.h"

namespace tessera {

/// The loads whose tiles `operand` is computed of, element by element or
/// transposed. What is broadcast, or carried by control flow, is not followed:
/// it is no tile of an array that could as well lie the other way.
llvm::SmallVector<mlir::Operation *> findOperandLoads(mlir::Value operand);

} // namespace tessera

#endif // TESSERA_ANALYSIS_OPERANDLOADS_H
