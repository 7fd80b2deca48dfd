//===- Driver.cpp - the CUDA driver, opened at run time -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>

namespace tessera::runtime {

namespace {

constexpr const char *kDriverVariable = "TESSERA_CUDA_DRIVER";
constexpr const char *kDefaultDriver = "libcuda.so.1";

/// Looks functions up in one library; the first that is missing is kept.
class SymbolLoader {
public:
  explicit SymbolLoader(void *library) : library(library) {}

  template <typename Function>
  void require(Function &function, const char *name) {
    optional(function, name);
    if (!function && !missing)
      missing = name;
  }
  template <typename Function>
  void optional(Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
  }
  const char *getMissing() const { return missing; }

private:
  void *library;
  const char *missing = nullptr;
};

const char *loadSymbols(void *library, DriverApi &driver) {
  SymbolLoader loader(library);
  loader.require(driver.init, "cuInit");
  loader.require(driver.getErrorName, "cuGetErrorName");
  loader.require(driver.getErrorString, "cuGetErrorString");
  loader.require(driver.deviceGet, "cuDeviceGet");
  loader.require(driver.deviceGetAttribute, "cuDeviceGetAttribute");
  loader.require(driver.primaryContextRetain, "cuDevicePrimaryCtxRetain");
  loader.require(driver.contextGetCurrent, "cuCtxGetCurrent");
  loader.require(driver.contextSetCurrent, "cuCtxSetCurrent");
  loader.require(driver.contextPush, "cuCtxPushCurrent_v2");
  loader.require(driver.contextPop, "cuCtxPopCurrent_v2");
  loader.require(driver.contextGetDevice, "cuCtxGetDevice");
  loader.require(driver.moduleLoadDataEx, "cuModuleLoadDataEx");
  loader.require(driver.moduleUnload, "cuModuleUnload");
  loader.require(driver.moduleGetFunction, "cuModuleGetFunction");
  loader.require(driver.functionSetAttribute, "cuFuncSetAttribute");
  loader.require(driver.occupancy,
                 "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  loader.require(driver.launchKernel, "cuLaunchKernel");
  loader.require(driver.memAllocAsync, "cuMemAllocAsync");
  loader.require(driver.memFreeAsync, "cuMemFreeAsync");
  loader.require(driver.memsetD8Async, "cuMemsetD8Async");
  loader.require(driver.memAlloc, "cuMemAlloc_v2");
  loader.require(driver.memFree, "cuMemFree_v2");
  loader.require(driver.memcpyHtoD, "cuMemcpyHtoD_v2");
  loader.require(driver.memcpyDtoH, "cuMemcpyDtoH_v2");
  loader.require(driver.contextSynchronize, "cuCtxSynchronize");
  loader.require(driver.eventCreate, "cuEventCreate");
  loader.require(driver.eventDestroy, "cuEventDestroy_v2");
  loader.require(driver.eventRecord, "cuEventRecord");
  loader.require(driver.eventSynchronize, "cuEventSynchronize");
  loader.require(driver.eventElapsedTime, "cuEventElapsedTime");
  loader.optional(driver.contextGetId, "cuCtxGetId");
  loader.optional(driver.streamGetContext, "cuStreamGetCtx");
  loader.optional(driver.tensorMapEncodeTiled, "cuTensorMapEncodeTiled");
  return loader.getMissing();
}

Result<const DriverApi *> openDriver() {
  const char *name = std::getenv(kDriverVariable);
  if (!name || !*name)
    name = kDefaultDriver;
  // Never closed: other users of the driver may hold on to its state.
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return Failure{TESSERA_DRIVER_ERROR,
                   std::string("cannot open the CUDA driver: ") +
                       (reason ? reason : name)};
  }
  static DriverApi driver;
  if (const char *missing = loadSymbols(library, driver))
    return Failure{TESSERA_DRIVER_ERROR, "the CUDA driver " +
                                             std::string(name) + " lacks " +
                                             missing};
  if (CuResult error = driver.init(0))
    return driverFailure(driver, error, "the CUDA driver does not start");
  return &driver;
}

/// Device 0's primary context, retained once and for the life of the process.
Result<CuContext> getPrimaryContext(const DriverApi &driver) {
  static std::mutex mutex;
  static CuContext retained = nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  if (retained)
    return retained;
  CuDevice device = 0;
  if (CuResult error = driver.deviceGet(&device, 0))
    return driverFailure(driver, error, "there is no CUDA device");
  CuContext context = nullptr;
  if (CuResult error = driver.primaryContextRetain(&context, device))
    return driverFailure(driver, error, "device 0's primary context");
  retained = context;
  return retained;
}

/// The context for a thread that has none.
Result<CuContext> chooseContext(const DriverApi &driver, CuStream stream) {
  // The handles below 3 stand for default streams and belong to no context.
  if (reinterpret_cast<uintptr_t>(stream) > 2 && driver.streamGetContext) {
    CuContext context = nullptr;
    if (CuResult error = driver.streamGetContext(stream, &context))
      return driverFailure(driver, error, "the context of the stream");
    return context;
  }
  return getPrimaryContext(driver);
}

} // namespace

Result<const DriverApi *> getDriver() {
  // Never destroyed: a module may be unloaded by another static's destructor.
  static const auto &driver = *new Result<const DriverApi *>(openDriver());
  return driver;
}

Failure driverFailure(const DriverApi &driver, CuResult error,
                      const std::string &what) {
  const char *name = nullptr, *text = nullptr;
  driver.getErrorName(error, &name);
  driver.getErrorString(error, &text);
  return {TESSERA_DRIVER_ERROR,
          what + ": " + (name ? name : "CUDA error " + std::to_string(error)) +
              (text ? " (" + std::string(text) + ")" : "")};
}

Result<CurrentContext> getContext(const DriverApi &driver, CuStream stream) {
  CurrentContext current = {nullptr, 0};
  if (CuResult error = driver.contextGetCurrent(&current.context))
    return driverFailure(driver, error, "the current context");
  if (!current.context) {
    Result<CuContext> chosen = chooseContext(driver, stream);
    if (!chosen)
      return chosen.failure();
    if (CuResult error = driver.contextSetCurrent(*chosen))
      return driverFailure(driver, error, "making a context current");
    current.context = *chosen;
  }
  unsigned long long id = 0;
  if (driver.contextGetId)
    if (CuResult error = driver.contextGetId(current.context, &id))
      return driverFailure(driver, error, "the current context");
  current.id = id;
  return current;
}

Result<CurrentDevice> getCurrentDevice(const DriverApi &driver) {
  // Counts of multiprocessors, 0 where not yet asked.
  static std::array<std::atomic<int>, 64> known = {};
  CuDevice device = 0;
  if (CuResult error = driver.contextGetDevice(&device))
    return driverFailure(driver, error, "the device of the current context");
  bool hasPlace = device >= 0 && size_t(device) < known.size();
  int numSms = hasPlace ? known[device].load(std::memory_order_relaxed) : 0;
  if (!numSms) {
    if (CuResult error =
            driver.deviceGetAttribute(&numSms, kDeviceAttributeNumSms, device))
      return driverFailure(driver, error, "the number of multiprocessors");
    if (hasPlace)
      known[device].store(numSms, std::memory_order_relaxed);
  }
  return CurrentDevice{device, numSms};
}

Result<Capability> getCapability(const DriverApi &driver) {
  CuContext context = nullptr;
  if (CuResult error = driver.contextGetCurrent(&context))
    return driverFailure(driver, error, "the current context");
  CuDevice device = 0;
  if (CuResult error = context ? driver.contextGetDevice(&device)
                               : driver.deviceGet(&device, 0))
    return driverFailure(driver, error,
                         context ? "the device of the current context"
                                 : "there is no CUDA device");
  Capability found = {0, 0};
  CuResult error =
      driver.deviceGetAttribute(&found.major, kDeviceAttributeMajor, device);
  if (!error)
    error =
        driver.deviceGetAttribute(&found.minor, kDeviceAttributeMinor, device);
  if (error)
    return driverFailure(driver, error, "the device's compute capability");
  return found;
}

} // namespace tessera::runtime
