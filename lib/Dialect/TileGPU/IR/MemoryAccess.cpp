//===- MemoryAccess.cpp - what memory an access reaches -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/TileGPU/IR/MemoryAccess.h"

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;

BlockArgument tile_gpu::findPointerRoot(Value pointer) {
  while (Operation *op = pointer.getDefiningOp()) {
    if (!isa<tile::MakeDescOp, tile::AddPtrOp, tile::SplatOp, tile::BroadcastOp,
             tile::ExpandDimsOp, tile::ReshapeOp, tile::TransOp,
             ConvertLayoutOp>(op))
      return nullptr;
    pointer = op->getOperand(0);
  }
  return cast<BlockArgument>(pointer);
}

tile::MemorySemantic tile_gpu::getMemorySemantic(Operation *op) {
  return llvm::TypeSwitch<Operation *, tile::MemorySemantic>(op)
      .Case<tile::AtomicRMWOp, tile::AtomicCASOp>(
          [](auto atomic) { return atomic.getSemantic(); })
      .Default([](Operation *) { return tile::MemorySemantic::Relaxed; });
}
