//===- ApplyConfiguration.cpp - the choice in the IR, and why -------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Choice/Configuration.h"

#include "ProductFacts.h"

#include "tessera/Transforms/SwizzleOrders.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;

static remark::RemarkOpts getRemarkOpts(tile::FuncOp kernel, StringRef name) {
  return remark::RemarkOpts::name(name)
      .category("choose-configuration")
      .function(kernel.getName());
}

static std::string format(double number) {
  return llvm::formatv("{0:f2}", number).str();
}

static std::string
describeParameters(const Configuration &configuration) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(configuration.parameters, out, [&](auto &parameter) {
    out << parameter.first << "=" << parameter.second;
  });
  return text;
}

/// What was chosen, and by how much it leads.
static void reportChoice(tile::FuncOp kernel, const KernelChoice &choice,
                         const Configuration &configuration,
                         const ConfigurationRequest &request) {
  auto report = remark::passed(kernel.getLoc(),
                               getRemarkOpts(kernel, "configuration"));
  report << remark::metric("Assumed", request.assumptions.describe())
         << remark::metric("Warps", choice.run.warps)
         << remark::metric("Stages", choice.run.stages)
         << remark::metric("Cycles", choice.estimate.cycles)
         << remark::metric("Candidates", configuration.candidates);
  if (request.bounds.areGiven())
    report << remark::metric("Bounds", request.bounds.describe())
           << remark::metric("Excluded", configuration.excluded);
  if (!configuration.parameters.empty())
    report << remark::metric("Parameters", describeParameters(configuration));
  if (configuration.order) {
    report << remark::metric(
        "Order", getOrderName(getSwizzleOrder(configuration.order->order)));
    if (configuration.order->order == TileOrder::Grouped)
      report << remark::metric("GroupM", configuration.order->groupRows);
  }
  if (configuration.persistent)
    report << remark::metric("Schedule", StringRef(*configuration.persistent
                                                       ? "persistent"
                                                       : "tiled"));
  if (!configuration.runnerUp.empty())
    report << remark::metric(
        "RunnerUp",
        llvm::formatv("{0}: {1}% more cycles", configuration.runnerUp,
                      format(100.0 * (configuration.runnerUpCycles -
                                      configuration.cycles) /
                             configuration.cycles))
            .str());
}

/// What the model takes to do the copies.
static StringRef describeCopies(const ProductTile &tile) {
  if (tile.tensorCopies)
    return "tensor maps";
  if (tile.rowsWait || tile.columnsWait)
    return tile.copiesRegisters()
               ? "single elements, after data of the loop"
               : "16 bytes of a thread, after data of the loop";
  return tile.copiesRegisters() ? "single elements" : "16 bytes of a thread";
}

/// The model's numbers: a step, a launch, and what L2 has to hold.
static void reportModel(tile::FuncOp kernel, const KernelChoice &choice,
                        const ProductDevice &device) {
  const ProductEstimate &estimate = choice.estimate;
  auto opts = [&](StringRef name) { return getRemarkOpts(kernel, name); };
  remark::analysis(kernel.getLoc(), opts("step"))
      << remark::metric("TensorCycles", format(estimate.tensor))
      << remark::metric("SharedCycles", format(estimate.shared))
      << remark::metric("L2Cycles", format(estimate.l2))
      << remark::metric("IssueCycles", format(estimate.issue))
      << remark::metric("CopyCycles", format(estimate.copies))
      << remark::metric("StepCycles", format(estimate.step))
      << remark::metric("Limit", StringRef(estimate.limit))
      << remark::metric("Copies", describeCopies(choice.tile));
  remark::analysis(kernel.getLoc(), opts("launch"))
      << remark::metric("Tiles", choice.grid.getTiles())
      << remark::metric("Steps", choice.grid.steps)
      << remark::metric("ResidentCTAs", estimate.residentCTAs)
      << remark::metric("SharedBytes", estimate.footprint.sharedBytes)
      << remark::metric("Waves", format(estimate.waves.waves))
      << remark::metric("Efficiency", format(estimate.waves.efficiency))
      << remark::metric("EndCycles", format(estimate.epilogue))
      << remark::metric("ProcessorCycles", estimate.processorCycles)
      << remark::metric("MemoryCycles", estimate.memoryCycles);
  if (choice.grid.rows == 0)
    return;
  remark::analysis(kernel.getLoc(), opts("reuse"))
      << remark::metric("RowMajorBytes", estimate.order.rowMajorBytes)
      << remark::metric("WorkingSetBytes", estimate.order.workingSetBytes)
      << remark::metric("WaveBytes", estimate.order.waveBytes)
      << remark::metric("L2Bytes", device.getSharedL2Bytes());
}

