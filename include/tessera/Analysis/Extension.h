//===- Extension.h - integers behind their extensions -----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_EXTENSION_H
#define TESSERA_ANALYSIS_EXTENSION_H

#include "mlir/IR/Value.h"

namespace tessera {

/// Without sign extensions from 32 bits to 64: arithmetic in fewer bits wraps
/// within an array.
mlir::Value stripExtension(mlir::Value value);

/// Without any sign extension: the fewest bits in which the value is known to be.
mlir::Value stripAllExtensions(mlir::Value value);

} // namespace tessera

#endif // TESSERA_ANALYSIS_EXTENSION_H
