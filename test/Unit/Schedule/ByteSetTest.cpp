//===- ByteSetTest.cpp - a set of bytes -----------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/ByteSet.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace tessera;

using Ranges = std::vector<ByteRange>;

TEST(ByteSetTest, MergesRangesThatTouchOrOverlap) {
  ByteSet set;
  set.insert({16, 32});
  set.insert({64, 80});
  EXPECT_EQ(set.ranges(), (Ranges{{16, 32}, {64, 80}}));
  set.insert({32, 40}); // Touches the first.
  EXPECT_EQ(set.ranges(), (Ranges{{16, 40}, {64, 80}}));
  set.insert({0, 8}); // In front of all.
  EXPECT_EQ(set.ranges(), (Ranges{{0, 8}, {16, 40}, {64, 80}}));
  set.insert({8, 70}); // Swallows one, bridges to both sides.
  EXPECT_EQ(set.ranges(), (Ranges{{0, 80}}));
}

TEST(ByteSetTest, RangesThatTouchDoNotOverlap) {
  ByteSet set;
  EXPECT_FALSE(set.overlaps({0, 100}));
  set.insert({16, 32});
  EXPECT_FALSE(set.overlaps({0, 16}));
  EXPECT_FALSE(set.overlaps({32, 48}));
  EXPECT_TRUE(set.overlaps({0, 17}));
  EXPECT_TRUE(set.overlaps({31, 48}));
  EXPECT_TRUE(set.overlaps({20, 24}));
  EXPECT_TRUE(set.overlaps({0, 48}));
}

/// Against a std::set of single bytes.
TEST(ByteSetTest, AgreesWithASetOfBytes) {
  std::mt19937 engine(7);
  auto below = [&](int64_t bound) { return int64_t(engine() % bound); };
  for (int round = 0; round < 200; ++round) {
    ByteSet set;
    std::set<int64_t> bytes;
    for (int step = 0; step < 8; ++step) {
      int64_t begin = below(40);
      ByteRange range = {begin, begin + 1 + below(6)};
      set.insert(range);
      for (int64_t byte = range.begin; byte < range.end; ++byte)
        bytes.insert(byte);
      for (int64_t byte = 0; byte < 50; ++byte)
        ASSERT_EQ(set.overlaps({byte, byte + 1}), bytes.count(byte) == 1);
      for (size_t i = 1; i < set.ranges().size(); ++i)
        ASSERT_LT(set.ranges()[i - 1].end, set.ranges()[i].begin);
    }
  }
}
