//===- Reproducer.h - a failure as a folder ---------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both programs, the input and what it gave before as NumPy files, and a page that says what is wrong
// and how to see it again.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_VERIFY_REPRODUCER_H
#define TESSERA_LIB_VERIFY_REPRODUCER_H

#include "tessera/Verify/Comparison.h"

#include "llvm/Support/Error.h"

namespace tessera::verify {

struct Reproducer {
  mlir::ModuleOp before, after;
  const Input &input;
  /// What `before` made of it, and what is wrong with what `after` makes.
  const Outcome &expected;
  const Fault &fault;
  /// The pass, as a pipeline that begins at the module.
  std::string pipeline;
  std::string message;
  uint64_t seed;
  unsigned numInputs;
};

/// The call of tile-run that runs `after` on the files: it ends with exit code 3
/// where the results differ, 2 where there is a fault of another kind and 1 where
/// the program does not run.
std::string buildReplayCommand(const Reproducer &reproducer);

/// Makes `folder`, which must not exist.
llvm::Error writeReproducer(llvm::StringRef folder,
                            const Reproducer &reproducer);

} // namespace tessera::verify

#endif // TESSERA_LIB_VERIFY_REPRODUCER_H
