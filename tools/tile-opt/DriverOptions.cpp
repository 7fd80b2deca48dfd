//===- DriverOptions.cpp - command line of the compiler -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses the command line (DriverFlags.h), checks it and makes it a
// DriverOptions.
//
//===----------------------------------------------------------------------===//

#include "DriverOptions.h"

#include "DriverFlags.h"
#include "StageIndex.h"

#include "mlir/Support/Timing.h"
#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Target/Ptxas.h"
#include "tessera/Target/TargetInfo.h"
#include "tessera/Tool/OptionErrors.h"
#include "tessera/Tool/OutputFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera {

namespace {
/// Reports a problem of the command line.
std::nullopt_t refuse(const Twine &message) {
  WithColor::error(errs(), "tile-opt") << message << "\n";
  return std::nullopt;
}
} // namespace

std::string DriverOptions::getCompanionPath() const {
  bool hasHeader = emit == EmitKind::Launcher;
  if (output == "-" ||
      (emit != EmitKind::PTX && emit != EmitKind::Cubin && !hasHeader))
    return {};
  SmallString<128> path(output);
  sys::path::replace_extension(path, hasHeader ? "h" : "json");
  return std::string(path);
}

/// Whether two paths name one file, existing or not.
static bool isSameFile(StringRef a, StringRef b) {
  return a == b || sys::fs::equivalent(a, b);
}

/// An empty string, or what is wrong with the paths.
static std::string checkPaths(const DriverOptions &options) {
  // A file is read and replaced only if its owner wants that; nobody does here.
  std::string companion = options.getCompanionPath();
  for (const std::string &path : {options.output, companion}) {
    if (path.empty() || path == "-")
      continue;
    if (Error error = checkDestination(path))
      return toString(std::move(error));
    if (options.input != "-" && isSameFile(path, options.input))
      return "'" + path + "' is the input and would be overwritten";
    if (!options.fromPTX.empty() && isSameFile(path, options.fromPTX))
      return "'" + path + "' is the PTX of --from-ptx and would be overwritten";
  }
  bool isLauncher = options.emit == EmitKind::Launcher;
  if (!companion.empty() && isSameFile(companion, options.output))
    return "'" + options.output + "' is where the " +
           (isLauncher ? "header" : "manifest") +
           " goes; give the output another extension than " +
           sys::path::extension(companion).str();
  // The source includes its header by its name.
  StringRef stem = sys::path::stem(options.output);
  if (isLauncher && stem.find_first_of("\"\\\n\r") != StringRef::npos)
    return "'" + options.output + "' cannot stand in an #include";
  for (const std::string &path : {options.input, options.fromPTX}) {
    StringRef folder = sys::path::parent_path(path);
    if (!options.dumpFolder.empty() && isStageName(sys::path::filename(path)) &&
        isSameFile(folder.empty() ? "." : folder, options.dumpFolder))
      return "--dump-dir: '" + path +
             "' is a stage in this folder and would be replaced; name another "
             "folder";
  }
  return {};
}

/// The options of --emit=layout, and that there are none without it.
static std::string checkLayout(const Flags &flags) {
  if (flags.emit == EmitKind::Layout)
    return checkLayoutOptions({flags.value, flags.kernel, flags.format});
  for (const cl::Option *option :
       {static_cast<const cl::Option *>(&flags.value),
        static_cast<const cl::Option *>(&flags.kernel),
        static_cast<const cl::Option *>(&flags.format)})
    if (option->getNumOccurrences())
      return ("--" + option->ArgStr + " goes with --emit=layout only").str();
  return {};
}

/// An empty string, or what is wrong with a number or the target.
static std::string checkNumbers(const Flags &flags) {
  if (std::string wrong = checkTarget(flags.target); !wrong.empty())
    return wrong;
  TargetInfo target = *TargetInfo::get(flags.target.getValue());
  for (const std::string &wrong :
       {checkWarps(flags.numWarps),
        checkRange(flags.raiseRank, 0, PipelineOptions().raiseRank,
                   "the dimensions of accesses that are raised"),
        checkRange(flags.numStages, 1, kMaxStages, "the stages of a loop"),
        checkRange(flags.maxRegisters, target.minRegistersPerThread,
                   target.maxRegistersPerThread,
                   "the registers of a thread on " + target.name),
        checkRange(flags.minCTAs, 1, target.maxCTAsPerSM,
                   "the CTAs of a multiprocessor of " + target.name)})
    if (!wrong.empty())
      return wrong;
  std::string reason;
  if (!flags.remarks.empty() && !Regex(flags.remarks).isValid(reason))
    return describeBadValue("--remarks=", flags.remarks,
                            "a regular expression: " + reason);
  return {};
}

