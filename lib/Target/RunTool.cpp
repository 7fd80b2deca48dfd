//===- RunTool.cpp - a toolkit program on temporary files -----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunTool.h"

#include "tessera/Target/WriteFile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

using namespace llvm;

namespace tessera {

TemporaryFile::~TemporaryFile() {
  if (path.empty())
    return;
  sys::fs::remove(path);
  sys::DontRemoveFileOnSignal(path);
}

Error TemporaryFile::create(StringRef suffix) {
  if (std::error_code error =
          sys::fs::createTemporaryFile("tessera", suffix, path))
    return createStringError(error, "cannot make a temporary file: " +
                                        error.message());
  sys::RemoveFileOnSignal(path);
  return Error::success();
}

Error TemporaryFile::write(StringRef contents) {
  return writeFile(path, contents);
}

std::string TemporaryFile::read() const {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

ToolRun runTool(StringRef program, ArrayRef<StringRef> arguments,
                StringRef outputFile, StringRef errorFile) {
  SmallVector<StringRef> all = {program};
  all.append(arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {StringRef(), outputFile, errorFile};
  ToolRun run;
  run.code =
      sys::ExecuteAndWait(program, all, std::nullopt, redirects,
                          /*SecondsToWait=*/0, /*MemoryLimit=*/0, &run.problem);
  return run;
}

std::string hideName(std::string text, StringRef path, StringRef name) {
  for (size_t at = 0;
       (at = text.find(path.data(), at, path.size())) != std::string::npos;
       at += name.size())
    text.replace(at, path.size(), name.str());
  return text;
}

} // namespace tessera
