//===- MemoryOps.cpp - loads and stores -----------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads and stores of global memory, with a check of what `tile_gpu.access`
// claims of their addresses.
//
//===----------------------------------------------------------------------===//

#include "AccessClaim.h"
#include "GlobalAccess.h"

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

void interpreter::checkAccessClaim(Program &program,
                                   const Instruction &instruction,
                                   const Tensor &pointers, const Tensor *mask,
                                   unsigned width) {
  auto access = instruction.op->getAttrOfType<tile_gpu::AccessAttr>(
      tile_gpu::TileGPUDialect::kAccess);
  if (!access || access.getWidth() <= 1 || pointers.getShape().empty())
    return;
  int64_t group = access.getWidth();
  ArrayRef<int64_t> shape = pointers.getShape();
  int64_t stride = getRowMajorStrides(shape)[access.getAxis()];
  const uint64_t *address = pointers.data<uint64_t>();
  auto isOn = [&](int64_t index) { return !mask || *mask->at(index); };
  auto report = [&](int64_t index, const char *what) {
    program.report(FindingKind::FalseAccess, instruction, 0, index, shape,
                   [&] { return std::string(what); });
  };
  for (int64_t i = 0; i < pointers.size(); ++i) {
    int64_t position = i / stride % shape[access.getAxis()];
    int64_t first = i - position % group * stride;
    if (isOn(i) != isOn(first))
      return report(i, "the mask changes inside a group");
    if (!isOn(i))
      continue;
    if (i == first && address[i] % (group * width) != 0)
      return report(i, "the first address of a group is not aligned");
    if (address[i] != address[first] + position % group * width)
      return report(i, "addresses of a group are not consecutive");
  }
}

/// Bytes of an element behind a pointer operand.
static unsigned getPointeeWidth(Type pointers) {
  return tile::getByteWidth(
      cast<tile::PointerType>(getElementTypeOrSelf(pointers)).getPointee());
}

static Flow runLoad(Program &program, const Instruction &instruction) {
  auto op = cast<tile::LoadOp>(instruction.op);
  const Tensor &pointers = *program.get(instruction, 0);
  const Tensor *mask =
      op.getMask() ? program.get(instruction, 1).get() : nullptr;
  const Tensor *other = op.getOther()
                            ? program.get(instruction, mask ? 2 : 1).get()
                            : nullptr;
  unsigned width = getPointeeWidth(op.getPtr().getType());
  checkAccessClaim(program, instruction, pointers, mask, width);

  auto result = program.make(instruction);
  GlobalAccess access(program, instruction, 0, width, pointers.getShape());
  uint64_t unspecified = program.launch.options.zeroesUnloaded
                             ? 0
                             : getUnspecifiedBits(result->getKind());
  const uint64_t *address = pointers.data<uint64_t>();
  for (int64_t i = 0; i < pointers.size(); ++i) {
    uint8_t *data = result->at(i);
    bool isOn = !mask || *mask->at(i);
    if (!isOn && other) {
      std::memcpy(data, other->at(i), width);
      continue;
    }
    writeInteger(result->getKind(), data, unspecified);
    if (isOn)
      access.load(address[i], i, data);
  }
  if (result->getKind() == ElementKind::I1)
    for (int64_t i = 0; i < result->size(); ++i)
      *result->at(i) = *result->at(i) != 0;
  program.set(instruction, std::move(result));
  return Flow::Next;
}

static Flow runStore(Program &program, const Instruction &instruction) {
  auto op = cast<tile::StoreOp>(instruction.op);
  const Tensor &pointers = *program.get(instruction, 0);
  const Tensor &value = *program.get(instruction, 1);
  const Tensor *mask =
      op.getMask() ? program.get(instruction, 2).get() : nullptr;
  unsigned width = getPointeeWidth(op.getPtr().getType());
  checkAccessClaim(program, instruction, pointers, mask, width);

  GlobalAccess access(program, instruction, 0, width, pointers.getShape());
  const uint64_t *address = pointers.data<uint64_t>();
  for (int64_t i = 0; i < pointers.size(); ++i)
    if (!mask || *mask->at(i))
      access.store(address[i], i, value.at(i));
  return Flow::Next;
}

void interpreter::registerMemoryOps(Registry &registry) {
  registry.add<tile::LoadOp>(runLoad);
  registry.add<tile::StoreOp>(runStore);
}
