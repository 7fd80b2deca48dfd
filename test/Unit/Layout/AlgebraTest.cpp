//===- AlgebraTest.cpp - tests of composition and inversion ---------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace tessera;
using namespace tessera::test;

namespace {

const LinearLayout::Names kHardware = {"register", "lane", "warp"};
const LinearLayout::Names kAxes = {"dim0", "dim1"};

/// The identity on the given dims.
LinearLayout identityOn(const Dims &dims) {
  LinearLayout result;
  for (const LayoutDim &dim : dims)
    result = result * LinearLayout::identity1D(dim.size, dim.name, dim.name);
  return result;
}

} // namespace

//===----------------------------------------------------------------------===//
// compose
//===----------------------------------------------------------------------===//

TEST(Compose, IsApplicationInTurn) {
  RandomLayouts random(2);
  for (int round = 0; round < 50; ++round) {
    Dims middle = random.dims(kAxes, 3);
    LinearLayout inner = random.layout(random.dims(kHardware, 2), middle);
    LinearLayout outer = random.layout(middle, random.dims({"offset"}, 4));
    LinearLayout both = *inner.compose(outer);
    EXPECT_EQ(both.inDims(), inner.inDims());
    EXPECT_EQ(both.outDims(), outer.outDims());
    for (const Values &in : allValues(inner.inDims()))
      EXPECT_EQ(both.applyValues(in), outer.applyValues(inner.applyValues(in)));
  }
}

TEST(Compose, IsAssociative) {
  RandomLayouts random(3);
  for (int round = 0; round < 100; ++round) {
    Dims first = random.dims(kAxes, 3), second = random.dims({"u", "v"}, 3);
    LinearLayout a = random.layout(random.dims(kHardware, 3), first);
    LinearLayout b = random.layout(first, second);
    LinearLayout c = random.layout(second, random.dims({"offset"}, 5));
    EXPECT_EQ(*a.compose(*b.compose(c)), *a.compose(b)->compose(c));
    EXPECT_EQ(*a.compose(identityOn(first)), a);
    EXPECT_EQ(*identityOn(a.inDims()).compose(a), a);
  }
}

TEST(Compose, MatchesDimsByName) {
  LinearLayout inner = *LinearLayout::create({{"lane", {{1, 0}, {0, 1}}}},
                                             {{"dim0", 2}, {"dim1", 2}});
  // Takes the dims in the other order, and a larger dim1.
  LinearLayout outer = *LinearLayout::create(
      {{"dim1", {{4}, {0}}}, {"dim0", {{1}}}}, {{"offset", 8}});
  EXPECT_EQ(inner.compose(outer)->str(), "{lane = [[1], [4]]} -> {offset = 8}");
}

TEST(Compose, RefusesOtherDims) {
  LinearLayout a = LinearLayout::identity1D(4, "lane", "dim0");
  EXPECT_FALSE(a.compose(LinearLayout::identity1D(4, "dim1", "offset")));
  EXPECT_FALSE(a.compose(LinearLayout::identity1D(2, "dim0", "offset")));
  EXPECT_TRUE(a.compose(LinearLayout::identity1D(8, "dim0", "offset")));
  EXPECT_FALSE(a.compose(LinearLayout::empty()));
  EXPECT_FALSE(a.compose(LinearLayout::identity1D(4, "dim0", "offset") *
                         LinearLayout::identity1D(1, "dim1", "offset")));
}

//===----------------------------------------------------------------------===//
// Inverses
//===----------------------------------------------------------------------===//

TEST(Invert, ByHand) {
  // A swizzle is its own inverse up to names.
  LinearLayout swizzle = *LinearLayout::create(
      {{"offset", {{0, 1}, {0, 2}, {1, 1}, {2, 2}}}}, {{"r", 4}, {"c", 4}});
  EXPECT_EQ(swizzle.invert()->str(),
            "{r = [[5], [10]], c = [[1], [2]]} -> {offset = 16}");
}

TEST(Invert, BothWays) {
  RandomLayouts random(4);
  int bijective = 0;
  for (int round = 0; round < 2000; ++round) {
    LinearLayout layout = random.layout();
    std::optional<LinearLayout> inverse = layout.invert();
    EXPECT_EQ(inverse.has_value(), layout.isBijective());
    if (!inverse)
      continue;
    ++bijective;
    EXPECT_EQ(*layout.compose(*inverse), identityOn(layout.inDims()));
    EXPECT_EQ(*inverse->compose(layout), identityOn(layout.outDims()));
    EXPECT_EQ(*inverse->invert(), layout);
  }
  EXPECT_GT(bijective, 20); // The loop has tested something.
}

