//===- Ptxas.h - PTX to cubin -----------------------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One call of NVIDIA's assembler with `-v`, and its resource report as numbers.
//
// Determinism: a cubin holds ptxas's version and its flags, but neither the
// input's nor the output's path (looked up in the section .note.nv.tkinfo, and
// tested). Equal PTX, flags and ptxas give equal bytes in whatever folder. The
// version is read from that section, which saves a second process.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_PTXAS_H
#define TESSERA_TARGET_PTXAS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// What ptxas says about one kernel or one device function.
struct PtxasFunction {
  std::string symbol;
  bool isEntry = false;
  int64_t registers = 0;         ///< 32-bit registers per thread
  int64_t stackBytes = 0;        ///< local memory frame, bytes per thread
  int64_t spillStoreBytes = 0;   ///< bytes stored by spills, static count
  int64_t spillLoadBytes = 0;    ///< bytes loaded by spills, static count
  int64_t staticSharedBytes = 0; ///< bytes per CTA, without the dynamic part
};

/// A function whose limit of registers holds no operands of an instruction
/// (C7602).
struct PtxasShortage {
  std::string symbol;
  int64_t limit = 0, needed = 0; ///< registers per thread
};

/// A function whose asynchronous products wait for each other (C7510 to C7519).
struct PtxasSerialized {
  std::string symbol;
  std::string cause; ///< in ptxas's words
  bool lacksRegisters = false;
};

/// ptxas's whole report.
struct PtxasReport {
  std::vector<PtxasFunction> functions;
  std::vector<PtxasShortage> shortages; ///< errors too
  std::vector<PtxasSerialized> serialized;
  /// Other warnings, and what else speaks of "Potential Performance Loss",
  /// which ptxas prints as mere information at times; one line each.
  std::vector<std::string> warnings;
  /// Errors, one line each.
  std::vector<std::string> errors;

  /// The entry named `symbol`, or null.
  const PtxasFunction *findEntry(llvm::StringRef symbol) const;
};

struct PtxasResult {
  std::string cubin;
  std::string version; ///< e.g. "13.0.88"
  PtxasReport report;
};

/// A run of ptxas that made no cubin.
struct PtxasFailure : llvm::ErrorInfo<PtxasFailure> {
  static char ID;
  PtxasFailure(std::string message, PtxasReport report)
      : message(std::move(message)), report(std::move(report)) {}

  /// Whether the shortages of the report are all that is wrong.
  bool isShortage() const;

  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  std::string message;
  PtxasReport report;
};

/// Parses what `ptxas -v` prints. Lines of an unknown form are skipped, for
/// every release adds some.
PtxasReport parsePtxasOutput(llvm::StringRef output);

/// ptxas's version as stored in a cubin, or an empty string.
std::string findPtxasVersion(llvm::StringRef cubin);

/// Assembles `ptx` for `chip` with the ptxas at `path`. `extra` holds more
/// arguments, which come last (checkPtxasArgument accepts them). Temporary
/// files are removed in every case. The error's text has ptxas's own messages;
/// it is a PtxasFailure where ptxas ran.
llvm::Expected<PtxasResult> runPtxas(llvm::StringRef path, llvm::StringRef ptx,
                                     llvm::StringRef chip,
                                     llvm::ArrayRef<std::string> extra = {});

/// Whether a user may add `argument` to ptxas's command line: one word that is
/// an option, and none that changes what is read, written or made for. Whether
/// ptxas knows it is ptxas's to say.
llvm::Error checkPtxasArgument(llvm::StringRef argument);

} // namespace tessera

#endif // TESSERA_TARGET_PTXAS_H
