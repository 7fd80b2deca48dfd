//===- GlobalAccess.h - checked accesses to global memory -------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads, stores, atomic updates and asynchronous copies reach global memory one
// element at a time, through the checks of this class.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_INTERPRETER_GLOBALACCESS_H
#define TESSERA_LIB_INTERPRETER_GLOBALACCESS_H

#include "Machine.h"

namespace tessera::interpreter {

/// The accesses of one execution of an operation.
class GlobalAccess {
public:
  /// Elements take `width` bytes and belong to a tensor of `shape`; pointers
  /// are the operation's operand number `operand`.
  GlobalAccess(Program &program, const Instruction &instruction, int operand,
               unsigned width, llvm::ArrayRef<int64_t> shape)
      : program(program), instruction(instruction), operand(operand),
        width(width), shape(shape) {}

  /// Reads element `index` at `address`. After a finding `data` keeps what it
  /// holds, unless memory was read all the same.
  void load(uint64_t address, int64_t index, uint8_t *data);
  /// Writes it; nothing after a finding that says the address is bad.
  void store(uint64_t address, int64_t index, const uint8_t *data);
  /// The bytes of an atomic update, whose caller holds the memory's mutex; null
  /// after a finding.
  uint8_t *resolveAtomic(uint64_t address, int64_t index);

private:
  /// Finds the buffer; false after a finding.
  bool resolve(uint64_t address, int64_t index);
  void observe(uint64_t address, int64_t index, bool reads, bool writes);
  void checkWriters(int64_t index);
  void checkRace(int64_t index, const uint8_t *data);
  void report(FindingKind kind, int64_t index,
              llvm::function_ref<std::string()> detail = nullptr);
  /// "'a' + 128".
  std::string getPlace() const;

  Program &program;
  const Instruction &instruction;
  int operand;
  unsigned width;
  llvm::ArrayRef<int64_t> shape;
  /// Where the last access went.
  Buffer *buffer = nullptr;
  int64_t offset = 0;
};

} // namespace tessera::interpreter

#endif // TESSERA_LIB_INTERPRETER_GLOBALACCESS_H
