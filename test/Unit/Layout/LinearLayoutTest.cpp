//===- LinearLayoutTest.cpp - tests of construction and evaluation --------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/LinearLayout.h"

#include "RandomLayouts.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::test;

namespace {

/// The first example of the header.
LinearLayout registerExample() {
  return *LinearLayout::create(
      {{"register", {{0, 1}}}, {"lane", {{0, 2}, {1, 0}}}, {"warp", {{2, 0}}}},
      {{"dim0", 4}, {"dim1", 4}});
}

/// create() has to refuse; gives the reason.
std::string reasonFor(Bases bases, Dims outs) {
  std::string error;
  EXPECT_FALSE(LinearLayout::create(std::move(bases), std::move(outs), &error));
  return error;
}

} // namespace

TEST(LinearLayout, HeaderExampleRegisters) {
  LinearLayout layout = registerExample();
  EXPECT_EQ(layout.applyValues({1, 3, 0}), (Values{1, 3}));
  EXPECT_EQ(layout.applyValues({0, 2, 1}), (Values{3, 0}));
  EXPECT_EQ(layout.applyValues({1, 3, 1}), (Values{3, 3}));
  EXPECT_TRUE(layout.isBijective());
}

TEST(LinearLayout, HeaderExampleSwizzle) {
  LinearLayout layout = *LinearLayout::create(
      {{"offset", {{0, 1}, {0, 2}, {1, 1}, {2, 2}}}}, {{"row", 4}, {"col", 4}});
  for (int32_t offset = 0; offset < 16; ++offset) {
    int32_t row = offset / 4;
    EXPECT_EQ(layout.applyValues({offset}), (Values{row, (offset % 4) ^ row}));
  }
}

TEST(LinearLayout, Queries) {
  LinearLayout layout = registerExample();
  EXPECT_EQ(layout.inDimNames(),
            (LinearLayout::Names{"register", "lane", "warp"}));
  EXPECT_EQ(layout.outDimNames(), (LinearLayout::Names{"dim0", "dim1"}));
  EXPECT_EQ(layout.inDims()[1], (LayoutDim{"lane", 4}));
  EXPECT_EQ(layout.outDims()[1], (LayoutDim{"dim1", 4}));
  EXPECT_TRUE(layout.hasInDim("warp"));
  EXPECT_FALSE(layout.hasInDim("dim0"));
  EXPECT_TRUE(layout.hasOutDim("dim0"));
  EXPECT_FALSE(layout.hasOutDim("warp"));
  EXPECT_EQ(layout.getInDimSize("lane"), 4);
  EXPECT_EQ(layout.getInDimSizeLog2("lane"), 2);
  EXPECT_EQ(layout.getOutDimSize("dim1"), 4);
  EXPECT_EQ(layout.getOutDimSizeLog2("dim1"), 2);
  EXPECT_EQ(layout.totalInBits(), 4);
  EXPECT_EQ(layout.totalOutBits(), 4);
  EXPECT_EQ(layout.getBasis("lane", 0), (Values{0, 2}));
  EXPECT_EQ(layout.getBasis("lane", 1), (Values{1, 0}));
  EXPECT_EQ(layout.getBasis("lane", 0, "dim1"), 2);
}

TEST(LinearLayout, AbsentDimsHaveSizeOne) {
  LinearLayout layout = registerExample();
  EXPECT_EQ(layout.getInDimSize("block"), 1);
  EXPECT_EQ(layout.getInDimSizeLog2("block"), 0);
  EXPECT_EQ(layout.getOutDimSize("dim7"), 1);
  EXPECT_EQ(layout.getBasis("block", 0), (Values{0, 0}));
  EXPECT_EQ(layout.getBasis("lane", 2), (Values{0, 0}));
  EXPECT_EQ(layout.getBasis("lane", -1), (Values{0, 0}));
  EXPECT_EQ(layout.getBasis("lane", 0, "dim7"), 0);
}

TEST(LinearLayout, ApplyByName) {
  LinearLayout layout = registerExample();
  using Result = std::vector<LinearLayout::NamedValue>;
  // Any order; 'block' is ignored and the missing register is 0.
  EXPECT_EQ(layout.apply({{"warp", 1}, {"block", 5}, {"lane", 3}}),
            (Result{{"dim0", 3}, {"dim1", 2}}));
  // Bits above a dim's size are ignored: lane 6 is lane 2.
  EXPECT_EQ(layout.apply({{"lane", 6}}), (Result{{"dim0", 1}, {"dim1", 0}}));
  EXPECT_EQ(layout.applyValues({1}), (Values{0, 1}));
}

TEST(LinearLayout, ApplyMatchesDefinition) {
  RandomLayouts random(1);
  for (int round = 0; round < 50; ++round) {
    Dims ins = random.dims({"register", "lane", "warp"}, 3);
    Dims outs = random.dims({"dim0", "dim1", "dim2"}, 3);
    Bases bases = random.bases(ins, outs);
    LinearLayout layout = *LinearLayout::create(bases, outs);
    uint64_t packed = 0;
    for (const Values &in : allValues(ins)) {
      Values expected = evaluate(bases, outs.size(), in);
      EXPECT_EQ(layout.applyValues(in), expected);
      // allValues counts in packed order.
      uint64_t word = expected[0] +
                      outs[0].size * (expected[1] + outs[1].size * expected[2]);
      EXPECT_EQ(layout.applyPacked(packed++), word);
    }
  }
}

