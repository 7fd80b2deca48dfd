//===- Check.cpp - compile and verify one kernel --------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Target/TargetInfo.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

/// The message without what differs from case to case: numbers and types.
static std::string getKind(StringRef message) {
  // "the pass 'x' changes what the program does: ..."
  StringRef head =
      message.starts_with("the pass") ? message.split(':').first : message;
  std::string kind;
  for (char c : head.take_front(60))
    kind.push_back(llvm::isDigit(c) ? '#' : c);
  return kind;
}

verify::SynthesisOptions fuzz::getInputOptions() {
  verify::SynthesisOptions options;
  options.exactData = true;
  options.maxPrograms = 8;
  options.maxAccesses = 150'000;
  return options;
}

FailureOr<CompileResult> fuzz::compileTo(Artifact artifact, ModuleOp module,
                                         const CheckOptions &check,
                                         StringRef outputName,
                                         verify::PassVerifier *verifier) {
  PassManager manager(module->getContext());
  if (verifier)
    verifier->watch(manager);
  PipelineOptions pipeline;
  pipeline.target = check.target;
  pipeline.persistent = check.persistent;
  pipeline.numStages = check.numStages;
  if (check.dynamic)
    pipeline.assignment = TileAssignment::Dynamic;
  buildTilePipeline(manager, pipeline);
  buildTileGPUPipeline(manager, pipeline);
  buildNVVMPipeline(manager, pipeline);
  if (failed(manager.run(module)) || (verifier && verifier->failed()))
    return failure();
  CompileOptions backEnd;
  backEnd.artifact = artifact;
  backEnd.translate.target = check.target;
  backEnd.outputName = outputName;
  TimingScope timing;
  return compileModule(module, backEnd, timing);
}

/// Fails after a diagnostic.
static LogicalResult compile(ModuleOp source, const CheckOptions &check,
                             unsigned &numInputs) {
  OwningOpRef<ModuleOp> module = source.clone();
  if (failed(mlir::verify(*module)))
    return failure();
  verify::VerifierOptions options;
  options.inputs = getInputOptions();
  verify::PassVerifier verifier(options);
  Artifact artifact = check.runPtxas ? Artifact::Cubin : Artifact::PTX;
  LogicalResult result =
      compileTo(artifact, *module, check, /*outputName=*/"", &verifier);
  numInputs = verifier.countInputs();
  return result;
}

static int64_t countBytes(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.getNumElements() * tile::getByteWidth(type.getElementType());
}

/// What the products of a loop with stages read in as many iterations, in
/// bytes, of the loop where it is most: each has rings of its own, of no more
/// slots.
static int64_t countRingBytes(ModuleOp source, int32_t numStages) {
  int64_t most = 0;
  source.walk([&](scf::ForOp loop) {
    auto stages =
        loop->getAttrOfType<IntegerAttr>(tile::TileDialect::kNumStages);
    if (!stages)
      return;
    int64_t bytes = 0;
    for (auto dot : loop.getOps<tile::DotOp>())
      bytes += countBytes(dot.getA()) + countBytes(dot.getB());
    most = std::max(most, bytes * (numStages ? numStages : stages.getInt()));
  });
  return most;
}

/// Its rings and a line of mbarriers are too much.
bool fuzz::mayBeRefused(ModuleOp source, const CheckOptions &options) {
  std::optional<TargetInfo> target = TargetInfo::get(options.target);
  return target && countRingBytes(source, options.numStages) + 128 >
                       target->maxSharedBytesPerCTA;
}

CheckResult fuzz::checkModule(ModuleOp source, const CheckOptions &options) {
  CheckResult result;
  std::string firstError;
  ScopedDiagnosticHandler handler(source.getContext(), [&](Diagnostic &error) {
    if (error.getSeverity() == DiagnosticSeverity::Error && firstError.empty())
      firstError = error.str();
    return success();
  });
  bool compiled = false;
  llvm::CrashRecoveryContext recovery;
  bool survived = recovery.RunSafely([&] {
    compiled = succeeded(compile(source, options, result.numInputs));
  });
  if (!survived) {
    result.kind = "crash";
    result.message = "the compiler crashed";
  } else if (StringRef(firstError).contains("bytes of shared memory") &&
             mayBeRefused(source, options)) {
    result.isRefused = true;
    result.message = firstError;
  } else if (!compiled) {
    result.kind = getKind(firstError);
    result.message = firstError;
  }
  return result;
}
