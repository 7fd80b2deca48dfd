//===- Help.h - one help for both uses of tile-opt --------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_HELP_H
#define TESSERA_TOOLS_TILEOPT_HELP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tessera {

/// "--help" or "--help-hidden" when the command line asks for it, else empty.
llvm::StringRef findHelpRequest(llvm::ArrayRef<const char *> arguments);

/// Prints the options of compiling and those of running passes; for
/// "--help-hidden" also all that LLVM and MLIR have registered. Ends the
/// program.
void printHelp(const char *program, llvm::StringRef request);

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_HELP_H
