//===- GridOptions.h - order of tiles and persistence -----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --swizzle=none|auto|column|grouped[:N]|hilbert[:N], --schedule=tiled|auto|
// persistent and --programs-per-sm=N: what the compiler does to grids.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOL_GRIDOPTIONS_H
#define TESSERA_TOOL_GRIDOPTIONS_H

#include "tessera/Pipelines/TileToCubin.h"
#include "llvm/Support/CommandLine.h"
#include <string>

namespace tessera {

/// What runs the tiles of a grid. Auto is a program for each tile: nothing
/// overlaps the tiles of a persistent program yet, which would pay for its
/// loop.
enum class ScheduleKind { Tiled, Persistent, Auto };

/// The command line's part.
struct GridFlags {
  explicit GridFlags(llvm::cl::OptionCategory &category);

  llvm::cl::opt<std::string> swizzle;
  llvm::cl::opt<ScheduleKind> schedule;
  llvm::cl::opt<int> programsPerSM;

  /// Whether any of them is given.
  bool areGiven() const;
  /// Puts the flags into `options`. Returns an empty string, or what is wrong
  /// with them; `maxCTAs` is what a multiprocessor holds at most.
  std::string apply(PipelineOptions &options, int maxCTAs) const;
};

} // namespace tessera

#endif // TESSERA_TOOL_GRIDOPTIONS_H
