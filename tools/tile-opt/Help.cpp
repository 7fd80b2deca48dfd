//===- Help.cpp - one help for both uses of tile-opt ----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's libraries register some hundred options that have nothing to do with a
// kernel. Those of interest get a category, the others are hidden.
//
//===----------------------------------------------------------------------===//

#include "Help.h"

#include "DriverFlags.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tessera/Pipelines/TileToCubin.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace tessera {

static constexpr char overview[] =
    R"(Tessera's compiler of GPU tile kernels

  tile-opt kernel.mlir --emit=cubin -o kernel.cubin   compiles a kernel
  tile-opt kernel.mlir --emit=layout --value=x        draws the layout of %x
  tile-opt kernel.mlir --tile-to-nvvm                 runs passes, like mlir-opt

--emit decides which of the two it is: compiling or running passes.
)";

StringRef findHelpRequest(ArrayRef<const char *> arguments) {
  for (StringRef argument : arguments.drop_front()) {
    StringRef request =
        StringSwitch<StringRef>(argument)
            .Cases({"-h", "-help", "--help"}, "--help")
            .Cases({"-help-hidden", "--help-hidden"}, "--help-hidden")
            .Default("");
    if (!request.empty())
      return request;
  }
  return {};
}

void printHelp(const char *program, StringRef request) {
  Flags flags;
  cl::OptionCategory passes("Running passes, without --emit");
  cl::OptionCategory timing("Timing, both");
  mlir::DialectRegistry registry;
  registerTesseraPasses();
  registerTesseraPipelines();
  mlir::MlirOptMainConfig::registerCLOptions(registry);
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();

  auto &&options = cl::getRegisteredOptions();
  // "cse" stands for the one option that holds all passes.
  for (StringRef name :
       {"cse", "pass-pipeline", "split-input-file", "verify-diagnostics",
        "verify-roundtrip", "verify-each", "mlir-print-ir-before-all",
        "mlir-print-ir-after-all", "mlir-print-ir-after-change",
        "mlir-print-debuginfo", "mlir-print-op-generic", "remarks-filter",
        "remark-format"})
    if (cl::Option *option = options.lookup(name))
      option->Categories = {&passes};
  for (StringRef name : {"mlir-timing", "mlir-timing-display"})
    if (cl::Option *option = options.lookup(name))
      option->Categories = {&timing};
  const cl::OptionCategory *shown[] = {&flags.category, &flags.inspection,
                                       &flags.tools,    &flags.verification,
                                       &passes,         &timing};
  for (auto &entry : options) {
    cl::Option &option = *entry.second;
    bool isShown = any_of(option.Categories, [&](cl::OptionCategory *category) {
      return is_contained(shown, category) ||
             category->getName() == "Generic Options";
    });
    if (!isShown && option.getOptionHiddenFlag() == cl::NotHidden)
      option.setHiddenFlag(cl::Hidden);
  }
  const char *arguments[] = {program, request.data()};
  cl::ParseCommandLineOptions(2, arguments, overview);
}

} // namespace tessera
