//===- tile-opt.cpp - Tessera's compiler and optimiser --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two tools in one program:
//
//   tile-opt K.mlir --emit=cubin -o K.cubin   compiles (Driver.h)
//   tile-opt K.mlir --some-pass               runs passes, like mlir-opt
//
// The presence of --emit decides. -D NAME=VALUE works in both.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "Version.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Tool/Guard.h"
#include "tessera/Tool/Overrides.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static bool isDriverCall(ArrayRef<const char *> arguments) {
  return llvm::any_of(arguments.drop_front(), [](StringRef argument) {
    if (!argument.consume_front("-"))
      return false;
    argument.consume_front("-");
    return argument == "emit" || argument.starts_with("emit=");
  });
}

static int fail(StringRef message) {
  WithColor::error(errs(), "tile-opt") << message << "\n";
  return EXIT_FAILURE;
}

static int runOptimizer(SmallVectorImpl<const char *> &arguments) {
  std::string error;
  tessera::Overrides overrides;
  if (!overrides.extractFrom(arguments, error))
    return fail(error);
  mlir::DialectRegistry registry;
  tessera::registerTesseraDialects(registry);
  tessera::registerTesseraPasses();
  tessera::registerTesseraPipelines();
  overrides.addTo(registry);
  if (failed(mlir::MlirOptMain(
          arguments.size(), const_cast<char **>(arguments.data()),
          "Tessera's modular optimiser (with --emit=mlir|llvm|ptx|cubin|... it is "
          "the compiler: see tile-opt --emit=ptx --help)\n",
          registry)))
    return EXIT_FAILURE;
  // Only now are all sources of a split input known.
  error = overrides.describeUnknown();
  return error.empty() ? EXIT_SUCCESS : fail(error);
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  SmallVector<const char *> arguments(argv, argv + argc);
  tessera::extendVersion(argv[0]);
  tessera::runGuarded(
      "tile-opt", " (--dump-dir=DIR shows how far it came)", [&] {
        return isDriverCall(arguments) ? tessera::runDriver(arguments)
                                       : runOptimizer(arguments);
      });
}
