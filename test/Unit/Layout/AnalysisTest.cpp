//===- AnalysisTest.cpp - tests of rank, replication, contiguity ----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::test;

namespace {

/// The values of the dims before `dim` vary freely, `dim` goes up to `size`,
/// the others are zero: how many different elements are reached?
size_t reached(const LinearLayout &layout, size_t dim, int32_t size) {
  Dims dims = layout.inDims();
  dims[dim].size = size;
  for (size_t i = dim + 1; i < dims.size(); ++i)
    dims[i].size = 1;
  std::set<Values> image;
  for (const Values &in : allValues(dims))
    image.insert(layout.applyValues(in));
  return image.size();
}

/// contiguity() by its definition, for input dim `dim` and output dim `out`.
bool isContiguous(const LinearLayout &layout, size_t dim, size_t out,
                  int32_t n) {
  for (const Values &in : allValues(layout.inDims())) {
    Values start = in;
    start[dim] = in[dim] / n * n;
    Values expected = layout.applyValues(start);
    expected[out] += in[dim] % n;
    if (layout.applyValues(in) != expected)
      return false;
  }
  return true;
}

} // namespace

TEST(Rank, MatchesTheImage) {
  RandomLayouts random(30);
  for (int round = 0; round < 200; ++round) {
    LinearLayout layout = random.layout();
    size_t image = imageOf(layout).size();
    EXPECT_EQ(size_t(1) << layout.rank(), image);
    EXPECT_EQ(layout.isSurjective(),
              image == allValues(layout.outDims()).size());
    EXPECT_EQ(layout.isInjective(), image == allValues(layout.inDims()).size());
    EXPECT_EQ(layout.isBijective(),
              layout.isInjective() && layout.isSurjective());
  }
}

TEST(Rank, ByHand) {
  LinearLayout strided = LinearLayout::strided1D(4, 2, "lane", "dim0");
  EXPECT_TRUE(strided.isInjective());
  EXPECT_FALSE(strided.isSurjective());
  LinearLayout zeros = LinearLayout::zeros1D(4, "lane", "dim0");
  EXPECT_FALSE(zeros.isInjective());
  EXPECT_TRUE(zeros.isSurjective());
  EXPECT_EQ(zeros.rank(), 0);
  EXPECT_TRUE(LinearLayout::empty().isBijective());
}

TEST(FreeVariables, ByHand) {
  LinearLayout layout = *LinearLayout::create({{"register", {{1}, {0}, {2}}},
                                               {"lane", {{4}, {3}, {6}}},
                                               {"warp", {{0}, {8}}},
                                               {"block", {}}},
                                              {{"dim0", 16}});
  // Lane bit 1 is 1 ^ 2, lane bit 2 is 2 ^ 4.
  EXPECT_EQ(layout.freeVariableMasks(),
            (std::map<std::string, int32_t>{
                {"register", 2}, {"lane", 6}, {"warp", 1}, {"block", 0}}));
}

TEST(FreeVariables, MatchBruteForce) {
  RandomLayouts random(31);
  for (int round = 0; round < 100; ++round) {
    LinearLayout layout = random.layout();
    auto masks = layout.freeVariableMasks();
    EXPECT_EQ(masks.size(), layout.inDims().size());
    for (size_t dim = 0; dim < layout.inDims().size(); ++dim) {
      const LayoutDim &in = layout.inDims()[dim];
      for (int bit = 0; bit < layout.getInDimSizeLog2(in.name); ++bit) {
        bool isFree =
            reached(layout, dim, 1 << bit) == reached(layout, dim, 2 << bit);
        EXPECT_EQ(masks[in.name] >> bit & 1, isFree) << layout.str();
      }
    }
  }
}

TEST(FreeVariables, SelectOneHolderOfEachElement) {
  RandomLayouts random(32);
  for (int round = 0; round < 50; ++round) {
    LinearLayout layout = random.layout();
    auto masks = layout.freeVariableMasks();
    std::multiset<Values> held;
    for (const Values &in : allValues(layout.inDims()))
      if ((in[0] & masks["register"]) == 0 && (in[1] & masks["lane"]) == 0 &&
          (in[2] & masks["warp"]) == 0)
        held.insert(layout.applyValues(in));
    std::set<Values> image = imageOf(layout);
    EXPECT_EQ(held, std::multiset<Values>(image.begin(), image.end()));
  }
}

