//===- DriverFlags.h - the flags of the compiler ----------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The flags are members of a local object, made only when the program runs as a
// compiler or prints its help: as global ones they would clash with those of
// MlirOptMain.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_DRIVERFLAGS_H
#define TESSERA_TOOLS_TILEOPT_DRIVERFLAGS_H

#include "DriverOptions.h"

#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Tool/GridOptions.h"

#include "llvm/Support/CommandLine.h"

namespace tessera {

namespace cl = llvm::cl;

/// Flags that mean something only together with --emit: all of the object below
/// but -D, -o, --emit itself and those of verification. A test compares.
inline constexpr llvm::StringRef compileOnlyFlags[] = {
    "stage",          "target",   "num-warps",    "value",
    "kernel",         "format",   "ptxas-path",   "nvdisasm-path",
    "libdevice",      "dump-dir", "remarks",      "explain",
    "ptx-comments",   "from-ptx", "ptxas-option", "maxnreg",
    "min-ctas",       "image",    "swizzle",      "schedule",
    "programs-per-sm", "raise-rank", "num-stages",   "tensor-maps",
    "assignment",      "assume"};

struct Flags {
  // Help shows categories in the order of their names.
  cl::OptionCategory category{"Compiling a kernel, with --emit"};
  cl::OptionCategory inspection{"Looking inside a compilation, with --emit"};
  cl::OptionCategory tools{"Tools of the CUDA toolkit, with --emit"};
  cl::OptionCategory verification{"Verifying passes, both"};

