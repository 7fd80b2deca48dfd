//===- Options.cpp - command line of tile-run -----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number that begins with a minus is an argument of the kernel and no option;
// it goes past LLVM's parser behind a blank.
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "tessera/Target/TargetInfo.h"
#include "tessera/Tool/GridOptions.h"
#include "tessera/Tool/OptionErrors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <deque>

using namespace llvm;

namespace tessera {

/// Of runs, of threads and of multiprocessors.
static constexpr int kMostRuns = 1000;

static constexpr StringRef kOverview =
    R"(Runs an entry of a source on the CPU, checking what it does, or on the GPU.

Arguments, one for each of the entry's:
  5  -3  0x1F  1.5  1e-3  inf  nan  true  false     scalars
  FILE.npy                                          a tensor of that file
  rand:f16:512x384[:SEED]                           floats in [-1, 1), integers in [-100, 100]
  zeros:f32:16x16  full:f32:16x16:VALUE  iota:i32:128
  empty:f32:4x4                                     never written; for outputs
  same:N                                            argument N once more
  null                                              the address 0
A tensor is passed by its address, a multiple of 256; of SPEC@BYTES it is that
many bytes later, of SPEC@BYTES:OFFSET also that many behind the tensor's begin.
FILE.npy,WRITTEN.npy has bools for the elements that count as written. --save and --expect name an argument by its number
from 0 or by its name.

Exit codes:
  0  all is well
  1  the command line, a file or the source is wrong, or the launch failed
  2  the kernel has faults, which are printed at their lines (CPU)
  3  results are not what --expect or --compare demands
  70 a fault of the compiler
)";

namespace {
struct Flags {
  cl::OptionCategory category{"Running a kernel"};

