//===- SharedMemory.h - a CTA's shared memory -------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes, and for each one whose data it holds and which accesses are not yet
// ordered. Threads of a CTA run at their own pace, so two accesses that touch a
// byte, one of them writing, need a barrier between them. An asynchronous copy
// owns its destination, and an asynchronous read its source, from its issue to
// its wait.
//
// Time is counted in epochs: a barrier begins a new one.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_SHAREDMEMORY_H
#define TESSERA_INTERPRETER_SHAREDMEMORY_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace mlir {
class Operation;
} // namespace mlir

namespace tessera::interpreter {

/// What is wrong with an access.
enum class SharedFault : uint8_t {
  None,
  Uninitialized,
  Overwritten,
  MissingBarrier,
  MissingFence,
  ReadBeforeWait,
  WriteInFlight
};

struct SharedOutcome {
  SharedFault fault = SharedFault::None;
  /// The first byte that it is about, and the other access, if there is one.
  int64_t offset = 0;
  mlir::Operation *other = nullptr;
};

class SharedMemory {
public:
  /// Room for a new buffer of `bytes`, never used before: for programs whose
  /// buffers have no offsets yet.
  int64_t reserve(int64_t bytes);
  /// A number for a buffer's data. Each execution of an allocation has its own.
  uint32_t makeOwner() { return ++lastOwner; }
  /// Whether barriers are demanded. They are not before the pass that inserts
  /// them.
  void setChecksBarriers(bool checks) { checksBarriers = checks; }

  void barrier() {
    ++epoch;
    fencesBeforeBarrier = fences;
  }
  /// What stands for now: the same between two barriers, never 0. 0 where
  /// barriers are not demanded.
  uint32_t getEpoch() const { return checksBarriers ? epoch + 1 : 0; }
  /// Asynchronous accesses see what each thread wrote before its fence; where
  /// barriers are demanded, after a barrier that follows the fence, since other
  /// threads may be late.
  void fenceAsync() { ++fences; }

  /// Writes `element` at a byte offset for the buffer `owner`.
  SharedOutcome write(int64_t offset, llvm::ArrayRef<uint8_t> element,
                      uint32_t owner, mlir::Operation *by);
  SharedOutcome read(int64_t offset, llvm::MutableArrayRef<uint8_t> element,
                     uint32_t owner, mlir::Operation *by);

  /// Whether asynchronous accesses see the last writes of these bytes.
  SharedOutcome checkFences(int64_t offset, int64_t count) const;

  /// The bytes as they are, without a check.
  void peek(int64_t offset, llvm::MutableArrayRef<uint8_t> element) const;

  /// An asynchronous operation begins to write these bytes, or to read what the
  /// buffer `owner` holds in them.
  SharedOutcome beginAsync(int64_t offset, int64_t count, bool writes,
                           uint32_t owner, mlir::Operation *by);
  /// It has ended; a write's data arrives now. `visible` says that all threads
  /// see it, which an mbarrier brings about; after a wait of one thread's own
  /// copies a barrier is still needed.
  void endAsyncWrite(int64_t offset, llvm::ArrayRef<uint8_t> data,
                     uint32_t owner, bool visible, mlir::Operation *by);
  void endAsyncRead(int64_t offset, int64_t count);

private:
  struct Byte {
    uint32_t owner = 0;
    /// Epochs of the last accesses, plus one; 0 for none.
    uint32_t writeEpoch = 0, readEpoch = 0;
    /// Number of fences before the last write, plus one; 0 where it needs none.
    uint32_t writeFence = 0;
    mlir::Operation *writer = nullptr, *reader = nullptr;
    /// Asynchronous operations under way.
    mlir::Operation *asyncWriter = nullptr;
    uint32_t asyncReads = 0;
    mlir::Operation *asyncReader = nullptr;
  };

  void grow(int64_t size);
  bool isFenced(const Byte &byte) const {
    return byte.writeFence <= (checksBarriers ? fencesBeforeBarrier : fences);
  }
  /// What a read of one byte of the buffer `owner` finds.
  SharedOutcome checkRead(int64_t offset, uint32_t owner) const;
  SharedOutcome checkWrite(int64_t offset, int64_t count,
                           mlir::Operation *by) const;

  std::vector<uint8_t> bytes;
  std::vector<Byte> state;
  int64_t reserved = 0;
  uint32_t lastOwner = 0, epoch = 0, fences = 0, fencesBeforeBarrier = 0;
  bool checksBarriers = false;
};

} // namespace tessera::interpreter

#endif // TESSERA_INTERPRETER_SHAREDMEMORY_H
