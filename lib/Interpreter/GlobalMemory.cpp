//===- GlobalMemory.cpp - buffers with bounds -----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffer i begins at (i + 1) * 2^40, and owns 2^39 bytes to both sides.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/GlobalMemory.h"

#include <algorithm>

using namespace tessera::interpreter;

static constexpr uint64_t kSpacing = uint64_t(1) << 40;

Buffer::Buffer(std::string name, uint64_t address, int64_t size)
    : name(std::move(name)), address(address), bytes(size),
      initialized(size, 0) {
  beginLaunch(/*isConcurrent=*/false);
}

void Buffer::initialize(llvm::ArrayRef<uint8_t> contents) {
  std::copy(contents.begin(), contents.end(), bytes.begin());
  if (int64_t(contents.size()) == size())
    initialized.clear();
  else
    setInitialized(0, contents.size());
}

void Buffer::fill(int64_t offset, int64_t count, uint8_t value) {
  std::fill_n(bytes.begin() + offset, count, value);
  setInitialized(offset, count);
}

bool Buffer::isInitialized(int64_t offset, int64_t count) const {
  if (initialized.empty())
    return true;
  return std::all_of(initialized.begin() + offset,
                     initialized.begin() + offset + count,
                     [](uint8_t flag) { return flag != 0; });
}

void Buffer::setInitialized(int64_t offset, int64_t count) {
  if (!initialized.empty())
    std::fill_n(initialized.begin() + offset, count, 1);
}

void Buffer::restore(Contents contents) {
  bytes = std::move(contents.bytes);
  initialized = std::move(contents.initialized);
}

Buffer::Marks Buffer::makeMarks(int64_t count) {
  return Marks(static_cast<Mark *>(std::calloc(count + 1, sizeof(Mark))));
}

void Buffer::beginLaunch(bool isConcurrent) {
  writers = makeMarks(size());
  readers = isConcurrent ? makeMarks(size() / kGroupBytes) : Marks();
  isStored = false;
}

int64_t Buffer::setWriter(int64_t offset, int64_t count, uint32_t writer) {
  if (!isStored.load(std::memory_order_relaxed))
    isStored.store(true, std::memory_order_relaxed);
  int64_t claimed = 0;
  for (int64_t i = offset; i < offset + count; ++i) {
    if (getWriter(i) == writer)
      continue;
    writers[i].store(writer, std::memory_order_relaxed);
    ++claimed;
  }
  return claimed;
}

/// Whoever replaces another reader's mark says that there are many, as its last
/// word: so does the last of all of them.
void Buffer::markReader(uint64_t group, uint32_t reader) {
  Mark &mark = readers[group];
  if (mark.load(std::memory_order_relaxed) != kManyReaders &&
      mark.exchange(reader, std::memory_order_relaxed) != 0)
    mark.store(kManyReaders, std::memory_order_relaxed);
}

int64_t Buffer::countStored() const {
  if (!isStored)
    return 0;
  int64_t stored = 0;
  for (int64_t i = 0; i < size(); ++i)
    stored += getWriter(i) != 0;
  return stored;
}

bool Buffer::isReadByOthers() const {
  if (!isStored)
    return false;
  for (int64_t begin = 0; begin < size(); begin += kGroupBytes) {
    uint32_t reader = getReader(begin);
    int64_t end = std::min(begin + kGroupBytes, size());
    for (int64_t i = begin; reader != 0 && i < end; ++i)
      if (getWriter(i) != 0 && getWriter(i) != reader)
        return true;
  }
  return false;
}

Buffer &GlobalMemory::allocate(std::string name, int64_t size,
                               int64_t misalignment) {
  unsigned index = buffers.size();
  buffers.emplace_back(std::move(name), (index + 1) * kSpacing + misalignment,
                       size);
  return buffers.back();
}

Buffer *GlobalMemory::find(uint64_t address) {
  uint64_t index = (address + kSpacing / 2) / kSpacing;
  return index >= 1 && index <= buffers.size() ? &buffers[index - 1] : nullptr;
}
