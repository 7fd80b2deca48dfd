//===- tile-fuzz.cpp - compile random kernels and verify each pass --------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tile-fuzz --seed=S --count=N     kernels of the seeds S to S + N - 1
//   tile-fuzz --seed=S --print       the kernel of a seed
//   tile-fuzz ... --tiled            products of matrices (TiledKernel.h)
//   tile-fuzz ... --export=DIR       cubins for sm_90a with inputs and results,
//                                    for test/GPU/fuzz.py (Export.h)
//
// The targets take turns, and every third time the programs stay; products are
// for sm_90a in most cases. Loops have the source's stages in two kernels of
// seven, and 1 to 5 in the others. A kernel that fails is printed after it has
// been made smaller, with its seed. Exits 0 when none fails.
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Export.h"
#include "Generator.h"
#include "Reducer.h"
#include "TiledKernel.h"

#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Target/TargetInfo.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

namespace {

struct Options {
  unsigned reduceTries;
  bool runPtxas;
  bool tiled;
};

struct Totals {
  unsigned kernels = 0, failed = 0, unverified = 0, refused = 0;
  std::set<std::string> kinds;
};

} // namespace

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out);
  return text + "\n";
}

static OwningOpRef<ModuleOp> parse(MLIRContext &context, StringRef text) {
  return parseSourceString<ModuleOp>(text, ParserConfig(&context));
}

/// How a kernel is compiled; 0 stages are the source's.
static std::string describe(const CheckOptions &check) {
  std::string schedule = check.dynamic      ? ", dynamic"
                         : check.persistent ? ", persistent"
                                            : "";
  return check.target + schedule + ", stages " +
         std::to_string(check.numStages);
}

static void report(MLIRContext &context, uint64_t seed,
                   const CheckOptions &check, const std::string &text,
                   const CheckResult &result, const Options &options) {
  llvm::outs() << "seed " << seed << ", " << describe(check) << ": "
               << result.message << "\n";
  OwningOpRef<ModuleOp> module = parse(context, text);
  if (!module)
    return;
  OwningOpRef<ModuleOp> reduced = reduceModule(
      *module,
      [&](ModuleOp candidate) {
        return checkModule(candidate, check).kind == result.kind;
      },
      options.reduceTries);
  llvm::outs() << print(*reduced) << "\n";
}

/// The kernel's text.
static std::string generate(MLIRContext &context, uint64_t seed, bool tiled,
                            bool approximates = true) {
  return tiled ? makeTiledKernel(seed)
               : print(*Generator(&context, seed, approximates).generate());
}

static CheckOptions choose(uint64_t seed, const Options &options) {
  CheckOptions check;
  check.runPtxas = options.runPtxas;
  std::vector<std::string> targets = TargetInfo::names();
  uint64_t round = seed / targets.size();
  check.target = targets[seed % targets.size()];
  if (options.tiled && round % 4 != 0)
    check.target = "sm_90a";
  check.persistent = round % 3 == 2;
  check.dynamic = check.persistent && round % 2 == 1;
  check.numStages = seed % 7 % 6;
  return check;
}

static void runSeed(const DialectRegistry &registry, uint64_t seed,
                    const Options &options, Totals &totals) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  CheckOptions check = choose(seed, options);
  ++totals.kernels;
  // Through text: what is printed has to be what was compiled.
  std::string text = generate(context, seed, options.tiled);
  OwningOpRef<ModuleOp> module = parse(context, text);
  if (!module || failed(mlir::verify(*module))) {
    llvm::outs() << "seed " << seed
                 << ": the generator made an invalid kernel\n"
                 << text;
    ++totals.failed;
    return;
  }
  CheckResult result = checkModule(*module, check);
  totals.refused += result.isRefused;
  if (result.isRefused)
    llvm::outs() << "seed " << seed << ", " << describe(check)
                 << ": refused: " << result.message << "\n";
  totals.unverified +=
      !result.failed() && !result.isRefused && result.numInputs == 0;
  if (!result.failed())
    return;
  ++totals.failed;
  // One of a kind is reduced; the others give their seeds.
  if (!totals.kinds.insert(result.kind).second)
    llvm::outs() << "seed " << seed << ", " << check.target
                 << ": as before: " << result.message << "\n";
  else
    report(context, seed, check, text, result, options);
  llvm::outs().flush();
}

/// Writes as many files as there are kernels; returns how many failed.
static unsigned exportSeeds(const DialectRegistry &registry, uint64_t first,
                            uint64_t count, bool tiled, StringRef folder) {
  unsigned written = 0, refused = 0, withoutInputs = 0, failed = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
    CheckOptions check = choose(seed, {0, /*runPtxas=*/true, tiled});
    check.target = "sm_90a";
    std::string text = generate(context, seed, tiled, /*approximates=*/false);
    OwningOpRef<ModuleOp> module = parse(context, text);
    std::string stem = (tiled ? "tiled-" : "fuzz-") + std::to_string(seed);
    switch (module ? exportModule(*module, check, folder, stem)
                   : Exported::Failed) {
    case Exported::Written:
      ++written;
      continue;
    case Exported::Refused:
      ++refused;
      continue;
    case Exported::NoInputs:
      ++withoutInputs;
      continue;
    case Exported::Failed:
      ++failed;
      llvm::outs() << "seed " << seed << ": failed\n";
    }
  }
  llvm::outs() << "seeds " << first << " to " << first + count - 1 << ": "
               << written << " written, " << withoutInputs
               << " without inputs, " << refused << " refused, " << failed
               << " failed\n";
  return failed;
}

int main(int argc, char **argv) {
  llvm::cl::opt<uint64_t> seed("seed", llvm::cl::desc("First seed"),
                               llvm::cl::init(1));
  llvm::cl::opt<unsigned> count("count", llvm::cl::desc("Number of kernels"),
                                llvm::cl::init(100));
  llvm::cl::opt<unsigned> tries("reduce-tries", llvm::cl::init(300),
                                llvm::cl::desc("Most steps of a reduction"));
  llvm::cl::opt<bool> cubin("cubin", llvm::cl::desc("Run ptxas, too"));
  llvm::cl::opt<bool> tiled("tiled", llvm::cl::desc("Products of matrices"));
  llvm::cl::opt<bool> onlyPrint("print", llvm::cl::desc("Compile nothing"));
  llvm::cl::opt<std::string> folder(
      "export", llvm::cl::desc("Write cubins for sm_90a, inputs and results"));
  llvm::cl::ParseCommandLineOptions(argc, argv, "random kernels\n");
  llvm::CrashRecoveryContext::Enable();
  DialectRegistry registry;
  registerTesseraDialects(registry);
  if (onlyPrint) {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    llvm::outs() << generate(context, seed, tiled);
    return 0;
  }
  if (!folder.empty())
    return exportSeeds(registry, seed, count, tiled, folder) == 0 ? 0 : 1;
  Totals totals;
  for (uint64_t i = 0; i < count; ++i)
    runSeed(registry, seed + i, {tries, cubin, tiled}, totals);
  llvm::outs() << "seeds " << seed << " to " << seed + count - 1 << ": "
               << totals.kernels << " kernels, " << totals.failed << " failed, "
               << totals.unverified << " not verified, " << totals.refused
               << " refused\n";
  return totals.failed == 0 ? 0 : 1;
}
