//===- Assertions.h - what may stop a program -------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_IR_ASSERTIONS_H
#define TESSERA_DIALECT_TILE_IR_ASSERTIONS_H

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tessera::tile {

/// Whether an assertion may stop a program in the block, before what follows it
/// there, such as a division that it is about.
inline bool mayStop(mlir::Block *block) {
  return block->walk([](AssertOp) { return mlir::WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Whether an operation of a block may run where the block would not get to it,
/// or earlier than the block does: it has no effect on memory, and cannot fail
/// where an assertion could have prevented that (`mayStop`, of the block).
inline bool canRunEarly(mlir::Operation *op, bool mayStop) {
  return mlir::isMemoryEffectFree(op) && (!mayStop || mlir::isSpeculatable(op));
}

} // namespace tessera::tile

#endif // TESSERA_DIALECT_TILE_IR_ASSERTIONS_H
