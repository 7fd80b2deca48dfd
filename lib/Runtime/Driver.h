//===- Driver.h - the CUDA driver, opened at run time -----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The few driver functions that launching needs, found with dlsym, so that the
// library links and loads on machines without CUDA. The declarations restate
// cuda.h's ABI (CUDA Driver API reference); a `_v2` in a looked-up name is the
// version that cuda.h maps the plain name to.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_RUNTIME_DRIVER_H
#define TESSERA_LIB_RUNTIME_DRIVER_H

#include "tessera/Runtime/Result.h"

#include <cstddef>
#include <cstdint>

namespace tessera::runtime {

using CuResult = int;
using CuDevice = int;
using CuContext = struct CuContextTag *;
using CuModule = struct CuModuleTag *;
using CuFunction = struct CuFunctionTag *;
using CuStream = struct CuStreamTag *;
using CuEvent = struct CuEventTag *;
using CuDevicePointer = unsigned long long;

/// CUtensorMap.
struct alignas(64) CuTensorMap {
  uint64_t opaque[16];
};

/// Values of cuda.h's enumerations.
constexpr CuResult kCudaSuccess = 0;
constexpr CuResult kCudaNoBinaryForGpu = 209;
constexpr int kDeviceAttributeNumSms = 16;
constexpr int kDeviceAttributeL2Bytes = 38;
constexpr int kDeviceAttributeMajor = 75;
constexpr int kDeviceAttributeMinor = 76;
constexpr int kFunctionAttributeMaxDynamicShared = 8;
constexpr int kJitErrorLogBuffer = 5;
constexpr int kJitErrorLogBufferSize = 6;
constexpr int kTensorMapInterleaveNone = 0;
constexpr int kTensorMapL2Promotion128B = 2;
constexpr int kTensorMapFillZeros = 0;

struct DriverApi {
  CuResult (*init)(unsigned flags);
  CuResult (*getErrorName)(CuResult error, const char **name);
  CuResult (*getErrorString)(CuResult error, const char **text);
  CuResult (*deviceGet)(CuDevice *device, int ordinal);
  CuResult (*deviceGetAttribute)(int *value, int attribute, CuDevice device);
  CuResult (*primaryContextRetain)(CuContext *context, CuDevice device);
  CuResult (*contextGetCurrent)(CuContext *context);
  CuResult (*contextSetCurrent)(CuContext context);
  CuResult (*contextPush)(CuContext context);
  CuResult (*contextPop)(CuContext *context);
  CuResult (*contextGetDevice)(CuDevice *device);
  CuResult (*moduleLoadDataEx)(CuModule *module, const void *image,
                               unsigned numOptions, int *options,
                               void **values);
  CuResult (*moduleUnload)(CuModule module);
  CuResult (*moduleGetFunction)(CuFunction *function, CuModule module,
                                const char *name);
  CuResult (*functionSetAttribute)(CuFunction function, int attribute,
                                   int value);
  CuResult (*occupancy)(int *blocks, CuFunction function, int blockSize,
                        size_t dynamicSharedBytes);
  CuResult (*launchKernel)(CuFunction function, unsigned gridX, unsigned gridY,
                           unsigned gridZ, unsigned blockX, unsigned blockY,
                           unsigned blockZ, unsigned sharedBytes,
                           CuStream stream, void **arguments, void **extra);
  CuResult (*memAllocAsync)(CuDevicePointer *pointer, size_t bytes,
                            CuStream stream);
  CuResult (*memFreeAsync)(CuDevicePointer pointer, CuStream stream);
  CuResult (*memsetD8Async)(CuDevicePointer pointer, unsigned char value,
                            size_t bytes, CuStream stream);
  CuResult (*memAlloc)(CuDevicePointer *pointer, size_t bytes);
  CuResult (*memFree)(CuDevicePointer pointer);
  CuResult (*memcpyHtoD)(CuDevicePointer target, const void *source,
                         size_t bytes);
  CuResult (*memcpyDtoH)(void *target, CuDevicePointer source, size_t bytes);
  CuResult (*contextSynchronize)();
  CuResult (*eventCreate)(CuEvent *event, unsigned flags);
  CuResult (*eventDestroy)(CuEvent event);
  CuResult (*eventRecord)(CuEvent event, CuStream stream);
  CuResult (*eventSynchronize)(CuEvent event);
  CuResult (*eventElapsedTime)(float *milliseconds, CuEvent start,
                               CuEvent stop);
  /// Null in drivers that are too old for them.
  CuResult (*contextGetId)(CuContext context, unsigned long long *id);
  CuResult (*streamGetContext)(CuStream stream, CuContext *context);
  /// Dimensions from the one whose elements are neighbours on; strides in bytes,
  /// without that of the first one.
  CuResult (*tensorMapEncodeTiled)(CuTensorMap *map, int dataType,
                                   uint32_t rank, void *address,
                                   const uint64_t *extents,
                                   const uint64_t *strides,
                                   const uint32_t *box,
                                   const uint32_t *elementStrides,
                                   int interleave, int swizzle, int l2Promotion,
                                   int fill);
};

/// The driver, opened and initialised on the first call of the process. A
/// failure is remembered: later calls report it again.
Result<const DriverApi *> getDriver();

/// TESSERA_DRIVER_ERROR: "`what`: CUDA_ERROR_NAME (its description)".
Failure driverFailure(const DriverApi &driver, CuResult error,
                      const std::string &what);

/// A context that is current on the calling thread.
struct CurrentContext {
  CuContext context;
  /// Tells it from a later context at the same address, where the driver can.
  uint64_t id;
};

/// The context to launch in: the thread's current one, else that of `stream`,
/// else device 0's primary context; the latter two are made current.
Result<CurrentContext> getContext(const DriverApi &driver, CuStream stream);

/// The device of the current context.
struct CurrentDevice {
  CuDevice device;
  int32_t numSms;
};

/// Asks the driver about each device only once.
Result<CurrentDevice> getCurrentDevice(const DriverApi &driver);

/// The compute capability of a device.
struct Capability {
  int major, minor;
};

/// That of the current context's device, or of device 0 without a context.
Result<Capability> getCapability(const DriverApi &driver);

} // namespace tessera::runtime

#endif // TESSERA_LIB_RUNTIME_DRIVER_H
