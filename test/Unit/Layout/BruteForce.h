//===- BruteForce.h - bank conflicts by definition --------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wavefronts counted lane by lane and bank by bank, without the algebra of the
// library.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_LAYOUT_BRUTEFORCE_H
#define TESSERA_TEST_UNIT_LAYOUT_BRUTEFORCE_H

#include "tessera/Layout/LinearLayout.h"

#include <algorithm>
#include <set>
#include <vector>

namespace tessera::test {

/// Wavefronts of one group of lanes, each of which accesses `bytes` bytes: the
/// most words that a bank has to give.
inline int64_t groupWavefronts(const std::vector<int64_t> &addresses,
                               int bytes) {
  std::vector<std::set<int64_t>> banks(32);
  for (int64_t address : addresses)
    for (int byte = 0; byte < bytes; ++byte)
      banks[(address + byte) / 4 % 32].insert((address + byte) / 4);
  size_t most = 0;
  for (const std::set<int64_t> &words : banks)
    most = std::max(most, words.size());
  return static_cast<int64_t>(most);
}

/// The sum over all accesses of one warp, by definition.
inline int64_t bruteForce(const LinearLayout &places, int elementBytes,
                          int vector, int32_t warp) {
  int bytes = elementBytes * vector;
  int lanes = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  int64_t total = 0;
  for (int32_t reg = 0; reg < places.getInDimSize("register"); reg += vector)
    for (int32_t first = 0; first < 32; first += lanes) {
      std::vector<int64_t> addresses;
      for (int32_t lane = first; lane < first + lanes; ++lane)
        addresses.push_back(int64_t(places.applyValues({reg, lane, warp})[0]) *
                            elementBytes);
      total += groupWavefronts(addresses, bytes);
    }
  return total;
}

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_LAYOUT_BRUTEFORCE_H
