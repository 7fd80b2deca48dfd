//===- Device.cpp - memory and time on the GPU ----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Runtime/Device.h"

#include "Driver.h"

#include <algorithm>

namespace tessera::runtime {

Result<std::unique_ptr<Device>> Device::open() {
  Result<const DriverApi *> driver = getDriver();
  if (!driver)
    return driver.failure();
  Result<CurrentContext> context = getContext(**driver, /*stream=*/nullptr);
  if (!context)
    return context.failure();
  return std::unique_ptr<Device>(new Device(**driver));
}

Device::~Device() {
  for (uint64_t address : allocations)
    driver.memFree(address);
}

Result<uint64_t> Device::allocate(size_t bytes) {
  CuDevicePointer address = 0;
  // The driver refuses to allocate nothing.
  if (CuResult error = driver.memAlloc(&address, std::max<size_t>(bytes, 1)))
    return driverFailure(driver, error,
                         "allocating " + std::to_string(bytes) + " bytes");
  allocations.push_back(address);
  return uint64_t(address);
}

Failure Device::copyIn(uint64_t target, const void *source, size_t bytes) {
  if (bytes == 0)
    return {};
  CuResult error = driver.memcpyHtoD(target, source, bytes);
  return error ? driverFailure(driver, error, "copying to the device")
               : Failure();
}

Failure Device::copyOut(void *target, uint64_t source, size_t bytes) {
  if (bytes == 0)
    return {};
  CuResult error = driver.memcpyDtoH(target, source, bytes);
  return error ? driverFailure(driver, error, "copying from the device")
               : Failure();
}

Failure Device::fill(uint64_t target, uint8_t value, size_t bytes) {
  if (bytes == 0)
    return {};
  CuResult error =
      driver.memsetD8Async(target, value, bytes, /*stream=*/nullptr);
  return error ? driverFailure(driver, error, "filling memory") : Failure();
}

Failure Device::synchronize() {
  CuResult error = driver.contextSynchronize();
  return error ? driverFailure(driver, error, "running the kernel") : Failure();
}

Failure Device::flushL2() {
  if (!flushed) {
    int bytes = 0;
    CuDevice device = 0;
    if (CuResult error = driver.contextGetDevice(&device))
      return driverFailure(driver, error, "the current device");
    if (CuResult error =
            driver.deviceGetAttribute(&bytes, kDeviceAttributeL2Bytes, device))
      return driverFailure(driver, error, "the size of the L2 cache");
    flushedBytes = 2 * size_t(std::max(bytes, 1 << 20));
    Result<uint64_t> address = allocate(flushedBytes);
    if (!address)
      return address.failure();
    flushed = *address;
  }
  return fill(flushed, 0, flushedBytes);
}

namespace {

/// An event that is destroyed at its end.
class Event {
public:
  explicit Event(const DriverApi &driver) : driver(driver) {}
  ~Event() {
    if (event)
      driver.eventDestroy(event);
  }
  CuResult record() {
    if (CuResult error = driver.eventCreate(&event, /*flags=*/0))
      return error;
    return driver.eventRecord(event, /*stream=*/nullptr);
  }
  CuEvent get() const { return event; }

private:
  const DriverApi &driver;
  CuEvent event = nullptr;
};

} // namespace

Result<double> Device::measure(const std::function<Failure()> &work) {
  auto fail = [&](CuResult error) {
    return driverFailure(driver, error, "measuring time");
  };
  Event start(driver), stop(driver);
  if (CuResult error = start.record())
    return fail(error);
  if (Failure failed = work())
    return failed;
  if (CuResult error = stop.record())
    return fail(error);
  if (CuResult error = driver.eventSynchronize(stop.get()))
    return fail(error);
  float milliseconds = 0;
  if (CuResult error = driver.eventElapsedTime(&milliseconds, start.get(),
                                               stop.get()))
    return fail(error);
  return double(milliseconds);
}

} // namespace tessera::runtime
