//===- Tensor.h - a value of the interpreter --------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor in row-major order, or a scalar, which is a tensor without
// dimensions. Values are immutable once they are made, and shared.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_TENSOR_H
#define TESSERA_INTERPRETER_TENSOR_H

#include "tessera/Interpreter/Element.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <vector>

namespace tessera::interpreter {

using Shape = llvm::SmallVector<int64_t, 3>;

/// Number of elements of a shape; 1 for a scalar's.
int64_t countElements(llvm::ArrayRef<int64_t> shape);
/// Coordinates of the element with a row-major index.
Shape delinearize(int64_t index, llvm::ArrayRef<int64_t> shape);
/// Distances, in elements, of neighbours along each dimension.
Shape getRowMajorStrides(llvm::ArrayRef<int64_t> shape);

class Tensor {
public:
  /// Elements are uninitialised.
  Tensor(ElementKind kind, llvm::ArrayRef<int64_t> shape);

  ElementKind getKind() const { return kind; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t size() const { return count; }
  unsigned getByteWidth() const { return interpreter::getByteWidth(kind); }

  /// The elements as T, whose size is the element's.
  template <typename T> T *data() { return reinterpret_cast<T *>(bytes()); }
  template <typename T> const T *data() const {
    return reinterpret_cast<const T *>(bytes());
  }
  uint8_t *at(int64_t index) { return bytes() + index * getByteWidth(); }
  const uint8_t *at(int64_t index) const {
    return bytes() + index * getByteWidth();
  }

  /// What an integer would be if the chain of additions, subtractions,
  /// multiplications and extensions that made it had been evaluated in 64 bits;
  /// null where that is the same number. Addresses are made of this
  /// (docs/Language.md, "Addresses").
  const int64_t *getExact() const { return exact ? exact->data() : nullptr; }
  void setExact(std::vector<int64_t> values) {
    exact = std::make_unique<std::vector<int64_t>>(std::move(values));
  }
  /// The integer at `index` in 64 bits: exact where that is known.
  int64_t getExactAt(int64_t index) const {
    return exact ? (*exact)[index] : readSigned(kind, at(index));
  }

  /// The asynchronous product that writes these accumulators; 0 for none.
  uint32_t product = 0;

private:
  // Scalars, which are most values, live inside the object.
  uint8_t *bytes() { return heap ? heap.get() : inlineBytes; }
  const uint8_t *bytes() const { return heap ? heap.get() : inlineBytes; }

  ElementKind kind;
  Shape shape;
  int64_t count;
  alignas(8) uint8_t inlineBytes[8];
  std::unique_ptr<uint8_t[]> heap;
  std::unique_ptr<std::vector<int64_t>> exact;
};

using TensorRef = std::shared_ptr<const Tensor>;

/// A scalar with these low bits.
TensorRef makeScalar(ElementKind kind, uint64_t bits);
/// A tensor whose elements all are `bits`.
std::shared_ptr<Tensor> makeFilled(ElementKind kind,
                                   llvm::ArrayRef<int64_t> shape, uint64_t bits);

} // namespace tessera::interpreter

#endif // TESSERA_INTERPRETER_TENSOR_H
