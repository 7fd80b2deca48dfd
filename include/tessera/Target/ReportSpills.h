//===- ReportSpills.h - say which kernels spill, and where ------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A spill costs memory traffic that no line of the source asks for. That it
// happens is a warning at the kernel, with what may help.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_REPORTSPILLS_H
#define TESSERA_TARGET_REPORTSPILLS_H

#include "tessera/Target/Compile.h"
#include "tessera/Target/SymbolNames.h"

namespace tessera {

/// Whether a kernel of `resources` spills.
bool anySpills(llvm::ArrayRef<KernelResources> resources);

/// A warning and a missed remark, "spills" of the category "ptxas", for each
/// kernel that spills.
void warnOfSpills(mlir::ModuleOp module,
                  llvm::ArrayRef<KernelResources> resources);

/// Fills `localAccesses` of the kernels that spill from their disassembly.
void locateSpills(std::vector<KernelResources> &resources,
                  const SymbolNameMap &names, llvm::StringRef sass);

} // namespace tessera

#endif // TESSERA_TARGET_REPORTSPILLS_H
