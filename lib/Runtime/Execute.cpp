//===- Execute.cpp - doing what an evaluated plan says --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks a plan's steps with the driver. All work goes to one stream, whose
// order is the plan's order. Scratch memory is allocated and freed in stream
// order too, so that it lives exactly as long as the kernels that use it.
//
//===----------------------------------------------------------------------===//

#include "Module.h"

#include <algorithm>

namespace tessera::runtime {

namespace {

class PlanExecutor {
public:
  PlanExecutor(Module &module, const DriverApi &driver, ContextCode &state,
               Plan &plan, CuStream stream)
      : module(module), driver(driver), state(state), plan(plan),
        stream(stream), scratch(plan.getEntry().numScratchSlots),
        pointers(plan.getEntry().maxKernelArguments),
        tensorMaps(plan.getEntry().maxTensorMaps) {
    std::fill_n(scratch.data(), plan.getEntry().numScratchSlots, 0);
  }

  Failure run() {
    Failure failure = prepareKernels();
    nextMap = 0;
    for (size_t i = 0; i < plan.getNumSteps() && !failure; ++i)
      failure = runStep(plan.getStep(i));
    // After a failure as well: what was allocated is given back.
    Failure freeing = freeScratch();
    return failure ? failure : freeing;
  }

private:
  /// Loads all kernels and makes tensor maps before the first action, since that
  /// may fail and a failure should find nothing half done. Maps of scratch memory
  /// have to wait for it.
  Failure prepareKernels() {
    for (size_t i = 0; i < plan.getNumSteps(); ++i) {
      const Step &step = plan.getStep(i);
      auto *dispatch = std::get_if<DispatchAction>(&step.action->value);
      if (!dispatch || step.empty)
        continue;
      Result<CuFunction> function =
          module.getFunction(driver, state, dispatch->kernel);
      if (!function)
        return function.failure();
      if (Failure failure = makeTensorMaps(step, *dispatch,
                                           Operand::Source::Argument))
        return failure;
    }
    return {};
  }

  /// Makes the maps of a dispatch whose tensors are `source`; its maps follow
  /// those of the dispatches before, also in the kernel's arguments.
  Failure makeTensorMaps(const Step &step, const DispatchAction &dispatch,
                         Operand::Source source) {
    const Kernel &kernel = plan.getManifest().kernels[dispatch.kernel];
    for (size_t i = 0; i < dispatch.operands.size(); ++i) {
      const Operand &operand = dispatch.operands[i];
      if (operand.source != Operand::Source::TensorMap)
        continue;
      CuTensorMap &map = tensorMaps[nextMap++];
      pointers[i] = &map;
      const Operand &pointer = dispatch.tensorMaps[operand.index].pointer;
      if (pointer.source != source)
        continue;
      if (source == Operand::Source::Scratch)
        plan.getSlots()[step.firstSlot + i] = scratch[pointer.index];
      Failure failure = module.getTensorMaps().make(
          driver, kernel.arguments[i].tensorMap,
          plan.getTensor(step, dispatch, i), map);
      if (failure) {
        failure.message = plan.getEntry().name + ": kernel \"" + kernel.name +
                          "\": the tensor map of argument \"" +
                          kernel.arguments[i].name + "\": " + failure.message;
        return failure;
      }
    }
    return {};
  }

  Failure runStep(const Step &step) {
    const auto &action = step.action->value;
    if (auto *dispatch = std::get_if<DispatchAction>(&action))
      return step.empty ? Failure() : launch(step, *dispatch);
    if (auto *fill = std::get_if<FillAction>(&action))
      return this->fill(resolve(*fill, step), fill->value, step.bytes);
    if (auto *scratch = std::get_if<ScratchAction>(&action))
      return allocate(step, *scratch);
    return {};
  }

