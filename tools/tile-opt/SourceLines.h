//===- SourceLines.h - lines of the file being compiled ---------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports, PTX and SASS speak of `file:line`; a reader wants the line's text.
// Files are told apart by their base names, the only ones that PTX and cubins
// have; only the input's lines are known.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_SOURCELINES_H
#define TESSERA_TOOLS_TILEOPT_SOURCELINES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tessera {

class SourceLines {
public:
  /// Takes the text of the file `path`, which has to outlive this object.
  void set(llvm::StringRef path, llvm::StringRef text);

  /// Line `line`, counted from 1, without its end; empty when `file` is not the
  /// input or has no such line.
  llvm::StringRef get(llvm::StringRef file, unsigned line) const;

  /// "file:line  text", the text without its indentation.
  std::string describe(llvm::StringRef file, unsigned line) const;

private:
  std::string name;
  llvm::SmallVector<llvm::StringRef, 0> lines;
};

/// `ptx` with the source line as a comment behind each `.loc`. For readers: it
/// assembles to the same code.
std::string annotatePTX(llvm::StringRef ptx, const SourceLines &source);

/// nvdisasm's text with the source line at each mark of its line table.
std::string annotateSASS(llvm::StringRef sass, const SourceLines &source);

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_SOURCELINES_H
