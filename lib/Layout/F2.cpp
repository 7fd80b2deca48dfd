//===- F2.cpp - arithmetic over the two-element field ---------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/F2.h"

using namespace tessera;

EchelonBasis::Entry EchelonBasis::reduce(Entry value) const {
  // From the top down: xor with entry i clears bit i and touches lower bits
  // only, so one sweep is enough.
  for (int bit = 63; bit >= 0 && value.vector != 0; --bit) {
    if (!(value.vector >> bit & 1))
      continue;
    const Entry &entry = entries[bit];
    if (entry.vector == 0)
      break;
    value.vector ^= entry.vector;
    value.tag ^= entry.tag;
  }
  return value;
}

bool EchelonBasis::insert(uint64_t column, int index) {
  Entry rest = reduce({column, uint64_t(1) << index});
  if (rest.vector == 0)
    return false;
  int highest = 63;
  while (!(rest.vector >> highest & 1))
    --highest;
  entries[highest] = rest;
  ++numPivots;
  return true;
}

std::optional<uint64_t> EchelonBasis::solve(uint64_t y) const {
  Entry rest = reduce({y, 0});
  if (rest.vector != 0)
    return std::nullopt;
  return rest.tag;
}
