//===- Launch.cpp - run a public entry on the CPU -------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the manifest that the module would have, evaluates the plan with the
// runtime, and runs its steps with the interpreter in the driver's place.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/Launch.h"

#include "tessera/Runtime/Plan.h"
#include "tessera/Target/LaunchPlan.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// The manifest
//===----------------------------------------------------------------------===//

/// What a manifest needs to be read; resources are the device's affair.
static void writeKernel(json::OStream &out, tile::FuncOp kernel) {
  out.object([&] {
    out.attribute("name", kernel.getName());
    out.attribute("symbol", kernel.getName());
    writeArguments(out, kernel);
    out.attribute("num_warps", 1);
    out.attribute("dynamic_shared_bytes", 0);
    out.attribute("static_shared_bytes", 0);
    for (const char *name :
         {"registers", "spill_store_bytes", "spill_load_bytes", "stack_bytes"})
      out.attribute(name, nullptr);
  });
}

static std::string buildManifest(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream);
  out.object([&] {
    out.attribute("format", "tessera-manifest");
    out.attribute("version", getManifestVersion(module));
    out.attribute("target", "cpu");
    out.attribute("ptxas", nullptr);
    out.attributeObject("parameters", [] {});
    out.attribute("output", "none");
    out.attributeArray("kernels", [&] {
      for (auto kernel : module.getOps<tile::FuncOp>())
        if (kernel.isKernel())
          writeKernel(out, kernel);
    });
    out.attributeArray("entries", [&] {
      for (auto launch : module.getOps<tile::LaunchOp>())
        writeLaunchPlan(out, launch);
    });
  });
  out.flush();
  return text;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {

/// Runs the steps of an evaluated plan.
class StepRunner {
public:
  StepRunner(ModuleOp module, runtime::Plan &plan, GlobalMemory &memory,
             const RunOptions &options, Findings &findings)
      : module(module), plan(plan), memory(memory), options(options),
        findings(findings), scratch(plan.getEntry().numScratchSlots, 0) {}

  LogicalResult run() {
    for (size_t i = 0; i < plan.getNumSteps(); ++i)
      if (failed(runStep(plan.getStep(i))))
        return failure();
    return success();
  }

private:
  LogicalResult runStep(const runtime::Step &step);
  LogicalResult dispatch(const runtime::Step &step,
                         const runtime::DispatchAction &action);
  TensorRef makeMap(const runtime::Step &step,
                    const runtime::DispatchAction &action, size_t operand);
  LogicalResult fill(const runtime::Step &step,
                     const runtime::FillAction &action);
  void allocate(const runtime::Step &step,
                const runtime::ScratchAction &action);

  ModuleOp module;
  runtime::Plan &plan;
  GlobalMemory &memory;
  const RunOptions &options;
  Findings &findings;
  /// Addresses by slot.
  std::vector<uint64_t> scratch;
};

} // namespace

LogicalResult StepRunner::runStep(const runtime::Step &step) {
  const auto &action = step.action->value;
  if (auto *kernel = std::get_if<runtime::DispatchAction>(&action))
    return step.empty ? success() : dispatch(step, *kernel);
  if (auto *filled = std::get_if<runtime::FillAction>(&action))
    return fill(step, *filled);
  if (auto *allocated = std::get_if<runtime::ScratchAction>(&action))
    allocate(step, *allocated);
  return success();
}

LogicalResult StepRunner::dispatch(const runtime::Step &step,
                                   const runtime::DispatchAction &action) {
  const runtime::Kernel &description =
      plan.getManifest().kernels[action.kernel];
  auto kernel = module.lookupSymbol<tile::FuncOp>(description.name);
  SmallVector<TensorRef> arguments;
  for (auto [i, operand] : llvm::enumerate(action.operands)) {
    if (operand.source == runtime::Operand::Source::TensorMap) {
      arguments.push_back(makeMap(step, action, i));
      continue;
    }
    uint64_t bits = operand.source == runtime::Operand::Source::Scratch
                        ? scratch[operand.index]
                        : plan.getSlot(step.firstSlot + i);
    auto kind = getElementKind(kernel.getArgumentTypes()[i]);
    if (!kind)
      return kernel.emitError() << "argument #" << i
                                << " has a type that cannot be run";
    arguments.push_back(makeScalar(*kind, bits));
  }
  Grid grid = {step.grid[0], step.grid[1], step.grid[2]};
  return runKernel(kernel, arguments, grid, memory, options, findings);
}

TensorRef StepRunner::makeMap(const runtime::Step &step,
                              const runtime::DispatchAction &action,
                              size_t operand) {
  const runtime::TensorMapOperand &map =
      action.tensorMaps[action.operands[operand].index];
  runtime::TensorSpan tensor = plan.getTensor(step, action, operand);
  uint64_t address = map.pointer.source == runtime::Operand::Source::Scratch
                         ? scratch[map.pointer.index]
                         : tensor.address;
  std::vector<int64_t> extents, strides;
  for (size_t i = 0; i < map.extents.size(); ++i) {
    extents.push_back(tensor.extents[i]);
    strides.push_back(tensor.strides[i]);
  }
  return makeTensorMap(address, extents, strides);
}

