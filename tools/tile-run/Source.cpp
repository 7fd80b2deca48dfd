//===- Source.cpp - the kernels to run ------------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Source.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Target/LaunchPlan.h"
#include "tessera/Tool/NamedSource.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;

namespace tessera {

static LogicalResult fail(const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "tile-run") << message << "\n";
  return failure();
}

LogicalResult Source::parse(const RunSettings &settings) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      openInputFile(settings.input, &error);
  if (!buffer)
    return fail(error);
  // Text never holds a zero byte; a diagnostic would print the whole "line".
  if (!isBytecode(buffer->getMemBufferRef()) &&
      buffer->getBuffer().contains('\0'))
    return fail("'" + settings.input + "' is a binary file, not MLIR");
  DialectRegistry registry;
  registerTesseraDialects(registry);
  settings.overrides.addTo(registry);
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->printOpOnDiagnostic(false);
  diagnostics =
      std::make_unique<SourceMgrDiagnosticHandler>(sources, context.get());
  once = std::make_unique<ErrorsOnce>(context.get());
  const ConfigurationRequest &request = settings.choice;
  pipeline = settings.pipeline;
  if (failed(choose(buffer->getMemBufferRef(), registry, request)))
    return failure();
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  module = parseNamed(sources, context.get(),
                      [&](StringRef name, ValueRange values) {
                        for (auto [index, value] : llvm::enumerate(values))
                          names[value] =
                              ("%" + name +
                               (values.size() > 1 ? "#" + Twine(index) : ""))
                                  .str();
                      });
  if (!module)
    return failure();
  if (!request.assumptions.empty())
    applyConfiguration(*module, configuration, request);
  std::string unknown = settings.overrides.describeUnknown();
  return unknown.empty() ? success() : fail(unknown);
}

LogicalResult Source::choose(llvm::MemoryBufferRef buffer,
                             const DialectRegistry &registry,
                             const ConfigurationRequest &request) {
  if (request.assumptions.empty())
    return success();
  llvm::Expected<Configuration> chosen =
      chooseConfiguration(buffer, registry, request);
  if (!chosen)
    return fail(llvm::toString(chosen.takeError()));
  configuration = std::move(*chosen);
  setConfiguration(configuration, *context, pipeline);
  return success();
}

LogicalResult Source::runPasses(const RunSettings &settings) {
  if (settings.stage == RunStage::Source)
    return success();
  remark::RemarkCategories declined;
  declined.missed = "tile-cta-swizzle|tile-persistent-schedule";
  if (failed(remark::enableOptimizationRemarks(
          *context, /*streamer=*/nullptr,
          std::make_unique<remark::RemarkEmittingPolicyAll>(), declined,
          /*printAsEmitRemarks=*/true)))
    return failure();
  PassManager manager(context.get());
  buildTilePipeline(manager, pipeline);
  if (settings.stage == RunStage::TileGPU)
    buildTileGPUPipeline(manager, pipeline);
  names.clear();
  return manager.run(*module);
}

llvm::Expected<std::string> Source::findEntry(const RunSettings &settings) {
  SmallVector<StringRef> launches, kernels;
  for (auto launch : module->getOps<tile::LaunchOp>())
    launches.push_back(launch.getSymName());
  for (auto kernel : module->getOps<tile::FuncOp>())
    if (kernel.isKernel())
      kernels.push_back(kernel.getSymName());
  if (settings.entry.empty() && launches.size() == 1)
    return launches.front().str();
  if (settings.entry.empty() && launches.empty() && kernels.size() == 1)
    return kernels.front().str();
  if (llvm::is_contained(launches, settings.entry) ||
      llvm::is_contained(kernels, settings.entry))
    return settings.entry;
  launches.append(kernels);
  return llvm::createStringError(
      (settings.entry.empty()
           ? "--kernel is missing"
           : "--kernel=" + settings.entry + ": there is no such entry") +
      "; the source has " +
      (launches.empty() ? "none" : llvm::join(launches, ", ")));
}

llvm::Expected<std::vector<Parameter>>
Source::getParameters(StringRef entry) {
  auto function =
      cast<FunctionOpInterface>(module->lookupSymbol(entry));
  std::vector<Parameter> parameters;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto name =
        function.getArgAttrOfType<StringAttr>(index, tile::TileDialect::kName);
    llvm::Expected<Parameter> parameter = makeParameter(
        name ? name.str() : "arg" + std::to_string(index), spellType(type));
    if (!parameter)
      return parameter.takeError();
    parameters.push_back(std::move(*parameter));
  }
  return parameters;
}

} // namespace tessera