  cl::opt<std::string> input{cl::Positional, cl::desc("<kernel.mlir>"),
                             cl::init("-"), cl::cat(category)};
  NameOption<EmitKind> emit{
      "emit", cl::desc("What to make; without it, passes run"), cl::Required,
      cl::cat(category),
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
  NameOption<StageKind> stage{
      "stage", cl::desc("Where --emit=mlir stops"), cl::init(StageKind::NVVM),
      cl::cat(category),
      cl::values(clEnumValN(StageKind::Tile, "tile", "tiles without layouts"),
                 clEnumValN(StageKind::TileGPU, "tile-gpu",
                            "tiles with layouts and shared memory"),
                 clEnumValN(StageKind::NVVM, "nvvm", "one thread's program"))};
  cl::opt<std::string> output{
      "o", cl::desc("Output file, - for stdout; also for passes"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> target{
      "target", cl::desc("GPU to compile for (default sm_90a)"),
      cl::init("sm_90a"), cl::value_desc("sm_XY"), cl::cat(category)};
  IntegerOption numWarps{"num-warps",
                        cl::desc("Warps of a program: 1, 2, 4, 8, 16 or 32"),
                        cl::value_desc("N"), cl::cat(category)};
  GridFlags grid{category};
  cl::list<std::string> assumptions{
      "assume",
      cl::desc("Sizes to expect: a model chooses parameters, warps, stages, "
               "order and schedule for them, where no option gives them"),
      cl::value_desc("NAME=SIZE,..."), cl::CommaSeparated, cl::cat(category)};
  IntegerOption raiseRank{
      "raise-rank", cl::init(PipelineOptions().raiseRank),
      cl::desc("Raise accesses of at most so many dimensions to descriptors, 0 "
               "to 5; 0: none"),
      cl::value_desc("N"), cl::cat(category)};
  IntegerOption numStages{
      "num-stages",
      cl::desc("Stages of the loops that have tile.num_stages: 1 to 64"),
      cl::value_desc("N"), cl::cat(category)};
  BoolOption tensorMaps{
      "tensor-maps", cl::init(PipelineOptions().tensorMaps),
      cl::desc("Let launches make tensor maps, for copies that one thread "
               "issues (default true)"),
      cl::cat(category)};
  cl::opt<std::string> value{
      "value", cl::desc("What --emit=layout draws: a value of the source"),
      cl::value_desc("name or line[:column]"), cl::cat(inspection)};
  cl::opt<std::string> kernel{
      "kernel", cl::desc("The one kernel in which --emit=layout looks"),
      cl::value_desc("name"), cl::cat(inspection)};
  NameOption<LayoutFormat> format{
      "format", cl::desc("Form of --emit=layout"), cl::init(LayoutFormat::Text),
      cl::cat(inspection),
      cl::values(clEnumValN(LayoutFormat::Text, "text", "a table"),
                 clEnumValN(LayoutFormat::Svg, "svg", "a picture"))};
  NameOption<ImageKind> image{
      "image", cl::desc("The code inside a launcher"),
      cl::init(ImageKind::Cubin), cl::cat(category),
      cl::values(clEnumValN(ImageKind::Cubin, "cubin", "for the target only"),
                 clEnumValN(ImageKind::PTX, "ptx",
                            "assembled by the driver when it is loaded"))};
  cl::list<std::string> defines{
      "D", cl::desc("Override a parameter; also for passes"),
      cl::value_desc("NAME=VALUE"), cl::Prefix, cl::cat(category)};
  cl::opt<std::string> ptxasPath{"ptxas-path", cl::desc("The ptxas to run"),
                                 cl::value_desc("file"), cl::cat(tools)};
  cl::opt<std::string> nvdisasmPath{"nvdisasm-path",
                                    cl::desc("The nvdisasm to run"),
                                    cl::value_desc("file"), cl::cat(tools)};
  cl::opt<std::string> libdevicePath{"libdevice",
                                     cl::desc("The libdevice.10.bc to link"),
                                     cl::value_desc("file"), cl::cat(tools)};
  cl::opt<std::string> dumpFolder{
      "dump-dir", cl::desc("Write the IR after every pass into a folder"),
      cl::value_desc("folder"), cl::cat(inspection)};
  cl::opt<std::string> remarks{
      "remarks",
      cl::desc(
          "Print what the passes did and why; the expression has to match the "
          "whole name of a category"),
      cl::value_desc("regex"), cl::ValueOptional, cl::cat(inspection)};
  NameOption<ExplainKind> explain{
      "explain",
      cl::desc("Print what became of each source line, shared memory and "
               "resources"),
      cl::init(ExplainKind::None),
      cl::ValueOptional,
      cl::cat(inspection),
      cl::values(clEnumValN(ExplainKind::Text, "", "for people"),
                 clEnumValN(ExplainKind::JSON, "json", "as a JSON array"))};
  cl::opt<std::string> verifyPasses{
      "verify-passes",
      cl::desc("Run each entry on the CPU before the passes and after each, on "
               "N random inputs (3), and name the pass that changes a result"),
      cl::value_desc("N"), cl::ValueOptional, cl::cat(verification)};
  cl::opt<std::string> verifySeed{
      "verify-seed", cl::desc("Other inputs for --verify-passes (1)"),
      cl::value_desc("S"), cl::cat(verification)};
  cl::opt<std::string> verifyFolder{
      "verify-dump-dir",
      cl::desc("A new folder for what --verify-passes finds (verify-failure)"),
      cl::value_desc("folder"), cl::cat(verification)};
  BoolOption ptxComments{"ptx-comments",
                            cl::desc("Source lines as comments in PTX"),
                            cl::cat(inspection)};
  cl::opt<std::string> fromPTX{
      "from-ptx",
      cl::desc("Assemble this PTX, an edited one of the same source"),
      cl::value_desc("file"), cl::cat(tools)};
  cl::list<std::string> ptxasArguments{
      "ptxas-option", cl::desc("One more option for ptxas"),
      cl::value_desc("-NAME[=VALUE]"), cl::cat(tools)};
  IntegerOption maxRegisters{"maxnreg",
                            cl::desc("Registers of a thread at most"),
                            cl::value_desc("N"), cl::cat(category)};
  IntegerOption minCTAs{
      "min-ctas",
      cl::desc("CTAs that a multiprocessor is to hold at least; limits "
               "registers"),
      cl::value_desc("N"), cl::cat(category)};
};

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_DRIVERFLAGS_H
