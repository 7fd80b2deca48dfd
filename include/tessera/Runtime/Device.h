//===- Device.h - memory and time on the GPU --------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program needs beside launching when it has no framework that owns
// memory: for tile-run. The C API does not export it. All work goes to the
// default stream.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_DEVICE_H
#define TESSERA_RUNTIME_DEVICE_H

#include "tessera/Runtime/Result.h"

#include <functional>
#include <memory>
#include <vector>

namespace tessera::runtime {

struct DriverApi;

/// The device of the calling thread's context (see tessera_launch), in which
/// launches of the same thread then run. Frees what it has allocated.
class Device {
public:
  /// Opens the driver. A failure says what is missing.
  static Result<std::unique_ptr<Device>> open();
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  /// Bytes at a multiple of 256; an address that nothing may be read from for
  /// 0 bytes.
  Result<uint64_t> allocate(size_t bytes);
  Failure copyIn(uint64_t target, const void *source, size_t bytes);
  Failure copyOut(void *target, uint64_t source, size_t bytes);
  Failure fill(uint64_t target, uint8_t value, size_t bytes);
  /// Waits for all work, whose faults it reports.
  Failure synchronize();

  /// Overwrites twice as many bytes as the L2 cache has.
  Failure flushL2();
  /// Milliseconds from the begin to the end of what `work` launches, between
  /// two events (CUDA Driver API, "Event Management").
  Result<double> measure(const std::function<Failure()> &work);

private:
  explicit Device(const DriverApi &driver) : driver(driver) {}

  const DriverApi &driver;
  std::vector<uint64_t> allocations;
  /// What flushL2 writes to; 0 before its first call.
  uint64_t flushed = 0;
  size_t flushedBytes = 0;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_DEVICE_H
