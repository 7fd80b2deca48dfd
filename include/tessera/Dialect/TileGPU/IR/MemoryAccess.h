//===- MemoryAccess.h - what memory an access reaches -----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILEGPU_IR_MEMORYACCESS_H
#define TESSERA_DIALECT_TILEGPU_IR_MEMORYACCESS_H

#include "tessera/Dialect/Tile/IR/Tile.h"

namespace tessera::tile_gpu {

/// The argument of a function that a pointer, a tensor of pointers or a
/// descriptor is made from; null where that may be several or something else.
/// What a loop carries is made from its initial value and from its update.
mlir::BlockArgument findPointerArgument(mlir::Value pointer);

/// How an atomic orders other accesses; relaxed for all other operations.
tile::MemorySemantic getMemorySemantic(mlir::Operation *op);

} // namespace tessera::tile_gpu

#endif // TESSERA_DIALECT_TILEGPU_IR_MEMORYACCESS_H
