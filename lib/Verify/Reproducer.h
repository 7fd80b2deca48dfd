//===- Reproducer.h - a failure as a folder ---------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both programs, the input as NumPy files, and a page that says what is wrong
// and how to see it again.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_VERIFY_REPRODUCER_H
#define TESSERA_LIB_VERIFY_REPRODUCER_H

#include "tessera/Verify/Input.h"

#include "llvm/Support/Error.h"

namespace tessera::verify {

struct Reproducer {
  mlir::ModuleOp before, after;
  const Input &input;
  /// The pass, as a pipeline that begins at the module.
  std::string pipeline;
  std::string message;
  uint64_t seed;
  unsigned numInputs;
};

/// Makes `folder`, which must not exist.
llvm::Error writeReproducer(llvm::StringRef folder,
                            const Reproducer &reproducer);

} // namespace tessera::verify

#endif // TESSERA_LIB_VERIFY_REPRODUCER_H
