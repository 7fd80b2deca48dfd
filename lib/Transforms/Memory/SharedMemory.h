//===- SharedMemory.h - which programs memory passes handle -----*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocation and barriers need to know when each buffer is used. Both passes
// accept the same programs, and refuse the others here before they look at one.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_MEMORY_SHAREDMEMORY_H
#define TESSERA_LIB_TRANSFORMS_MEMORY_SHAREDMEMORY_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

namespace tessera {

/// Diagnoses what allocation and barriers cannot follow. After success:
///
///   - every buffer is the result of a `tile_gpu.alloc`, or a slot of one, and
///     only operations of tile_gpu use it;
///   - every region around such an operation or a barrier, up to the function,
///     has one block, and the operation that holds it is a
///     RegionBranchOpInterface.
mlir::LogicalResult checkSharedMemoryUse(tile::FuncOp function);

/// Diagnoses a product or a tensor store that reads what threads wrote without
/// a fence in between, on the way from the write in the reader's block or
/// around it: a guard against passes that lose one, not a proof.
mlir::LogicalResult checkFences(tile::FuncOp function);

/// The operation that made a buffer, itself or a slot of it; null for others.
tile_gpu::AllocOp getAlloc(mlir::Value buffer);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_MEMORY_SHAREDMEMORY_H
