//===- PassVerifier.h - run kernels before and after each pass --*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a compilation is right can be asked of each compilation. Every entry
// is run before the first pass, and again after each pass that has changed
// something, on the same inputs; the first pass whose output behaves otherwise
// is named, with the store that wrote the first differing element.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_VERIFY_PASSVERIFIER_H
#define TESSERA_VERIFY_PASSVERIFIER_H

#include "tessera/Verify/Input.h"

#include "mlir/Pass/PassManager.h"

#include <memory>

namespace tessera::verify {

struct VerifierOptions {
  SynthesisOptions inputs;
  /// Where both programs and the input of a failure are written; not if empty.
  std::string dumpFolder;
};

/// The results of a verified run of passes; outlives the pass manager.
class PassVerifier {
public:
  explicit PassVerifier(VerifierOptions options);
  ~PassVerifier();

  /// Watches `manager`, whose context must run on one thread.
  void watch(mlir::PassManager &manager);
  /// Whether a pass was found guilty; a diagnostic has said so.
  bool failed() const;
  /// Inputs found for all entries.
  unsigned countInputs() const;
  /// "13 changes by passes verified with 3 inputs".
  std::string summarize() const;

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tessera::verify

#endif // TESSERA_VERIFY_PASSVERIFIER_H