/// An empty string, or which options do not go together.
static std::string checkCombinations(const DriverOptions &options) {
  if (options.image != ImageKind::Cubin && options.emit != EmitKind::Launcher)
    return "--image goes with --emit=launcher only";
  if (options.stage != StageKind::NVVM && options.emit != EmitKind::MLIR)
    return "--stage goes with --emit=mlir only";
  if (options.stage != StageKind::NVVM &&
      (options.pipeline.maxRegisters || options.pipeline.minCTAs))
    return "--maxnreg and --min-ctas do not go with --stage=tile or tile-gpu: "
           "they act on the last stage";
  if (options.ptxComments && options.emit != EmitKind::PTX)
    return "--ptx-comments goes with --emit=ptx only";
  if (!options.fromPTX.empty() &&
      (!options.runsPtxas() || options.emit == EmitKind::Launcher))
    return "--from-ptx goes with --emit=cubin or --emit=sass only";
  if (!options.fromPTX.empty() &&
      (options.pipeline.maxRegisters || options.pipeline.minCTAs))
    return "--maxnreg and --min-ctas do not change the PTX of --from-ptx: "
           "write .maxnreg or .minnctapersm into it";
  if (options.ptxasArguments.empty())
    return {};
  if (!options.runsPtxas())
    return "--ptxas-option goes with --emit=cubin, launcher or sass only";
  for (const std::string &argument : options.ptxasArguments)
    if (Error error = checkPtxasArgument(argument))
      return "--ptxas-option: " + toString(std::move(error));
  return {};
}

/// What is left to the model of --assume; returns what is wrong with it.
static std::string collectChoice(const Flags &flags, DriverOptions &options) {
  std::string error;
  ConfigurationRequest &choice = options.choice;
  for (const std::string &assumption : flags.assumptions)
    if (!choice.assumptions.add(assumption, error))
      return error;
  choice.overrides = options.overrides;
  flags.grid.applyTo(choice, options.pipeline);
  options.asksForSchedule = flags.grid.schedule == ScheduleKind::Auto;
  return {};
}

/// The options as given, not yet checked against each other.
static std::optional<DriverOptions> collect(const Flags &flags,
                                            StringRef program) {
  DriverOptions options;
  options.input = flags.input;
  options.emit = flags.emit;
  options.stage = flags.stage;
  options.pipeline.target = flags.target;
  options.pipeline.numWarps = flags.numWarps;
  options.pipeline.raiseRank = flags.raiseRank;
  options.pipeline.numStages = flags.numStages;
  options.pipeline.tensorMaps = flags.tensorMaps;
  std::string fault = flags.grid.apply(
      options.pipeline, TargetInfo::get(flags.target.getValue())->maxCTAsPerSM);
  if (!fault.empty())
    return refuse(fault);
  options.image = flags.image;
  options.layout = {flags.value, flags.kernel, flags.format};
  options.toolkit = {flags.ptxasPath, flags.libdevicePath, flags.nvdisasmPath,
                     sys::fs::getMainExecutable(
                         program.str().c_str(),
                         reinterpret_cast<void *>(&parseDriverOptions))};
  options.dumpFolder = flags.dumpFolder;
  options.explain = flags.explain;
  options.ptxComments = flags.ptxComments;
  options.fromPTX = flags.fromPTX;
  options.ptxasArguments.assign(flags.ptxasArguments.begin(),
                                flags.ptxasArguments.end());
  options.pipeline.maxRegisters = flags.maxRegisters;
  options.pipeline.minCTAs = flags.minCTAs;
  if (flags.remarks.getNumOccurrences())
    options.remarks = flags.remarks.empty() ? ".*" : flags.remarks.getValue();
  options.output = flags.output;
  if (options.output.empty()) {
    if (options.emit == EmitKind::Cubin)
      return refuse("--emit=cubin needs -o FILE");
    options.output = "-";
  }
  if (options.emit == EmitKind::Launcher && options.output == "-")
    return refuse("--emit=launcher needs -o FILE: it writes two");
  std::string error;
  if (flags.verifyPasses.getNumOccurrences() &&
      !options.verify.set("verify-passes", flags.verifyPasses, error))
    return refuse(error);
  if (flags.verifySeed.getNumOccurrences() &&
      !options.verify.set("verify-seed", flags.verifySeed, error))
    return refuse(error);
  if (flags.verifyFolder.getNumOccurrences() &&
      !options.verify.set("verify-dump-dir", flags.verifyFolder, error))
    return refuse(error);
  if (error = options.verify.check(); !error.empty())
    return refuse(error);
  for (const std::string &define : flags.defines)
    if (!options.overrides.add(define, error))
      return refuse(error);
  if (error = collectChoice(flags, options); !error.empty())
    return refuse(error);
  return options;
}

std::optional<DriverOptions>
parseDriverOptions(ArrayRef<const char *> arguments) {
  Flags flags;
  mlir::registerDefaultTimingManagerCLOptions();
  std::string problems;
  raw_string_ostream stream(problems);
  if (!cl::ParseCommandLineOptions(arguments.size(), arguments.data(),
                                   "Tessera's compiler\n", &stream)) {
    // What has been noted comes first on the command line, or alone.
    if (std::optional<std::string> wrong = takeBadValue())
      return refuse(*wrong);
    if (!problems.empty())
      return refuse(describeParserErrors(problems));
    return std::nullopt;
  }
  std::string wrong = checkNumbers(flags);
  if (wrong.empty())
    wrong = checkLayout(flags);
  if (!wrong.empty())
    return refuse(wrong);
  std::optional<DriverOptions> options = collect(flags, arguments.front());
  if (!options)
    return std::nullopt;
  wrong = checkCombinations(*options);
  if (wrong.empty())
    wrong = checkPaths(*options);
  if (!wrong.empty())
    return refuse(wrong);
  if (options->emit == EmitKind::Layout)
    options->stage = StageKind::TileGPU;
  return options;
}

} // namespace tessera