LogicalResult StepRunner::fill(const runtime::Step &step,
                               const runtime::FillAction &action) {
  uint64_t address =
      action.pointer.source == runtime::Operand::Source::Scratch
          ? scratch[action.pointer.index]
          : step.pointer;
  if (step.bytes == 0)
    return success();
  Operation *entry = module.lookupSymbol(plan.getEntry().name);
  if (options.observer)
    options.observer->access({entry, /*program=*/-1, /*element=*/0, address,
                              step.bytes, /*reads=*/false, /*writes=*/true});
  Buffer *buffer = memory.find(address);
  int64_t offset = buffer ? int64_t(address - buffer->getAddress()) : 0;
  if (!buffer || offset < 0 || offset + step.bytes > buffer->size())
    return entry->emitError()
           << "fills " << step.bytes << " bytes, which are not all inside "
           << (buffer ? "'" + buffer->getName() + "'" : "a buffer");
  buffer->fill(offset, step.bytes, action.value);
  return success();
}

void StepRunner::allocate(const runtime::Step &step,
                          const runtime::ScratchAction &action) {
  Buffer &buffer = memory.allocate(
      "scratch " + std::to_string(action.id), step.bytes);
  scratch[action.slot] = buffer.getAddress();
  if (action.zero)
    buffer.fill(0, step.bytes, 0);
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// A launch argument in the bits of a kernel's parameter; null when the two do
/// not go together.
static TensorRef toScalar(const tessera_argument &argument, ElementKind kind) {
  bool isPointer = kind == ElementKind::Pointer;
  switch (argument.kind) {
  case TESSERA_ARGUMENT_POINTER:
    return isPointer ? makeScalar(kind, argument.value.pointer) : nullptr;
  case TESSERA_ARGUMENT_INTEGER:
    return isPointer || isFloat(kind)
               ? nullptr
               : makeScalar(kind, uint64_t(argument.value.integer));
  default:
    break;
  }
  if (!isFloat(kind))
    return nullptr;
  auto tensor = std::make_shared<Tensor>(kind, ArrayRef<int64_t>());
  writeFloat(kind, tensor->at(0), argument.value.floating);
  return tensor;
}

/// A kernel without a plan: the caller's grid and arguments.
static LogicalResult runKernelEntry(tile::FuncOp kernel,
                                    const EntryRequest &request,
                                    GlobalMemory &memory,
                                    const RunOptions &options,
                                    Findings &findings) {
  if (!request.grid)
    return kernel.emitError()
           << "'" << kernel.getName() << "' has no launch plan and needs a grid";
  if (request.arguments.size() != kernel.getNumArguments())
    return kernel.emitError() << "takes " << kernel.getNumArguments()
                              << " arguments, not " << request.arguments.size();
  SmallVector<TensorRef> arguments;
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto kind = getElementKind(type);
    TensorRef scalar = kind ? toScalar(request.arguments[i], *kind) : nullptr;
    if (!scalar)
      return kernel.emitError()
             << "argument #" << i << " does not fit " << type;
    arguments.push_back(scalar);
  }
  return runKernel(kernel, arguments, *request.grid, memory, options, findings);
}

LogicalResult interpreter::runEntry(ModuleOp module,
                                    const EntryRequest &request,
                                    GlobalMemory &memory,
                                    const RunOptions &options,
                                    Findings &findings) {
  Operation *symbol = module.lookupSymbol(request.entry);
  if (auto kernel = dyn_cast_or_null<tile::FuncOp>(symbol))
    return runKernelEntry(kernel, request, memory, options, findings);
  auto launch = dyn_cast_or_null<tile::LaunchOp>(symbol);
  if (!launch)
    return module.emitError() << "there is no entry '" << request.entry << "'";

  runtime::Result<runtime::Manifest> manifest =
      runtime::parseManifest(buildManifest(module));
  if (!manifest)
    return launch.emitError() << manifest.failure().message;
  auto index = manifest->findEntry(request.entry);
  if (!index)
    return launch.emitError() << "the manifest lacks this entry";
  runtime::Plan plan(*manifest, manifest->entries[*index]);
  runtime::PlanRequest call;
  call.arguments = request.arguments.data();
  call.numArguments = request.arguments.size();
  call.hasGrid = request.grid.has_value();
  call.grid = request.grid.value_or(Grid{0, 0, 0});
  call.numSms = request.numSMs;
  if (runtime::Failure failed = plan.evaluate(call))
    return launch.emitError() << failed.message;
  return StepRunner(module, plan, memory, options, findings).run();
}
