//===- ShapeOps.cpp - shapes, ids and pointers ----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that move elements without computing with them, the position of
// the program in its grid, and pointer arithmetic.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include <numeric>

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

//===----------------------------------------------------------------------===//
// Program ids and constants
//===----------------------------------------------------------------------===//

static Flow runProgramId(Program &program, const Instruction &instruction) {
  auto axis = cast<tile::ProgramIdOp>(instruction.op).getAxis();
  program.set(instruction,
              makeScalar(ElementKind::I32, program.id[size_t(axis)]));
  return Flow::Next;
}

static Flow runNumPrograms(Program &program, const Instruction &instruction) {
  auto axis = cast<tile::NumProgramsOp>(instruction.op).getAxis();
  program.set(instruction, makeScalar(ElementKind::I32,
                                      program.launch.grid[size_t(axis)]));
  return Flow::Next;
}

static LogicalResult prepareArange(Instruction &instruction) {
  auto op = cast<tile::ArangeOp>(instruction.op);
  const ValueType &type = instruction.resultTypes[0];
  auto tensor = std::make_shared<Tensor>(type.kind, type.shape);
  for (int64_t i = 0; i < tensor->size(); ++i)
    writeInteger(type.kind, tensor->at(i), int32_t(op.getStart()) + i);
  instruction.payload = TensorRef(std::move(tensor));
  return success();
}

