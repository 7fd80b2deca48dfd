//===- ReduceOps.cpp - reductions -----------------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of a reduction is unspecified. Here it is a tree over neighbours:
// elements 2i and 2i+1 are combined, until one is left. Each step runs the
// combine region once, on all pairs of all slices together.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

/// The elements of `source`, seen as outer x extent x inner, at positions
/// first, first + 2, … of the middle dimension.
static TensorRef takeEveryOther(const Tensor &source, int64_t outer,
                                int64_t extent, int64_t inner, int64_t first) {
  auto result = std::make_shared<Tensor>(
      source.getKind(), ArrayRef<int64_t>{outer * (extent / 2) * inner});
  int64_t width = source.getByteWidth() * inner;
  const uint8_t *in = source.at(0);
  uint8_t *out = result->at(0);
  for (int64_t row = 0; row < outer * extent / 2; ++row)
    std::memcpy(out + row * width, in + (2 * row + first) * width, width);
  return result;
}

/// Runs the combine region on accumulators and elements.
static Flow combine(Program &program, const Code &code,
                    ArrayRef<TensorRef> pairs,
                    SmallVectorImpl<TensorRef> &results) {
  for (auto [slot, value] : llvm::zip(code.arguments, pairs))
    program.slot(slot).tensor = value;
  if (program.execute(code) == Flow::Stop)
    return Flow::Stop;
  results.clear();
  for (unsigned slot : code.yields)
    results.push_back(program.slot(slot).tensor);
  // A region may return a constant, a scalar.
  for (TensorRef &value : results)
    if (value->size() != pairs[0]->size())
      value = makeFilled(value->getKind(), pairs[0]->getShape(),
                         readUnsigned(value->getKind(), value->at(0)));
  return Flow::Next;
}

static Flow runReduce(Program &program, const Instruction &instruction) {
  auto op = cast<tile::ReduceOp>(instruction.op);
  ArrayRef<int64_t> shape = program.get(instruction, 0)->getShape();
  int64_t outer = countElements(shape.take_front(op.getAxis()));
  int64_t extent = shape[op.getAxis()];
  int64_t inner = countElements(shape.drop_front(op.getAxis() + 1));

  SmallVector<TensorRef> values, pairs;
  for (size_t i = 0; i < instruction.operands.size(); ++i)
    values.push_back(program.get(instruction, i));
  for (; extent > 1; extent /= 2) {
    pairs.clear();
    for (int64_t first : {0, 1})
      for (const TensorRef &value : values)
        pairs.push_back(takeEveryOther(*value, outer, extent, inner, first));
    if (combine(program, instruction.regions[0], pairs, values) == Flow::Stop)
      return Flow::Stop;
  }
  for (auto [i, value] : llvm::enumerate(values)) {
    auto result = program.make(instruction, i);
    std::memcpy(result->at(0), value->at(0),
                value->size() * value->getByteWidth());
    program.set(instruction, std::move(result), i);
  }
  return Flow::Next;
}

void tessera::interpreter::registerReduceOps(Registry &registry) {
  registry.add<tile::ReduceOp>(runReduce);
}
