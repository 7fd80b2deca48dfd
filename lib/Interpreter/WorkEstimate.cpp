//===- WorkEstimate.cpp - how much there is to interpret ------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkEstimate.h"

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;

static int64_t countProduct(Type a, Type result) {
  auto shape = cast<ShapedType>(result).getShape();
  int64_t k = llvm::TypeSwitch<Type, ArrayRef<int64_t>>(a)
                  .Case([](tile_gpu::BufferType buffer) {
                    return buffer.getShape();
                  })
                  .Default([](Type type) {
                    return cast<ShapedType>(type).getShape();
                  })
                  .back();
  int64_t elements = k;
  for (int64_t size : shape)
    elements = llvm::SaturatingMultiply<uint64_t>(elements, size);
  return elements;
}

static int64_t countOne(Operation *op) {
  if (auto dot = dyn_cast<tile::DotOp>(op))
    return countProduct(dot.getA().getType(), dot.getType());
  if (auto dot = dyn_cast<tile_gpu::WgmmaOp>(op))
    return countProduct(dot.getA().getType(), dot.getType());
  int64_t elements = 1;
  auto take = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      elements = std::max(elements, tensor.getNumElements());
  };
  llvm::for_each(op->getOperandTypes(), take);
  llvm::for_each(op->getResultTypes(), take);
  return elements;
}

int64_t interpreter::countElements(Operation *op) {
  int64_t elements = 0;
  op->walk([&](Operation *inner) {
    if (inner != op && !inner->hasTrait<OpTrait::IsTerminator>())
      elements = llvm::SaturatingAdd<uint64_t>(elements, countOne(inner));
  });
  return elements;
}
