//===- GlobalMemory.h - buffers with bounds ---------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory of a GPU as a kernel sees it: buffers at addresses so far apart
// that an address which leaves its buffer never reaches another one. Each byte
// knows whether it was ever written and, during a launch, by which program.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_GLOBALMEMORY_H
#define TESSERA_INTERPRETER_GLOBALMEMORY_H

#include "tessera/Interpreter/Element.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tessera::interpreter {

/// One allocation.
class Buffer {
public:
  Buffer(std::string name, uint64_t address, int64_t size);

  const std::string &getName() const { return name; }
  uint64_t getAddress() const { return address; }
  int64_t size() const { return bytes.size(); }
  uint8_t *data() { return bytes.data(); }
  const uint8_t *data() const { return bytes.data(); }

  /// Copies host data in; those bytes count as written.
  void initialize(llvm::ArrayRef<uint8_t> contents);
  /// Sets bytes, which count as written.
  void fill(int64_t offset, int64_t count, uint8_t value);
  /// Whether each of these bytes was ever written.
  bool isInitialized(int64_t offset, int64_t count) const;
  void setInitialized(int64_t offset, int64_t count);

  /// What the buffer holds, to be put back by restore().
  struct Contents {
    std::vector<uint8_t> bytes, initialized;
  };
  Contents save() const { return {bytes, initialized}; }
  void restore(Contents contents);

  /// Forgets who stored what: programs of the next launch come after all of
  /// this one's.
  void beginLaunch();
  /// The program that stored a byte last in this launch, plus one; 0 for none.
  uint32_t getWriter(int64_t offset) const { return writers.get()[offset]; }
  void setWriter(int64_t offset, int64_t count, uint32_t writer);

  /// A store that a kernel's fact forbids: the argument is only read.
  bool readOnly = false;

private:
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };

  std::string name;
  uint64_t address;
  std::vector<uint8_t> bytes;
  /// One flag a byte; empty when all are.
  std::vector<uint8_t> initialized;
  /// Zeroed pages that cost nothing where no program stores.
  std::unique_ptr<uint32_t, Free> writers;
};

class GlobalMemory {
public:
  /// A new buffer of `size` bytes, none of them initialized, `misalignment`
  /// bytes after a multiple of 256, which is where cudaMalloc's buffers begin.
  Buffer &allocate(std::string name, int64_t size, int64_t misalignment = 0);

  /// The buffer that `address` belongs to, inside or not: the last one that
  /// begins at or shortly after it. Null for addresses near none.
  Buffer *find(uint64_t address);
  const std::deque<Buffer> &getBuffers() const { return buffers; }
  std::deque<Buffer> &getBuffers() { return buffers; }

  /// Holds off other programs' atomic updates.
  std::mutex &getAtomicsMutex() { return atomics; }

private:
  std::deque<Buffer> buffers;
  std::mutex atomics;
};

} // namespace tessera::interpreter

#endif // TESSERA_INTERPRETER_GLOBALMEMORY_H
