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

#include "GridOptions.h"

#include "mlir/Support/Timing.h"
#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Target/Ptxas.h"
#include "tessera/Target/TargetInfo.h"
#include "tessera/Tool/OutputFiles.h"
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
          clEnumValN(EmitKind::Layout, "layout",
                     "which thread holds which element of --value"),
          clEnumValN(EmitKind::LLVMIR, "llvm", "optimised LLVM IR"),
          clEnumValN(EmitKind::PTX, "ptx", "PTX, and a manifest beside it"),
          clEnumValN(EmitKind::Cubin, "cubin",
                     "a cubin, and a manifest beside it"),
          clEnumValN(EmitKind::Launcher, "launcher",
                     "C source with the kernels inside that launches them, and "
                     "a header beside it"),
          clEnumValN(EmitKind::SASS, "sass",
                     "machine code as text, with source lines"))};
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
  GridFlags grid{category};
  cl::opt<int> raiseRank{
      "raise-rank", cl::init(PipelineOptions().raiseRank),
      cl::desc("Raise accesses of at most so many dimensions to descriptors, 0 "
               "to 5; 0: none"),
      cl::value_desc("N"), cl::cat(category)};
  cl::opt<std::string> value{
      "value", cl::desc("What --emit=layout draws: a value of the source"),
      cl::value_desc("name or line[:column]"), cl::cat(category)};
  cl::opt<std::string> kernel{
      "kernel", cl::desc("The one kernel in which --emit=layout looks"),
      cl::value_desc("name"), cl::cat(category)};
  cl::opt<LayoutFormat> format{
      "format", cl::desc("Form of --emit=layout"), cl::init(LayoutFormat::Text),
      cl::cat(category),
      cl::values(clEnumValN(LayoutFormat::Text, "text", "a table"),
                 clEnumValN(LayoutFormat::Svg, "svg", "a picture"))};
  cl::opt<ImageKind> image{
      "image", cl::desc("The code inside a launcher"),
      cl::init(ImageKind::Cubin), cl::cat(category),
      cl::values(clEnumValN(ImageKind::Cubin, "cubin", "for the target only"),
                 clEnumValN(ImageKind::PTX, "ptx",
                            "assembled by the driver when it is loaded"))};
  cl::list<std::string> defines{"D", cl::desc("Override a parameter"),
                                cl::value_desc("NAME=VALUE"), cl::Prefix,
                                cl::cat(category)};
  cl::opt<std::string> ptxasPath{"ptxas-path", cl::desc("The ptxas to run"),
                                 cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> nvdisasmPath{"nvdisasm-path",
                                    cl::desc("The nvdisasm to run"),
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
  cl::opt<ExplainKind> explain{
      "explain",
      cl::desc("Print what became of each source line, shared memory and "
               "resources"),
      cl::init(ExplainKind::None),
      cl::ValueOptional,
      cl::cat(category),
      cl::values(clEnumValN(ExplainKind::Text, "", "for people"),
                 clEnumValN(ExplainKind::JSON, "json", "as a JSON array"))};
  cl::opt<bool> ptxComments{"ptx-comments",
                            cl::desc("Source lines as comments in PTX"),
                            cl::cat(category)};
  cl::opt<std::string> fromPTX{
      "from-ptx",
      cl::desc("Assemble this PTX, an edited one of the same source"),
      cl::value_desc("file"), cl::cat(category)};
  cl::list<std::string> ptxasArguments{
      "ptxas-option", cl::desc("One more option for ptxas"),
      cl::value_desc("-NAME[=VALUE]"), cl::cat(category)};
  cl::opt<int> maxRegisters{"maxnreg",
                            cl::desc("Registers of a thread at most"),
                            cl::value_desc("N"), cl::cat(category)};
  cl::opt<int> minCTAs{
      "min-ctas",
      cl::desc("CTAs that a multiprocessor is to hold at least; limits "
               "registers"),
      cl::value_desc("N"), cl::cat(category)};
};

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

/// An empty string, or what is wrong with a number from 1 to `most`.
static std::string checkRange(const cl::opt<int> &flag, int most,
                              StringRef unit) {
  if (!flag.getNumOccurrences() || (flag >= 1 && flag <= most))
    return {};
  return "--" + flag.ArgStr.str() + "=" + std::to_string(flag) +
         ": the target has 1 to " + std::to_string(most) + " " + unit.str();
}

static std::string checkNumbers(const Flags &flags) {
  std::optional<TargetInfo> target = TargetInfo::get(flags.target.getValue());
  if (!target)
    return "unknown target '" + flags.target + "'; known are " +
           llvm::join(TargetInfo::names(), ", ");
  int warps = flags.numWarps;
  if (flags.numWarps.getNumOccurrences() &&
      (warps < 1 || warps > 32 || !isPowerOf2_32(warps)))
    return "--num-warps=" + std::to_string(warps) +
           ": a program has 1, 2, 4, 8, 16 or 32 warps";
  if (flags.raiseRank < 0 || flags.raiseRank > PipelineOptions().raiseRank)
    return "--raise-rank=" + std::to_string(flags.raiseRank) +
           ": a descriptor has 1 to " +
           std::to_string(PipelineOptions().raiseRank) +
           " dimensions; 0 raises no access";
  std::string wrong = checkRange(
      flags.maxRegisters, target->maxRegistersPerThread, "registers a thread");
  if (wrong.empty())
    wrong = checkRange(flags.minCTAs, target->maxCTAsPerSM,
                       "CTAs a multiprocessor");
  if (!wrong.empty())
    return wrong;
  std::string reason;
  if (!flags.remarks.empty() && !Regex(flags.remarks).isValid(reason))
    return "--remarks: '" + flags.remarks +
           "' is no regular expression: " + reason;
  return {};
}

/// An empty string, or which options do not go together.
static std::string checkCombinations(const DriverOptions &options) {
  if (options.image != ImageKind::Cubin && options.emit != EmitKind::Launcher)
    return "--image goes with --emit=launcher only";
  if (options.stage != StageKind::NVVM && options.emit != EmitKind::MLIR)
    return "--stage goes with --emit=mlir only";
  if (options.stage != StageKind::NVVM &&
      (options.maxRegisters || options.minCTAs))
    return "--maxnreg and --min-ctas do not go with --stage=tile or tile-gpu: "
           "they act on the last stage";
  if (options.ptxComments && options.emit != EmitKind::PTX)
    return "--ptx-comments goes with --emit=ptx only";
  if (!options.fromPTX.empty() &&
      (!options.runsPtxas() || options.emit == EmitKind::Launcher))
    return "--from-ptx goes with --emit=cubin or --emit=sass only";
  if (!options.fromPTX.empty() && (options.maxRegisters || options.minCTAs))
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
  options.maxRegisters = flags.maxRegisters;
  options.minCTAs = flags.minCTAs;
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