  cl::list<std::string> positional{cl::Positional,
                                   cl::desc("<kernel.mlir> <argument>..."),
                                   cl::cat(category)};
  cl::opt<std::string> kernel{
      "kernel",
      cl::desc("The entry to run: a launch plan, or a kernel with --grid; may "
               "be left out where there is one plan"),
      cl::value_desc("name"), cl::cat(category)};
  NameOption<DeviceKind> device{
      "device", cl::desc("Where to run"), cl::init(DeviceKind::CPU),
      cl::cat(category),
      cl::values(clEnumValN(DeviceKind::CPU, "cpu", "interpreted and checked"),
                 clEnumValN(DeviceKind::GPU, "gpu", "compiled and launched"))};
  cl::opt<std::string> compareWith{
      "compare", cl::desc("Compare the GPU's results with those of cpu"),
      cl::value_desc("cpu"), cl::cat(category)};
  cl::opt<std::string> grid{
      "grid", cl::desc("Programs, for a kernel whose plan takes a grid"),
      cl::value_desc("x[,y[,z]]"), cl::cat(category)};
  cl::list<std::string> defines{"D", cl::desc("Override a parameter"),
                                cl::value_desc("NAME=VALUE"), cl::Prefix,
                                cl::cat(category)};
  cl::list<std::string> assumptions{
      "assume",
      cl::desc("Sizes for which a model chooses parameters and, for the GPU, "
               "warps, stages, order and schedule"),
      cl::value_desc("NAME=SIZE,..."), cl::CommaSeparated, cl::cat(category)};
  cl::list<std::string> saves{
      "save", cl::desc("Write an argument's tensor after the run"),
      cl::value_desc("argument:file.npy"), cl::cat(category)};
  cl::list<std::string> expects{
      "expect", cl::desc("Compare an argument's tensor after the run"),
      cl::value_desc("argument:file.npy"), cl::cat(category)};
  cl::opt<std::string> rtol{
      "rtol", cl::desc("Error allowed, in units of what is expected"),
      cl::value_desc("number"), cl::cat(category)};
  cl::opt<std::string> atol{"atol", cl::desc("Error allowed beside --rtol"),
                            cl::value_desc("number"), cl::cat(category)};
  BoolOption progress{
      "progress", cl::desc("Tell how many programs are done (CPU)"),
      cl::cat(category)};
  IntegerOption threads{"jobs", cl::desc("Threads of the host (CPU)"),
                       cl::value_desc("N"), cl::cat(category)};
  IntegerOption numSMs{
      "num-sms", cl::desc("Multiprocessors that the plan is told of (CPU)"),
      cl::init(132), cl::value_desc("N"), cl::cat(category)};
  cl::opt<std::string> manifest{
      "manifest", cl::desc("Launch this compiled kernel, not a source (GPU)"),
      cl::value_desc("kernel.json"), cl::cat(category)};
  cl::opt<std::string> target{"target", cl::desc("GPU to compile for"),
                              cl::init("sm_90a"), cl::value_desc("sm_XY"),
                              cl::cat(category)};
  IntegerOption numWarps{"num-warps",
                        cl::desc("Warps of a program: 1, 2, 4, 8, 16 or 32"),
                        cl::value_desc("N"), cl::cat(category)};
  IntegerOption numStages{
      "num-stages",
      cl::desc("Stages of the loops that have tile.num_stages: 1 to 64"),
      cl::value_desc("N"), cl::cat(category)};
  GridFlags gridForm{category};
  NameOption<RunStage> stage{
      "stage",
      cl::desc("What to run (CPU); by default the source, or as much as the "
               "other options act on"),
      cl::init(RunStage::Source), cl::cat(category),
      cl::values(clEnumValN(RunStage::Source, "source", "as it is"),
                 clEnumValN(RunStage::Tile, "tile",
                            "after the passes on tiles without layouts"),
                 clEnumValN(RunStage::TileGPU, "tile-gpu",
                            "after those on layouts and shared memory too"))};
  cl::opt<std::string> ptxasPath{"ptxas-path", cl::desc("The ptxas to run"),
                                 cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> libdevicePath{"libdevice",
                                     cl::desc("The libdevice.10.bc to link"),
                                     cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> time{
      "time",
      cl::desc("Measure N runs (20) on the GPU, L2 flushed before each"),
      cl::ValueOptional, cl::value_desc("N"), cl::cat(category)};
  IntegerOption profile{"profile",
                       cl::desc("Run N times in a row on the GPU, for ncu"),
                       cl::value_desc("N"), cl::cat(category)};
};
} // namespace

static std::nullopt_t refuse(const Twine &message) {
  WithColor::error(errs(), "tile-run") << message << "\n";
  return std::nullopt;
}

/// Whether LLVM's parser would take a number for an option.
static bool isNegativeNumber(StringRef text) {
  return text.consume_front("-") && !text.empty() &&
         (isDigit(text.front()) || text.front() == '.' || text == "inf" ||
          text == "nan");
}

static bool splitFiles(StringRef option, const cl::list<std::string> &texts,
                       std::vector<ArgumentFile> &files) {
  for (const std::string &text : texts) {
    auto [argument, path] = StringRef(text).split(':');
    if (argument.empty() || path.empty()) {
      refuse(describeBadValue("--" + option + "=", text, "ARGUMENT:FILE.npy"));
      return false;
    }
    files.push_back({argument.str(), path.str()});
  }
  return true;
}

/// A tolerance: not negative, and no NaN. False after an error.
static bool readTolerance(const cl::opt<std::string> &flag,
                          std::optional<double> &tolerance) {
  if (!flag.getNumOccurrences())
    return true;
  double value = 0;
  if (StringRef(flag.getValue()).trim().getAsDouble(value) ||
      !(value >= 0) || std::isinf(value)) {
    refuse(describeBadValue("--" + flag.ArgStr + "=", flag,
                            "a number of 0 or more"));
    return false;
  }
  tolerance = value;
  return true;
}

static bool readGrid(StringRef text, std::optional<interpreter::Grid> &grid) {
  if (text.empty())
    return true;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  grid = {1, 1, 1};
  bool good = parts.size() <= 3;
  for (size_t i = 0; good && i < parts.size(); ++i)
    good = !parts[i].getAsInteger(10, (*grid)[i]) && (*grid)[i] >= 0 &&
           (*grid)[i] <= INT32_MAX;
  if (!good)
    refuse(describeBadValue("--grid=", text,
                            "x[,y[,z]], each from 0 to 2^31 - 1"));
  return good;
}

/// An empty string, or which options do not go together.
static std::string checkCombinations(const Flags &flags) {
  if (!flags.compareWith.empty() && flags.compareWith != "cpu")
    return describeBadName("--compare=", flags.compareWith, {"cpu"});
  if (flags.device == DeviceKind::CPU)
    for (const cl::Option *option :
         {static_cast<const cl::Option *>(&flags.compareWith),
          static_cast<const cl::Option *>(&flags.manifest),
          static_cast<const cl::Option *>(&flags.time),
          static_cast<const cl::Option *>(&flags.profile)})
      if (option->getNumOccurrences())
        return ("--" + option->ArgStr + " goes with --device=gpu only").str();
  for (const std::string &wrong :
       {checkWarps(flags.numWarps), checkTarget(flags.target),
        checkRange(flags.numStages, 1, kMaxStages, "the stages of a loop"),
        checkRange(flags.threads, 1, kMostRuns, "the threads of the host"),
        checkRange(flags.numSMs, 1, kMostRuns, "the multiprocessors"),
        checkRange(flags.profile, 1, kMostRuns, "the number of runs")})
    if (!wrong.empty())
      return wrong;
  return {};
}

/// What the options of the compiler act on.
static RunStage getLeastStage(const Flags &flags) {
  if (flags.numStages.getNumOccurrences() || flags.numWarps.getNumOccurrences())
    return RunStage::TileGPU;
  return flags.gridForm.areGiven() ? RunStage::Tile : RunStage::Source;
}

/// The compiler's part. Returns an empty string, or what is wrong.
static std::string readPipeline(const Flags &flags, RunSettings &settings) {
  RunStage least = getLeastStage(flags);
  if (!flags.manifest.empty() && least != RunStage::Source)
    return "--manifest names a kernel that is compiled already: --num-warps, "
           "--num-stages, --swizzle, --schedule, --assignment and "
           "--programs-per-sm do not change it";
  bool isGiven = flags.stage.getNumOccurrences();
  if (isGiven && flags.device == DeviceKind::GPU)
    return "--stage goes with --device=cpu only";
  settings.stage = isGiven ? flags.stage : least;
  if (settings.stage < least)
    return least == RunStage::Tile
               ? "--swizzle, --schedule, --assignment and --programs-per-sm "
                 "need --stage=tile or tile-gpu"
               : "--num-warps and --num-stages need --stage=tile-gpu";
  settings.pipeline.target = flags.target;
  settings.pipeline.numWarps = flags.numWarps;
  settings.pipeline.numStages = flags.numStages;
  return flags.gridForm.apply(
      settings.pipeline, TargetInfo::get(flags.target.getValue())->maxCTAsPerSM);
}

static std::optional<RunSettings> collect(const Flags &flags,
                                          StringRef program) {
  RunSettings settings;
  std::string error = checkCombinations(flags);
  if (error.empty())
    error = readPipeline(flags, settings);
  for (const std::string &define : flags.defines)
    if (error.empty())
      (void)settings.overrides.add(define, error);
  for (const std::string &assumption : flags.assumptions)
    if (error.empty())
      (void)settings.choice.assumptions.add(assumption, error);
  if (!error.empty())
    return refuse(error);
  settings.choice.overrides = settings.overrides;
  flags.gridForm.applyTo(settings.choice, settings.pipeline);
  settings.entry = StringRef(flags.kernel).ltrim('@').str();
  settings.device = flags.device;
  settings.comparesWithCPU = !flags.compareWith.empty();
  settings.manifest = flags.manifest;
  settings.toolkit = {flags.ptxasPath, flags.libdevicePath, "",
                      sys::fs::getMainExecutable(
                          program.str().c_str(),
                          reinterpret_cast<void *>(&parseRunSettings))};
  settings.numThreads = flags.threads;
  settings.numSMs = flags.numSMs;
  settings.showsProgress = flags.progress;
  settings.numProfiledRuns = flags.profile;
  settings.numTimedRuns = flags.time.getNumOccurrences() ? 20 : 0;
  if (!flags.time.empty() &&
      (StringRef(flags.time).getAsInteger(10, settings.numTimedRuns) ||
       settings.numTimedRuns < 1 || settings.numTimedRuns > kMostRuns))
    return refuse(describeBadValue(
        "--time=", flags.time,
        "1 to " + Twine(kMostRuns) + ", the number of runs"));

  SmallVector<std::string> positional(flags.positional.begin(),
                                      flags.positional.end());
  ArrayRef<std::string> rest = positional;
  if (settings.manifest.empty() || settings.comparesWithCPU) {
    if (rest.empty())
      return refuse("a source is missing: tile-run KERNEL.mlir ARGUMENT...");
    settings.input = rest.front();
    rest = rest.drop_front();
  }
  for (const std::string &argument : rest)
    settings.arguments.push_back(StringRef(argument).trim().str());
  if (!splitFiles("save", flags.saves, settings.saves) ||
      !splitFiles("expect", flags.expects, settings.expects) ||
      !readTolerance(flags.rtol, settings.relativeTolerance) ||
      !readTolerance(flags.atol, settings.absoluteTolerance) ||
      !readGrid(flags.grid, settings.grid))
    return std::nullopt;
  return settings;
}

std::optional<RunSettings> parseRunSettings(ArrayRef<const char *> arguments) {
  std::deque<std::string> shielded;
  SmallVector<const char *> shown;
  for (const char *argument : arguments)
    shown.push_back(isNegativeNumber(argument)
                        ? shielded.emplace_back(" " + std::string(argument))
                              .c_str()
                        : argument);
  Flags flags;
  cl::HideUnrelatedOptions(flags.category);
  std::string problems;
  raw_string_ostream stream(problems);
  if (!cl::ParseCommandLineOptions(shown.size(), shown.data(), kOverview,
                                   &stream)) {
    // What has been noted comes first on the command line, or alone.
    if (std::optional<std::string> wrong = takeBadValue())
      return refuse(*wrong);
    if (!problems.empty())
      return refuse(describeParserErrors(problems));
    return std::nullopt;
  }
  return collect(flags, arguments.front());
}

} // namespace tessera
