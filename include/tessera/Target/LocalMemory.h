//===- LocalMemory.h - accesses of local memory by source line --*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers that do not fit are stored to local memory (STL) and loaded back
// (LDL). ptxas counts the bytes of a kernel; which lines of the source they
// belong to stands in the disassembly alone.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_LOCALMEMORY_H
#define TESSERA_TARGET_LOCALMEMORY_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// The instructions of one source line that access local memory; counted once
/// each, as ptxas counts them, however often they run.
struct LocalAccesses {
  std::string file;  ///< base name; empty when the line is not known
  unsigned line = 0; ///< 0 when it is not known
  int64_t stores = 0;
  int64_t storeBytes = 0; ///< of one thread
  int64_t loads = 0;
  int64_t loadBytes = 0; ///< of one thread
};

/// Reads nvdisasm's text with its line table (Disassemble.h). For each symbol
/// of a code section its lines with local accesses, in the order of the source.
llvm::StringMap<std::vector<LocalAccesses>>
findLocalAccesses(llvm::StringRef sass);

} // namespace tessera

#endif // TESSERA_TARGET_LOCALMEMORY_H
