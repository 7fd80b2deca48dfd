//===- OccupancyTest.cpp - resident CTAs and waves ------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/Occupancy.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

using namespace tessera;

namespace {

TargetInfo device(const char *name) { return *TargetInfo::get(name); }

CTAFootprint footprint(int32_t warps, int32_t registers, int64_t shared,
                       int32_t barriers = 1) {
  return {warps, registers, shared, barriers};
}

// A persistent product of matrices on an RTX 5090, for which the figures of
// NVIDIA's profiler are known: 174 registers, 36 KiB of shared memory.
TEST(Occupancy, LimitsOfAnRTX5090) {
  TargetInfo target = device("sm_120a");
  EXPECT_EQ(target.registersPerSM, 65536);
  EXPECT_EQ(target.maxRegistersPerThread, 255);
  EXPECT_EQ(target.maxWarpsPerSM * 32, 1536);
  EXPECT_EQ(target.maxCTAsPerSM, 24);
  EXPECT_EQ(target.maxBarriersPerSM, 24);
  std::vector<int64_t> carveouts;
  for (int64_t kib : {0, 8, 16, 32, 64, 100})
    carveouts.push_back(kib * 1024);
  EXPECT_EQ(target.sharedCarveouts, carveouts);
  EXPECT_EQ(target.maxSharedBytesPerCTA, 99 * 1024);
  EXPECT_EQ(target.reservedSharedBytesPerCTA, 1024);
  EXPECT_EQ(target.referenceSMs, 170);
}

TEST(Occupancy, PersistentProduct) {
  Occupancy found =
      computeOccupancy(device("sm_120a"), footprint(4, 174, 36864));
  EXPECT_EQ(found.byRegisters, 2);
  EXPECT_EQ(found.byShared, 2); // 100 / 37 = 2.70
  EXPECT_EQ(found.byWarps, 12);
  EXPECT_EQ(found.byBarriers, 24);
  EXPECT_EQ(found.byCTAs, 24);
  EXPECT_EQ(found.residentCTAs, 2);
  EXPECT_EQ(found.residentWarps, 8);
  EXPECT_NEAR(100 * found.fraction, 16.67, 0.005);
  EXPECT_EQ(found.describeLimits(), "registers, shared memory");
  // 174 * 32 = 5568, in units of 256: 22 * 256 = 5632 a warp.
  EXPECT_EQ(found.allocatedRegisters, 22528);
  EXPECT_NEAR(65536.0 / found.allocatedRegisters, 2.91, 0.005);
  EXPECT_EQ(found.allocatedSharedBytes, 37 * 1024);
  EXPECT_EQ(found.carveoutBytes, 100 * 1024);
  // One program a multiprocessor: 4 of 48 warps.
  EXPECT_NEAR(100 * found.fraction / 2, 8.33, 0.005);
}

TEST(Occupancy, Waves) {
  EXPECT_DOUBLE_EQ(computeWaves(170, 170, 2).waves, 0.5);
  EXPECT_DOUBLE_EQ(computeWaves(340, 170, 2).waves, 1.0);
  LaunchWaves tiled = computeWaves(2048, 170, 2);
  EXPECT_NEAR(tiled.waves, 6.02, 0.005);
  EXPECT_EQ(tiled.rounds, 7);
  EXPECT_NEAR(tiled.efficiency, 2048.0 / (7 * 340), 1e-12);
  EXPECT_DOUBLE_EQ(computeWaves(340, 170, 2).efficiency, 1.0);
  EXPECT_EQ(computeWaves(341, 170, 2).rounds, 2);
  EXPECT_EQ(computeWaves(0, 170, 2).rounds, 0);
  EXPECT_EQ(computeWaves(0, 170, 2).efficiency, 0.0);
}

TEST(Occupancy, Shares) {
  // 2048 = 8 * 7 + 332 * 6
  TileShares shares = shareTiles(2048, 340);
  EXPECT_EQ(shares.least, 6);
  EXPECT_EQ(shares.extra, 8);
  EXPECT_EQ(shareTiles(340, 340).extra, 0);
  EXPECT_EQ(shareTiles(3, 340).least, 0);
}

// Every architecture; the numbers are those of cuda_occupancy.h of CUDA 13.0.
TEST(Occupancy, AsTheToolkitHasIt) {
  const CTAFootprint footprints[] = {
      footprint(4, 128, 36864),  footprint(4, 174, 36864),
      footprint(4, 168, 0),      footprint(8, 255, 0),
      footprint(16, 128, 0),     footprint(12, 160, 101376),
      footprint(8, 168, 232448), footprint(4, 32, 0),
      footprint(1, 16, 0),       footprint(1, 16, 6144),
      footprint(32, 64, 0),      footprint(32, 65, 0),
      footprint(3, 40, 1000),    footprint(5, 96, 20000),
      footprint(8, 232, 50000)};
  const std::pair<const char *, std::vector<int32_t>> expected[] = {
      {"sm_80", {4, 2, 3, 1, 1, 1, 0, 16, 32, 23, 1, 0, 16, 4, 1}},
      {"sm_86", {2, 2, 3, 1, 1, 1, 0, 12, 16, 14, 1, 0, 16, 4, 1}},
      {"sm_89", {2, 2, 3, 1, 1, 1, 0, 12, 24, 14, 1, 0, 16, 4, 1}},
      {"sm_90a", {4, 2, 3, 1, 1, 1, 1, 16, 32, 32, 1, 0, 16, 4, 1}},
      {"sm_100a", {4, 2, 3, 1, 1, 1, 1, 16, 32, 32, 1, 0, 16, 4, 1}},
      {"sm_120a", {2, 2, 3, 1, 1, 1, 0, 12, 24, 14, 1, 0, 16, 4, 1}}};
  ASSERT_EQ(std::size(expected), TargetInfo::names().size());
  for (auto &[name, resident] : expected)
    for (size_t i = 0; i < resident.size(); ++i)
      EXPECT_EQ(computeOccupancy(device(name), footprints[i]).residentCTAs,
                resident[i])
          << name << " " << i;
}

TEST(Occupancy, RegistersByHand) {
  // 3 warps of 40 registers: 1280 a warp, 12 in a quarter of the file, 48 in
  // all. 33 registers take as much as 40.
  TargetInfo target = device("sm_90a");
  EXPECT_EQ(computeOccupancy(target, footprint(3, 40, 0)).byRegisters, 16);
  EXPECT_EQ(computeOccupancy(target, footprint(3, 33, 0)).byRegisters, 16);
  EXPECT_EQ(computeOccupancy(target, footprint(3, 32, 0)).byRegisters, 21);
  // 255 registers: 8192 a warp, 2 in a quarter, 8 in all.
  EXPECT_EQ(computeOccupancy(target, footprint(8, 255, 0)).byRegisters, 1);
  // 5 warps count as 8 in the check of a launch, and 8 * 8192 = 65536 fits; 9
  // count as 12.
  EXPECT_EQ(computeOccupancy(target, footprint(5, 255, 0)).byRegisters, 1);
  EXPECT_EQ(computeOccupancy(target, footprint(9, 255, 0)).byRegisters, 0);
  EXPECT_EQ(computeOccupancy(target, footprint(1, 256, 0)).byRegisters, 0);
  EXPECT_EQ(computeOccupancy(target, footprint(1, 0, 0)).byRegisters,
            kUnlimitedCTAs);
}

TEST(Occupancy, RegisterLimitsByHand) {
  TargetInfo target = *TargetInfo::get("sm_90a");
  // 65536 / 128, but no more than an instruction can name.
  EXPECT_EQ(getRegisterLimit(target, 4, 1), 255);
  // 65536 / 640 = 102, in steps of 8; 65536 / 768 = 85.
  EXPECT_EQ(getRegisterLimit(target, 4, 5), 96);
  EXPECT_EQ(getRegisterLimit(target, 4, 6), 80);
  EXPECT_EQ(getRegisterLimit(target, 32, 1), 64);
  // 65536 / 2048: as many programs as threads allow.
  EXPECT_EQ(getRegisterLimit(target, 1, 32), 64);
  EXPECT_EQ(getRegisterLimit(target, 32, 2), 32);
}

TEST(Occupancy, SharedLimitsByHand) {
  TargetInfo target = device("sm_90a");
  EXPECT_EQ(getSharedLimit(target, 1), 232448);
  // 233472 / 3 = 77824; 233472 / 5 = 46694, in steps of 128: 46592.
  EXPECT_EQ(getSharedLimit(target, 3), 77824 - 1024);
  EXPECT_EQ(getSharedLimit(target, 5), 46592 - 1024);
  // 102400 / 3 = 34133, in steps of 128: 34048.
  EXPECT_EQ(getSharedLimit(device("sm_86"), 3), 34048 - 1024);
  // 102400 / 128 = 800.
  EXPECT_LT(getSharedLimit(device("sm_86"), 128), 0);
  // Not a byte more.
  for (int32_t CTAs : {2, 3, 5, 7, 32}) {
    int64_t bytes = getSharedLimit(target, CTAs);
    EXPECT_GE(computeOccupancy(target, footprint(1, 0, bytes)).byShared, CTAs);
    EXPECT_LT(computeOccupancy(target, footprint(1, 0, bytes + 1)).byShared,
              CTAs);
  }
}

TEST(Occupancy, SharedByHand) {
  TargetInfo target = device("sm_90a");
  // 227 KiB fit, with the reserved one just so.
  EXPECT_EQ(computeOccupancy(target, footprint(4, 32, 227 * 1024)).byShared, 1);
  EXPECT_EQ(computeOccupancy(target, footprint(4, 32, 227 * 1024 + 1)).byShared,
            0);
  // 228 / 2 - 1 = 113 KiB twice; a byte more is a unit of 128 more.
  EXPECT_EQ(computeOccupancy(target, footprint(4, 32, 113 * 1024)).byShared, 2);
  EXPECT_EQ(computeOccupancy(target, footprint(4, 32, 113 * 1024 + 1)).byShared,
            1);
  EXPECT_EQ(computeOccupancy(target, footprint(4, 32, 1)).allocatedSharedBytes,
            1152);
}

TEST(Occupancy, OtherLimits) {
  TargetInfo target = device("sm_90a");
  // 64 barriers, 3 a CTA.
  EXPECT_EQ(computeOccupancy(target, footprint(1, 16, 0, 3)).byBarriers, 21);
  EXPECT_EQ(computeOccupancy(target, footprint(1, 16, 0, 3)).residentCTAs, 21);
  EXPECT_EQ(computeOccupancy(target, footprint(1, 16, 0)).describeLimits(),
            "CTAs");
  // More than 1024 threads.
  EXPECT_EQ(computeOccupancy(target, footprint(33, 16, 0)).residentCTAs, 0);
  EXPECT_EQ(footprint(0, 16, 0).check(),
            "a CTA has at least one warp and no negative footprint");
  EXPECT_EQ(footprint(4, 16, 0).check(), "");
}

// The smallest carve-out that holds what is resident.
TEST(Occupancy, Carveouts) {
  auto carveout = [](const char *name, const CTAFootprint &taken) {
    return computeOccupancy(device(name), taken).carveoutBytes / 1024;
  };
  // 16 CTAs of 1 KiB; 2 of 37 KiB; 4 of 37 KiB.
  EXPECT_EQ(carveout("sm_120a", footprint(4, 32, 0)), 16);
  EXPECT_EQ(carveout("sm_120a", footprint(4, 174, 36864)), 100);
  EXPECT_EQ(carveout("sm_90a", footprint(4, 128, 36864)), 164);
  EXPECT_EQ(carveout("sm_90a", footprint(8, 168, 232448)), 228);
}

} // namespace
