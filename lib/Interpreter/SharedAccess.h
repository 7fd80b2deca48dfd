//===- SharedAccess.h - buffers and their bytes -----------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What synchronous and asynchronous operations on shared memory have in common.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_INTERPRETER_SHAREDACCESS_H
#define TESSERA_LIB_INTERPRETER_SHAREDACCESS_H

#include "Machine.h"

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

namespace tessera::interpreter {

/// For each element of a buffer, in row-major order, its byte in the buffer.
using ByteOffsets = std::shared_ptr<const std::vector<int64_t>>;
ByteOffsets computeByteOffsets(tile_gpu::BufferType type);

/// Reports a fault of element `index` of a buffer of `shape`, which is operand
/// number `operand`.
void reportShared(Program &program, const Instruction &instruction,
                  int operand, const SharedOutcome &outcome, int64_t index,
                  llvm::ArrayRef<int64_t> shape);

/// Reports that nothing has waited for what `op` began.
void reportNeverWaited(Program &program, mlir::Operation *op);

} // namespace tessera::interpreter

#endif // TESSERA_LIB_INTERPRETER_SHAREDACCESS_H
