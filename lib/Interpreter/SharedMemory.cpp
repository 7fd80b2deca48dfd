//===- SharedMemory.cpp - a CTA's shared memory ---------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation names each byte at most once, so that its own accesses never
// meet; executed again in the same epoch it does conflict with itself.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/SharedMemory.h"

#include <algorithm>

using namespace tessera::interpreter;

int64_t SharedMemory::reserve(int64_t size) {
  // The widest access is 16 bytes; swizzled buffers want 1024.
  int64_t offset = (reserved + 1023) / 1024 * 1024;
  reserved = offset + size;
  return offset;
}

void SharedMemory::grow(int64_t size) {
  if (size <= int64_t(bytes.size()))
    return;
  bytes.resize(size);
  state.resize(size);
}

SharedOutcome SharedMemory::checkWrite(int64_t offset, int64_t count,
                                       mlir::Operation *by) const {
  for (int64_t i = offset; i < offset + count; ++i) {
    const Byte &byte = state[i];
    if (byte.asyncWriter)
      return {SharedFault::WriteInFlight, i, byte.asyncWriter};
    if (byte.asyncReads)
      return {SharedFault::WriteInFlight, i, byte.asyncReader};
    if (!checksBarriers)
      continue;
    if (byte.readEpoch == epoch + 1)
      return {SharedFault::MissingBarrier, i, byte.reader};
    if (byte.writeEpoch == epoch + 1)
      return {SharedFault::MissingBarrier, i, byte.writer};
  }
  return {};
}

SharedOutcome SharedMemory::write(int64_t offset,
                                  llvm::ArrayRef<uint8_t> element,
                                  uint32_t owner, mlir::Operation *by) {
  int64_t count = element.size();
  grow(offset + count);
  SharedOutcome outcome = checkWrite(offset, count, by);
  for (int64_t i = 0; i < count; ++i) {
    Byte &byte = state[offset + i];
    bytes[offset + i] = element[i];
    byte.owner = owner;
    byte.writeEpoch = epoch + 1;
    byte.writeFence = fences + 1;
    byte.writer = by;
  }
  return outcome;
}

SharedOutcome SharedMemory::checkRead(int64_t offset, uint32_t owner) const {
  const Byte &byte = state[offset];
  if (byte.asyncWriter)
    return {SharedFault::ReadBeforeWait, offset, byte.asyncWriter};
  if (byte.owner == 0)
    return {SharedFault::Uninitialized, offset, nullptr};
  if (byte.owner != owner)
    return {SharedFault::Overwritten, offset, byte.writer};
  if (checksBarriers && byte.writeEpoch == epoch + 1)
    return {SharedFault::MissingBarrier, offset, byte.writer};
  return {};
}

SharedOutcome SharedMemory::read(int64_t offset,
                                 llvm::MutableArrayRef<uint8_t> element,
                                 uint32_t owner, mlir::Operation *by) {
  int64_t count = element.size();
  grow(offset + count);
  SharedOutcome outcome;
  for (int64_t i = offset; i < offset + count; ++i) {
    Byte &byte = state[i];
    element[i - offset] = bytes[i];
    byte.readEpoch = epoch + 1;
    byte.reader = by;
    if (outcome.fault == SharedFault::None)
      outcome = checkRead(i, owner);
  }
  return outcome;
}

SharedOutcome SharedMemory::checkFences(int64_t offset, int64_t count) const {
  int64_t end = std::min<int64_t>(offset + count, state.size());
  for (int64_t i = offset; i < end; ++i)
    if (!isFenced(state[i]))
      return {SharedFault::MissingFence, i, state[i].writer};
  return {};
}

void SharedMemory::peek(int64_t offset,
                        llvm::MutableArrayRef<uint8_t> element) const {
  std::copy_n(bytes.begin() + offset, element.size(), element.begin());
}

SharedOutcome SharedMemory::beginAsync(int64_t offset, int64_t count,
                                       bool writes, uint32_t owner,
                                       mlir::Operation *by) {
  grow(offset + count);
  SharedOutcome outcome;
  if (writes) {
    outcome = checkWrite(offset, count, by);
    for (int64_t i = offset; i < offset + count; ++i)
      state[i].asyncWriter = by;
    return outcome;
  }
  for (int64_t i = offset; i < offset + count; ++i) {
    Byte &byte = state[i];
    if (outcome.fault == SharedFault::None) {
      outcome = checkRead(i, owner);
      if (outcome.fault == SharedFault::None && !isFenced(byte))
        outcome = {SharedFault::MissingFence, i, byte.writer};
    }
    ++byte.asyncReads;
    byte.asyncReader = by;
  }
  return outcome;
}

void SharedMemory::endAsyncWrite(int64_t offset, llvm::ArrayRef<uint8_t> data,
                                 uint32_t owner, bool visible,
                                 mlir::Operation *by) {
  for (int64_t i = 0; i < int64_t(data.size()); ++i) {
    Byte &byte = state[offset + i];
    bytes[offset + i] = data[i];
    byte.owner = owner;
    byte.asyncWriter = nullptr;
    byte.writer = by;
    byte.writeEpoch = visible ? 0 : epoch + 1;
    byte.writeFence = visible ? 0 : fences + 1;
  }
}

void SharedMemory::endAsyncRead(int64_t offset, int64_t count) {
  for (int64_t i = offset; i < offset + count; ++i) {
    Byte &byte = state[i];
    if (byte.asyncReads && --byte.asyncReads == 0) {
      byte.asyncReader = nullptr;
      byte.readEpoch = epoch + 1;
    }
  }
}
