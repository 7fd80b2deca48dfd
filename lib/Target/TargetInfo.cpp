//===- TargetInfo.cpp - what a GPU offers -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/TargetInfo.h"

using namespace tessera;

static constexpr int64_t kKiB = 1024;
static constexpr int64_t kMiB = 1024 * kKiB;

/// The table; a function, so that nothing is constructed at start-up.
static const std::vector<TargetInfo> &getTargets() {
  // Carve-outs of a multiprocessor with 100, 164 and 228 KiB.
  static const std::vector<int64_t> small = {
      0, 8 * kKiB, 16 * kKiB, 32 * kKiB, 64 * kKiB, 100 * kKiB};
  static const std::vector<int64_t> medium = {
      0,         8 * kKiB,   16 * kKiB,  32 * kKiB,
      64 * kKiB, 100 * kKiB, 132 * kKiB, 164 * kKiB};
  static const std::vector<int64_t> large = {
      0,          8 * kKiB,   16 * kKiB,  32 * kKiB,  64 * kKiB,
      100 * kKiB, 132 * kKiB, 164 * kKiB, 196 * kKiB, 228 * kKiB};
  static const std::vector<TargetInfo> targets = {
      {"sm_80", 80, 70, 163 * kKiB, 164 * kKiB, kKiB, 65536, 255, 1024, 64, 32, 16,
       108, 40 * kMiB, 0, medium},
      {"sm_86", 86, 71, 99 * kKiB, 100 * kKiB, kKiB, 65536, 255, 1024, 48, 16, 16,
       82, 6 * kMiB, 0, small},
      {"sm_89", 89, 84, 99 * kKiB, 100 * kKiB, kKiB, 65536, 255, 1024, 48, 24, 16,
       128, 72 * kMiB, 0, small},
      {"sm_90a", 90, 84, 227 * kKiB, 228 * kKiB, kKiB, 65536, 255, 1024, 64, 32, 16,
       132, 50 * kMiB, 64, large},
      {"sm_100a", 100, 86, 227 * kKiB, 228 * kKiB, kKiB, 65536, 255, 1024, 64, 32,
       16, 148, 126 * kMiB, 64, large},
      {"sm_120a", 120, 87, 99 * kKiB, 100 * kKiB, kKiB, 65536, 255, 1024, 48, 24, 16,
       170, 96 * kMiB, 24, small},
  };
  return targets;
}

std::optional<TargetInfo> TargetInfo::get(std::string_view name) {
  for (const TargetInfo &target : getTargets())
    if (target.name == name)
      return target;
  return std::nullopt;
}

bool TargetInfo::hasMmaSync(MmaType type) const {
  return type != MmaType::F8 || capability >= 89;
}

bool TargetInfo::hasWgmma() const { return capability == 90; }

bool TargetInfo::hasTensorCopies() const { return capability >= 90; }

bool TargetInfo::hasStmatrix() const { return capability >= 90; }

bool TargetInfo::hasFp8Conversions() const {
  // They came with the matrix instructions on 8-bit floats.
  return hasMmaSync(MmaType::F8);
}

bool TargetInfo::hasBF16AtomicAdd() const { return capability >= 90; }

std::vector<std::string> TargetInfo::names() {
  std::vector<std::string> names;
  for (const TargetInfo &target : getTargets())
    names.push_back(target.name);
  return names;
}
