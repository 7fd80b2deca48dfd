//===- RunTool.h - a toolkit program on temporary files ---------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas and nvdisasm read and write files only. What is common to running them:
// temporary files that never stay behind, and one call that collects the exit
// code and all that the program says.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TARGET_RUNTOOL_H
#define TESSERA_LIB_TARGET_RUNTOOL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tessera {

/// A temporary file that is removed at the end of its scope, and when a signal
/// ends the program.
class TemporaryFile {
public:
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  ~TemporaryFile();

  llvm::Error create(llvm::StringRef suffix);
  llvm::Error write(llvm::StringRef contents);
  /// All bytes; an empty string when the file cannot be read.
  std::string read() const;
  llvm::StringRef getPath() const { return path; }

private:
  llvm::SmallString<128> path;
};

/// How a program ended. `code` is negative when it did not run or crashed, and
/// `problem` then says why.
struct ToolRun {
  int code = 0;
  std::string problem;
};

/// Runs `program` with `arguments` (without the program's own name). Standard
/// output and error go to the files named; equal names share one file.
ToolRun runTool(llvm::StringRef program,
                llvm::ArrayRef<llvm::StringRef> arguments,
                llvm::StringRef outputFile, llvm::StringRef errorFile);

/// `text` with a temporary file's name replaced by what the user knows it as.
std::string hideName(std::string text, llvm::StringRef path,
                     llvm::StringRef name);

} // namespace tessera

#endif // TESSERA_LIB_TARGET_RUNTOOL_H
