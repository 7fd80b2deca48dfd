//===- Driver.cpp - tile-opt as a compiler --------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// parse → passes up to the level asked for → back end → files. Everything is in
// memory until the end; OutputFiles then writes all or nothing.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "DriverOptions.h"
#include "DumpStages.h"
#include "OutputFiles.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Target/Compile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tessera {
namespace {

/// One compilation. Each step returns failure after a diagnostic.
class Driver {
public:
  explicit Driver(DriverOptions options);

  LogicalResult run();

private:
  LogicalResult prepare();
  LogicalResult parse();
  /// Refuses unknown names; records the parameters on the module.
  LogicalResult checkOverrides();
  LogicalResult lower();
  LogicalResult compile();
  LogicalResult writeFiles();

  LogicalResult fail(const Twine &message) {
    llvm::WithColor::error(llvm::errs(), "tile-opt") << message << "\n";
    return failure();
  }
  LogicalResult check(llvm::Error error) {
    return error ? fail(llvm::toString(std::move(error))) : success();
  }

  DriverOptions options;
  DefaultTimingManager timingManager;
  TimingScope timing;
  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
  llvm::SourceMgr sources;
  std::unique_ptr<SourceMgrDiagnosticHandler> diagnostics;
  OwningOpRef<ModuleOp> module;
  DumpFolder dumps;
  CompileResult result;
};

} // namespace

Driver::Driver(DriverOptions options) : options(std::move(options)) {
  applyDefaultTimingManagerCLOptions(timingManager);
  timing = timingManager.getRootScope();
  registerTesseraDialects(registry);
  this->options.overrides.addTo(registry);
  // One kernel at a time: threads would cost more than they give.
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  // A diagnostic names a place in the source; the operation found there may be
  // pages long.
  context->printOpOnDiagnostic(false);
  diagnostics =
      std::make_unique<SourceMgrDiagnosticHandler>(sources, context.get());
}

LogicalResult Driver::run() {
  return success(succeeded(prepare()) && succeeded(parse()) &&
                 succeeded(checkOverrides()) && succeeded(lower()) &&
                 succeeded(compile()) && succeeded(writeFiles()));
}

LogicalResult Driver::prepare() {
  if (!options.dumpFolder.empty() &&
      failed(check(dumps.open(options.dumpFolder))))
    return failure();
  if (!options.remarks)
    return success();
  remark::RemarkCategories categories;
  // Not `all`, which MLIR 22 ignores unless a kind has a filter of its own.
  categories.passed = categories.missed = categories.analysis =
      categories.failed = *options.remarks;
  if (failed(remark::enableOptimizationRemarks(
          *context, nullptr,
          std::make_unique<remark::RemarkEmittingPolicyAll>(), categories,
          /*printAsEmitRemarks=*/true)))
    return fail("cannot enable remarks");
  return success();
}

LogicalResult Driver::parse() {
  TimingScope step = timing.nest("Parse");
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      openInputFile(options.input, &error);
  if (!buffer)
    return fail(error);
  // Text never holds a zero byte; a diagnostic would print the whole "line".
  if (!isBytecode(buffer->getMemBufferRef()) &&
      buffer->getBuffer().contains('\0'))
    return fail("'" + options.input + "' is a binary file, not MLIR");
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  module = parseSourceFile<ModuleOp>(sources, context.get());
  if (!module)
    return failure();
  dumps.write("input", module->getOperation());
  return success();
}

LogicalResult Driver::checkOverrides() {
  auto *dialect = context->getOrLoadDialect<tile::TileDialect>();
  const tile::ParameterTable &parameters = dialect->getParameters();
  SmallVector<StringRef> unknown = parameters.unusedOverrides();
  if (unknown.empty()) {
    // For the manifest. A dumped stage has the attribute already, and has no
    // parameters left.
    if (DictionaryAttr used = parameters.used(context.get()); !used.empty())
      (*module)->setAttr(tile::TileDialect::kParameters, used);
    return success();
  }
  SmallVector<StringRef> known = parameters.names();
  return fail(
      "-D " + unknown.front() + ": the source has no such parameter; " +
      (known.empty() ? "it has none" : "it has " + llvm::join(known, ", ")));
}

LogicalResult Driver::lower() {
  TimingScope step = timing.nest("Passes");
  PipelineOptions pipeline;
  pipeline.target = options.target;
  pipeline.numWarps = options.numWarps;

  PassManager manager(module->getContext());
  manager.enableTiming(step);
  dumpAfterPasses(manager, dumps);
  buildTilePipeline(manager, pipeline);
  if (options.stage >= StageKind::TileGPU)
    buildTileGPUPipeline(manager, pipeline);
  if (options.stage >= StageKind::NVVM)
    buildNVVMPipeline(manager, pipeline);
  return manager.run(*module);
}

LogicalResult Driver::compile() {
  if (options.emit == EmitKind::MLIR) {
    llvm::raw_string_ostream stream(result.output);
    module->print(stream);
    return success();
  }
  CompileOptions backEnd;
  backEnd.artifact = options.emit == EmitKind::LLVMIR ? Artifact::LLVMIR
                     : options.emit == EmitKind::PTX  ? Artifact::PTX
                                                      : Artifact::Cubin;
  backEnd.translate.target = options.target;
  backEnd.toolkit = options.toolkit;
  backEnd.outputName = llvm::sys::path::filename(options.output).str();
  if (dumps.isOpen())
    backEnd.onStage = [&](StringRef name, StringRef extension,
                          StringRef contents) {
      dumps.write(name, extension, contents);
    };
  FailureOr<CompileResult> compiled = compileModule(*module, backEnd, timing);
  if (failed(compiled))
    return failure();
  result = std::move(*compiled);
  return success();
}

LogicalResult Driver::writeFiles() {
  TimingScope step = timing.nest("Write files");
  if (failed(check(dumps.takeError())))
    return failure();
  OutputFiles files;
  std::string manifest = options.getManifestPath();
  files.add(options.output, std::move(result.output));
  if (!manifest.empty())
    files.add(manifest, std::move(result.manifest));
  return check(files.commit());
}

int runDriver(ArrayRef<const char *> arguments) {
  std::optional<DriverOptions> options = parseDriverOptions(arguments);
  if (!options)
    return EXIT_FAILURE;
  Driver driver(std::move(*options));
  return succeeded(driver.run()) ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace tessera
