//===- Driver.h - tile-opt as a compiler ------------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_DRIVER_H
#define TESSERA_TOOLS_TILEOPT_DRIVER_H

#include "llvm/ADT/ArrayRef.h"

namespace tessera {

/// Compiles a kernel as the command line says (`tile-opt --help`).
/// Returns the exit code. Outputs exist only when it is 0.
int runDriver(llvm::ArrayRef<const char *> arguments);

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_DRIVER_H