void tessera::setConfiguration(const Configuration &configuration,
                               MLIRContext &context,
                               PipelineOptions &pipeline) {
  tile::ParameterTable &table =
      context.getOrLoadDialect<tile::TileDialect>()->getParameters();
  std::string error; // The names and values are the source's own.
  for (auto &[name, value] : configuration.parameters)
    (void)table.setOverride(name, std::to_string(value), error);
  if (configuration.order && configuration.order->order == TileOrder::Grouped) {
    pipeline.swizzle = SwizzleOrder::Grouped;
    pipeline.groupM = configuration.order->groupRows;
  }
  if (configuration.persistent)
    pipeline.persistent = *configuration.persistent;
  for (const KernelChoice &choice : configuration.kernels)
    if (choice.choosesWarps)
      pipeline.modelKernels.push_back(choice.kernel);
  // Options of the order are the whole module's.
  if (configuration.kernels.size() == 1)
    pipeline.residentCTAs =
        configuration.kernels.front().estimate.residentCTAs;
}

void tessera::applyConfiguration(ModuleOp module,
                                 const Configuration &configuration,
                                 const ConfigurationRequest &request) {
  Builder builder(module.getContext());
  module->setAttr(tile::TileDialect::kAssumed,
                  request.assumptions.getAttribute(module.getContext()));
  for (const DeclinedKernel &declined : configuration.declined)
    if (auto kernel = module.lookupSymbol<tile::FuncOp>(declined.kernel)) {
      remark::missed(kernel.getLoc(), getRemarkOpts(kernel, "configuration"))
          << remark::reason("{0}", declined.reason);
      if (configuration.kernels.empty())
        kernel.emitWarning() << "--assume chooses nothing for '"
                             << kernel.getName() << "': " << declined.reason;
    }
  std::optional<TargetInfo> target = TargetInfo::get(request.target);
  std::optional<DeviceRates> rates = DeviceRates::get(request.target);
  for (const KernelChoice &choice : configuration.kernels) {
    auto kernel = module.lookupSymbol<tile::FuncOp>(choice.kernel);
    if (!kernel || !target || !rates)
      continue;
    kernel->setAttr(tile::TileDialect::kNumWarps,
                    builder.getI32IntegerAttr(choice.run.warps));
    std::string reason;
    scf::ForOp loop = findProductLoop(kernel, reason);
    if (loop && loop->hasAttr(tile::TileDialect::kNumStages))
      loop->setAttr(tile::TileDialect::kNumStages,
                    builder.getI32IntegerAttr(choice.run.stages));
    if (configuration.hasOneChoice())
      kernel.emitWarning()
          << "--assume chooses nothing for '" << kernel.getName()
          << "': the source and the options leave one configuration";
    reportChoice(kernel, choice, configuration, request);
    reportModel(kernel, choice, {*target, *rates});
  }
}

void tessera::reportNoSchedule(ModuleOp module) {
  for (auto kernel : module.getOps<tile::FuncOp>())
    if (kernel.isKernel())
      remark::missed(kernel.getLoc(), getRemarkOpts(kernel, "schedule"))
          << remark::metric("Schedule", StringRef("tiled"))
          << remark::reason("no sizes are assumed, from which the number of "
                            "tiles for each program follows")
          << remark::suggest("--assume=NAME=SIZE,...");
}
