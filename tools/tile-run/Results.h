//===- Results.h - what becomes of tensors after a run ----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILERUN_RESULTS_H
#define TESSERA_TOOLS_TILERUN_RESULTS_H

#include "Arguments.h"
#include "Options.h"

namespace tessera {

/// --save and --expect.
class Results {
public:
  explicit Results(const RunSettings &settings) : settings(settings) {}

  /// Before the run: finds the arguments, reads what is expected, looks whether
  /// files can be made.
  llvm::Error prepare(llvm::ArrayRef<Argument> arguments);

  /// Compares with what is expected and tells of it. False when something is
  /// wrong.
  bool compareExpected(llvm::ArrayRef<Argument> arguments) const;

  /// Compares the tensors with those of another run of the same arguments.
  bool compareRuns(llvm::ArrayRef<Argument> arguments,
                   llvm::ArrayRef<Argument> reference) const;

  /// Writes all files, or none.
  llvm::Error save(llvm::ArrayRef<Argument> arguments) const;

private:
  struct Expectation {
    size_t index;
    interpreter::HostArray array;
  };

  /// The number of the tensor that `option` speaks of.
  llvm::Expected<size_t> find(llvm::StringRef option, const ArgumentFile &file,
                              llvm::ArrayRef<Argument> arguments) const;
  bool compareOne(const Argument &argument,
                  const interpreter::HostArray &value,
                  const interpreter::HostArray &expected) const;

  const RunSettings &settings;
  std::vector<Expectation> expectations;
  /// Of settings.saves.
  std::vector<size_t> saved;
};

} // namespace tessera

#endif // TESSERA_TOOLS_TILERUN_RESULTS_H
