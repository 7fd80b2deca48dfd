//===- Compile.h - the back end as one function -----------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a level-3 module to the texts and bytes that a user asked for. Nothing
// is written to the user's files here: results are strings, and the caller
// writes all of them or none.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_COMPILE_H
#define TESSERA_TARGET_COMPILE_H

#include "mlir/Support/Timing.h"
#include "tessera/Target/LocalMemory.h"
#include "tessera/Target/Ptxas.h"
#include "tessera/Target/Toolkit.h"
#include "tessera/Target/Translate.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// How far to go.
enum class Artifact { LLVMIR, PTX, Cubin, SASS };

struct CompileOptions {
  Artifact artifact = Artifact::Cubin;
  TranslateOptions translate;
  ToolkitOptions toolkit;
  /// More arguments for ptxas.
  std::vector<std::string> ptxasArguments;
  /// PTX to assemble in place of what is made, and the file it came from, for
  /// messages. The manifest stays that of the module, which the text has to fit
  /// (EditedPTX.h).
  std::optional<std::string> editedPTX;
  std::string editedPTXFile;
  /// Whether kernels that spill are disassembled to find the lines.
  bool locateSpills = false;
  /// Base name of the output file, for the manifest.
  std::string outputName;
  /// Called with each intermediate result: a name, a file extension ("ll",
  /// "ptx") and the contents. May be empty.
  std::function<void(llvm::StringRef, llvm::StringRef, llvm::StringRef)>
      onStage;
};

/// What an assembled kernel needs.
struct KernelResources {
  std::string name; ///< in the source
  int64_t dynamicSharedBytes = 0;
  PtxasFunction ptxas;
  /// Of a kernel that spills, where that is asked for and could be found out.
  std::vector<LocalAccesses> localAccesses;
};

struct CompileResult {
  /// The artifact: text of LLVM IR, PTX or SASS, or the bytes of a cubin.
  std::string output;
  /// Empty for LLVM IR.
  std::string manifest;
  /// In the order of the source; empty where ptxas did not run.
  std::vector<KernelResources> resources;
  /// Why the lines of spills are not known, in one line; else empty.
  std::string spillsUnknown;
};

/// Compiles the kernels of `module`. Problems are diagnostics; so are ptxas's
/// warnings and spills. Steps are timed below `timing`.
llvm::FailureOr<CompileResult> compileModule(mlir::ModuleOp module,
                                             const CompileOptions &options,
                                             mlir::TimingScope &timing);

} // namespace tessera

#endif // TESSERA_TARGET_COMPILE_H