TEST(PseudoInvert, ByHand) {
  // Register bit 1 and warp bit 0 repeat what lower bits do.
  LinearLayout layout = *LinearLayout::create(
      {{"register", {{1}, {1}}}, {"lane", {{3}}}, {"warp", {{2}, {4}}}},
      {{"dim0", 8}});
  // 1 = r0; 2 = r0 ^ lane0 (1 ^ 3), not warp0; 4 = warp1.
  EXPECT_EQ(layout.pseudoInvert()->str(),
            "{dim0 = [[1, 0, 0], [1, 1, 0], [0, 0, 2]]} -> "
            "{register = 4, lane = 2, warp = 4}");
}

TEST(PseudoInvert, IsRightInverseWithFreeBitsZero) {
  RandomLayouts random(5);
  for (int round = 0; round < 100; ++round) {
    LinearLayout layout = random.surjective();
    LinearLayout inverse = *layout.pseudoInvert();
    EXPECT_EQ(*inverse.compose(layout), identityOn(layout.outDims()));
    auto masks = layout.freeVariableMasks();
    for (const Values &y : allValues(layout.outDims()))
      for (const auto &place : inverse.apply({{"dim0", y[0]}, {"dim1", y[1]}}))
        EXPECT_EQ(place.second & masks[place.first], 0);
  }
}

TEST(PseudoInvert, RefusesWhatIsNotSurjective) {
  EXPECT_FALSE(LinearLayout::zeros1D(4, "lane", "dim0", 2).pseudoInvert());
  EXPECT_FALSE(LinearLayout::strided1D(4, 2, "lane", "dim0").pseudoInvert());
}

//===----------------------------------------------------------------------===//
// invertAndCompose
//===----------------------------------------------------------------------===//

TEST(InvertAndCompose, FindsWhereTheOtherLayoutHoldsIt) {
  RandomLayouts random(6);
  int found = 0, missing = 0;
  for (int round = 0; round < 500; ++round) {
    Dims outs = random.dims(kAxes, 2);
    LinearLayout wanted = random.layout(random.dims(kHardware, 2), outs);
    LinearLayout source = random.layout(random.dims(kHardware, 3), outs);
    std::optional<LinearLayout> map = wanted.invertAndCompose(source);
    std::set<Values> held = imageOf(source), needed = imageOf(wanted);
    bool possible =
        std::includes(held.begin(), held.end(), needed.begin(), needed.end());
    EXPECT_EQ(map.has_value(), possible);
    ++(possible ? found : missing);
    if (!map)
      continue;
    EXPECT_EQ(map->inDims(), wanted.inDims());
    EXPECT_EQ(map->outDims(), source.inDims());
    EXPECT_EQ(*map->compose(source), wanted);
  }
  EXPECT_GT(found, 50);
  EXPECT_GT(missing, 50);
}

TEST(InvertAndCompose, EqualLayoutsNeedNoMove) {
  RandomLayouts random(7);
  for (int round = 0; round < 100; ++round) {
    LinearLayout layout = random.layout();
    EXPECT_EQ(*layout.invertAndCompose(layout), identityOn(layout.inDims()));
  }
}

TEST(InvertAndCompose, StaysInTheLaneWhereItMay) {
  // Both hold one copy in each pair of lanes. The destination swaps the roles
  // of its registers and of lane bit 1; lane bit 0 has to stay.
  LinearLayout wanted = *LinearLayout::create(
      {{"register", {{2}}}, {"lane", {{0}, {1}}}}, {{"dim0", 4}});
  LinearLayout source = *LinearLayout::create(
      {{"register", {{1}}}, {"lane", {{0}, {2}}}}, {{"dim0", 4}});
  EXPECT_EQ(wanted.invertAndCompose(source)->str(),
            "{register = [[0, 2]], lane = [[0, 1], [1, 0]]} -> "
            "{register = 2, lane = 4}");
}

TEST(InvertAndCompose, ComparesOutDimsByName) {
  LinearLayout registers = *LinearLayout::create(
      {{"register", {{1, 0}, {0, 1}}}}, {{"dim0", 2}, {"dim1", 2}});
  LinearLayout buffer = *LinearLayout::create(
      {{"offset", {{1, 0}, {0, 1}, {2, 0}}}}, {{"dim1", 4}, {"dim0", 2}});
  EXPECT_EQ(registers.invertAndCompose(buffer)->str(),
            "{register = [[2], [1]]} -> {offset = 8}");
  // The smaller layout does not hold coordinate 2 of dim1.
  EXPECT_FALSE(buffer.invertAndCompose(registers));
  EXPECT_FALSE(
      buffer.invertAndCompose(*registers.transposeOuts({"dim1", "dim0"})));
  EXPECT_FALSE(registers.invertAndCompose(
      LinearLayout::identity1D(4, "offset", "dim0")));
}
