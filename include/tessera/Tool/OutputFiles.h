//===- OutputFiles.h - several files, written together ----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cubin without its manifest, or half of either, must never lie where a build
// system looks for it. All contents are in memory first; commit() writes each
// to a temporary file in the destination's folder, and only when all of them
// are on disk renames them into place. A rename within a folder either happens
// or does not.
//
// A destination that exists and is no regular file (/dev/null, a pipe) is
// written directly: a rename would replace the device.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOL_OUTPUTFILES_H
#define TESSERA_TOOL_OUTPUTFILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace tessera {

class OutputFiles {
public:
  /// `path` may be "-", the standard output.
  void add(llvm::StringRef path, std::string contents);

  /// Writes all files or, after an error, none.
  llvm::Error commit();

private:
  struct File {
    std::string path;
    std::string contents;
    /// Written and not yet renamed; empty for direct destinations.
    std::string temporary;
  };
  llvm::Error writeTemporary(File &file);
  void removeTemporaries();

  std::vector<File> files;
};

/// An error when no file can be made at `path`: it is a directory, or its
/// folder does not exist. Called early, before time is spent on compiling.
llvm::Error checkDestination(llvm::StringRef path);

} // namespace tessera

#endif // TESSERA_TOOL_OUTPUTFILES_H
