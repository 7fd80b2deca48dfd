//===- WriteFile.h - a file and its contents --------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_WRITEFILE_H
#define TESSERA_TARGET_WRITEFILE_H

#include "llvm/Support/Error.h"

namespace tessera {

/// Makes or replaces a file. The error, "cannot write 'PATH': …", is that of
/// opening, writing or closing it. (OutputFiles.h is for what a user asked for,
/// and leaves nothing half-written.)
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef contents);

} // namespace tessera

#endif // TESSERA_TARGET_WRITEFILE_H
