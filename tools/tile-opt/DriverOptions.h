//===- DriverOptions.h - command line of the compiler -----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_DRIVEROPTIONS_H
#define TESSERA_TOOLS_TILEOPT_DRIVEROPTIONS_H

#include "Overrides.h"

#include "tessera/Target/Toolkit.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>

namespace tessera {

/// What --emit asks for.
enum class EmitKind { MLIR, LLVMIR, PTX, Cubin };

/// The IR level at which --emit=mlir stops; in the order of the pipeline.
enum class StageKind { Tile, TileGPU, NVVM };

struct DriverOptions {
  std::string input;
  std::string output;
  EmitKind emit = EmitKind::Cubin;
  StageKind stage = StageKind::NVVM;
  std::string target;
  /// Warps of a CTA, a power of two from 1 to 32, or 0: the compiler's choice.
  int numWarps = 0;
  Overrides overrides;
  ToolkitOptions toolkit;
  std::string dumpFolder;
  /// A regular expression over remark categories; ".*" for --remarks alone.
  std::optional<std::string> remarks;

  /// The manifest's path, or an empty string when none is written.
  std::string getManifestPath() const;
};

/// Parses and checks a command line. After an error it has been reported and
/// the result is empty. --help and --version end the program.
std::optional<DriverOptions>
parseDriverOptions(llvm::ArrayRef<const char *> arguments);

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_DRIVEROPTIONS_H
