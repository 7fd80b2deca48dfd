//===- Driver.cpp - tile-opt as a compiler --------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// parse → passes up to the level asked for → back end → files → report.
// Everything is in memory until the end; OutputFiles then writes all or
// nothing.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "DriverOptions.h"
#include "DumpStages.h"
#include "Explain.h"
#include "MostCTAs.h"
#include "Remarks.h"
#include "SourceLines.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Runtime/Launcher.h"
#include "tessera/Target/Compile.h"
#include "tessera/Target/Manifest.h"
#include "tessera/Tool/ErrorsOnce.h"
#include "tessera/Tool/OutputFiles.h"
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
  /// Chooses what --assume leaves to the model; before the source is parsed.
  LogicalResult choose(llvm::MemoryBufferRef source);
  void applyChoice();
  /// Refuses unknown names; records the parameters on the module.
  LogicalResult checkOverrides();
  LogicalResult lower();
  /// Says which --min-ctas compiles, where the one given was what was refused.
  void adviseCTAs(ModuleOp source);
  /// --maxnreg and --min-ctas, as attributes that translation knows.
  void setLaunchBounds();
  LogicalResult compile();
  LogicalResult readEditedPTX(CompileOptions &backEnd);
  /// Makes the two files of a launcher of the code and the manifest.
  LogicalResult printSources();
  LogicalResult writeFiles();
  void explain();

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
  std::unique_ptr<ErrorsOnce> once;
  OwningOpRef<ModuleOp> module;
  Configuration configuration;
  SourceLines lines;
  DumpFolder dumps;
  Explanation explanation;
  LayoutEmitter layouts;
  CompileResult result;
};

} // namespace

Driver::Driver(DriverOptions options)
    : options(std::move(options)), layouts(this->options.layout) {
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
  once = std::make_unique<ErrorsOnce>(context.get());
}

LogicalResult Driver::run() {
  bool good = succeeded(prepare()) && succeeded(parse()) &&
              succeeded(checkOverrides()) && succeeded(lower()) &&
              succeeded(compile());
  // Also of a compilation that failed: where and why is what it is read for.
  dumps.writeIndex(result.resources, timingManager.isEnabled());
  if (!good || failed(writeFiles()))
    return failure();
  explain();
  return success();
}

LogicalResult Driver::prepare() {
  if (!options.dumpFolder.empty() &&
      failed(check(dumps.open(options.dumpFolder))))
    return failure();
  if (!options.remarks && options.explain == ExplainKind::None &&
      !dumps.isOpen())
    return success();
  if (failed(collectRemarks(*context, explanation.remarks, options.remarks)))
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
  if (!isBytecode(buffer->getMemBufferRef()))
    lines.set(buffer->getBufferIdentifier(), buffer->getBuffer());
  if (failed(choose(buffer->getMemBufferRef())))
    return failure();
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  module = options.emit == EmitKind::Layout
               ? layouts.parse(sources, context.get())
               : parseSourceFile<ModuleOp>(sources, context.get());
  if (!module)
    return failure();
  if (options.emit == EmitKind::Layout && failed(check(layouts.checkName())))
    return failure();
  applyChoice();
  dumps.write("input", module->getOperation());
  return success();
}

LogicalResult Driver::choose(llvm::MemoryBufferRef source) {
  if (options.choice.assumptions.empty())
    return success();
  TimingScope step = timing.nest("Choose configuration");
  llvm::Expected<Configuration> chosen =
      chooseConfiguration(source, registry, options.choice);
  if (!chosen)
    return check(chosen.takeError());
  configuration = std::move(*chosen);
  setConfiguration(configuration, *context, options.pipeline);
  return success();
}

void Driver::applyChoice() {
  if (!options.choice.assumptions.empty())
    applyConfiguration(*module, configuration, options.choice);
  else if (options.asksForSchedule)
    reportNoSchedule(*module);
}

LogicalResult Driver::checkOverrides() {
  if (std::string fault = options.overrides.describeUnknown(); !fault.empty())
    return fail(fault);
  // For the manifest. A dumped stage has the attribute already, and has no
  // parameters left.
  auto *dialect = context->getOrLoadDialect<tile::TileDialect>();
  DictionaryAttr used = dialect->getParameters().used(context.get());
  if (!used.empty())
    (*module)->setAttr(tile::TileDialect::kParameters, used);
  return success();
}

LogicalResult Driver::lower() {
  TimingScope step = timing.nest("Passes");
  if (options.explain != ExplainKind::None)
    explanation.values = explainValues(
        listConfiguration(*module, configuration, options.choice));
  const PipelineOptions &pipeline = options.pipeline;
  // Outlives the manager, whose passes it watches.
  std::optional<verify::PassVerifier> verifier;
  if (options.verify.isOn())
    verifier.emplace(options.verify.getOptions());
  PassManager manager(module->getContext());
  manager.enableTiming(step);
  dumpAfterPasses(manager, dumps, explanation.remarks);
  recordSharedBuffers(manager, explanation.buffers);
  if (verifier)
    verifier->watch(manager);
  buildTilePipeline(manager, pipeline);
  if (options.stage >= StageKind::TileGPU)
    buildTileGPUPipeline(manager, pipeline);
  if (options.stage >= StageKind::NVVM)
    buildNVVMPipeline(manager, pipeline);
  OwningOpRef<ModuleOp> source;
  if (pipeline.minCTAs > 1)
    source = cast<ModuleOp>((*module)->clone());
  if (failed(manager.run(*module)) || (verifier && verifier->failed())) {
    if (source && !(verifier && verifier->failed()))
      adviseCTAs(*source);
    return failure();
  }
  if (options.explain != ExplainKind::None)
    explanation.choices = listVariants(*module);
  if (verifier)
    llvm::errs() << "tile-opt: " << verifier->summarize() << "\n";
  setLaunchBounds();
  return success();
}

