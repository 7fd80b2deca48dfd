//===- Occupancy.h - CTAs that a multiprocessor holds -----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many CTAs of a kernel a multiprocessor holds at one time (they are
// *resident*), and how well a grid of so many fills a device. The rules are
// those of cuda_occupancy.h of the CUDA toolkit, which the driver's
// cuOccupancyMaxActiveBlocksPerMultiprocessor follows too:
//
//   registers  A warp takes 32 registers times those of a thread, rounded up to
//              the register unit (256). Each of the 4 partitions has a quarter
//              of the register file and holds whole warps, so that
//                warps = 4 * floor(16384 / registers of a warp),
//                CTAs  = floor(warps / warps of a CTA).
//              A CTA is refused when its warps, rounded up to a multiple of 4,
//              would take more than the whole file.
//   shared     A CTA takes its static and dynamic bytes and the 1 KiB that the
//              system reserves, rounded up to 128 bytes, out of the largest
//              carve-out.
//   warps      floor(warps of a multiprocessor / warps of a CTA)
//   barriers   floor(barriers of a multiprocessor / barriers of a CTA)
//   CTAs       a limit of its own
//
// The smallest of them counts. No IR, standard C++ only.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SCHEDULE_OCCUPANCY_H
#define TESSERA_SCHEDULE_OCCUPANCY_H

#include "tessera/Target/TargetInfo.h"

#include <cstdint>
#include <limits>
#include <string>

namespace tessera {

/// What one CTA of a kernel takes.
struct CTAFootprint {
  int32_t warps = 1;
  /// Of one thread; 0 when not known, which limits nothing.
  int32_t registers = 0;
  /// Static and dynamic, without what the system reserves.
  int64_t sharedBytes = 0;
  int32_t barriers = 1;

  /// What is wrong with it; empty when nothing is.
  std::string check() const;
};

/// The limit of a resource that the footprint does not touch.
inline constexpr int32_t kUnlimitedCTAs = std::numeric_limits<int32_t>::max();

/// CTAs of one footprint on one multiprocessor.
struct Occupancy {
  /// What each resource alone allows.
  int32_t byRegisters, byShared, byWarps, byBarriers, byCTAs;
  /// The smallest of them; 0 for a CTA that cannot be launched.
  int32_t residentCTAs;
  int32_t residentWarps;
  /// residentWarps / warps of a multiprocessor.
  double fraction;
  /// Registers of a CTA and bytes of shared memory, in whole units.
  int64_t allocatedRegisters, allocatedSharedBytes;
  /// The smallest carve-out that holds what is resident.
  int64_t carveoutBytes;

  /// The resources that set residentCTAs: "registers, shared memory".
  std::string describeLimits() const;
};

/// `footprint` has passed check().
Occupancy computeOccupancy(const TargetInfo &target,
                           const CTAFootprint &footprint);

/// The most registers a thread may have so that `CTAs` of `warps` warps fit on a
/// multiprocessor by their registers; both are at least 1.
int32_t getRegisterLimit(const TargetInfo &target, int32_t warps, int32_t CTAs);

/// The most bytes of shared memory a CTA may have so that `CTAs`, at least 1,
/// fit on a multiprocessor by it; negative where the system's part alone is too
/// much.
int64_t getSharedLimit(const TargetInfo &target, int32_t CTAs);

/// A grid in rounds of what a device holds at one time.
struct LaunchWaves {
  /// grid / (multiprocessors * resident CTAs)
  double waves;
  /// Rounds until the last CTA has run, if all take the same time.
  int64_t rounds;
  /// waves / rounds: the part of the device's time that has work; 0 for an
  /// empty grid.
  double efficiency;
};

/// `multiprocessors` and `residentCTAs` are positive, `grid` is not negative.
LaunchWaves computeWaves(int64_t grid, int64_t multiprocessors,
                         int64_t residentCTAs);

/// Tiles dealt out to persistent programs in turn: all get `least`, `extra` of
/// them one more.
struct TileShares {
  int64_t least, extra;
};

/// `tiles` is not negative, `programs` positive.
TileShares shareTiles(int64_t tiles, int64_t programs);

} // namespace tessera

#endif // TESSERA_SCHEDULE_OCCUPANCY_H
