//===- Options.h - command line of tile-run ---------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILERUN_OPTIONS_H
#define TESSERA_TOOLS_TILERUN_OPTIONS_H

#include "tessera/Choice/Configuration.h"
#include "tessera/Interpreter/Interpreter.h"
#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Target/Toolkit.h"
#include "tessera/Tool/Overrides.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// Exit codes besides 0; --help and docs/Interpreter.md say the same.
enum ExitCode : int {
  /// The command line, a file or the source is wrong, or a launch failed.
  kExitUsage = 1,
  /// The interpreter found faults.
  kExitFindings = 2,
  /// Results are not what --expect or --compare demands.
  kExitWrong = 3
};

enum class DeviceKind { CPU, GPU };

/// What the CPU runs: the source, or what the passes of a level make of it.
enum class RunStage { Source, Tile, TileGPU };

/// An argument, by number or by name, and a file.
struct ArgumentFile {
  std::string argument;
  std::string path;
};

struct RunSettings {
  /// The source; empty with a manifest that is not compared with the CPU.
  std::string input;
  std::string entry;
  DeviceKind device = DeviceKind::CPU;
  /// Whether the GPU's results are compared with the CPU's.
  bool comparesWithCPU = false;
  std::vector<std::string> arguments;
  std::optional<interpreter::Grid> grid;
  Overrides overrides;
  /// What is to be chosen for sizes assumed; none for no sizes.
  ConfigurationRequest choice;

  std::vector<ArgumentFile> saves, expects;
  /// Empty: by the argument's type.
  std::optional<double> relativeTolerance, absoluteTolerance;

  /// For the GPU, and for the CPU from RunStage::Tile on.
  PipelineOptions pipeline;

  // The CPU.
  RunStage stage = RunStage::Source;
  bool showsProgress = false;
  /// Threads of the host; 0: one a core.
  unsigned numThreads = 0;
  /// Multiprocessors that the launch plan is told of.
  int numSMs = 132;

  // The GPU.
  std::string manifest;
  ToolkitOptions toolkit;
  /// Runs that are measured, or 0.
  int numTimedRuns = 0;
  /// Runs one after the other, for a profiler.
  int numProfiledRuns = 0;
};

/// Parses and checks a command line. After an error it has been reported and
/// the result is empty. --help and --version end the program.
std::optional<RunSettings>
parseRunSettings(llvm::ArrayRef<const char *> arguments);

} // namespace tessera

#endif // TESSERA_TOOLS_TILERUN_OPTIONS_H
