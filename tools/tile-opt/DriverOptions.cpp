//===- DriverOptions.cpp - command line of the compiler -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options are members of a local object, made only when the program runs as
// a compiler: as global ones they would clash with those of MlirOptMain.
//
//===----------------------------------------------------------------------===//

#include "DriverOptions.h"

#include "OutputFiles.h"

#include "mlir/Support/Timing.h"
#include "tessera/Target/TargetInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera {

namespace {
struct Flags {
  cl::OptionCategory category{"Compiling a kernel"};

  cl::opt<std::string> input{cl::Positional, cl::desc("<kernel.mlir>"),
                             cl::init("-"), cl::cat(category)};
  cl::opt<EmitKind> emit{
      "emit", cl::desc("What to make"), cl::Required, cl::cat(category),
      cl::values(
          clEnumValN(EmitKind::MLIR, "mlir", "MLIR at the level of --stage"),
          clEnumValN(EmitKind::LLVMIR, "llvm", "optimised LLVM IR"),
          clEnumValN(EmitKind::PTX, "ptx", "PTX, and a manifest beside it"),
          clEnumValN(EmitKind::Cubin, "cubin",
                     "a cubin, and a manifest beside it"))};
  cl::opt<StageKind> stage{
      "stage", cl::desc("Where --emit=mlir stops"), cl::init(StageKind::NVVM),
      cl::cat(category),
      cl::values(clEnumValN(StageKind::Tile, "tile", "tiles without layouts"),
                 clEnumValN(StageKind::TileGPU, "tile-gpu",
                            "tiles with layouts and shared memory"),
                 clEnumValN(StageKind::NVVM, "nvvm", "one thread's program"))};
  cl::opt<std::string> output{"o", cl::desc("Output file, - for stdout"),
                              cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> target{"target", cl::desc("GPU to compile for"),
                              cl::init("sm_90a"), cl::value_desc("sm_XY"),
                              cl::cat(category)};
  cl::opt<int> numWarps{"num-warps",
                        cl::desc("Warps of a program: 1, 2, 4, 8, 16 or 32"),
                        cl::value_desc("N"), cl::cat(category)};
  cl::list<std::string> defines{"D", cl::desc("Override a parameter"),
                                cl::value_desc("NAME=VALUE"), cl::Prefix,
                                cl::cat(category)};
  cl::opt<std::string> ptxasPath{"ptxas-path", cl::desc("The ptxas to run"),
                                 cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> libdevicePath{"libdevice",
                                     cl::desc("The libdevice.10.bc to link"),
                                     cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> dumpFolder{
      "dump-dir", cl::desc("Write the IR after every pass into a folder"),
      cl::value_desc("folder"), cl::cat(category)};
  cl::opt<std::string> remarks{
      "remarks",
      cl::desc(
          "Print what the passes did and why; the expression has to match the "
          "whole name of a category"),
      cl::value_desc("regex"), cl::ValueOptional, cl::cat(category)};
};

/// Reports a problem of the command line.
std::nullopt_t refuse(const Twine &message) {
  WithColor::error(errs(), "tile-opt") << message << "\n";
  return std::nullopt;
}
} // namespace

std::string DriverOptions::getManifestPath() const {
  if (output == "-" || emit == EmitKind::MLIR || emit == EmitKind::LLVMIR)
    return {};
  SmallString<128> path(output);
  sys::path::replace_extension(path, "json");
  return std::string(path);
}

/// Whether two paths name one file, existing or not.
static bool isSameFile(StringRef a, StringRef b) {
  return a == b || sys::fs::equivalent(a, b);
}

/// An empty string, or what is wrong with the paths.
static std::string checkPaths(const DriverOptions &options) {
  // A file is read and replaced only if its owner wants that; nobody does here.
  std::string manifest = options.getManifestPath();
  for (const std::string &path : {options.output, manifest}) {
    if (path.empty() || path == "-")
      continue;
    if (Error error = checkDestination(path))
      return toString(std::move(error));
    if (options.input != "-" && isSameFile(path, options.input))
      return "'" + path + "' is the input and would be overwritten";
  }
  if (!manifest.empty() && isSameFile(manifest, options.output))
    return "'" + options.output +
           "' is where the manifest goes; give the "
           "output another extension than .json";
  return {};
}

static std::string checkNumbers(const Flags &flags) {
  if (!TargetInfo::get(flags.target.getValue()))
    return "unknown target '" + flags.target + "'; known are " +
           llvm::join(TargetInfo::names(), ", ");
  int warps = flags.numWarps;
  if (flags.numWarps.getNumOccurrences() &&
      (warps < 1 || warps > 32 || !isPowerOf2_32(warps)))
    return "--num-warps=" + std::to_string(warps) +
           ": a program has 1, 2, 4, 8, 16 or 32 warps";
  std::string reason;
  if (!flags.remarks.empty() && !Regex(flags.remarks).isValid(reason))
    return "--remarks: '" + flags.remarks +
           "' is no regular expression: " + reason;
  return {};
}

/// The options as given, not yet checked against each other.
static std::optional<DriverOptions> collect(const Flags &flags,
                                            StringRef program) {
  DriverOptions options;
  options.input = flags.input;
  options.emit = flags.emit;
  options.stage = flags.stage;
  options.target = flags.target;
  options.numWarps = flags.numWarps;
  options.toolkit = {flags.ptxasPath, flags.libdevicePath,
                     sys::fs::getMainExecutable(
                         program.str().c_str(),
                         reinterpret_cast<void *>(&parseDriverOptions))};
  options.dumpFolder = flags.dumpFolder;
  if (flags.remarks.getNumOccurrences())
    options.remarks = flags.remarks.empty() ? ".*" : flags.remarks.getValue();
  options.output = flags.output;
  if (options.output.empty()) {
    if (options.emit == EmitKind::Cubin)
      return refuse("--emit=cubin needs -o FILE");
    options.output = "-";
  }
  std::string error;
  for (const std::string &define : flags.defines)
    if (!options.overrides.add(define, error))
      return refuse(error);
  return options;
}

std::optional<DriverOptions>
parseDriverOptions(ArrayRef<const char *> arguments) {
  Flags flags;
  mlir::registerDefaultTimingManagerCLOptions();
  cl::HideUnrelatedOptions(flags.category);
  std::string problems;
  raw_string_ostream stream(problems);
  if (!cl::ParseCommandLineOptions(arguments.size(), arguments.data(),
                                   "Tessera's compiler\n", &stream)) {
    errs() << problems;
    return std::nullopt;
  }
  std::string wrong = checkNumbers(flags);
  if (!wrong.empty())
    return refuse(wrong);
  std::optional<DriverOptions> options = collect(flags, arguments.front());
  if (!options)
    return std::nullopt;
  if (options->stage != StageKind::NVVM && options->emit != EmitKind::MLIR)
    return refuse("--stage goes with --emit=mlir only");
  wrong = checkPaths(*options);
  if (!wrong.empty())
    return refuse(wrong);
  return options;
}

} // namespace tessera
