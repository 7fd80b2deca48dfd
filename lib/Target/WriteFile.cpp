//===- WriteFile.cpp - a file and its contents ----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/WriteFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

llvm::Error tessera::writeFile(llvm::StringRef path, llvm::StringRef contents) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error, llvm::sys::fs::OF_None);
  if (!error) {
    stream << contents;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error)
    return llvm::createStringError(error, "cannot write '" + path +
                                              "': " + error.message());
  return llvm::Error::success();
}
