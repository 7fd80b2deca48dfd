//===- Disassemble.cpp - cubin to SASS text -------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/Disassemble.h"

#include "RunTool.h"

using namespace llvm;

namespace tessera {

Expected<std::string> disassemble(StringRef path, StringRef cubin) {
  TemporaryFile input, output, log;
  for (auto [file, suffix] :
       {std::pair<TemporaryFile *, StringRef>{&input, "cubin"},
        {&output, "sass"},
        {&log, "log"}})
    if (Error error = file->create(suffix))
      return std::move(error);
  if (Error error = input.write(cubin))
    return std::move(error);
  ToolRun run =
      runTool(path, {"--print-code", "--print-line-info", input.getPath()},
              output.getPath(), log.getPath());
  std::string text = hideName(output.read(), input.getPath(), "kernel.cubin");
  if (run.code == 0 && !text.empty())
    return text;
  std::string message = "nvdisasm failed";
  if (run.code > 0)
    message += " (exit code " + std::to_string(run.code) + ")";
  if (!run.problem.empty())
    message += ": " + run.problem;
  std::string said = hideName(log.read(), input.getPath(), "kernel.cubin");
  if (!StringRef(said).trim().empty())
    message += "\n  " + StringRef(said).trim().str();
  return createStringError(message +
                           "\n  (an nvdisasm older than ptxas may not know the "
                           "cubin; --nvdisasm-path names another)");
}

} // namespace tessera
