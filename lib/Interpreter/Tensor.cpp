//===- Tensor.cpp - a value of the interpreter ----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Storage and index arithmetic of tensors.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/Tensor.h"

using namespace tessera::interpreter;

int64_t tessera::interpreter::countElements(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

Shape tessera::interpreter::delinearize(int64_t index,
                                        llvm::ArrayRef<int64_t> shape) {
  Shape coordinates(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    coordinates[d] = index % shape[d];
    index /= shape[d];
  }
  return coordinates;
}

Shape tessera::interpreter::getRowMajorStrides(llvm::ArrayRef<int64_t> shape) {
  Shape strides(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= shape[d];
  }
  return strides;
}

Tensor::Tensor(ElementKind kind, llvm::ArrayRef<int64_t> shape)
    : kind(kind), shape(shape.begin(), shape.end()),
      count(countElements(shape)) {
  if (count != 1)
    heap.reset(new uint8_t[count * getByteWidth()]);
}

TensorRef tessera::interpreter::makeScalar(ElementKind kind, uint64_t bits) {
  return makeFilled(kind, {}, bits);
}

std::shared_ptr<Tensor>
tessera::interpreter::makeFilled(ElementKind kind,
                                 llvm::ArrayRef<int64_t> shape, uint64_t bits) {
  auto tensor = std::make_shared<Tensor>(kind, shape);
  for (int64_t i = 0; i < tensor->size(); ++i)
    writeInteger(kind, tensor->at(i), bits);
  return tensor;
}
