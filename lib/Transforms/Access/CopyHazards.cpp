//===- CopyHazards.cpp - accesses that copies do not wait for -------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyHazards.h"

#include "tessera/Dialect/TileGPU/IR/MemoryAccess.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tessera;

/// Whether loads of an iteration do not depend on what earlier ones store.
static bool isIndependent(Operation *loop) {
  auto kind =
      loop->getAttrOfType<tile::TileLoopAttr>(tile::TileDialect::kTileLoop);
  return kind && kind.getValue() == tile::TileLoop::Independent;
}

/// Whether the second operation may run after the first has, in an order that
/// the program relies on.
static bool mayFollow(Operation *first, Operation *second) {
  for (auto loop = first->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (loop->isAncestor(second) && !isIndependent(loop))
      return true;
  for (Operation *op = first; !isa<tile::FuncOp>(op); op = op->getParentOp())
    if (Operation *other = op->getBlock()->findAncestorOpInBlock(*second))
      return op != other && op->isBeforeInBlock(other);
  return false;
}

/// Whether an atomic lets programs see what others wrote.
static bool synchronises(Operation *op) {
  return tile_gpu::getMemorySemantic(op) != tile::MemorySemantic::Relaxed;
}

/// Whether nothing that is written, or nothing else, is behind the argument.
static bool isApart(BlockArgument argument) {
  auto kernel = cast<tile::FuncOp>(argument.getOwner()->getParentOp());
  return kernel.getArgAttr(argument.getArgNumber(),
                           tile::TileDialect::kNoAlias) ||
         kernel.getArgAttr(argument.getArgNumber(),
                           tile::TileDialect::kReadOnly);
}

/// Whether both arguments may be one array, which one access writes; null stands
/// for any pointer.
static bool mayBeSameArray(BlockArgument base, BlockArgument other) {
  return !other || other == base || !(isApart(base) || isApart(other));
}

/// Whether the copy would have to know of the access, or that of the copy.
static bool isHazard(Operation *copy, Operation *op, BlockArgument base) {
  bool isLoad = isa<tile::DescLoadOp>(copy);
  bool writes = isa<tile::StoreOp, tile::DescStoreOp>(op);
  bool reads = isa<tile::LoadOp, tile::DescLoadOp>(op);
  bool isAtomic = isa<tile::AtomicRMWOp, tile::AtomicCASOp>(op);
  if (op == copy || (isLoad && reads) || !(writes || reads || isAtomic))
    return false;
  BlockArgument other = tile_gpu::findPointerArgument(op->getOperand(0));
  if (!synchronises(op) && !mayBeSameArray(base, other))
    return false;
  bool isBefore = (isLoad || writes) && mayFollow(op, copy);
  bool isAfter = !isLoad && mayFollow(copy, op);
  return isBefore || isAfter;
}

std::string tessera::checkHazards(tile::MakeDescOp desc, tile::FuncOp kernel) {
  BlockArgument base = tile_gpu::findPointerArgument(desc.getBase());
  Operation *hazard = nullptr;
  for (Operation *copy : desc->getUsers())
    if (isa<tile::DescLoadOp, tile::DescStoreOp>(copy))
      kernel.walk([&](Operation *op) {
        if (isHazard(copy, op, base))
          hazard = op;
      });
  if (!hazard)
    return "";
  StringRef name = hazard->getName().getStringRef();
  BlockArgument other = tile_gpu::findPointerArgument(hazard->getOperand(0));
  if (!other || other == base || synchronises(hazard))
    return ("it is also accessed by '" + name +
            "', which copies do not wait for")
        .str();
  return ("'" + name +
          "' may access it through another argument, which copies do not wait "
          "for; 'tile.noalias' would tell")
      .str();
}
