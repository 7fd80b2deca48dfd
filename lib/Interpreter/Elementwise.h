//===- Elementwise.h - one loop for one operation ---------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over the elements of operands. Shapes are taken from the operands, not
// from the types: combine regions of reductions run on whole slices, where
// their scalar constants meet tensors.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_INTERPRETER_ELEMENTWISE_H
#define TESSERA_LIB_INTERPRETER_ELEMENTWISE_H

#include "Machine.h"

namespace tessera::interpreter {

/// The operands of an elementwise operation: tensors of one size, or scalars.
class Operands {
public:
  Operands(const Program &program, const Instruction &instruction) {
    for (unsigned slot : instruction.operands)
      tensors.push_back(const_cast<Program &>(program).slot(slot).tensor.get());
    for (const Tensor *tensor : tensors)
      if (!largest || tensor->size() > largest->size())
        largest = tensor;
  }

  /// Number of results.
  int64_t size() const { return largest->size(); }
  llvm::ArrayRef<int64_t> getShape() const { return largest->getShape(); }
  const Tensor &operator[](size_t i) const { return *tensors[i]; }
  size_t getNumOperands() const { return tensors.size(); }
  /// 0 for a scalar among tensors, 1 otherwise.
  int64_t getStride(size_t i) const {
    return tensors[i]->size() == size() ? 1 : 0;
  }
  /// The element of operand `i` that result `index` is made of.
  const uint8_t *at(size_t i, int64_t index) const {
    return tensors[i]->at(getStride(i) * index);
  }
  int64_t getExactAt(size_t i, int64_t index) const {
    return tensors[i]->getExactAt(getStride(i) * index);
  }
  std::shared_ptr<Tensor> makeResult(ElementKind kind) const {
    return std::make_shared<Tensor>(kind, getShape());
  }

private:
  llvm::SmallVector<const Tensor *, 4> tensors;
  const Tensor *largest = nullptr;
};

/// result[i] = function(a[i], b[i]); strides as in Operands.
template <typename Out, typename In, typename Function>
void mapPairs(Tensor &result, const Operands &operands, Function function) {
  Out *out = result.data<Out>();
  const In *a = operands[0].data<In>(), *b = operands[1].data<In>();
  int64_t n = operands.size();
  int64_t strideA = operands.getStride(0), strideB = operands.getStride(1);
  if (strideA && strideB) {
    for (int64_t i = 0; i < n; ++i)
      out[i] = function(a[i], b[i]);
    return;
  }
  for (int64_t i = 0; i < n; ++i)
    out[i] = function(a[strideA * i], b[strideB * i]);
}

} // namespace tessera::interpreter

#endif // TESSERA_LIB_INTERPRETER_ELEMENTWISE_H
