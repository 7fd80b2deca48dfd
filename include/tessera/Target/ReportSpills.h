//===- ReportSpills.h - say which kernels spill, and where ------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A spill costs memory traffic that no line of the source asks for. That it
// happens is a warning at the kernel, with what may help; so is that products
// wait for each other, and that an instruction finds no registers is an error
// there.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_REPORTSPILLS_H
#define TESSERA_TARGET_REPORTSPILLS_H

#include "tessera/Target/Compile.h"
#include "tessera/Target/Ptxas.h"
#include "tessera/Target/SymbolNames.h"

namespace tessera {

/// Whether a kernel of `resources` spills.
bool anySpills(llvm::ArrayRef<KernelResources> resources);

/// A warning and a missed remark, "spills" of the category "ptxas", for each
/// kernel that spills.
void warnOfSpills(mlir::ModuleOp module,
                  llvm::ArrayRef<KernelResources> resources);

/// An error for each kernel that lacks registers; false, and none, where ptxas
/// names another function.
bool reportShortages(mlir::ModuleOp module, const SymbolNameMap &names,
                     const PtxasReport &report);

/// A warning for each kernel whose asynchronous products wait for each other, and
/// for each other function that ptxas names.
void warnOfSerialized(mlir::ModuleOp module, const SymbolNameMap &names,
                      const PtxasReport &report);

/// Fills `localAccesses` of the kernels that spill from their disassembly.
void locateSpills(std::vector<KernelResources> &resources,
                  const SymbolNameMap &names, llvm::StringRef sass);

} // namespace tessera

#endif // TESSERA_TARGET_REPORTSPILLS_H
