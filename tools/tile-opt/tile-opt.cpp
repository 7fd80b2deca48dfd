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
// The presence of --emit decides. -D NAME=VALUE works in both, and --help tells
// of both.
//
// Either runs on a thread with a large stack, and a fault inside LLVM ends in a
// message and an exit code (tessera/Tool/Guard.h).
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "DriverFlags.h"
#include "Help.h"
#include "VerifyPasses.h"
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

/// A flag that goes with --emit only, as given; or an empty string.
static StringRef findCompileFlag(ArrayRef<const char *> arguments) {
  for (StringRef argument : arguments.drop_front()) {
    StringRef name = argument.split('=').first;
    if (name.starts_with("-") &&
        is_contained(tessera::compileOnlyFlags, name.ltrim('-')))
      return name;
  }
  return {};
}

static int runOptimizer(SmallVectorImpl<const char *> &arguments) {
  std::string error;
  if (StringRef flag = findCompileFlag(arguments); !flag.empty())
    return fail((flag + " goes with --emit=KIND, which is missing; options of "
                        "passes are their own (see --help)")
                    .str());
  tessera::Overrides overrides;
  tessera::VerifyRequest verify;
  if (!overrides.extractFrom(arguments, error) ||
      !verify.extractFrom(arguments, error))
    return fail(error);
  mlir::DialectRegistry registry;
  tessera::registerTesseraDialects(registry);
  tessera::registerTesseraPasses();
  tessera::registerTesseraPipelines();
  overrides.addTo(registry);
  auto [input, output] = mlir::registerAndParseCLIOptions(
      arguments.size(), const_cast<char **>(arguments.data()),
      "Tessera's passes\n", registry);
  mlir::LogicalResult result =
      verify.isOn()
          ? tessera::runVerified(input, output, registry, verify)
          : mlir::MlirOptMain(arguments.size(),
                              const_cast<char **>(arguments.data()), input,
                              output, registry);
  if (failed(result))
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
        if (StringRef request = tessera::findHelpRequest(arguments);
            !request.empty())
          tessera::printHelp(arguments.front(), request);
        return isDriverCall(arguments) ? tessera::runDriver(arguments)
                                       : runOptimizer(arguments);
      });
}
