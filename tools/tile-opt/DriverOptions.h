//===- DriverOptions.h - command line of the compiler -----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_DRIVEROPTIONS_H
#define TESSERA_TOOLS_TILEOPT_DRIVEROPTIONS_H

#include "EmitLayout.h"
#include "VerifyPasses.h"

#include "tessera/Choice/Configuration.h"
#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Target/Toolkit.h"
#include "tessera/Tool/Overrides.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// What --emit asks for, in the order of the pipeline; a manifest comes with
/// PTX and cubins, a header with a launcher.
enum class EmitKind { MLIR, Layout, LLVMIR, PTX, Cubin, Launcher, SASS };

/// The code inside a launcher.
enum class ImageKind { Cubin, PTX };

/// The IR level at which --emit=mlir stops; in the order of the pipeline.
enum class StageKind { Tile, TileGPU, NVVM };

/// The form of --explain.
enum class ExplainKind { None, Text, JSON };

struct DriverOptions {
  std::string input;
  std::string output;
  EmitKind emit = EmitKind::Cubin;
  StageKind stage = StageKind::NVVM;
  /// The target, the warps of a CTA, and what becomes of grids and accesses.
  PipelineOptions pipeline;
  Overrides overrides;
  /// Sizes to expect, and what is to be chosen for them.
  ConfigurationRequest choice;
  /// Whether --schedule=auto asks for a choice.
  bool asksForSchedule = false;
  ImageKind image = ImageKind::Cubin;
  /// For --emit=layout.
  LayoutOptions layout;
  ToolkitOptions toolkit;
  std::string dumpFolder;
  /// A regular expression over remark categories; ".*" for --remarks alone.
  std::optional<std::string> remarks;
  ExplainKind explain = ExplainKind::None;
  /// Source lines as comments in PTX.
  bool ptxComments = false;
  /// A file of PTX to assemble in place of what is made, or an empty string.
  std::string fromPTX;
  std::vector<std::string> ptxasArguments;

  VerifyRequest verify;

  /// Whether ptxas runs.
  bool runsPtxas() const {
    return emit == EmitKind::Cubin || emit == EmitKind::SASS ||
           (emit == EmitKind::Launcher && image == ImageKind::Cubin);
  }

  /// The path of what is written beside the output: a manifest, a launcher's
  /// header, or an empty string for nothing.
  std::string getCompanionPath() const;
};

/// Parses and checks a command line. After an error it has been reported and
/// the result is empty. --help and --version end the program.
std::optional<DriverOptions>
parseDriverOptions(llvm::ArrayRef<const char *> arguments);

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_DRIVEROPTIONS_H
