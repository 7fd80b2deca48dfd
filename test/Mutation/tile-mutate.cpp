//===- tile-mutate.cpp - does the interpreter catch miscompiles? ----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tile-mutate KERNELS INPUTS
//
// Applies each mutation (Mutations.h) to what the pipeline made of its kernel,
// and runs the result as --verify-passes does. Prints what caught each, and the
// score; before that the control, in which every kernel of both folders passes
// unmutated. Exits 0 when the control is clean and all mutations are caught.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Verify/Comparison.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;
using namespace tessera;
using namespace tessera::mutation;

namespace {

/// A kernel at each level, with inputs and what they give.
struct Subject {
  /// Sources share no parameters.
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> source, tile, tileGPU;
  std::vector<verify::Input> inputs;
  std::vector<verify::Outcome> atTile, atTileGPU;
};

class Tester {
public:
  Tester() { registerTesseraDialects(registry); }

  /// Compiles a kernel and checks that it is the same at all levels.
  bool addSubject(StringRef file);
  bool run(const Mutation &mutation);

private:
  OwningOpRef<ModuleOp> lower(ModuleOp module, bool toTileGPU);
  bool check(Subject &subject, StringRef name);

  DialectRegistry registry;
  std::map<std::string, Subject> subjects;
};

} // namespace

OwningOpRef<ModuleOp> Tester::lower(ModuleOp module, bool toTileGPU) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(module.getContext());
  if (toTileGPU)
    buildTileGPUPipeline(manager, {});
  else
    buildTilePipeline(manager, {});
  return succeeded(manager.run(*copy)) ? std::move(copy) : nullptr;
}

bool Tester::check(Subject &subject, StringRef name) {
  // Only what split reductions may do separates the levels.
  verify::Tolerance tolerance =
      verify::getTolerance("tile-gpu-split-reductions", *subject.tile);
  for (const verify::Input &input : subject.inputs) {
    verify::Outcome source = verify::execute(*subject.source, input);
    verify::Outcome &tile = subject.atTile.emplace_back();
    verify::Outcome &tileGPU = subject.atTileGPU.emplace_back();
    auto fault = verify::checkAgainst(*subject.source, source, *subject.tile,
                                      input, {}, tile);
    if (!fault)
      fault = verify::checkAgainst(*subject.tile, tile, *subject.tileGPU, input,
                                   tolerance, tileGPU);
    if (!source.findings.empty() || fault) {
      llvm::outs() << "control: " << name
                   << " is not clean: " << (fault ? fault->message : "findings")
                   << "\n";
      return false;
    }
  }
  return true;
}

bool Tester::addSubject(StringRef file) {
  StringRef name = llvm::sys::path::stem(file);
  Subject &subject = subjects[name.str()];
  subject.context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  subject.source =
      parseSourceFile<ModuleOp>(file, ParserConfig(subject.context.get()));
  if (!subject.source)
    return false;
  subject.tile = lower(*subject.source, /*toTileGPU=*/false);
  if (!subject.tile)
    return false;
  subject.tileGPU = lower(*subject.tile, /*toTileGPU=*/true);
  if (!subject.tileGPU)
    return false;
  verify::SynthesisOptions options;
  options.numInputs = 6;
  for (const std::string &entry : verify::collectEntries(*subject.source)) {
    verify::Synthesis synthesis =
        verify::synthesizeInputs(*subject.source, entry, options);
    if (synthesis.inputs.size() < options.numInputs ||
        synthesis.haveFindings) {
      llvm::outs() << "control: " << entry
                   << " has no good inputs: " << synthesis.problem << "\n";
      return false;
    }
    for (verify::Input &input : synthesis.inputs)
      subject.inputs.push_back(std::move(input));
  }
  return check(subject, name);
}

static void print(StringRef verdict, const Mutation &mutation,
                  StringRef detail) {
  llvm::outs() << llvm::left_justify(verdict, 8)
               << llvm::left_justify(mutation.name, 36)
               << llvm::left_justify(mutation.kernel, 18) << detail << "\n";
}

bool Tester::run(const Mutation &mutation) {
  auto it = subjects.find(mutation.kernel);
  if (it == subjects.end()) {
    print("error", mutation, "no such kernel");
    return false;
  }
  Subject &subject = it->second;
  bool atTile = mutation.level == Level::Tile;
  ModuleOp original = atTile ? *subject.tile : *subject.tileGPU;
  OwningOpRef<ModuleOp> mutant = original.clone();
  if (!mutation.apply(*mutant) || failed(mlir::verify(*mutant))) {
    print("error", mutation, "cannot be applied");
    return false;
  }
  for (auto [input, expected] :
       llvm::zip(subject.inputs, atTile ? subject.atTile : subject.atTileGPU)) {
    verify::Outcome outcome;
    auto fault =
        verify::checkAgainst(original, expected, *mutant, input, {}, outcome);
    if (!fault)
      continue;
    print("caught", mutation, fault->message);
    return true;
  }
  print("MISSED", mutation, "");
  return false;
}

/// Kernels of a folder, sorted.
static std::vector<std::string> listKernels(StringRef folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (llvm::sys::path::extension(it->path()) == ".mlir")
      files.push_back(it->path());
  llvm::sort(files);
  return files;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: tile-mutate KERNELS INPUTS\n";
    return 2;
  }
  Tester tester;
  unsigned numKernels = 0, numClean = 0, numMutations = 0, numCaught = 0;
  for (StringRef folder : {argv[1], argv[2]})
    for (const std::string &file : listKernels(folder)) {
      ++numKernels;
      numClean += tester.addSubject(file);
    }
  llvm::outs() << "control: " << numClean << " of " << numKernels
               << " kernels are clean\n";
  for (auto &table :
       {getTileMutations(), getMemoryMutations(), getSharedMutations(),
        getAsyncMutations(), getProductMutations(), getReadsAheadMutations(),
        getOtherMutations(), getTensorMutations(), getPrefetchMutations(),
        getGroupMutations(), getPieceMutations(), getDealtMutations()})
    for (const Mutation &mutation : table) {
      ++numMutations;
      numCaught += tester.run(mutation);
    }
  llvm::outs() << "score: " << numCaught << " of " << numMutations
               << " mutations caught\n";
  return numClean == numKernels && numCaught == numMutations ? 0 : 1;
}
