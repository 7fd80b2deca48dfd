//===- Configuration.cpp - a kernel's configuration by a model ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All sets of parameters are parsed in one context of the search's own, whose
// dialects are loaded once; the compilation's context never sees them.
//
//===----------------------------------------------------------------------===//

#include "tessera/Choice/Configuration.h"

#include "ProductFacts.h"

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Transforms/SwizzleOrders.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SourceMgr.h"

#include <map>

using namespace mlir;
using namespace tessera;

using OpenParameter = tile::ParameterTable::OpenParameter;
using Values = std::vector<int64_t>;

/// Warps and stages to try, the first of equal ones first: 4 stages is what most
/// kernels were measured with.
static constexpr int32_t kWarps[] = {4, 8};
static constexpr int32_t kStages[] = {4, 3, 5};
/// Sources that are parsed at most, beside those that find out which parameters
/// matter.
static constexpr int64_t kMostSources = 64;

namespace {
/// What the model reads of a kernel.
struct KernelFacts {
  std::string kernel;
  ProductFacts facts;
  /// Stages to try.
  SmallVector<int32_t> stages;
  /// Whether warps and stages are for the model to choose.
  bool choosesWarps = true, choosesStages = false;

  bool operator==(const KernelFacts &other) const {
    return kernel == other.kernel && facts == other.facts &&
           stages == other.stages;
  }
};

/// One set of parameters with runs for all products.
struct Candidate {
  Values values;
  std::vector<KernelChoice> kernels;
  int64_t cycles = 0, processorCycles = 0, warps = 0;
  double copiedBytes = 0;

  void add(KernelChoice choice) {
    cycles += choice.estimate.cycles;
    processorCycles += choice.estimate.processorCycles;
    copiedBytes += choice.estimate.copiedBytes;
    warps += choice.run.warps;
    kernels.push_back(std::move(choice));
  }
  bool operator<(const Candidate &other) const {
    return std::tie(cycles, processorCycles, copiedBytes, warps) <
           std::tie(other.cycles, other.processorCycles, other.copiedBytes,
                    other.warps);
  }
};

class Search {
public:
  Search(llvm::MemoryBufferRef source, const DialectRegistry &registry,
         const ConfigurationRequest &request, const ProductDevice &device)
      : source(source), request(request), device(device),
        context(registry, MLIRContext::Threading::DISABLED) {
    // Instructions of products are attributes of its.
    context.loadDialect<tile::TileDialect, tile_gpu::TileGPUDialect>();
  }

  llvm::Expected<Configuration> run();

private:
  OwningOpRef<ModuleOp> parse(const Values &values);
  std::vector<KernelFacts> read(ModuleOp module) const;
  /// The facts for `values`, of which there are none where the source does not
  /// parse.
  const std::vector<KernelFacts> &getFacts(const Values &values);

  ProductCopies getCopies(StringRef kernel, TileOrder order, bool stays);
  llvm::StringMap<ProductCopies> findCopies(TileOrder order, bool stays);
  void findOpenParameters();
  void fixWhatDoesNotMatter();
  void visitAll(Values &values, size_t next);
  void estimate(const Values &values);
  std::vector<Candidate> estimateKernel(const KernelFacts &facts,
                                        bool choosesSchedule);
  void consider(Candidate candidate);
  bool isDeclined(StringRef kernel) const {
    return llvm::any_of(declined, [&](const DeclinedKernel &other) {
      return other.kernel == kernel;
    });
  }

  void finish(Configuration &result) const;
  std::string describe(const Candidate &candidate) const;

