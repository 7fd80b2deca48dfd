//===- PassVerifier.cpp - run kernels before and after each pass ----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Verify/PassVerifier.h"

#include "Reproducer.h"
#include "tessera/Verify/Comparison.h"
#include "tessera/Verify/Unspecified.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::verify;

//===----------------------------------------------------------------------===//
// The verifier
//===----------------------------------------------------------------------===//

class PassVerifier::Impl {
public:
  explicit Impl(VerifierOptions options) : options(std::move(options)) {}

  void beforePass(ModuleOp module);
  void afterPass(Pass *pass, Operation *op);
  /// Lets go of all IR: the pass manager's context may end before this does.
  void release();

  bool isGuilty = false;
  unsigned numChanges = 0;

  size_t numInputs = 0;

private:
  /// An input and what the last program made of it.
  struct Trial {
    Input input;
    Outcome outcome;
  };

  void begin(ModuleOp module);
  void addEntry(ModuleOp module, StringRef entry);
  void accuse(Pass *pass, Operation *op, ModuleOp module, const Trial &trial,
              const Fault &fault);
  /// Kernels that are left when level 2 ends and that nothing has run, though
  /// their entry has inputs.
  void reportIdleKernels(ModuleOp module);

  VerifierOptions options;
  /// The module that passes run on now, if its verification is under way.
  Operation *current = nullptr;
  bool isDone = false;
  OwningOpRef<ModuleOp> previous;
  std::optional<OperationFingerPrint> fingerprint;
  std::vector<Trial> trials;
  /// Entries without an input, which a warning has named.
  llvm::StringSet<> skipped;
  /// Entries that use unspecified values, which a warning has told.
  llvm::StringSet<> warned;
};

void PassVerifier::Impl::release() {
  current = nullptr;
  trials.clear();
  previous = nullptr;
}

/// A pipeline from the module to the pass.
static std::string describePipeline(Pass *pass, Operation *op) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "builtin.module(";
  bool isNested = !isa<ModuleOp>(op);
  if (isNested)
    out << op->getName() << "(";
  pass->printAsTextualPipeline(out);
  out << (isNested ? "))" : ")");
  return text;
}

/// Whether the module is past what the interpreter runs.
static bool isLowered(ModuleOp module) {
  return llvm::none_of(module.getOps<tile::FuncOp>(),
                       [](tile::FuncOp function) { return true; }) &&
         !module.getOps<LLVM::LLVMFuncOp>().empty();
}

void PassVerifier::Impl::addEntry(ModuleOp module, StringRef entry) {
  Synthesis synthesis = synthesizeInputs(module, entry, options.inputs);
  Operation *symbol = module.lookupSymbol(entry);
  if (synthesis.inputs.empty()) {
    skipped.insert(entry);
    symbol->emitWarning() << "'" << entry << "' is not verified: "
                          << (synthesis.problem.empty() ? "no input runs"
                                                        : synthesis.problem);
    return;
  }
  if (synthesis.haveFindings)
    symbol->emitWarning() << "'" << entry
                          << "' has faults of its own on every input tried; "
                             "those kinds of faults are not looked for";
  for (Input &input : synthesis.inputs) {
    remark::analysis(symbol->getLoc(), remark::RemarkOpts::name("input")
                                           .category("verify-passes")
                                           .function(entry))
        << remark::metric("Arguments", input.describe());
    Outcome outcome = execute(*previous, input);
    if (!outcome.ran)
      continue;
    if (std::optional<UnspecifiedUse> use =
            markUnspecified(*previous, input, outcome))
      if (warned.insert(entry).second)
        report(*use);
    trials.push_back({std::move(input), std::move(outcome)});
    ++numInputs;
  }
}

void PassVerifier::Impl::begin(ModuleOp module) {
  current = module;
  isDone = false;
  trials.clear();
  skipped.clear();
  warned.clear();
  if (isLowered(module)) {
    isDone = true;
    return;
  }
  previous = module.clone();
  fingerprint.emplace(module);
  for (const std::string &entry : collectEntries(*previous))
    addEntry(*previous, entry);
}

void PassVerifier::Impl::beforePass(ModuleOp module) {
  if (!isGuilty && current != module.getOperation())
    begin(module);
}

