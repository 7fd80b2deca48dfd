//===- GridOptions.h - order of tiles and persistence -----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --swizzle=none|auto|column|grouped[:N]|hilbert[:N], --schedule=tiled|auto|
// persistent, --assignment=static|dynamic and --programs-per-sm=N: what the
// compiler does to grids.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOL_GRIDOPTIONS_H
#define TESSERA_TOOL_GRIDOPTIONS_H

#include "tessera/Choice/Configuration.h"
#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Tool/OptionErrors.h"
#include "llvm/Support/CommandLine.h"
#include <string>

namespace tessera {

/// What runs the tiles of a grid. Auto is a program for each tile unless sizes
/// are assumed for which the model prefers programs that stay.
enum class ScheduleKind { Tiled, Persistent, Auto };

/// The command line's part.
struct GridFlags {
  explicit GridFlags(llvm::cl::OptionCategory &category);

  llvm::cl::opt<std::string> swizzle;
  NameOption<ScheduleKind> schedule;
  NameOption<TileAssignment> assignment;
  IntegerOption programsPerSM;

  /// Whether any of them is given.
  bool areGiven() const;
  /// Puts the flags into `options`. Returns an empty string, or what is wrong
  /// with them; `maxCTAs` is what a multiprocessor holds at most.
  std::string apply(PipelineOptions &options, int maxCTAs) const;

  /// Puts what the command line leaves to the model, and what it says, into
  /// `request`: after apply(), and with all other options set.
  void applyTo(ConfigurationRequest &request,
               const PipelineOptions &options) const;
};

} // namespace tessera

#endif // TESSERA_TOOL_GRIDOPTIONS_H
