//===- AtomicOps.cpp - atomic updates -------------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements are updated in row-major order, programs of a kernel with atomics
// run one after another; a kernel may rely on neither.
//
//===----------------------------------------------------------------------===//

#include "GlobalAccess.h"

#include <cmath>

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

static uint64_t updateInteger(tile::AtomicKind kind, ElementKind element,
                              const uint8_t *old, const uint8_t *value) {
  int64_t a = readSigned(element, old), b = readSigned(element, value);
  uint64_t ua = readUnsigned(element, old), ub = readUnsigned(element, value);
  switch (kind) {
  case tile::AtomicKind::Add:
    return ua + ub;
  case tile::AtomicKind::Max:
    return uint64_t(std::max(a, b));
  case tile::AtomicKind::Min:
    return uint64_t(std::min(a, b));
  case tile::AtomicKind::UMax:
    return std::max(ua, ub);
  case tile::AtomicKind::UMin:
    return std::min(ua, ub);
  case tile::AtomicKind::And:
    return ua & ub;
  case tile::AtomicKind::Or:
    return ua | ub;
  case tile::AtomicKind::Xor:
    return ua ^ ub;
  case tile::AtomicKind::Xchg:
    return ub;
  }
  return ub;
}

/// Floats are added or exchanged; the verifier knows no other kind.
static void update(tile::AtomicKind kind, ElementKind element, uint8_t *memory,
                   const uint8_t *value) {
  if (isFloat(element) && kind == tile::AtomicKind::Add)
    writeFloat(element, memory,
               element == ElementKind::F64
                   ? readFloat(element, memory) + readFloat(element, value)
                   : double(float(readFloat(element, memory)) +
                            float(readFloat(element, value))));
  else
    writeInteger(element, memory, updateInteger(kind, element, memory, value));
}

static Flow runAtomicRMW(Program &program, const Instruction &instruction) {
  auto op = cast<tile::AtomicRMWOp>(instruction.op);
  const Tensor &pointers = *program.get(instruction, 0);
  const Tensor &value = *program.get(instruction, 1);
  const Tensor *mask =
      op.getMask() ? program.get(instruction, 2).get() : nullptr;
  auto result = program.make(instruction);
  ElementKind element = result->getKind();
  unsigned width = result->getByteWidth();
  GlobalAccess access(program, instruction, 0, width, pointers.getShape());
  std::lock_guard<std::mutex> lock(program.launch.memory.getAtomicsMutex());
  for (int64_t i = 0; i < pointers.size(); ++i) {
    writeInteger(element, result->at(i), getUnspecifiedBits(element));
    if (mask && !*mask->at(i))
      continue;
    uint8_t *memory = access.resolveAtomic(pointers.data<uint64_t>()[i], i);
    if (!memory)
      continue;
    std::memcpy(result->at(i), memory, width);
    update(op.getKind(), element, memory, value.at(i));
  }
  program.set(instruction, std::move(result));
  return Flow::Next;
}

static Flow runAtomicCAS(Program &program, const Instruction &instruction) {
  const Tensor &pointers = *program.get(instruction, 0);
  const Tensor &compare = *program.get(instruction, 1);
  const Tensor &value = *program.get(instruction, 2);
  auto result = program.make(instruction);
  unsigned width = result->getByteWidth();
  GlobalAccess access(program, instruction, 0, width, pointers.getShape());
  std::lock_guard<std::mutex> lock(program.launch.memory.getAtomicsMutex());
  for (int64_t i = 0; i < pointers.size(); ++i) {
    writeInteger(result->getKind(), result->at(i),
                 getUnspecifiedBits(result->getKind()));
    uint8_t *memory = access.resolveAtomic(pointers.data<uint64_t>()[i], i);
    if (!memory)
      continue;
    std::memcpy(result->at(i), memory, width);
    if (std::memcmp(memory, compare.at(i), width) == 0)
      std::memcpy(memory, value.at(i), width);
  }
  program.set(instruction, std::move(result));
  return Flow::Next;
}

void interpreter::registerAtomicOps(Registry &registry) {
  registry.add<tile::AtomicRMWOp>(runAtomicRMW);
  registry.add<tile::AtomicCASOp>(runAtomicCAS);
}
