//===- SharedOps.cpp - shared memory --------------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers, with every element at the byte that its layout says, and barriers.
//
//===----------------------------------------------------------------------===//

#include "SharedAccess.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;
using namespace tessera::tile_gpu;

ByteOffsets interpreter::computeByteOffsets(BufferType type) {
  // Basis vector i of the layout is where the element at offset 2^i lies.
  ArrayRef<int32_t> vectors = type.getLayout().getOffsets();
  ArrayRef<int64_t> shape = type.getShape();
  Shape strides = getRowMajorStrides(shape);
  int64_t width = tile::getByteWidth(type.getElementType());
  auto offsets = std::make_shared<std::vector<int64_t>>(type.getNumElements());
  for (int64_t offset = 0; offset < type.getNumElements(); ++offset) {
    Shape coordinates(shape.size(), 0);
    for (size_t bit = 0; bit * shape.size() < vectors.size(); ++bit)
      if (offset >> bit & 1)
        for (size_t d = 0; d < shape.size(); ++d)
          coordinates[d] ^= vectors[bit * shape.size() + d];
    int64_t index = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      index += coordinates[d] * strides[d];
    (*offsets)[index] = offset * width;
  }
  return offsets;
}

void interpreter::reportShared(Program &program, const Instruction &instruction,
                               int operand, const SharedOutcome &outcome,
                               int64_t index, ArrayRef<int64_t> shape) {
  FindingKind kind = FindingKind::UninitializedShared;
  switch (outcome.fault) {
  case SharedFault::None:
    return;
  case SharedFault::Uninitialized:
    break;
  case SharedFault::Overwritten:
    kind = FindingKind::OverwrittenShared;
    break;
  case SharedFault::MissingBarrier:
    kind = FindingKind::MissingBarrier;
    break;
  case SharedFault::MissingFence:
    kind = FindingKind::MissingFence;
    break;
  case SharedFault::ReadBeforeWait:
    kind = FindingKind::ReadBeforeWait;
    break;
  case SharedFault::WriteInFlight:
    kind = FindingKind::WriteInFlight;
    break;
  }
  program.report(kind, instruction, operand, index, shape, [&] {
    std::string text = "byte " + std::to_string(outcome.offset);
    if (!outcome.other)
      return text;
    llvm::raw_string_ostream out(text);
    out << ", accessed by '" << outcome.other->getName() << "'";
    if (auto file = outcome.other->getLoc()->findInstanceOf<FileLineColLoc>())
      out << " of line " << file.getLine();
    return text;
  });
}

void interpreter::reportNeverWaited(Program &program, Operation *op) {
  Instruction instruction;
  instruction.op = op;
  program.report(FindingKind::NeverWaited, instruction, -1, 0, {},
                 [] { return std::string(); });
}

static LogicalResult prepareAccess(Instruction &instruction) {
  Operation *op = instruction.op;
  auto type = isa<LocalStoreOp>(op) ? cast<LocalStoreOp>(op).getBuffer().getType()
                                    : cast<LocalLoadOp>(op).getBuffer().getType();
  instruction.payload = computeByteOffsets(type);
  return success();
}

static Flow runAlloc(Program &program, const Instruction &instruction) {
  auto op = cast<AllocOp>(instruction.op);
  BufferValue &buffer = program.slot(instruction.results[0]).buffer;
  buffer.offset = op.getOffset()
                      ? int64_t(*op.getOffset())
                      : program.shared.reserve(op.getType().getBytes());
  buffer.owner = program.shared.makeOwner();
  return Flow::Next;
}

static Flow runSlot(Program &program, const Instruction &instruction) {
  auto op = cast<SlotOp>(instruction.op);
  BufferType type = op.getBuffer().getType();
  const Tensor &index = *program.get(instruction, 1);
  int64_t slot = readSigned(index.getKind(), index.at(0));
  if (slot < 0 || slot >= type.getSlots()) {
    program.report(FindingKind::SlotOutOfRange, instruction, 1, 0, {}, [&] {
      return "slot " + std::to_string(slot) + " of " +
             std::to_string(type.getSlots());
    });
    return Flow::Stop;
  }
  BufferValue buffer = program.slot(instruction.operands[0]).buffer;
  buffer.offset += slot * type.getSlotBytes();
  program.slot(instruction.results[0]).buffer = buffer;
  return Flow::Next;
}

static Flow runLocalStore(Program &program, const Instruction &instruction) {
  const Tensor &value = *program.get(instruction, 0);
  BufferValue buffer = program.slot(instruction.operands[1]).buffer;
  const auto &offsets = *std::any_cast<const ByteOffsets &>(instruction.payload);
  unsigned width = value.getByteWidth();
  for (int64_t i = 0; i < value.size(); ++i) {
    SharedOutcome outcome =
        program.shared.write(buffer.offset + offsets[i],
                             ArrayRef(value.at(i), width), buffer.owner,
                             instruction.op);
    if (outcome.fault != SharedFault::None)
      reportShared(program, instruction, 1, outcome, i, value.getShape());
  }
  return Flow::Next;
}

/// What a read ahead finds where nothing was written.
static constexpr uint8_t kUnwrittenByte = 0xFB;

static Flow runLocalLoad(Program &program, const Instruction &instruction) {
  bool ahead = cast<LocalLoadOp>(instruction.op).getAhead();
  BufferValue buffer = program.slot(instruction.operands[0]).buffer;
  const auto &offsets = *std::any_cast<const ByteOffsets &>(instruction.payload);
  auto result = program.make(instruction);
  unsigned width = result->getByteWidth();
  for (int64_t i = 0; i < result->size(); ++i) {
    SharedOutcome outcome = program.shared.read(
        buffer.offset + offsets[i], MutableArrayRef(result->at(i), width),
        buffer.owner, instruction.op);
    bool unwritten = outcome.fault == SharedFault::Uninitialized ||
                     outcome.fault == SharedFault::Overwritten;
    if (unwritten && ahead)
      std::fill_n(result->at(i), width, kUnwrittenByte);
    else if (outcome.fault != SharedFault::None)
      reportShared(program, instruction, 0, outcome, i, result->getShape());
  }
  program.set(instruction, std::move(result));
  return Flow::Next;
}

static Flow runBarrier(Program &program, const Instruction &) {
  program.shared.barrier();
  return Flow::Next;
}

void interpreter::registerSharedOps(Registry &registry) {
  registry.add<AllocOp>(runAlloc);
  registry.add<SlotOp>(runSlot);
  registry.add<LocalStoreOp>(runLocalStore, prepareAccess);
  registry.add<LocalLoadOp>(runLocalLoad, prepareAccess);
  registry.add<BarrierOp>(runBarrier);
}
