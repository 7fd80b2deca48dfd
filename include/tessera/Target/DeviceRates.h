//===- DeviceRates.h - how fast known devices are ---------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rates of the device that stands for an architecture (TargetInfo.h has its
// sizes), for models that compare configurations. Nothing depends on them for
// correctness. Pure C++.
//
// Sources: the data sheets and architecture white papers of A100 (80 GB), GA102
// (RTX 3090), Ada (RTX 4090), H100 and H200, B200 and Blackwell (RTX 5090). A
// peak of dense f16 with f32 sums is
//
//   2 * tensorFMAsPerCycle * multiprocessors * clock
//
// for instance 989 TFLOP/s = 2 * 2048 * 132 * 1.83 GHz for the H200.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_DEVICERATES_H
#define TESSERA_TARGET_DEVICERATES_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

struct DeviceRates {
  /// The clock for which the data sheet gives its peaks, in MHz.
  int32_t clockMHz;
  /// Multiplications with additions of f16 operands and f32 sums that the
  /// tensor cores of one multiprocessor do in a cycle, by the instructions that
  /// the compiler uses.
  int32_t tensorFMAsPerCycle;
  /// Bandwidth of device memory, in GB/s.
  int32_t memoryGBPerS;
  /// Parts of the L2 cache; each keeps what the multiprocessors beside it read
  /// ("A100 Tensor Core GPU Architecture", L2 cache), so that what all of them
  /// read is there once a part.
  int32_t l2Partitions;
  /// From L2 to one multiprocessor, in bytes a cycle.
  int32_t l2BytesPerCycle = 64;
  /// Of a multiprocessor's shared memory, in bytes a cycle: 32 banks of 4.
  int32_t sharedBytesPerCycle = 128;
  /// Instructions of a multiprocessor in a cycle: one a partition.
  int32_t instructionsPerCycle = 4;

  /// Bytes that memory gives in a cycle.
  double getMemoryBytesPerCycle() const {
    return memoryGBPerS * 1000.0 / clockMHz;
  }

  /// The rates for an architecture of TargetInfo; nothing when it is not known.
  static std::optional<DeviceRates> get(std::string_view target);
};

} // namespace tessera

#endif // TESSERA_TARGET_DEVICERATES_H