TEST(Contiguity, ByHand) {
  LinearLayout layout =
      *LinearLayout::create({{"register", {{0, 1}, {0, 2}, {1, 0}, {0, 4}}},
                             {"lane", {{0, 8}, {2, 0}}}},
                            {{"dim0", 4}, {"dim1", 16}});
  EXPECT_EQ(layout.contiguity("register", "dim1"), 4);
  EXPECT_EQ(layout.contiguity("register", "dim0"), 1);
  EXPECT_EQ(layout.contiguity("lane", "dim1"), 1);
  EXPECT_EQ(layout.contiguity("block", "dim1"), 1);
  EXPECT_EQ(layout.contiguity("register", "dim9"), 1);
}

TEST(Contiguity, OfASwizzleIsItsUnit) {
  // Rows of 8, xor-ed in units of 2 elements.
  LinearLayout layout = *LinearLayout::create(
      {{"offset", {{0, 1}, {0, 2}, {0, 4}, {1, 2}, {2, 4}}}},
      {{"r", 4}, {"c", 8}});
  EXPECT_EQ(layout.contiguity("offset", "c"), 2);
}

TEST(Contiguity, MatchesBruteForce) {
  RandomLayouts random(33);
  int wide = 0;
  for (int round = 0; round < 300; ++round) {
    // Half of the layouts get a contiguous run in front, at times with another
    // base that disturbs it.
    LinearLayout layout = random.layout();
    if (round % 2)
      layout =
          LinearLayout::identity1D(1 << random.below(4), "register", "dim1") *
          layout;
    if (round % 4 == 3)
      layout = *layout.transposeIns({"lane", "register", "warp"});
    if (round % 8 == 7)
      layout = *layout.compose(*LinearLayout::create(
          {{"dim1", {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}, {32, 0}}},
           {"dim0", {{1, 1}, {0, 2}, {0, 4}}}},
          {{"dim1", 64}, {"dim0", 8}}));
    for (size_t dim = 0; dim < layout.inDims().size(); ++dim)
      for (size_t out = 0; out < layout.outDims().size(); ++out) {
        const LayoutDim &in = layout.inDims()[dim];
        int32_t expected = 1;
        while (expected < in.size &&
               isContiguous(layout, dim, out, 2 * expected))
          expected *= 2;
        wide += expected > 2;
        EXPECT_EQ(layout.contiguity(in.name, layout.outDims()[out].name),
                  expected)
            << layout.str();
      }
  }
  EXPECT_GT(wide, 20);
}

TEST(Preserves, MatchesBruteForce) {
  RandomLayouts random(34);
  int preserved = 0;
  for (int round = 0; round < 300; ++round) {
    // Small enough to preserve a dim by chance.
    LinearLayout layout = random.layout(random.dims({"register", "lane"}, 2),
                                        random.dims({"lane", "register"}, 2));
    bool lane = true, reg = true;
    for (const Values &in : allValues(layout.inDims())) {
      Values out = layout.applyValues(in);
      lane &= out[0] == in[1];
      reg &= out[1] == in[0];
    }
    EXPECT_EQ(layout.preserves("lane"), lane) << layout.str();
    EXPECT_EQ(layout.preserves("register"), reg) << layout.str();
    preserved += lane && layout.getInDimSize("lane") > 1;
  }
  EXPECT_GT(preserved, 5);
}

TEST(Preserves, AbsentDimsAreZero) {
  LinearLayout layout = LinearLayout::identity1D(4, "lane", "lane") *
                        LinearLayout::identity1D(2, "register", "offset");
  EXPECT_TRUE(layout.preserves("lane"));
  EXPECT_TRUE(layout.preserves("warp"));
  EXPECT_FALSE(layout.preserves("register")); // no such output
  EXPECT_FALSE(layout.preserves("offset"));   // no such input
}
