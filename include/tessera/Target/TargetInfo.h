//===- TargetInfo.h - what a GPU offers -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Limits of the architectures that Tessera compiles for, and sizes of known
// devices. Passes ask this object; none compares architecture numbers. Pure
// C++.
//
// Sources: CUDA C++ Programming Guide, "Compute Capabilities" (technical
// specifications per compute capability); PTX ISA, "Target ISA notes"; for the
// units of allocation, cuda_occupancy.h of the CUDA toolkit.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_TARGETINFO_H
#define TESSERA_TARGET_TARGETINFO_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// Operand types of mma.sync.
enum class MmaType { F16, BF16, TF32, F64, I8, F8 };

/// One architecture, e.g. sm_90a.
struct TargetInfo {
  std::string name;
  /// Compute capability, times ten: 90 for 9.0.
  int capability;
  /// PTX ISA version that has what the compiler uses on the architecture, times
  /// ten: 84 for 8.4.
  int ptxVersion;
  /// Shared memory of a CTA at most, in bytes.
  int64_t maxSharedBytesPerCTA;
  /// Shared memory of a multiprocessor, in bytes.
  int64_t sharedBytesPerSM;
  /// Shared memory that the system takes of each CTA, in bytes.
  int64_t reservedSharedBytesPerCTA;
  int32_t registersPerSM;
  int32_t maxRegistersPerThread;
  int32_t maxThreadsPerCTA;
  int32_t maxWarpsPerSM;
  int32_t maxCTAsPerSM;
  /// Widest access to global memory of one thread, in bytes.
  int32_t maxVectorBytes;
  /// Multiprocessors of the device that stands for the architecture, where no
  /// device is at hand (A100, RTX 3090, RTX 4090, H200, B200, RTX 5090).
  int32_t referenceSMs;
  /// L2 cache of that device, in bytes.
  int64_t referenceL2Bytes;
  /// Hardware barriers of a multiprocessor, or 0 where they are no limit that
  /// occupancy rules count (before sm_90).
  int32_t maxBarriersPerSM;
  /// What a multiprocessor's shared memory can be set to, in bytes, ascending;
  /// the last is sharedBytesPerSM.
  std::vector<int64_t> sharedCarveouts;
  /// Registers are given to a warp in units of so many.
  int32_t registerUnit = 256;
  /// Parts of a multiprocessor with a register file each; a warp lives in one.
  int32_t registerPartitions = 4;
  /// Shared memory is given to a CTA in units of so many bytes.
  int64_t sharedUnit = 128;
  /// ptxas gives a thread no fewer registers.
  int32_t minRegistersPerThread = 24;

  /// Whether mma.sync takes operands of this type (PTX ISA, "mma": all from
  /// sm_80 on, 8-bit floats from sm_89 on).
  bool hasMmaSync(MmaType type) const;
  /// Whether there is wgmma (PTX ISA, "wgmma.mma_async": sm_90a alone).
  bool hasWgmma() const;
  /// Whether there are tensor maps, and mbarriers that count bytes (PTX ISA,
  /// "cp.async.bulk.tensor": from sm_90 on).
  bool hasTensorCopies() const;
  /// Whether there is stmatrix (PTX ISA, "stmatrix": from sm_90 on).
  bool hasStmatrix() const;
  /// Whether cvt converts between 8-bit floats and f16 or f32 (PTX ISA, "cvt":
  /// from sm_89 on).
  bool hasFp8Conversions() const;

  /// Whether atom.add takes bf16 (PTX ISA, "atom": from sm_90 on).
  bool hasBF16AtomicAdd() const;

  /// The architecture of that name; nothing when it is not known.
  static std::optional<TargetInfo> get(std::string_view name);
  /// Names of all architectures, in ascending order.
  static std::vector<std::string> names();
};

} // namespace tessera

#endif // TESSERA_TARGET_TARGETINFO_H