void Driver::adviseCTAs(ModuleOp source) {
  std::optional<int32_t> most = findMostCTAs(source, options.pipeline);
  if (!most)
    return;
  llvm::raw_ostream &note = llvm::WithColor::note(llvm::errs(), "tile-opt");
  if (*most)
    note << "--min-ctas=" << *most << " compiles, and no larger number\n";
  else
    note << "no --min-ctas compiles: without it this is refused as well\n";
}

void Driver::setLaunchBounds() {
  Builder builder(context.get());
  auto [maxRegisters, minCTAs] =
      std::pair(options.pipeline.maxRegisters, options.pipeline.minCTAs);
  for (auto function : module->getOps<LLVM::LLVMFuncOp>()) {
    if (!isKernel(function))
      continue;
    if (maxRegisters) {
      // In place of the compiler's own bound.
      function->removeAttr(NVVM::NVVMDialect::getMinctasmAttrName());
      function->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(),
                        builder.getI32IntegerAttr(maxRegisters));
    }
    if (minCTAs)
      function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                        builder.getI32IntegerAttr(minCTAs));
  }
}

static Artifact getArtifact(const DriverOptions &options) {
  switch (options.emit) {
  case EmitKind::Launcher:
    return options.runsPtxas() ? Artifact::Cubin : Artifact::PTX;
  case EmitKind::LLVMIR:
    return Artifact::LLVMIR;
  case EmitKind::PTX:
    return Artifact::PTX;
  case EmitKind::SASS:
    return Artifact::SASS;
  default:
    return Artifact::Cubin;
  }
}

LogicalResult Driver::readEditedPTX(CompileOptions &backEnd) {
  if (options.fromPTX.empty())
    return success();
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      openInputFile(options.fromPTX, &error);
  if (!buffer)
    return fail("--from-ptx: " + error);
  backEnd.editedPTX = buffer->getBuffer().str();
  backEnd.editedPTXFile = options.fromPTX;
  return success();
}

LogicalResult Driver::compile() {
  if (options.emit == EmitKind::Layout) {
    TimingScope step = timing.nest("Draw layouts");
    llvm::Expected<std::string> drawn = layouts.render(*module);
    if (!drawn)
      return check(drawn.takeError());
    result.output = std::move(*drawn);
    return success();
  }
  if (options.emit == EmitKind::MLIR) {
    llvm::raw_string_ostream stream(result.output);
    module->print(stream);
    return success();
  }
  CompileOptions backEnd;
  backEnd.artifact = getArtifact(options);
  backEnd.ptxasArguments = options.ptxasArguments;
  backEnd.locateSpills = options.explain != ExplainKind::None;
  if (failed(readEditedPTX(backEnd)))
    return failure();
  backEnd.translate.target = options.pipeline.target;
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
  if (options.emit == EmitKind::Launcher)
    return printSources();
  if (options.ptxComments)
    result.output = annotatePTX(result.output, lines);
  if (options.emit == EmitKind::SASS)
    result.output = annotateSASS(result.output, lines);
  return success();
}

LogicalResult Driver::printSources() {
  runtime::Result<runtime::Manifest> manifest =
      runtime::parseManifest(result.manifest);
  if (!manifest)
    return fail("the launch plan is beyond what a manifest holds: " +
                manifest.failure().message);
  runtime::LauncherSources sources = runtime::printLauncher(
      *manifest, result.output, llvm::sys::path::stem(options.output).str());
  result.output = std::move(sources.source);
  result.manifest = std::move(sources.header);
  return success();
}

LogicalResult Driver::writeFiles() {
  TimingScope step = timing.nest("Write files");
  if (failed(check(dumps.takeError())))
    return failure();
  OutputFiles files;
  std::string companion = options.getCompanionPath();
  files.add(options.output, std::move(result.output));
  if (!companion.empty())
    files.add(companion, std::move(result.manifest));
  return check(files.commit());
}

void Driver::explain() {
  if (options.explain == ExplainKind::None)
    return;
  explanation.resources = result.resources;
  explanation.spillsUnknown = result.spillsUnknown;
  llvm::raw_ostream &out = options.output == "-" ? llvm::errs() : llvm::outs();
  out << (options.explain == ExplainKind::JSON
              ? explainAsJSON(explanation, lines)
              : explainAsText(explanation, lines));
}

int runDriver(ArrayRef<const char *> arguments) {
  std::optional<DriverOptions> options = parseDriverOptions(arguments);
  if (!options)
    return EXIT_FAILURE;
  Driver driver(std::move(*options));
  return succeeded(driver.run()) ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace tessera
