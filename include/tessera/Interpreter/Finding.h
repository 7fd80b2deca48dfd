//===- Finding.h - what the interpreter catches -----------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Faults of a kernel that a run brings to light. Each is kept once for each
// operation: the first in the program with the smallest id, however many
// threads the run used, and how often it happened.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_FINDING_H
#define TESSERA_INTERPRETER_FINDING_H

#include "tessera/Interpreter/Tensor.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"

#include <array>

namespace tessera::interpreter {

enum class FindingKind : uint8_t {
  // Global memory.
  OutOfBounds,
  Misaligned,
  UninitializedRead,
  /// Two programs store different values to one address, without atomics.
  StoreRace,
  /// A load of what another program of the launch stored, without atomics.
  ReadOfOtherProgram,
  /// A load of what the same program stored: unordered (see tile.load).
  ReadAfterOwnStore,
  /// A store to a buffer of an argument that is said to be only read.
  StoreToReadOnly,
  // Claims.
  /// An argument that is not what its attributes say.
  FalseFact,
  /// Addresses or masks that are not as `tile_gpu.access` says.
  FalseAccess,
  /// Elements of a product's operands that are not zero behind its `depth`.
  FalseDepth,
  // Shared memory.
  UninitializedShared,
  /// A read of bytes that another buffer's data has replaced.
  OverwrittenShared,
  /// Two conflicting accesses without a barrier between them.
  MissingBarrier,
  /// An asynchronous access to what was written without a fence in between.
  MissingFence,
  /// A read of bytes that an asynchronous copy has not delivered yet.
  ReadBeforeWait,
  /// A write to bytes that an asynchronous operation still reads or writes.
  WriteInFlight,
  /// A use of accumulators that an asynchronous product still writes.
  UseBeforeWait,
  /// Registers that an asynchronous product still reads are computed anew.
  RegistersInFlight,
  /// A copy that nothing waits for when the program ends.
  NeverWaited,
  /// A wait that no arrival can end.
  Deadlock,
  /// An arrival at an mbarrier that has had all of them and still waits for
  /// copies.
  RearmedInFlight,
  SlotOutOfRange,
  // Arithmetic and control.
  DivisionByZero,
  AssertionFailed,
  EndlessLoop,
  /// Index arithmetic in 32 bits would have wrapped; addresses do not. A note.
  WouldHaveWrapped
};

/// "out of bounds", "store race", …
const char *getTitle(FindingKind kind);
/// Whether the kernel is right all the same.
inline bool isNote(FindingKind kind) {
  return kind == FindingKind::WouldHaveWrapped;
}

struct Finding {
  FindingKind kind;
  mlir::Operation *op;
  /// The program, and its index in the order x, y, z.
  std::array<int64_t, 3> program;
  int64_t linearProgram;
  /// Index of the element in the operation's tensor; empty for scalars and for
  /// what is not about an element.
  Shape element;
  /// Number of the value that it is about, as an operand of `op`, or -1.
  int operand = -1;
  /// The rest of the sentence: address, buffer, the other access.
  std::string detail;
  /// How often it happened in all programs.
  int64_t count = 1;
};

/// The findings of a run, in the order in which operations met them first.
class Findings {
public:
  /// Whether `kind` at `op` is known already, which then only counts.
  bool countIfKnown(FindingKind kind, mlir::Operation *op);
  void add(Finding finding);
  /// Adds those of another part of the same run.
  void merge(Findings &&other);

  /// All of them, in source order: by location, then by kind.
  std::vector<Finding> takeSorted();
  bool contains(FindingKind kind) const;
  bool empty() const { return entries.empty(); }

private:
  using Key = std::pair<mlir::Operation *, unsigned>;
  llvm::MapVector<Key, Finding> entries;
};

} // namespace tessera::interpreter

#endif // TESSERA_INTERPRETER_FINDING_H