  llvm::MemoryBufferRef source;
  const ConfigurationRequest &request;
  const ProductDevice &device;
  MLIRContext context;
  std::vector<OpenParameter> parameters;
  std::map<Values, std::vector<KernelFacts>> known;
  /// What does the copies of each kernel, for an order and a schedule.
  std::map<std::pair<TileOrder, bool>, llvm::StringMap<ProductCopies>> copies;
  Values defaults;
  /// Whether one set of parameters is all there is.
  bool hasOneSource = true;
  /// Kernels of the source that the model has nothing to say about.
  std::vector<DeclinedKernel> declined;
  std::optional<Candidate> best, second;
  int64_t candidates = 0, excluded = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> Search::parse(const Values &values) {
  tile::ParameterTable &table =
      context.getLoadedDialect<tile::TileDialect>()->getParameters();
  table.reset();
  std::string error; // Overrides::add has checked the user's.
  for (auto &[name, value] : request.overrides.getValues())
    (void)table.setOverride(name, value, error);
  for (auto [parameter, value] : llvm::zip(parameters, values))
    (void)table.setOverride(parameter.name, std::to_string(value), error);
  // What is wrong with the source is said when it is compiled.
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(source), SMLoc());
  return parseSourceFile<ModuleOp>(sources, &context);
}

std::vector<KernelFacts> Search::read(ModuleOp module) const {
  std::vector<KernelFacts> all;
  for (auto kernel : module.getOps<tile::FuncOp>()) {
    if (!kernel.isKernel())
      continue;
    SmallVector<int32_t> warps(std::begin(kWarps), std::end(kWarps));
    if (auto authors =
            kernel->getAttrOfType<IntegerAttr>(tile::TileDialect::kNumWarps))
      warps = {int32_t(authors.getInt())};
    bool choosesWarps =
        !request.warps && !kernel->hasAttr(tile::TileDialect::kNumWarps);
    if (request.warps)
      warps = {request.warps};
    KernelFacts facts{kernel.getName().str(),
                      findProduct(kernel, request.assumptions, device.target,
                                  warps),
                      {1},
                      choosesWarps};
    std::string reason;
    scf::ForOp loop = findProductLoop(kernel, reason);
    if (loop && loop->hasAttr(tile::TileDialect::kNumStages)) {
      facts.stages.assign(std::begin(kStages), std::end(kStages));
      facts.choosesStages = !request.stages;
      if (request.stages)
        facts.stages = {request.stages};
    }
    all.push_back(std::move(facts));
  }
  return all;
}

const std::vector<KernelFacts> &Search::getFacts(const Values &values) {
  auto found = known.find(values);
  if (found != known.end())
    return found->second;
  OwningOpRef<ModuleOp> module = parse(values);
  return known[values] = module ? read(*module) : std::vector<KernelFacts>();
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Asks the passes what copies each kernel's operands, with default parameters.
llvm::StringMap<ProductCopies> Search::findCopies(TileOrder order, bool stays) {
  OwningOpRef<ModuleOp> module = parse(defaults);
  PipelineOptions options;
  options.target = request.target;
  options.persistent = stays;
  options.swizzle = getSwizzleOrder(order);
  PassManager manager(&context);
  buildTilePipeline(manager, options);
  TileGPUAttachTargetPassOptions target;
  target.target = request.target;
  manager.addPass(createTileGPUAttachTargetPass(target));
  if (request.tensorMaps)
    manager.addPass(createTileTensorMapsPass());
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
  llvm::StringMap<ProductCopies> found;
  if (!module || failed(manager.run(*module)))
    return found;
  for (const KernelFacts &kernel : known.at(defaults))
    found[kernel.kernel] = tessera::findCopies(
        *module, kernel.kernel, request.assumptions, device.target);
  return found;
}

ProductCopies Search::getCopies(StringRef kernel, TileOrder order, bool stays) {
  auto [place, isNew] = copies.try_emplace({order, stays});
  if (isNew)
    place->second = findCopies(order, stays);
  return place->second.lookup(kernel);
}

void Search::findOpenParameters() {
  parameters = context.getLoadedDialect<tile::TileDialect>()
                   ->getParameters()
                   .getOpenParameters();
  for (OpenParameter &parameter : parameters)
    if (!llvm::is_contained(parameter.choices, parameter.defaultValue))
      parameter.choices.push_back(parameter.defaultValue);
}

/// Leaves parameters at their defaults that change nothing for the model, and
/// the last ones when there are too many sets.
void Search::fixWhatDoesNotMatter() {
  int64_t sources = 1;
  for (auto [index, parameter] : llvm::enumerate(parameters)) {
    bool matters = llvm::any_of(parameter.choices, [&, index = index](int64_t v) {
      Values values = defaults;
      values[index] = v;
      const auto &facts = getFacts(values);
      return !facts.empty() && !(facts == getFacts(defaults));
    });
    if (!matters || sources * int64_t(parameter.choices.size()) > kMostSources)
      parameter.choices = {parameter.defaultValue};
    sources *= parameter.choices.size();
  }
  hasOneSource = sources == 1;
}

void Search::visitAll(Values &values, size_t next) {
  if (next == parameters.size())
    return estimate(values);
  for (int64_t choice : parameters[next].choices) {
    values[next] = choice;
    visitAll(values, next + 1);
  }
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// What L2 is asked for at once of an operand that is `width` x `depth`.
static int32_t getPiece(const OperandRows &rows, int64_t bytes, int64_t width,
                        int64_t depth) {
  constexpr int64_t most = 128;
  int64_t row = bytes / (rows.followDepth ? width : depth);
  return rows.areSplit ? int32_t(std::min(most, row)) : 0;
}

/// One candidate for each run of the kernel that is possible.
std::vector<Candidate> Search::estimateKernel(const KernelFacts &facts,
                                              bool choosesSchedule) {
  OrderRequest order = request.order;
  if (!facts.facts.takesOrder)
    order = {/*isGiven=*/true};
  std::vector<Candidate> runs;
  if (!facts.facts.reason.empty())
    return runs;
  auto tryRun = [&](ProductTile tile, ProductRun run) {
    auto estimate = [&](ProductRun how) {
      return estimateProduct(device, tile, facts.facts.grid, how, order);
    };
    // For the order, which does not depend on who copies, nor on bounds.
    ProductEstimate result = estimate({run.warps, run.stages});
    if (!result.obstacle.empty())
      return false;
    ProductCopies how = getCopies(facts.kernel, result.order.order, run.stays);
    tile.tensorCopies = how.path == CopyPath::TensorMaps &&
                        tile.unit == ProductUnit::Wgmma && run.stages > 1;
    if (how.path == CopyPath::Elements)
      tile.copyBytes = tile.elementBytes;
    tile.rowsWait = how.rowsWait;
    tile.columnsWait = how.columnsWait;
    tile.rowsPiece = getPiece(how.a, tile.rowStepBytes, tile.m, tile.k);
    tile.columnsPiece = getPiece(how.b, tile.columnStepBytes, tile.n, tile.k);
    result = estimate(run);
    if (!result.obstacle.empty())
      return false;
    run.bounds = request.bounds;
    result = estimate(run);
    if (!result.obstacle.empty()) {
      ++excluded;
      return false;
    }
    ++candidates;
    runs.emplace_back().add({facts.kernel, tile, facts.facts.grid, run, result,
                             facts.choosesWarps, facts.choosesStages});
    return true;
  };
  bool isGiven = request.persistent && facts.facts.takesPersistence;
  for (const auto &[warps, tile] : facts.facts.tiles)
    for (int32_t stages : facts.stages) {
      // Programs that stay without copies ahead are not the model's; where the
      // command line wants them, they are near enough to others.
      if (!isGiven)
        tryRun(tile, {warps, stages});
      if (isGiven || choosesSchedule)
        if (!tryRun(tile, {warps, stages, /*stays=*/true}) && isGiven)
          tryRun(tile, {warps, stages});
    }
  return runs;
}

void Search::estimate(const Values &values) {
  const std::vector<KernelFacts> &facts = getFacts(values);
  Candidate all;
  all.values = values;
  for (const KernelFacts &kernel : facts) {
    if (isDeclined(kernel.kernel))
      continue;
    std::vector<Candidate> runs = estimateKernel(
        kernel, request.choosesSchedule && kernel.facts.takesPersistence &&
                    facts.size() == 1);
    if (runs.empty())
      return;
    // The runs of a single kernel are all there is to compare.
    if (facts.size() == 1 && hasOneSource) {
      for (Candidate &run : runs) {
        run.values = values;
        consider(std::move(run));
      }
      return;
    }
    all.add(llvm::min_element(runs)->kernels.front());
  }
  if (!all.kernels.empty())
    consider(std::move(all));
}

void Search::consider(Candidate candidate) {
  // The first of equal ones stays.
  if (!best || candidate < *best) {
    second = std::move(best);
    best = std::move(candidate);
  } else if (!second || candidate < *second) {
    second = std::move(candidate);
  }
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

std::string Search::describe(const Candidate &candidate) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (auto [parameter, value] : llvm::zip(parameters, candidate.values))
    if (parameter.choices.size() > 1)
      out << parameter.name << "=" << value << ", ";
  llvm::interleaveComma(candidate.kernels, out, [&](const KernelChoice &kernel) {
    out << kernel.run.warps << " warps, " << kernel.run.stages << " stages"
        << (kernel.run.stays ? ", persistent" : "");
  });
  return text;
}

void Search::finish(Configuration &result) const {
  result.candidates = candidates;
  result.excluded = excluded;
  if (!best) {
    std::string reason = "no configuration has room, as the model counts "
                         "registers and shared memory";
    if (excluded)
      reason += ", with " + request.bounds.describe();
    result.declined.push_back(
        {known.begin()->second.front().kernel, std::move(reason)});
    return;
  }
  for (auto [parameter, value] : llvm::zip(parameters, best->values))
    if (parameter.choices.size() > 1)
      result.parameters.emplace_back(parameter.name, value);
  result.kernels = best->kernels;
  result.cycles = best->cycles;
  if (second) {
    result.runnerUp = describe(*second);
    result.runnerUpCycles = second->cycles;
  }
  // Order and schedule are the whole module's.
  const std::vector<KernelFacts> &facts = known.at(best->values);
  if (facts.size() != 1)
    return;
  const KernelChoice &choice = best->kernels.front();
  if (request.choosesOrder && facts.front().facts.takesOrder)
    result.order = choice.estimate.order;
  if (request.choosesSchedule && facts.front().facts.takesPersistence)
    result.persistent = choice.run.stays;
}

llvm::Expected<Configuration> Search::run() {
  Configuration result;
  OwningOpRef<ModuleOp> module = parse({});
  if (!module)
    return result;
  if (std::string fault = request.assumptions.check(*module); !fault.empty())
    return llvm::createStringError(fault);
  findOpenParameters();
  for (const OpenParameter &parameter : parameters)
    defaults.push_back(parameter.defaultValue);
  known[defaults] = read(*module);
  for (const KernelFacts &kernel : known[defaults])
    if (!kernel.facts.reason.empty())
      declined.push_back({kernel.kernel, kernel.facts.reason});
  result.declined = declined;
  if (declined.size() == known[defaults].size())
    return result;
  fixWhatDoesNotMatter();
  Values values = defaults;
  visitAll(values, 0);
  finish(result);
  return result;
}

llvm::Expected<Configuration>
tessera::chooseConfiguration(llvm::MemoryBufferRef source,
                             const DialectRegistry &registry,
                             const ConfigurationRequest &request) {
  std::optional<TargetInfo> target = TargetInfo::get(request.target);
  std::optional<DeviceRates> rates = DeviceRates::get(request.target);
  if (!target || !rates)
    return Configuration();
  return Search(source, registry, request, {*target, *rates}).run();
}