static Flow runPayload(Program &program, const Instruction &instruction) {
  program.set(instruction, std::any_cast<TensorRef>(instruction.payload));
  return Flow::Next;
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// For each element of the result, the element of the source that it is.
using Permutation = std::shared_ptr<const std::vector<int32_t>>;

template <typename T>
static void gather(Tensor &result, const Tensor &source,
                   const std::vector<int32_t> &indices) {
  T *out = result.data<T>();
  const T *in = source.data<T>();
  for (size_t i = 0; i < indices.size(); ++i)
    out[i] = in[indices[i]];
}

static void gatherExact(Tensor &result, const Tensor &source,
                        const std::vector<int32_t> &indices) {
  if (!source.getExact())
    return;
  std::vector<int64_t> exact(indices.size());
  for (size_t i = 0; i < indices.size(); ++i)
    exact[i] = source.getExact()[indices[i]];
  result.setExact(std::move(exact));
}

static Flow runPermutation(Program &program, const Instruction &instruction) {
  const Tensor &source = *program.get(instruction, 0);
  const auto &indices = *std::any_cast<const Permutation &>(instruction.payload);
  auto result = program.make(instruction);
  switch (source.getByteWidth()) {
  case 1:
    gather<uint8_t>(*result, source, indices);
    break;
  case 2:
    gather<uint16_t>(*result, source, indices);
    break;
  case 4:
    gather<uint32_t>(*result, source, indices);
    break;
  default:
    gather<uint64_t>(*result, source, indices);
  }
  gatherExact(*result, source, indices);
  program.set(instruction, std::move(result));
  return Flow::Next;
}

/// The source index of each element, for a source whose dimension d is the
/// result's dimension `dimensions[d]`, or has size 1.
static Permutation makePermutation(ArrayRef<int64_t> resultShape,
                                   ArrayRef<int64_t> sourceShape,
                                   ArrayRef<int32_t> dimensions) {
  Shape sourceStrides = getRowMajorStrides(sourceShape);
  Shape strides(resultShape.size(), 0);
  for (size_t d = 0; d < sourceShape.size(); ++d)
    if (sourceShape[d] != 1)
      strides[dimensions[d]] = sourceStrides[d];
  auto indices =
      std::make_shared<std::vector<int32_t>>(countElements(resultShape));
  Shape coordinates(resultShape.size(), 0);
  int64_t source = 0;
  for (int32_t &index : *indices) {
    index = source;
    for (size_t d = resultShape.size(); d-- > 0;) {
      source += strides[d];
      if (++coordinates[d] < resultShape[d])
        break;
      source -= strides[d] * resultShape[d];
      coordinates[d] = 0;
    }
  }
  return indices;
}

static LogicalResult prepareBroadcast(Instruction &instruction) {
  auto op = cast<tile::BroadcastOp>(instruction.op);
  auto shape = cast<RankedTensorType>(op.getSrc().getType()).getShape();
  SmallVector<int32_t> dimensions(shape.size());
  std::iota(dimensions.begin(), dimensions.end(), 0);
  instruction.payload =
      makePermutation(instruction.resultTypes[0].shape, shape, dimensions);
  return success();
}

static LogicalResult prepareTrans(Instruction &instruction) {
  auto op = cast<tile::TransOp>(instruction.op);
  auto shape = cast<RankedTensorType>(op.getSrc().getType()).getShape();
  SmallVector<int32_t> dimensions(shape.size());
  for (auto [result, source] : llvm::enumerate(op.getOrder()))
    dimensions[source] = result;
  instruction.payload =
      makePermutation(instruction.resultTypes[0].shape, shape, dimensions);
  return success();
}

/// The elements at the offsets and behind them.
static LogicalResult prepareSlice(Instruction &instruction) {
  auto op = cast<tile_gpu::ExtractSliceOp>(instruction.op);
  auto shape = cast<RankedTensorType>(op.getSrc().getType()).getShape();
  const Shape &part = instruction.resultTypes[0].shape;
  SmallVector<int32_t> dimensions(shape.size());
  std::iota(dimensions.begin(), dimensions.end(), 0);
  Shape strides = getRowMajorStrides(shape);
  int32_t first = 0;
  for (auto [offset, stride] : llvm::zip(op.getOffsets(), strides))
    first += offset * stride;
  auto indices = std::make_shared<std::vector<int32_t>>(
      *makePermutation(part, shape, dimensions));
  for (int32_t &index : *indices)
    index += first;
  instruction.payload = Permutation(std::move(indices));
  return success();
}

static Flow runSplat(Program &program, const Instruction &instruction) {
  const Tensor &source = *program.get(instruction, 0);
  auto result = program.make(instruction);
  uint64_t bits = readUnsigned(source.getKind(), source.at(0));
  for (int64_t i = 0; i < result->size(); ++i)
    writeInteger(source.getKind(), result->at(i), bits);
  if (source.getExact())
    result->setExact(
        std::vector<int64_t>(result->size(), source.getExactAt(0)));
  program.set(instruction, std::move(result));
  return Flow::Next;
}

/// Same elements in the same order.
static Flow runReshape(Program &program, const Instruction &instruction) {
  const Tensor &source = *program.get(instruction, 0);
  auto result = program.make(instruction);
  std::memcpy(result->at(0), source.at(0),
              source.size() * source.getByteWidth());
  if (source.getExact())
    result->setExact(std::vector<int64_t>(source.getExact(),
                                          source.getExact() + source.size()));
  program.set(instruction, std::move(result));
  return Flow::Next;
}

/// The same tensor, elsewhere.
static Flow runIdentity(Program &program, const Instruction &instruction) {
  program.set(instruction, program.get(instruction, 0));
  return Flow::Next;
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

static Flow runAddPtr(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  auto op = cast<tile::AddPtrOp>(instruction.op);
  auto pointer = cast<tile::PointerType>(getElementTypeOrSelf(op.getType()));
  int64_t width = tile::getByteWidth(pointer.getPointee());
  auto result = operands.makeResult(ElementKind::Pointer);
  for (int64_t i = 0; i < operands.size(); ++i)
    writeInteger(ElementKind::Pointer, result->at(i),
                 readUnsigned(ElementKind::Pointer, operands.at(0, i)) +
                     uint64_t(operands.getExactAt(1, i)) * width);
  if (operands[1].getExact())
    program.report(FindingKind::WouldHaveWrapped, instruction, 1, 0,
                   operands.getShape(), [&] {
                     return "the offset is " +
                            std::to_string(operands.getExactAt(1, 0));
                   });
  program.set(instruction, std::move(result));
  return Flow::Next;
}

void tessera::interpreter::registerShapeOps(Registry &registry) {
  registry.add<tile::ProgramIdOp>(runProgramId);
  registry.add<tile::NumProgramsOp>(runNumPrograms);
  registry.add<tile::ArangeOp>(runPayload, prepareArange);
  registry.add<tile::SplatOp>(runSplat);
  registry.add<tile::ExpandDimsOp>(runReshape);
  registry.add<tile::ReshapeOp>(runReshape);
  registry.add<tile::BroadcastOp>(runPermutation, prepareBroadcast);
  registry.add<tile::TransOp>(runPermutation, prepareTrans);
  registry.add<tile::AddPtrOp>(runAddPtr);
  registry.add<tile_gpu::ConvertLayoutOp>(runIdentity);
  registry.add<tile_gpu::ExtractSliceOp>(runPermutation, prepareSlice);
}