  Failure launch(const Step &step, const DispatchAction &dispatch) {
    Result<CuFunction> function =
        module.getFunction(driver, state, dispatch.kernel);
    if (!function)
      return function.failure();
    if (Failure failure =
            makeTensorMaps(step, dispatch, Operand::Source::Scratch))
      return failure;
    for (size_t i = 0; i < dispatch.operands.size(); ++i) {
      const Operand &operand = dispatch.operands[i];
      if (operand.source == Operand::Source::TensorMap)
        continue;
      uint64_t *slot = plan.getSlots() + step.firstSlot + i;
      if (operand.source == Operand::Source::Scratch)
        *slot = scratch[operand.index];
      pointers[i] = slot;
    }
    const Kernel &kernel = plan.getManifest().kernels[dispatch.kernel];
    CuResult error = driver.launchKernel(
        *function, step.grid[0], step.grid[1], step.grid[2],
        32 * unsigned(kernel.numWarps), 1, 1,
        unsigned(kernel.dynamicSharedBytes), stream, pointers.data(), nullptr);
    return error ? launchFailure(error, step, kernel) : Failure();
  }

  Failure launchFailure(CuResult error, const Step &step,
                        const Kernel &kernel) {
    return driverFailure(
        driver, error,
        plan.getEntry().name + ": launching kernel \"" + kernel.name +
            "\" with grid " + std::to_string(step.grid[0]) + "x" +
            std::to_string(step.grid[1]) + "x" + std::to_string(step.grid[2]) +
            ", " + std::to_string(32 * kernel.numWarps) + " threads, " +
            std::to_string(kernel.dynamicSharedBytes) +
            " bytes of dynamic shared memory");
  }

  uint64_t resolve(const FillAction &fill, const Step &step) {
    return fill.pointer.source == Operand::Source::Scratch
               ? scratch[fill.pointer.index]
               : step.pointer;
  }

  Failure fill(uint64_t pointer, uint8_t value, int64_t bytes) {
    if (bytes == 0)
      return {};
    CuResult error =
        driver.memsetD8Async(pointer, value, size_t(bytes), stream);
    if (!error)
      return {};
    return driverFailure(driver, error,
                         plan.getEntry().name + ": filling " +
                             std::to_string(bytes) + " bytes");
  }

  Failure allocate(const Step &step, const ScratchAction &action) {
    // The driver refuses to allocate nothing; a null pointer serves as well.
    if (step.bytes == 0)
      return {};
    CuDevicePointer pointer = 0;
    if (CuResult error =
            driver.memAllocAsync(&pointer, size_t(step.bytes), stream))
      return driverFailure(driver, error,
                           plan.getEntry().name + ": " +
                               std::to_string(step.bytes) +
                               " bytes of scratch memory");
    scratch[action.slot] = pointer;
    return action.zero ? fill(pointer, 0, step.bytes) : Failure();
  }

  Failure freeScratch() {
    Failure failure;
    for (size_t i = 0; i < plan.getEntry().numScratchSlots; ++i) {
      if (!scratch[i])
        continue;
      CuResult error = driver.memFreeAsync(scratch[i], stream);
      if (error && !failure)
        failure = driverFailure(driver, error,
                                plan.getEntry().name + ": freeing scratch");
    }
    return failure;
  }

  Module &module;
  const DriverApi &driver;
  ContextCode &state;
  Plan &plan;
  CuStream stream;
  /// Addresses by slot; 0 where nothing is allocated.
  InlineArray<uint64_t, 8> scratch;
  /// cuLaunchKernel's view of one dispatch's arguments.
  InlineArray<void *, 64> pointers;
  /// The tensor maps of all dispatches, in order, and the next one's index.
  InlineArray<CuTensorMap, 4> tensorMaps;
  size_t nextMap = 0;
};

} // namespace

Failure Module::execute(const DriverApi &driver, ContextCode &state, Plan &plan,
                        CuStream stream) {
  return PlanExecutor(*this, driver, state, plan, stream).run();
}

} // namespace tessera::runtime
