//===- Check.h - compile and verify one kernel ------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_CHECK_H
#define TESSERA_TEST_FUZZ_CHECK_H

#include "tessera/Target/Compile.h"
#include "tessera/Verify/PassVerifier.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tessera::fuzz {

/// How a kernel is compiled.
struct CheckOptions {
  std::string target;
  /// To a cubin, not only to PTX.
  bool runPtxas = false;
  /// By programs that stay.
  bool persistent = false;
  /// Which get their tiles from a counter.
  bool dynamic = false;
  /// Of loops with stages; 0: the source's.
  int32_t numStages = 0;
};

struct CheckResult {
  /// What kind of failure: the same kind is looked for while reducing. Empty
  /// when all is well.
  std::string kind;
  std::string message;
  /// Whether the kernel was refused for what its copies take of shared memory,
  /// and that is right: they have more stages than fit. Then no failure.
  bool isRefused = false;
  /// Inputs that the passes were verified with.
  unsigned numInputs = 0;

  bool failed() const { return !kind.empty(); }
};

/// Compiles a module and verifies each pass. A crash of the compiler is a
/// failure, too.
CheckResult checkModule(mlir::ModuleOp source, const CheckOptions &options);

/// What kernels are run with: sums are exact, and runs short.
verify::SynthesisOptions getInputOptions();

/// Compiles a module in place, under the eyes of a verifier if there is one.
/// Fails after a diagnostic.
mlir::FailureOr<CompileResult>
compileTo(Artifact artifact, mlir::ModuleOp module, const CheckOptions &options,
          llvm::StringRef outputName, verify::PassVerifier *verifier = nullptr);

/// Whether a kernel may be refused for its shared memory.
bool mayBeRefused(mlir::ModuleOp source, const CheckOptions &options);

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_CHECK_H
