//===- Version.h - what --version says --------------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside LLVM's version: Tessera's own, the targets, and the files of the CUDA
// toolkit that a compilation would use. What a cubin depends on can be read
// from it; tessera_compiler.py does.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_VERSION_H
#define TESSERA_TOOLS_TILEOPT_VERSION_H

#include "llvm/ADT/StringRef.h"

namespace tessera {

/// Adds to what --version prints. `program` is argv[0].
void extendVersion(llvm::StringRef program);

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_VERSION_H