TEST(LinearLayout, OneDimensional) {
  LinearLayout identity = LinearLayout::identity1D(8, "lane", "dim0");
  LinearLayout zeros = LinearLayout::zeros1D(8, "lane", "dim0", 4);
  LinearLayout strided = LinearLayout::strided1D(8, 4, "lane", "dim0");
  for (int32_t x = 0; x < 8; ++x) {
    EXPECT_EQ(identity.applyValues({x}), Values{x});
    EXPECT_EQ(zeros.applyValues({x}), Values{0});
    EXPECT_EQ(strided.applyValues({x}), Values{4 * x});
  }
  EXPECT_EQ(identity.getOutDimSize("dim0"), 8);
  EXPECT_EQ(zeros.getOutDimSize("dim0"), 4);
  EXPECT_EQ(strided.getOutDimSize("dim0"), 32);
  EXPECT_EQ(LinearLayout::zeros1D(8, "lane", "dim0").getOutDimSize("dim0"), 1);
  EXPECT_EQ(LinearLayout::identity1D(1, "lane", "dim0").str(),
            "{lane = []} -> {dim0 = 1}");
}

TEST(LinearLayoutDeathTest, OneDimensionalPreconditions) {
  EXPECT_DEATH(LinearLayout::identity1D(6, "a", "b"), "powers of two");
  EXPECT_DEATH(LinearLayout::zeros1D(4, "a", "b", 0), "powers of two");
  EXPECT_DEATH(LinearLayout::strided1D(4, 3, "a", "b"), "no power of two");
  EXPECT_DEATH(LinearLayout::strided1D(1 << 20, 1 << 20, "a", "b"),
               "at most 2\\^30");
}

TEST(LinearLayout, Print) {
  EXPECT_EQ(registerExample().str(),
            "{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = [[2, 0]]} "
            "-> {dim0 = 4, dim1 = 4}");
  EXPECT_EQ(LinearLayout::empty().str(), "{} -> {}");
}

TEST(LinearLayout, Equality) {
  EXPECT_EQ(registerExample(), registerExample());
  LinearLayout identity = LinearLayout::identity1D(4, "lane", "dim0");
  EXPECT_NE(identity, LinearLayout::identity1D(8, "lane", "dim0"));
  EXPECT_NE(identity, LinearLayout::identity1D(4, "warp", "dim0"));
  EXPECT_NE(identity, LinearLayout::identity1D(4, "lane", "dim1"));
  EXPECT_NE(identity, LinearLayout::zeros1D(4, "lane", "dim0", 4));
  EXPECT_EQ(LinearLayout::empty(), LinearLayout());
}

TEST(LinearLayout, CreateRefuses) {
  EXPECT_EQ(reasonFor({}, {{"dim0", 6}}),
            "output dimension 'dim0' has size 6, which is no power of two");
  EXPECT_EQ(reasonFor({}, {{"dim0", 0}}),
            "output dimension 'dim0' has size 0, which is no power of two");
  EXPECT_EQ(reasonFor({}, {{"dim0", 2}, {"dim0", 4}}),
            "output dimension 'dim0' occurs twice");
  EXPECT_EQ(reasonFor({{"lane", {}}, {"lane", {}}}, {}),
            "input dimension 'lane' occurs twice");
  EXPECT_EQ(reasonFor({}, {{"dim0", 2}, {"", 2}}),
            "output dimension 1 has no name");
  EXPECT_EQ(reasonFor({{"", {}}}, {}), "input dimension 0 has no name");
  EXPECT_EQ(reasonFor({{"lane", {{1, 0}}}}, {{"dim0", 2}}),
            "base 0 of 'lane' has 2 coordinates, but there are 1 output "
            "dimensions");
  EXPECT_EQ(reasonFor({{"lane", {{1}, {2}}}}, {{"dim0", 2}}),
            "base 1 of 'lane' has coordinate 2 in output dimension 'dim0' of "
            "size 2");
  EXPECT_EQ(reasonFor({{"lane", {{-1}}}}, {{"dim0", 2}}),
            "base 0 of 'lane' has coordinate -1 in output dimension 'dim0' of "
            "size 2");
}

TEST(LinearLayout, CreateKeepsLimits) {
  const int32_t huge = 1 << 30;
  EXPECT_EQ(reasonFor({}, {{"a", huge}, {"b", huge}, {"c", 32}}),
            "output dimensions have 65 bits in all, the limit is 64");
  std::vector<std::vector<int32_t>> zeros(30, Values{0});
  EXPECT_EQ(reasonFor({{"a", zeros}, {"b", zeros}, {"c", zeros}}, {{"out", 1}}),
            "input dimensions have 90 bits in all, the limit is 64");
  zeros.push_back({0});
  EXPECT_EQ(reasonFor({{"a", zeros}}, {{"out", 1}}),
            "input dimension 'a' has 31 bits, the limit is 30");
  // 64 bits are fine, and so is a dim of size 1 above them.
  auto full =
      LinearLayout::create({{"x", {{0, 0, 8, 0}, {huge - 1, 0, 15, 0}}}},
                           {{"a", huge}, {"b", huge}, {"c", 16}, {"d", 1}});
  ASSERT_TRUE(full);
  EXPECT_EQ(full->applyValues({3}), (Values{huge - 1, 0, 7, 0}));
}
