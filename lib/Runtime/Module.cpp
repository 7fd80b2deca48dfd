//===- Module.cpp - loading code into contexts ----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Module.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tessera::runtime {

namespace {

/// Shared memory per block that needs no opting in (CUDA C++ Programming Guide,
/// "Compute Capabilities": more is architecture-specific, dynamic and opt-in).
constexpr int64_t kDefaultSharedBytes = 48 * 1024;

struct FileCloser {
  void operator()(std::FILE *file) const { std::fclose(file); }
};

/// "sm_90", or "unknown" if the driver does not say.
std::string describeDevice(const DriverApi &driver, CuDevice device) {
  int major = 0, minor = 0;
  if (driver.deviceGetAttribute(&major, kDeviceAttributeMajor, device) ||
      driver.deviceGetAttribute(&minor, kDeviceAttributeMinor, device))
    return "unknown";
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

} // namespace

Result<std::string> readFile(const std::string &path) {
  auto failure = [&] {
    return Failure{TESSERA_IO_ERROR,
                   "cannot read " + path + ": " + std::strerror(errno)};
  };
  std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (!file)
    return failure();
  std::string bytes;
  char buffer[65536];
  while (size_t count = std::fread(buffer, 1, sizeof(buffer), file.get()))
    bytes.append(buffer, count);
  if (std::ferror(file.get()))
    return failure();
  return bytes;
}

Module::~Module() {
  ContextCode *state = contexts.load(std::memory_order_acquire);
  while (state) {
    if (state->code) {
      // Code implies that the driver is open. Errors cannot be reported, and
      // at the end of a process the driver may have gone first.
      const DriverApi &driver = **getDriver();
      CuContext popped = nullptr;
      if (driver.contextPush(state->context.context) == kCudaSuccess) {
        driver.moduleUnload(state->code);
        driver.contextPop(&popped);
      }
    }
    ContextCode *next = state->next;
    delete state;
    state = next;
  }
}

Result<ContextCode *> Module::getContextCode(const DriverApi &driver,
                                             CuStream stream) {
  Result<CurrentContext> current = getContext(driver, stream);
  if (!current)
    return current.failure();
  auto find = [&]() -> ContextCode * {
    ContextCode *state = contexts.load(std::memory_order_acquire);
    while (state && (state->context.context != current->context ||
                     state->context.id != current->id))
      state = state->next;
    return state;
  };
  if (ContextCode *state = find())
    return state;

  std::lock_guard<std::mutex> lock(mutex);
  // Another thread may have been faster.
  if (ContextCode *state = find())
    return state;
  Result<CurrentDevice> device = getCurrentDevice(driver);
  if (!device)
    return device.failure();
  auto state = std::make_unique<ContextCode>();
  state->context = *current;
  state->device = *device;
  state->functions =
      std::make_unique<std::atomic<CuFunction>[]>(manifest.kernels.size());
  for (size_t i = 0; i < manifest.kernels.size(); ++i)
    state->functions[i].store(nullptr, std::memory_order_relaxed);
  state->next = contexts.load(std::memory_order_relaxed);
  contexts.store(state.get(), std::memory_order_release);
  return state.release();
}

Result<CuFunction> Module::getFunction(const DriverApi &driver,
                                       ContextCode &state, size_t kernel) {
  if (CuFunction function =
          state.functions[kernel].load(std::memory_order_acquire))
    return function;
  return prepareFunction(driver, state, kernel);
}

Result<CuFunction> Module::prepareFunction(const DriverApi &driver,
                                           ContextCode &state, size_t index) {
  const Kernel &kernel = manifest.kernels[index];
  std::lock_guard<std::mutex> lock(mutex);
  if (!state.code)
    if (Failure failure = loadCode(driver, state))
      return failure;
  CuFunction function = nullptr;
  if (CuResult error = driver.moduleGetFunction(&function, state.code,
                                                kernel.symbol.c_str()))
    return driverFailure(driver, error,
                         "kernel \"" + kernel.name + "\" (symbol " +
                             kernel.symbol + ")");
  // The limit without opting in is on static and dynamic memory together.
  int64_t shared =
      int64_t(kernel.dynamicSharedBytes) + kernel.staticSharedBytes;
  if (kernel.dynamicSharedBytes > 0 && shared > kDefaultSharedBytes)
    if (CuResult error = driver.functionSetAttribute(
            function, kFunctionAttributeMaxDynamicShared,
            kernel.dynamicSharedBytes))
      return driverFailure(driver, error,
                           "kernel \"" + kernel.name + "\" with " +
                               std::to_string(kernel.dynamicSharedBytes) +
                               " bytes of dynamic shared memory");
  state.functions[index].store(function, std::memory_order_release);
  return function;
}

Failure Module::loadCode(const DriverApi &driver, ContextCode &state) {
  if (!image.empty())
    return loadImage(driver, state, image);
  if (imagePath.empty())
    return {TESSERA_IO_ERROR, "the module has no cubin or PTX to launch"};
  Result<std::string> bytes = readFile(imagePath);
  if (!bytes)
    return bytes.failure();
  if (bytes->empty())
    return {TESSERA_IO_ERROR, imagePath + " is empty"};
  return loadImage(driver, state, *bytes);
}

Failure Module::loadImage(const DriverApi &driver, ContextCode &state,
                          const std::string &bytes) {
  // A std::string ends in the NUL that the driver expects after PTX text.
  char log[1024] = "";
  int options[] = {kJitErrorLogBuffer, kJitErrorLogBufferSize};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
  CuModule code = nullptr;
  if (CuResult error =
          driver.moduleLoadDataEx(&code, bytes.data(), 2, options, values)) {
    Failure failure = driverFailure(
        driver, error,
        "loading " + (imagePath.empty() ? "the image" : imagePath) +
            ", compiled for " + manifest.target + ", on a device of " +
            describeDevice(driver, state.device.device));
    if (log[0])
      failure.message += std::string("; ") + log;
    return failure;
  }
  state.code = code;
  return {};
}

} // namespace tessera::runtime
