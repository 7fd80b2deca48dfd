//===- ChooseSharedTest.cpp - tests of the choice of a buffer -------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

TEST(ChooseShared, SwizzlesForOperands) {
  auto writer = blocked({64, 64}, {1, 0}, 8);
  for (const LinearLayout &reader : {operandA(64, 64), operandB(64, 64)}) {
    auto choice = chooseShared(writer, reader, {64, 64}, 2);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->description, "order [1, 0], swizzled by 16 bytes");
    EXPECT_EQ(choice->shared, *makeSwizzledShared({64, 64}, {1, 0}, 2));
    EXPECT_EQ(choice->writeVector, 8);
    EXPECT_TRUE(choice->ldmatrix);
    EXPECT_EQ(choice->writes.wavefronts, choice->writes.ideal);
    EXPECT_EQ(choice->reads.wavefronts, choice->reads.ideal);
  }
}

TEST(ChooseShared, SwizzlesTranspositions) {
  // f32, rows to columns: free on both sides with one of the swizzles.
  auto choice = chooseShared(blocked({64, 64}, {1, 0}, 4),
                             blocked({64, 64}, {0, 1}, 4), {64, 64}, 4);
  ASSERT_TRUE(choice);
  int64_t best = choice->writes.wavefronts + choice->reads.wavefronts;
  auto plain = *makePlainShared({64, 64}, {1, 0});
  int64_t plainCost =
      countWavefronts(*placesIn(blocked({64, 64}, {1, 0}, 4), plain), 4, 4)
          .wavefronts +
      countWavefronts(*placesIn(blocked({64, 64}, {0, 1}, 4), plain), 4, 1)
          .wavefronts;
  EXPECT_LT(best * 2, plainCost);
}

TEST(ChooseShared, LeavesPlainWhatIsFree) {
  // Rows in, rows out: no swizzle is better than none.
  auto rows = blocked({64, 64}, {1, 0}, 8);
  auto choice = chooseShared(rows, rows, {64, 64}, 2);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->description, "order [1, 0]");
  EXPECT_EQ(choice->readVector, 8);
  EXPECT_FALSE(choice->ldmatrix);
}

TEST(ChooseShared, IsNoWorseThanAnyCandidate) {
  RandomLayouts random(12);
  for (int round = 0; round < 60; ++round) {
    Values shape = {1 << (3 + random.below(4)), 1 << (3 + random.below(4))};
    int elementBytes = 1 << random.below(4);
    auto pick = [&] {
      Values order = random.below(2) ? Values{1, 0} : Values{0, 1};
      return blocked(shape, order, 1 << random.below(4));
    };
    LinearLayout writer = pick(), reader = pick();
    auto choice = chooseShared(writer, reader, shape, elementBytes);
    ASSERT_TRUE(choice);
    EXPECT_TRUE(choice->shared.isBijective());
    int64_t cost = choice->writes.wavefronts + choice->reads.wavefronts;
    for (const Values &order : {Values{1, 0}, Values{0, 1}})
      for (int chunk : {0, 4, 8, 16}) {
        auto shared =
            chunk == 0 ? makePlainShared(shape, order)
                       : makeSwizzledShared(shape, order, elementBytes, chunk);
        if (!shared)
          continue;
        auto writes = *placesIn(writer, *shared);
        auto reads = *placesIn(reader, *shared);
        auto width = [&](const LinearLayout &places) {
          return std::min<int>(places.contiguity("register", "offset"),
                               16 / elementBytes);
        };
        EXPECT_LE(cost, bruteForce(writes, elementBytes, width(writes), 0) +
                            bruteForce(reads, elementBytes, width(reads), 0));
      }
    // Deterministic.
    EXPECT_EQ(chooseShared(writer, reader, shape, elementBytes)->description,
              choice->description);
  }
}

TEST(ChooseShared, OtherRanksAreStoredInOneOfTheOrders) {
  auto line = blocked({1024}, {0}, 4);
  auto choice = chooseShared(line, line, {1024}, 4);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->description, "order [0]");
  EXPECT_EQ(choice->shared, LinearLayout::identity1D(1024, "offset", "dim0"));

  // Both sides alike: their own order, free of conflicts.
  Values shape = {4, 16, 64};
  auto writer = blocked(shape, {2, 1, 0}, 4);
  auto rows = chooseShared(writer, writer, shape, 4);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->description, "order [2, 1, 0]");
  auto reader = blocked(shape, {1, 2, 0}, 1);
  auto planes = chooseShared(reader, reader, shape, 4);
  ASSERT_TRUE(planes);
  EXPECT_EQ(planes->description, "order [1, 2, 0]");
  EXPECT_EQ(planes->shared, *makePlainShared(shape, {1, 2, 0}));
}

TEST(ChooseShared, LdmatrixIsAnOption) {
  auto writer = blocked({64, 64}, {1, 0}, 8);
  auto choice =
      chooseShared(writer, operandB(64, 64), {64, 64}, 2, LdmatrixUse::Never);
  ASSERT_TRUE(choice);
  EXPECT_FALSE(choice->ldmatrix);
  auto with = chooseShared(writer, operandB(64, 64), {64, 64}, 2);
  EXPECT_LT(with->reads.wavefronts + with->writes.wavefronts,
            choice->reads.wavefronts + choice->writes.wavefronts);
}

TEST(ChooseShared, RefusesOtherShapes) {
  std::string error;
  auto layout = blocked({64, 64}, {1, 0}, 8);
  EXPECT_FALSE(chooseShared(layout, layout, {64, 32}, 2,
                            LdmatrixUse::WherePossible, &error));
  EXPECT_EQ(error, "the layouts are for tensors of another shape");
  EXPECT_FALSE(chooseShared(layout, layout, {64, 64}, 3,
                            LdmatrixUse::WherePossible, &error));
  EXPECT_EQ(error, "elements of 3 bytes");
}
