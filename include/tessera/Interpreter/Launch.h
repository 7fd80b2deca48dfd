//===- Launch.h - run a public entry on the CPU -----------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs what a launch plan says: its kernels in order, with scratch memory and
// fills. The plan is evaluated by the code that evaluates it on the device's
// host, from the same JSON.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_LAUNCH_H
#define TESSERA_INTERPRETER_LAUNCH_H

#include "tessera/Interpreter/Interpreter.h"
#include "tessera/Runtime/tessera_runtime.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera::interpreter {

struct EntryRequest {
  /// Name of a `tile.launch`, or of a kernel, which then takes its grid from
  /// the request.
  std::string entry;
  /// Pointers are addresses in the memory that the entry runs on.
  std::vector<tessera_argument> arguments;
  std::optional<Grid> grid;
  /// Multiprocessors that the plan is told of.
  int32_t numSMs = 132;
};

/// Runs an entry of `module`. Fails, with a diagnostic at the entry, when there
/// is none of that name, when the arguments do not fit it, when the plan
/// refuses them or has no value for them, or when a kernel cannot be run
/// (Interpreter.h).
mlir::LogicalResult runEntry(mlir::ModuleOp module, const EntryRequest &request,
                             GlobalMemory &memory, const RunOptions &options,
                             Findings &findings);

} // namespace tessera::interpreter

#endif // TESSERA_INTERPRETER_LAUNCH_H
