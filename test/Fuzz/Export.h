//===- Export.h - a kernel, its inputs and its results as files -*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter knows values, and not in which thread's registers they lie,
// nor what PTX says. That is checked where the cubin runs: test/GPU/fuzz.py
// launches what is written here, and compares each byte with what the
// interpreter made of the source.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_EXPORT_H
#define TESSERA_TEST_FUZZ_EXPORT_H

#include "Check.h"

#include "mlir/Support/LLVM.h"

namespace tessera::fuzz {

enum class Exported {
  Written,
  /// Not for this target, which holds fewer stages.
  Refused,
  /// No input for which the source has no faults.
  NoInputs,
  Failed
};

/// Compiles a module, after giving its kernels plans, and writes STEM.cubin,
/// its manifest STEM.json, and for each input what memory holds before and
/// after: STEM.bin, and STEM.case, which says in JSON what lies where.
Exported exportModule(mlir::ModuleOp source, const CheckOptions &options,
                      llvm::StringRef folder, llvm::StringRef stem);

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_EXPORT_H
