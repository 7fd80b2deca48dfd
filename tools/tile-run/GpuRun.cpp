//===- GpuRun.cpp - compile, launch and measure on the GPU ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuRun.h"

#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Runtime/Device.h"
#include "tessera/Target/Compile.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tessera {

using interpreter::HostArray;

static llvm::Error makeError(const Twine &message) {
  return llvm::createStringError(message);
}

static llvm::Error toError(const runtime::Failure &failed) {
  return failed ? makeError(failed.message) : llvm::Error::success();
}

/// The last failure of the C API.
static llvm::Error toError(tessera_status status) {
  return status ? makeError(tessera_last_error()) : llvm::Error::success();
}

GpuRun::~GpuRun() { tessera_unload(module); }

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

llvm::Error GpuRun::compile(Source &source, StringRef entryName) {
  OwningOpRef<ModuleOp> copy = source.getModule().clone();
  const PipelineOptions &pipeline = source.getPipeline();
  PassManager manager(copy->getContext());
  buildTilePipeline(manager, pipeline);
  buildTileGPUPipeline(manager, pipeline);
  buildNVVMPipeline(manager, pipeline);
  // Passes have said at the source's lines what is wrong.
  if (failed(manager.run(*copy)))
    return makeError("the kernel does not compile");
  CompileOptions options;
  options.artifact = Artifact::Cubin;
  options.translate.target = pipeline.target;
  options.toolkit = settings.toolkit;
  options.outputName = "kernel.cubin";
  TimingScope timing;
  FailureOr<CompileResult> compiled = compileModule(*copy, options, timing);
  if (failed(compiled))
    return makeError("the kernel does not compile");
  if (llvm::Error error = toError(tessera_load_from_memory(
          compiled->manifest.data(), compiled->manifest.size(),
          compiled->output.data(), compiled->output.size(), &module)))
    return error;
  return findEntry(entryName).takeError();
}

llvm::Expected<std::vector<Parameter>> GpuRun::load(StringRef manifest,
                                                    StringRef entryName) {
  if (llvm::Error error =
          toError(tessera_load(manifest.str().c_str(), &module)))
    return error;
  return findEntry(entryName);
}

llvm::Expected<std::vector<Parameter>> GpuRun::findEntry(StringRef wanted) {
  size_t count = tessera_entry_count(module), index = 0;
  std::string known;
  for (size_t i = 0; i < count; ++i)
    known += (i ? ", " : "") + std::string(tessera_entry_name(module, i));
  while (index < count && wanted != tessera_entry_name(module, index))
    ++index;
  if (wanted.empty() && count == 1)
    index = 0;
  if (index >= count)
    return makeError((wanted.empty()
                          ? "--kernel is missing"
                          : "--kernel=" + wanted + ": there is no such entry") +
                     "; the manifest has " + (known.empty() ? "none" : known));
  entry = tessera_entry_name(module, index);
  std::vector<Parameter> parameters;
  for (size_t i = 0; i < tessera_entry_argument_count(module, index); ++i) {
    llvm::Expected<Parameter> parameter =
        makeParameter(tessera_entry_argument_name(module, index, i),
                      tessera_entry_argument_type(module, index, i));
    if (!parameter)
      return parameter.takeError();
    parameters.push_back(std::move(*parameter));
  }
  return parameters;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

llvm::Error GpuRun::upload(runtime::Device &device,
                           std::vector<Argument> &arguments) {
  for (Argument &argument : arguments) {
    if (argument.isTensor && !argument.ownsTensor()) {
      argument.value = arguments[argument.sameAs].value;
    } else if (argument.isTensor) {
      const HostArray &array = argument.array;
      auto address =
          device.allocate(array.bytes.size() + argument.getStart());
      if (!address)
        return toError(address.failure());
      uint64_t start = *address + argument.getStart();
      argument.value = tessera_pointer(start + argument.offset);
      // Where there is nothing to copy, NaN of all floats.
      runtime::Failure failed =
          array.written.empty() || llvm::is_contained(array.written, 1)
              ? device.copyIn(start, array.bytes.data(), array.bytes.size())
              : device.fill(start, 0xFF, array.bytes.size());
      if (failed)
        return toError(failed);
    }
    values.push_back(argument.value);
  }
  return llvm::Error::success();
}

llvm::Error GpuRun::download(runtime::Device &device,
                             std::vector<Argument> &arguments) {
  for (Argument &argument : arguments) {
    if (!argument.ownsTensor())
      continue;
    HostArray &array = argument.array;
    array.written.clear();
    if (runtime::Failure failed =
            device.copyOut(array.bytes.data(),
                           argument.value.value.pointer - argument.offset,
                           array.bytes.size()))
      return toError(failed);
  }
  return llvm::Error::success();
}

llvm::Error GpuRun::launch() {
  tessera_launch_options options = {};
  if (settings.grid) {
    options.has_grid = 1;
    llvm::copy(*settings.grid, options.grid);
  }
  return toError(tessera_launch(module, entry.c_str(), values.data(),
                                values.size(), &options));
}

llvm::Error GpuRun::measure(runtime::Device &device) {
  constexpr int numWarmUps = 3;
  for (int i = 0; i < numWarmUps; ++i)
    if (llvm::Error error = launch())
      return error;
  std::vector<double> times;
  for (int i = 0; i < settings.numTimedRuns; ++i) {
    if (runtime::Failure failed = device.flushL2())
      return toError(failed);
    llvm::Error error = llvm::Error::success();
    auto time = device.measure([&]() -> runtime::Failure {
      error = launch();
      return {};
    });
    if (error)
      return error;
    if (!time)
      return toError(time.failure());
    times.push_back(*time * 1000);
  }
  llvm::sort(times);
  size_t middle = times.size() / 2;
  double median = times.size() % 2 ? times[middle]
                                   : (times[middle - 1] + times[middle]) / 2;
  llvm::outs() << llvm::format(
      "time: median %.2f us, least %.2f us, most %.2f us of %zu runs, L2 "
      "flushed before each\n",
      median, times.front(), times.back(), times.size());
  return llvm::Error::success();
}

llvm::Error GpuRun::run(std::vector<Argument> &arguments) {
  auto opened = runtime::Device::open();
  if (!opened)
    return toError(opened.failure());
  runtime::Device &device = **opened;
  if (llvm::Error error = upload(device, arguments))
    return error;
  if (llvm::Error error = launch())
    return error;
  // A fault of the kernel shows here.
  if (runtime::Failure failed = device.synchronize())
    return toError(failed);
  if (llvm::Error error = download(device, arguments))
    return error;
  for (int i = 0; i < settings.numProfiledRuns; ++i)
    if (llvm::Error error = launch())
      return error;
  if (settings.numTimedRuns)
    if (llvm::Error error = measure(device))
      return error;
  return toError(device.synchronize());
}

} // namespace tessera
