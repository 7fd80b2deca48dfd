//===- GlobalAccess.cpp - checked accesses to global memory ---------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds, alignment, initialization and races.
//
//===----------------------------------------------------------------------===//

#include "GlobalAccess.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera::interpreter;

std::string GlobalAccess::getPlace() const {
  return "'" + buffer->getName() + "' " + (offset < 0 ? "- " : "+ ") +
         std::to_string(std::abs(offset)) + " bytes";
}

void GlobalAccess::report(FindingKind kind, int64_t index,
                          llvm::function_ref<std::string()> detail) {
  program.report(kind, instruction, operand, index, shape, [&] {
    std::string text = "address 0x" +
                       llvm::utohexstr(buffer->getAddress() + offset,
                                       /*LowerCase=*/true) +
                       " is " + getPlace();
    return detail ? text + ", " + detail() : text;
  });
}

bool GlobalAccess::resolve(uint64_t address, int64_t index) {
  // Most elements lie in the buffer of the one before.
  if (!buffer || address - buffer->getAddress() >= uint64_t(buffer->size()))
    buffer = program.launch.memory.find(address);
  if (!buffer) {
    program.report(FindingKind::OutOfBounds, instruction, operand, index, shape,
                   [&] {
                     return "address 0x" +
                            llvm::utohexstr(address, /*LowerCase=*/true) +
                            " belongs to no buffer";
                   });
    return false;
  }
  offset = int64_t(address - buffer->getAddress());
  if (offset < 0 || offset + int64_t(width) > buffer->size()) {
    report(FindingKind::OutOfBounds, index, [&] {
      return "which has " + std::to_string(buffer->size()) + " bytes";
    });
    return false;
  }
  if (address % width != 0) {
    report(FindingKind::Misaligned, index, [&] {
      return "which is no multiple of " + std::to_string(width);
    });
    return false;
  }
  return true;
}

void GlobalAccess::observe(uint64_t address, int64_t index, bool reads,
                           bool writes) {
  if (Observer *observer = program.launch.options.observer)
    observer->access({instruction.op, program.linear, index, address,
                      int64_t(width), reads, writes});
}

void GlobalAccess::checkWriters(int64_t index) {
  uint32_t self = uint32_t(program.linear) + 1;
  for (unsigned i = 0; i < width; ++i) {
    uint32_t writer = buffer->getWriter(offset + i);
    if (writer == 0)
      continue;
    if (writer == self)
      return report(FindingKind::ReadAfterOwnStore, index);
    if (!program.launch.code.usesAtomics)
      report(FindingKind::ReadOfOtherProgram, index, [&] {
        return "stored by program number " + std::to_string(writer - 1);
      });
    return;
  }
}

void GlobalAccess::load(uint64_t address, int64_t index, uint8_t *data) {
  observe(address, index, /*reads=*/true, /*writes=*/false);
  if (!resolve(address, index))
    return;
  if (!buffer->isInitialized(offset, width))
    report(FindingKind::UninitializedRead, index);
  checkWriters(index);
  if (program.launch.isConcurrent)
    buffer->addReader(offset, width, uint32_t(program.linear) + 1);
  std::memcpy(data, buffer->data() + offset, width);
}

void GlobalAccess::checkRace(int64_t index, const uint8_t *data) {
  uint32_t self = uint32_t(program.linear) + 1;
  for (unsigned i = 0; i < width; ++i) {
    uint32_t writer = buffer->getWriter(offset + i);
    if (writer == 0 || writer == self || buffer->data()[offset + i] == data[i])
      continue;
    if (!program.launch.code.usesAtomics)
      report(FindingKind::StoreRace, index, [&] {
        return "stored by program number " + std::to_string(writer - 1) +
               " too";
      });
    return;
  }
}

void GlobalAccess::store(uint64_t address, int64_t index, const uint8_t *data) {
  observe(address, index, /*reads=*/false, /*writes=*/true);
  if (!resolve(address, index))
    return;
  if (buffer->readOnly)
    report(FindingKind::StoreToReadOnly, index);
  checkRace(index, data);
  std::memcpy(buffer->data() + offset, data, width);
  buffer->setInitialized(offset, width);
  program.claimedBytes +=
      buffer->setWriter(offset, width, uint32_t(program.linear) + 1);
}

uint8_t *GlobalAccess::resolveAtomic(uint64_t address, int64_t index) {
  observe(address, index, /*reads=*/true, /*writes=*/true);
  if (!resolve(address, index))
    return nullptr;
  if (!buffer->isInitialized(offset, width))
    report(FindingKind::UninitializedRead, index);
  if (buffer->readOnly)
    report(FindingKind::StoreToReadOnly, index);
  buffer->setInitialized(offset, width);
  return buffer->data() + offset;
}
