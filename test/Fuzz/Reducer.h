//===- Reducer.h - make a failing kernel smaller ----------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Leaves operations out while the kernel still fails in the same way. MLIR's
// reducer is not used: it asks a script about a file for each candidate, and
// takes out only what nothing uses, where most of a kernel is one chain of
// uses.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_REDUCER_H
#define TESSERA_TEST_FUZZ_REDUCER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::fuzz {

/// A smaller module for which `fails` still holds, after `maxTries` questions
/// at most.
mlir::OwningOpRef<mlir::ModuleOp>
reduceModule(mlir::ModuleOp module,
             llvm::function_ref<bool(mlir::ModuleOp)> fails, unsigned maxTries);

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_REDUCER_H
