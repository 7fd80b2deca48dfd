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
  beginLaunch();
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

void Buffer::beginLaunch() {
  writers.reset(
      static_cast<uint32_t *>(std::calloc(bytes.size() + 1, sizeof(uint32_t))));
}

void Buffer::setWriter(int64_t offset, int64_t count, uint32_t writer) {
  std::fill_n(writers.get() + offset, count, writer);
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
