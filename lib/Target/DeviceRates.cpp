//===- DeviceRates.cpp - how fast known devices are -----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/DeviceRates.h"

using namespace tessera;

std::optional<DeviceRates> DeviceRates::get(std::string_view target) {
  struct Row {
    std::string_view target;
    DeviceRates rates;
  };
  static constexpr Row rows[] = {
      {"sm_80", {1410, 1024, 2039, 2}},  {"sm_86", {1695, 256, 936, 1}},
      {"sm_89", {2520, 256, 1008, 1}},   {"sm_90a", {1830, 2048, 4800, 2}},
      // No figure is published for mma.sync, which is what runs there: half of
      // what the data sheet has for tcgen05.
      {"sm_100a", {1857, 2048, 8000, 2}}, {"sm_120a", {2407, 256, 1792, 1}},
  };
  for (const Row &row : rows)
    if (row.target == target)
      return row.rates;
  return std::nullopt;
}
