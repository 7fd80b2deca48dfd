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
// Programs may run at the same time. That changes nothing as long as none of
// them stores what another one stores or reads, and whether one does is known
// afterwards whatever order they ran in: from marks that programs leave, and
// that none of them looks at but its own.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_GLOBALMEMORY_H
#define TESSERA_INTERPRETER_GLOBALMEMORY_H

#include "tessera/Interpreter/Element.h"

#include "llvm/ADT/ArrayRef.h"

#include <atomic>
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
  /// this one's. Where they run at the same time, readers are marked too.
  void beginLaunch(bool isConcurrent);
  /// The program that stored a byte last in this launch, plus one; 0 for none.
  uint32_t getWriter(int64_t offset) const {
    return writers[offset].load(std::memory_order_relaxed);
  }
  /// Marks bytes as stored by a program. Returns how many had not been marked
  /// by it: summed up over a launch, these are more than countStored() exactly
  /// if two programs have stored one byte, since each of them claims it.
  int64_t setWriter(int64_t offset, int64_t count, uint32_t writer);
  /// Marks bytes as read, in a concurrent launch.
  void addReader(int64_t offset, int64_t count, uint32_t reader) {
    uint64_t last = uint64_t(offset + count - 1) / kGroupBytes;
    for (uint64_t group = uint64_t(offset) / kGroupBytes; group <= last;
         ++group)
      if (readers[group].load(std::memory_order_relaxed) != reader)
        markReader(group, reader);
  }

  /// Bytes that programs of this launch have stored.
  int64_t countStored() const;
  /// Whether a program has read a group of kGroupBytes in which another one has
  /// stored, in a concurrent launch.
  bool isReadByOthers() const;
  static constexpr int64_t kGroupBytes = 16;

  /// A store that a kernel's fact forbids: the argument is only read.
  bool readOnly = false;

private:
  /// A program, plus one; 0 for none.
  using Mark = std::atomic<uint32_t>;
  static_assert(sizeof(Mark) == sizeof(uint32_t) && Mark::is_always_lock_free,
                "zeroed memory is an array of marks");
  static constexpr uint32_t kManyReaders = ~uint32_t(0);
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  using Marks = std::unique_ptr<Mark[], Free>;
  /// Zeroed pages, which cost nothing until a mark is set.
  static Marks makeMarks(int64_t count);
  uint32_t getReader(int64_t offset) const {
    return readers[offset / kGroupBytes].load(std::memory_order_relaxed);
  }
  void markReader(uint64_t group, uint32_t reader);

  std::string name;
  uint64_t address;
  std::vector<uint8_t> bytes;
  /// One flag a byte; empty when all are.
  std::vector<uint8_t> initialized;
  /// One mark a byte, and one a group; no readers unless a launch is
  /// concurrent.
  Marks writers, readers;
  std::atomic<bool> isStored{false};
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
