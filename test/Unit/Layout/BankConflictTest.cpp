//===- BankConflictTest.cpp - tests of the count of bank conflicts --------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conflicts are counted a second time lane by lane and bank by bank.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/SharedMemory.h"

#include "BruteForce.h"
#include "RandomLayouts.h"
#include "RegisterLayouts.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace tessera;
using namespace tessera::test;

namespace {

/// (register, lane, warp) -> (offset), in which `vector` registers are
/// consecutive and all else is random.
LinearLayout randomPlaces(RandomLayouts &random, int vector) {
  auto rest = random.layout({{"register", 4}, {"lane", 32}, {"warp", 4}},
                            {{"offset", 1 << 10}});
  return LinearLayout::identity1D(vector, "register", "offset") * rest;
}

} // namespace

TEST(Wavefronts, AsCountedLaneByLane) {
  RandomLayouts random(11);
  int conflicting = 0, free = 0;
  for (int round = 0; round < 400; ++round) {
    int elementBytes = 1 << random.below(4);
    int vector = 1 << random.below(5 - random.below(2));
    vector = std::min(vector, 16 / elementBytes);
    LinearLayout places = randomPlaces(random, vector);
    if (places.contiguity("register", "offset") < vector)
      continue;
    BankConflicts count = countWavefronts(places, elementBytes, vector);
    for (int32_t warp = 0; warp < 4; ++warp)
      EXPECT_EQ(count.wavefronts,
                bruteForce(places, elementBytes, vector, warp))
          << places.str() << " " << elementBytes << " bytes x " << vector;
    (count.wavefronts > count.ideal ? conflicting : free) += 1;
  }
  EXPECT_GT(conflicting, 50); // Both kinds have been seen.
  EXPECT_GT(free, 50);
}

TEST(Wavefronts, KnownPatterns) {
  // 32 lanes read f32 with a stride of s words: gcd(s, 32) wavefronts.
  for (int32_t stride : {1, 2, 4, 8, 16, 32, 64}) {
    auto places = LinearLayout::strided1D(32, stride, "lane", "offset");
    BankConflicts count = countWavefronts(places, 4, 1);
    EXPECT_EQ(count.wavefronts, std::min(stride, 32));
    EXPECT_EQ(count.ideal, 1);
  }
  // All lanes read one word; pairs of lanes share a word.
  EXPECT_EQ(countWavefronts(LinearLayout::zeros1D(32, "lane", "offset"), 4, 1)
                .wavefronts,
            1);
  EXPECT_EQ(
      countWavefronts(LinearLayout::identity1D(32, "lane", "offset"), 2, 1)
          .wavefronts,
      1);
  // 16 bytes a lane, in a row: 512 bytes are four wavefronts.
  auto row = LinearLayout::identity1D(4, "register", "offset") *
             LinearLayout::identity1D(32, "lane", "offset");
  EXPECT_EQ(countWavefronts(row, 4, 4).wavefronts, 4);
  EXPECT_EQ(countWavefronts(row, 4, 4).ideal, 4);
  // The same by single words: 4 accesses with a stride of 4 words.
  EXPECT_EQ(countWavefronts(row, 4, 1).wavefronts, 16);
  EXPECT_EQ(countWavefronts(row, 4, 1).ideal, 4);
  // Wider than 16 bytes or than memory is contiguous: narrowed.
  EXPECT_EQ(countWavefronts(row, 4, 8).wavefronts, 4);
  auto apart = LinearLayout::strided1D(4, 32, "register", "offset") *
               LinearLayout::identity1D(1, "lane", "offset");
  EXPECT_EQ(countWavefronts(apart, 4, 4).ideal, 4);
}

TEST(Wavefronts, ColumnOf64x64HalvesConflictsEightfold) {
  // ldmatrix without a swizzle: 8 rows of 128 bytes, all in the same banks.
  auto plain = *makePlainShared({64, 64}, {1, 0});
  auto plan = planLdmatrix(operandA(64, 64), plain, 2);
  ASSERT_TRUE(plan);
  BankConflicts count = countWavefronts(*plan, 2);
  EXPECT_EQ(count.wavefronts, 8 * count.ideal);
  // Fragments read directly, 4 bytes a lane: 8 rows x 4 words in 4 banks.
  BankConflicts direct =
      countWavefronts(*placesIn(operandA(64, 64), plain), 2, 2);
  EXPECT_EQ(direct.wavefronts, 8 * direct.ideal);
}
