//===- Execution.h - run an entry on an input -------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_VERIFY_EXECUTION_H
#define TESSERA_VERIFY_EXECUTION_H

#include "tessera/Verify/Input.h"

#include "llvm/ADT/StringSet.h"

namespace tessera::verify {

/// What a run left behind.
struct Outcome {
  /// Whether the entry could be run; if not, `error` has the diagnostic.
  bool ran = false;
  std::string error;
  /// Contents of the input's buffers.
  std::vector<std::vector<uint8_t>> buffers;
  /// Of each buffer, a flag for each byte that was ever written; empty when all
  /// were.
  std::vector<std::vector<uint8_t>> initialized;
  /// Without notes. Operations are those of the module that was run.
  std::vector<interpreter::Finding> findings;
  llvm::StringSet<> kernels;
  /// Of each buffer, a flag for each byte whose value the source leaves
  /// unspecified; empty when there are none.
  std::vector<std::vector<uint8_t>> unspecified;
  /// Element accesses to global memory.
  int64_t accesses = 0;

  bool has(interpreter::FindingKind kind) const;
};

/// Looks on at what an entry does to the memory of an input.
class InputObserver {
public:
  virtual ~InputObserver() = default;
  virtual bool beginKernel(tile::FuncOp, interpreter::Grid) { return true; }
  /// An access to buffer number `buffer`, `offset` bytes from its pointer.
  virtual void access(unsigned buffer, int64_t offset,
                      const interpreter::AccessEvent &event) = 0;
};

/// How `module` is called with the input, whose buffers' pointers are given.
interpreter::EntryRequest buildRequest(mlir::ModuleOp module,
                                       const Input &input,
                                       llvm::ArrayRef<uint64_t> pointers);

/// Runs the input's entry of `module`. Diagnostics go into the outcome.
/// `zeroesUnloaded` is as in RunOptions.
Outcome execute(mlir::ModuleOp module, const Input &input,
                InputObserver *observer = nullptr, bool zeroesUnloaded = false);

/// The file, line and column of the source that `op` stands for.
std::string describeLocation(mlir::Operation *op);

} // namespace tessera::verify

#endif // TESSERA_VERIFY_EXECUTION_H
