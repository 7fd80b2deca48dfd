//===- tile-run.cpp - run a kernel on the CPU or on the GPU ---------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tile-run K.mlir --kernel=scale zeros:f32:1000 x.npy 2.0 1000 --save=0:y.npy
//
// source → arguments → run → comparison → files. What is wrong with a command
// line or a file is said before anything runs.
//
//===----------------------------------------------------------------------===//

#include "CpuRun.h"
#include "GpuRun.h"
#include "Results.h"

#include "tessera/Tool/Guard.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace tessera {

static int fail(Error error) {
  WithColor::error(errs(), "tile-run") << toString(std::move(error)) << "\n";
  return kExitUsage;
}

/// Runs what the settings say, once arguments are known. 0 or an exit code.
static int runAndCompare(const RunSettings &settings, Source &source,
                         StringRef entry, std::unique_ptr<GpuRun> gpu,
                         std::vector<Argument> arguments) {
  Results results(settings);
  if (Error error = results.prepare(arguments))
    return fail(std::move(error));

  int code = 0;
  std::vector<Argument> reference;
  if (!gpu) {
    code = runOnCPU(source, entry, settings, arguments);
  } else {
    if (settings.comparesWithCPU) {
      reference = arguments;
      code = runOnCPU(source, entry, settings, reference);
    }
    if (code != kExitUsage)
      if (Error error = gpu->run(arguments))
        return fail(std::move(error));
  }
  if (code == kExitUsage)
    return code;
  bool isRight = results.compareExpected(arguments);
  if (!reference.empty())
    isRight &= results.compareRuns(arguments, reference);
  if (Error error = results.save(arguments))
    return fail(std::move(error));
  return code ? code : isRight ? 0 : kExitWrong;
}

static int run(ArrayRef<const char *> commandLine) {
  std::optional<RunSettings> settings = parseRunSettings(commandLine);
  if (!settings)
    return kExitUsage;
  Source source;
  std::string entry = settings->entry;
  std::vector<Parameter> parameters;
  bool hasSource = !settings->input.empty();
  if (hasSource) {
    if (failed(source.parse(*settings)))
      return kExitUsage;
    Expected<std::string> found = source.findEntry(*settings);
    if (!found)
      return fail(found.takeError());
    entry = std::move(*found);
    auto declared = source.getParameters(entry);
    if (!declared)
      return fail(declared.takeError());
    parameters = std::move(*declared);
  }
  std::unique_ptr<GpuRun> gpu;
  if (!settings->manifest.empty()) {
    gpu = std::make_unique<GpuRun>(*settings);
    auto declared = gpu->load(settings->manifest, entry);
    if (!declared)
      return fail(declared.takeError());
    parameters = std::move(*declared);
  }
  auto arguments = makeArguments(parameters, settings->arguments);
  if (!arguments)
    return fail(arguments.takeError());
  if (settings->device == DeviceKind::CPU &&
      failed(source.runPasses(*settings)))
    return kExitUsage;
  if (settings->device == DeviceKind::GPU && !gpu) {
    gpu = std::make_unique<GpuRun>(*settings);
    if (Error error = gpu->compile(source, entry))
      return fail(std::move(error));
  }
  return runAndCompare(*settings, source, entry, std::move(gpu),
                       std::move(*arguments));
}

} // namespace tessera

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  ArrayRef<const char *> arguments(argv, argc);
  tessera::runGuarded("tile-run", "", [&] { return tessera::run(arguments); });
}
