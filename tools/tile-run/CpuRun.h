//===- CpuRun.h - run an entry by the interpreter ---------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILERUN_CPURUN_H
#define TESSERA_TOOLS_TILERUN_CPURUN_H

#include "Source.h"

namespace tessera {

/// Runs `entry` on the arguments, whose tensors then hold the results, and
/// prints what is wrong with the kernel. 0 or an exit code.
int runOnCPU(Source &source, llvm::StringRef entry,
             const RunSettings &settings, std::vector<Argument> &arguments);

} // namespace tessera

#endif // TESSERA_TOOLS_TILERUN_CPURUN_H
