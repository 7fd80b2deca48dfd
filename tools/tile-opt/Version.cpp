//===- Version.cpp - what --version says ----------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Version.h"

#include "tessera/Target/TargetInfo.h"
#include "tessera/Target/Toolkit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera {

/// The file's path, or "none" where the search finds nothing.
static std::string describe(Expected<std::string> path) {
  if (path)
    return std::move(*path);
  consumeError(path.takeError());
  return "none";
}

void extendVersion(StringRef program) {
  ToolkitOptions toolkit;
  toolkit.programPath = sys::fs::getMainExecutable(
      program.str().c_str(), reinterpret_cast<void *>(&extendVersion));
  cl::AddExtraVersionPrinter([toolkit](raw_ostream &out) {
    out << "Tessera version " TESSERA_VERSION "\n"
        << "  Targets: " << llvm::join(TargetInfo::names(), ", ") << "\n"
        << "  ptxas: " << describe(findPtxas(toolkit)) << "\n"
        << "  libdevice: " << describe(findLibdevice(toolkit)) << "\n";
  });
}

} // namespace tessera
