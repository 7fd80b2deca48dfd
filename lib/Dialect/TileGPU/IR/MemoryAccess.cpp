//===- MemoryAccess.cpp - what memory an access reaches -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/TileGPU/IR/MemoryAccess.h"

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;

/// The pointers that an operation makes its results from; empty where those may
/// be anything.
static SmallVector<Value> getSources(Value pointer) {
  auto getCarried = [](scf::ForOp loop, unsigned index) {
    return SmallVector<Value>{loop.getInitArgs()[index],
                              loop.getYieldedValues()[index]};
  };
  if (auto result = dyn_cast<OpResult>(pointer)) {
    Operation *op = result.getOwner();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return getCarried(loop, result.getResultNumber());
    if (isa<tile::MakeDescOp, tile::AddPtrOp, tile::SplatOp, tile::BroadcastOp,
            tile::ExpandDimsOp, tile::ReshapeOp, tile::TransOp,
            tile_gpu::ConvertLayoutOp>(op))
      return {op->getOperand(0)};
    return {};
  }
  auto argument = cast<BlockArgument>(pointer);
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  return loop && argument != loop.getInductionVar()
             ? getCarried(loop, argument.getArgNumber() - 1)
             : SmallVector<Value>();
}

BlockArgument tile_gpu::findPointerArgument(Value pointer) {
  llvm::SetVector<Value> pointers;
  pointers.insert(pointer);
  BlockArgument found;
  for (size_t i = 0; i < pointers.size(); ++i) {
    SmallVector<Value> sources = getSources(pointers[i]);
    pointers.insert_range(sources);
    if (!sources.empty())
      continue;
    auto argument = dyn_cast<BlockArgument>(pointers[i]);
    if (!argument || (found && found != argument) ||
        !isa<tile::FuncOp>(argument.getOwner()->getParentOp()))
      return nullptr;
    found = argument;
  }
  return found;
}

tile::MemorySemantic tile_gpu::getMemorySemantic(Operation *op) {
  return llvm::TypeSwitch<Operation *, tile::MemorySemantic>(op)
      .Case<tile::AtomicRMWOp, tile::AtomicCASOp>(
          [](auto atomic) { return atomic.getSemantic(); })
      .Default([](Operation *) { return tile::MemorySemantic::Relaxed; });
}
