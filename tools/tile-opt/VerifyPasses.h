//===- VerifyPasses.h - --verify-passes -------------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of pass verification, for the compiler as well as for the tool
// that runs single passes.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_VERIFYPASSES_H
#define TESSERA_TOOLS_TILEOPT_VERIFYPASSES_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LogicalResult.h"
#include "tessera/Verify/PassVerifier.h"

namespace tessera {

class VerifyRequest {
public:
  /// Sets the option `name`; false with `error` when it has no such value.
  bool set(llvm::StringRef name, llvm::StringRef value, std::string &error);
  /// Takes these options out of a command line.
  bool extractFrom(llvm::SmallVectorImpl<const char *> &arguments,
                   std::string &error);
  /// An empty string, or what is wrong with all of them together.
  std::string check() const;

  bool isOn() const { return numInputs != 0; }
  verify::VerifierOptions getOptions() const;

private:
  unsigned numInputs = 0;
  std::optional<uint64_t> seed;
  std::optional<std::string> folder;
};

/// Does what MlirOptMain does with its command line, which has been parsed, and
/// verifies the passes. Nothing is written after a failure.
mlir::LogicalResult runVerified(const std::string &input,
                                const std::string &output,
                                mlir::DialectRegistry &registry,
                                const VerifyRequest &request);

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_VERIFYPASSES_H
