//===- Occupancy.cpp - CTAs that a multiprocessor holds -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/Occupancy.h"

#include <algorithm>

using namespace tessera;

static constexpr int64_t kWarpThreads = 32;

static int64_t divideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }
static int64_t roundUp(int64_t a, int64_t unit) {
  return divideUp(a, unit) * unit;
}

/// A quotient as a limit; a resource that is not used limits nothing.
static int32_t limitOf(int64_t available, int64_t taken) {
  return taken ? int32_t(available / taken) : kUnlimitedCTAs;
}

std::string CTAFootprint::check() const {
  if (warps < 1 || registers < 0 || sharedBytes < 0 || barriers < 0)
    return "a CTA has at least one warp and no negative footprint";
  return {};
}

/// Registers of one warp, in whole units.
static int64_t getWarpRegisters(const TargetInfo &target,
                                const CTAFootprint &footprint) {
  return roundUp(footprint.registers * kWarpThreads, target.registerUnit);
}

static int32_t limitByRegisters(const TargetInfo &target,
                                const CTAFootprint &footprint) {
  if (footprint.registers == 0)
    return kUnlimitedCTAs;
  int64_t warpRegisters = getWarpRegisters(target, footprint);
  int64_t assumed =
      warpRegisters * roundUp(footprint.warps, target.registerPartitions);
  if (assumed > target.registersPerSM ||
      footprint.registers > target.maxRegistersPerThread)
    return 0;
  int64_t partition = target.registersPerSM / target.registerPartitions;
  int64_t warps = partition / warpRegisters * target.registerPartitions;
  return limitOf(warps, footprint.warps);
}

static int32_t limitByShared(const TargetInfo &target,
                             const CTAFootprint &footprint, int64_t allocated) {
  if (footprint.sharedBytes > target.maxSharedBytesPerCTA)
    return 0;
  return limitOf(target.sharedBytesPerSM, allocated);
}

int32_t tessera::getRegisterLimit(const TargetInfo &target, int32_t warps,
                                  int32_t CTAs) {
  int64_t unit = target.registerUnit / kWarpThreads;
  int64_t threads = int64_t(CTAs) * warps * kWarpThreads;
  int64_t share = target.registersPerSM / threads / unit * unit;
  return int32_t(std::min<int64_t>(share, target.maxRegistersPerThread));
}

int64_t tessera::getSharedLimit(const TargetInfo &target, int32_t CTAs) {
  int64_t unit = target.sharedUnit;
  int64_t share = target.sharedBytesPerSM / CTAs / unit * unit;
  return std::min(share - target.reservedSharedBytesPerCTA,
                  target.maxSharedBytesPerCTA);
}

Occupancy tessera::computeOccupancy(const TargetInfo &target,
                                    const CTAFootprint &footprint) {
  Occupancy result;
  result.allocatedRegisters =
      getWarpRegisters(target, footprint) * footprint.warps;
  result.allocatedSharedBytes =
      roundUp(footprint.sharedBytes + target.reservedSharedBytesPerCTA,
              target.sharedUnit);
  result.byRegisters = limitByRegisters(target, footprint);
  result.byShared =
      limitByShared(target, footprint, result.allocatedSharedBytes);
  bool launches = footprint.warps * kWarpThreads <= target.maxThreadsPerCTA;
  result.byWarps =
      launches ? limitOf(target.maxWarpsPerSM, footprint.warps) : 0;
  result.byBarriers = target.maxBarriersPerSM
                          ? limitOf(target.maxBarriersPerSM, footprint.barriers)
                          : kUnlimitedCTAs;
  result.byCTAs = target.maxCTAsPerSM;
  result.residentCTAs =
      std::min({result.byRegisters, result.byShared, result.byWarps,
                result.byBarriers, result.byCTAs});
  result.residentWarps = result.residentCTAs * footprint.warps;
  result.fraction = double(result.residentWarps) / target.maxWarpsPerSM;
  int64_t bytes = result.residentCTAs * result.allocatedSharedBytes;
  result.carveoutBytes = *std::find_if(
      target.sharedCarveouts.begin(), std::prev(target.sharedCarveouts.end()),
      [&](int64_t carveout) { return carveout >= bytes; });
  return result;
}

std::string Occupancy::describeLimits() const {
  std::string text;
  auto add = [&](int32_t limit, const char *name) {
    if (limit != residentCTAs)
      return;
    if (!text.empty())
      text += ", ";
    text += name;
  };
  add(byRegisters, "registers");
  add(byShared, "shared memory");
  add(byWarps, "warps");
  add(byBarriers, "barriers");
  add(byCTAs, "CTAs");
  return text;
}

LaunchWaves tessera::computeWaves(int64_t grid, int64_t multiprocessors,
                                  int64_t residentCTAs) {
  int64_t atOnce = multiprocessors * residentCTAs;
  double waves = double(grid) / double(atOnce);
  int64_t rounds = divideUp(grid, atOnce);
  return {waves, rounds, rounds ? waves / double(rounds) : 0.0};
}

TileShares tessera::shareTiles(int64_t tiles, int64_t programs) {
  return {tiles / programs, tiles % programs};
}
