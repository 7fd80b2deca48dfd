//===- Manifest.h - what a launcher has to know -----------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The manifest is a JSON file beside a cubin or PTX file: the kernels with
// their resources, and the launch plans as expression graphs. It is all that
// the runtime needs besides the cubin. docs/Manifest.md defines the format.
//
// Members stand in a fixed order and the text is indented: manifests are read
// by people and compared by tests.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_MANIFEST_H
#define TESSERA_TARGET_MANIFEST_H

#include "mlir/IR/BuiltinOps.h"
#include "tessera/Target/Ptxas.h"
#include "tessera/Target/SymbolNames.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace tessera {

/// What a manifest says and the module does not.
struct ManifestInput {
  std::string target;
  /// Base name of the PTX or cubin file.
  std::string output;
  /// Names of the kernels in PTX.
  const SymbolNameMap *names = nullptr;
  /// Bytes of statically allocated shared memory, by name in PTX; counted in
  /// LLVM IR, used where ptxas did not run.
  const llvm::StringMap<int64_t> *staticSharedBytes = nullptr;
  /// Null when ptxas did not run; its numbers are then null in the manifest.
  const PtxasResult *ptxas = nullptr;
};

/// True for an `llvm.func` that is launched from the host.
bool isKernel(mlir::Operation *op);

/// The manifest of a level-3 module.
std::string buildManifest(mlir::ModuleOp module, const ManifestInput &input);

} // namespace tessera

#endif // TESSERA_TARGET_MANIFEST_H