void PassVerifier::Impl::afterPass(Pass *pass, Operation *op) {
  ModuleOp module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  if (isGuilty || isDone || !module || module.getOperation() != current)
    return;
  OperationFingerPrint now(module);
  if (*fingerprint == now)
    return;
  if (isLowered(module)) {
    reportIdleKernels(*previous);
    isDone = true;
    return;
  }
  ++numChanges;
  OwningOpRef<ModuleOp> after = module.clone();
  Tolerance tolerance = getTolerance(pass->getArgument(), *previous);
  auto kernel = dyn_cast<tile::FuncOp>(op);
  for (Trial &trial : trials) {
    // A pass on one kernel changes no other.
    if (kernel && !trial.outcome.kernels.contains(kernel.getName()))
      continue;
    Outcome outcome;
    if (auto fault = checkAgainst(*previous, trial.outcome, *after, trial.input,
                                  tolerance, outcome))
      return accuse(pass, op, *after, trial, *fault);
    outcome.unspecified = std::move(trial.outcome.unspecified);
    trial.outcome = std::move(outcome);
  }
  previous = std::move(after);
  fingerprint = now;
}

void PassVerifier::Impl::accuse(Pass *pass, Operation *op, ModuleOp module,
                                const Trial &trial, const Fault &fault) {
  isGuilty = true;
  Operation *place = fault.op ? fault.op : op;
  InFlightDiagnostic diagnostic =
      emitError(place->getLoc())
      << "the pass '" << pass->getArgument()
      << "' changes what the program does: " << fault.message;
  Operation *entry = module.lookupSymbol(trial.input.entry);
  Location loc = entry ? entry->getLoc() : op->getLoc();
  diagnostic.attachNote(loc)
      << "entry '" << trial.input.entry << "' with " << trial.input.describe();
  if (options.dumpFolder.empty())
    return;
  Reproducer reproducer{*previous,
                        module,
                        trial.input,
                        trial.outcome,
                        fault,
                        describePipeline(pass, op),
                        "The pass `" + pass->getArgument().str() +
                            "`: " + fault.message + ".",
                        options.inputs.seed,
                        options.inputs.numInputs};
  std::string command = buildReplayCommand(reproducer);
  if (llvm::Error error = writeReproducer(options.dumpFolder, reproducer))
    diagnostic.attachNote(loc)
        << "no reproducer: " << llvm::toString(std::move(error));
  else
    diagnostic.attachNote(loc)
        << "both programs and the input are in '" << options.dumpFolder
        << "'; there, this shows it again: " << command;
}

void PassVerifier::Impl::reportIdleKernels(ModuleOp module) {
  llvm::StringSet<> known = skipped;
  for (auto launch : module.getOps<tile::LaunchOp>())
    if (skipped.contains(launch.getName()))
      launch.walk([&](tile::PlanDispatchOp dispatch) {
        known.insert(dispatch.getKernel());
      });
  for (const Trial &trial : trials)
    for (const auto &kernel : trial.outcome.kernels)
      known.insert(kernel.getKey());
  for (auto kernel : module.getOps<tile::FuncOp>())
    if (kernel.isKernel() && !known.contains(kernel.getName()))
      kernel.emitWarning() << "no input has run '" << kernel.getName()
                           << "': it is not verified";
}

//===----------------------------------------------------------------------===//
// The instrumentation
//===----------------------------------------------------------------------===//

namespace {

struct Instrumentation : PassInstrumentation {
  using Before = std::function<void(ModuleOp)>;
  using After = std::function<void(Pass *, Operation *)>;

  Instrumentation(Before before, After after, std::function<void()> end)
      : before(std::move(before)), after(std::move(after)),
        end(std::move(end)) {}
  ~Instrumentation() override { end(); }

  // Adaptors, which run a pipeline on nested operations, have no argument.
  static bool isAdaptor(Pass *pass) { return pass->getArgument().empty(); }

  void runBeforePass(Pass *, Operation *op) override {
    ModuleOp module = dyn_cast<ModuleOp>(op);
    if (module || (module = op->getParentOfType<ModuleOp>()))
      before(module);
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (!isAdaptor(pass))
      after(pass, op);
  }

  Before before;
  After after;
  std::function<void()> end;
};

} // namespace

PassVerifier::PassVerifier(VerifierOptions options)
    : impl(std::make_unique<Impl>(std::move(options))) {}

PassVerifier::~PassVerifier() = default;

void PassVerifier::watch(PassManager &manager) {
  manager.addInstrumentation(std::make_unique<Instrumentation>(
      [this](ModuleOp module) { impl->beforePass(module); },
      [this](Pass *pass, Operation *op) { impl->afterPass(pass, op); },
      [this] { impl->release(); }));
}

bool PassVerifier::failed() const { return impl->isGuilty; }

unsigned PassVerifier::countInputs() const { return impl->numInputs; }

std::string PassVerifier::summarize() const {
  return std::to_string(impl->numChanges) +
         " changes by passes verified with " + std::to_string(impl->numInputs) +
         " inputs";
}
