//===- SharedMutations.cpp - faults of shared memory ----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::mutation;
using namespace tessera::tile_gpu;

template <unsigned number>
static bool dropBarrier(ModuleOp module) {
  return erase(find<BarrierOp>(module, number));
}

/// The barrier comes behind the read that it is for.
static bool moveBarrier(ModuleOp module) {
  auto load = find<LocalLoadOp>(module);
  BarrierOp last;
  for (Operation *op = load; op && !last; op = op->getPrevNode())
    last = dyn_cast<BarrierOp>(op);
  if (last)
    last->moveAfter(load);
  return bool(last);
}

static bool dropLocalStore(ModuleOp module) {
  return erase(find<LocalStoreOp>(module));
}

/// Two buffers that live at one time begin at one byte, or overlap in part.
template <unsigned distance>
static bool shareOffset(ModuleOp module) {
  auto first = find<AllocOp>(module, 0), second = find<AllocOp>(module, 1);
  if (!first || !second || !first.getOffset() ||
      first->getBlock() != second->getBlock())
    return false;
  second.setOffset(*first.getOffset() + distance);
  return true;
}

/// A read by another layout than the write's.
static bool readByOtherLayout(ModuleOp module) {
  auto load = find<LocalLoadOp>(module);
  auto alloc = load ? load.getBuffer().getDefiningOp<AllocOp>() : AllocOp();
  if (!alloc)
    return false;
  BufferType type = alloc.getType();
  auto rowMajor = SharedAttr::getRowMajor(module.getContext(), type.getShape());
  if (rowMajor == type.getLayout())
    return false;
  OpBuilder builder(alloc);
  auto other =
      AllocOp::create(builder, alloc.getLoc(),
                      BufferType::get(module.getContext(), type.getShape(),
                                      type.getElementType(), rowMajor),
                      alloc.getOffsetAttr());
  load.getBufferMutable().assign(other);
  return true;
}

/// The two operands of a product change their buffers.
static bool swapBuffers(ModuleOp module) {
  auto product = find<WgmmaOp>(module);
  if (!product || product.getA().getType() != product.getB().getType())
    return false;
  Value a = product.getA();
  product.getAMutable().assign(product.getB());
  product.getBMutable().assign(a);
  return true;
}

/// The buffer is read before it is written.
static bool readEarly(ModuleOp module) {
  auto load = find<LocalLoadOp>(module);
  auto store = find<LocalStoreOp>(module);
  if (!load || !store || load->getBlock() != store->getBlock())
    return false;
  load->moveBefore(store);
  return true;
}

std::vector<Mutation> mutation::getSharedMutations() {
  return {
      {"no barrier before the writes", "matmul", Level::TileGPU,
       dropBarrier<0>},
      {"no barrier before the reads", "matmul", Level::TileGPU, dropBarrier<1>},
      {"no barrier before the epilogue", "matmul", Level::TileGPU,
       dropBarrier<2>},
      {"no barrier in the epilogue", "matmul", Level::TileGPU, dropBarrier<3>},
      {"no barrier in a reduction", "column_sum", Level::TileGPU,
       dropBarrier<0>},
      {"barrier behind the read", "dot_of_dot", Level::TileGPU, moveBarrier},
      {"value not written to its buffer", "matmul", Level::TileGPU,
       dropLocalStore},
      {"buffer in place of a live one", "matmul", Level::TileGPU,
       shareOffset<0>},
      {"buffers that overlap", "matmul_transposed", Level::TileGPU,
       shareOffset<16>},
      {"read by another layout", "matmul", Level::TileGPU, readByOtherLayout},
      {"swapped buffers", "square", Level::TileGPU, swapBuffers},
      {"read before the write", "column_sum", Level::TileGPU, readEarly},
  };
}
