//===- ProductTest.cpp - tests of products, quotients, blocks -------------===//
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

const LinearLayout::Names kHardware = {"register", "lane", "warp"};
const LinearLayout::Names kAxes = {"dim0", "dim1"};

} // namespace

//===----------------------------------------------------------------------===//
// Products and quotients
//===----------------------------------------------------------------------===//

TEST(Product, ByHand) {
  LinearLayout tile = LinearLayout::identity1D(2, "register", "dim1") *
                      LinearLayout::identity1D(4, "lane", "dim1");
  EXPECT_EQ(tile.str(), "{register = [[1]], lane = [[2], [4]]} -> {dim1 = 8}");
  LinearLayout repeated = tile *
                          LinearLayout::identity1D(2, "register", "dim1") *
                          LinearLayout::identity1D(2, "register", "dim0");
  EXPECT_EQ(repeated.str(),
            "{register = [[1, 0], [8, 0], [0, 1]], lane = [[2, 0], [4, 0]]} -> "
            "{dim1 = 16, dim0 = 2}");
}

TEST(Product, IsTheMapSideBySide) {
  RandomLayouts random(8);
  for (int round = 0; round < 100; ++round) {
    // "lane" and "dim1" are shared.
    Dims aIns = random.dims({"register", "lane"}, 2);
    Dims bIns = random.dims({"warp", "lane"}, 2);
    Dims aOuts = random.dims({"dim0", "dim1"}, 2);
    Dims bOuts = random.dims({"dim1", "dim2"}, 2);
    LinearLayout a = random.layout(aIns, aOuts);
    LinearLayout b = random.layout(bIns, bOuts);
    LinearLayout both = a * b;
    EXPECT_EQ(both.inDimNames(), kHardware);
    for (const Values &x : allValues(aIns))
      for (const Values &y : allValues(bIns)) {
        Values ax = a.applyValues(x), by = b.applyValues(y);
        EXPECT_EQ(both.applyValues({x[0], x[1] + aIns[1].size * y[1], y[0]}),
                  (Values{ax[0], ax[1] + aOuts[1].size * by[0], by[1]}));
      }
  }
}

TEST(Product, IsAssociativeWithUnit) {
  RandomLayouts random(9);
  for (int round = 0; round < 100; ++round) {
    LinearLayout a = random.layout(), b = random.layout(), c = random.layout();
    EXPECT_EQ((a * b) * c, a * (b * c));
    EXPECT_EQ(a * LinearLayout::empty(), a);
    EXPECT_EQ(LinearLayout::empty() * a, a);
  }
}

TEST(Product, KeepsLimits) {
  LinearLayout big = LinearLayout::identity1D(1 << 20, "a", "b");
  EXPECT_FALSE(big.product(big));
  LinearLayout wide = LinearLayout::zeros1D(1, "a", "x", 1 << 30) *
                      LinearLayout::zeros1D(1, "a", "y", 1 << 30);
  EXPECT_TRUE(wide.product(LinearLayout::zeros1D(1, "a", "z", 16)));
  EXPECT_FALSE(wide.product(LinearLayout::zeros1D(1, "a", "z", 32)));
  EXPECT_DEATH(big * big, "exceeds the limits");
}

TEST(Quotient, RoundTrip) {
  RandomLayouts random(10);
  for (int round = 0; round < 300; ++round) {
    // The same dims in the same order, so nothing is left undetermined.
    LinearLayout a = random.layout(), b = random.layout();
    LinearLayout both = a * b;
    EXPECT_EQ(both.divideLeft(a), b);
    EXPECT_EQ(both.divideRight(b), a);
  }
}

TEST(Quotient, DivisorWithFewerDims) {
  LinearLayout tile = LinearLayout::identity1D(4, "lane", "dim1");
  LinearLayout rest = LinearLayout::identity1D(2, "register", "dim1") *
                      LinearLayout::identity1D(2, "lane", "dim0");
  LinearLayout whole = *(tile * rest).transposeIns({"register", "lane"});
  EXPECT_EQ(whole.divideLeft(tile)->str(),
            "{register = [[1, 0]], lane = [[0, 1]]} -> {dim1 = 2, dim0 = 2}");
  LinearLayout right = LinearLayout::identity1D(2, "lane", "dim0");
  EXPECT_EQ(whole.divideRight(right)->str(),
            "{register = [[4, 0]], lane = [[1, 0], [2, 0]]} -> "
            "{dim1 = 8, dim0 = 1}");
}

TEST(Quotient, RefusesWhatIsNoFactor) {
  LinearLayout layout =
      *LinearLayout::create({{"register", {{1}, {4}, {2}}}}, {{"dim0", 8}});
  auto identity = [](int32_t size) {
    return LinearLayout::identity1D(size, "register", "dim0");
  };
  EXPECT_TRUE(layout.divideLeft(identity(2)));
  EXPECT_FALSE(layout.divideLeft(identity(4)));  // bases 1, 4 are not 1, 2
  EXPECT_FALSE(layout.divideRight(identity(2))); // the last base is not 4
  EXPECT_FALSE(layout.divideLeft(identity(16))); // too large
  EXPECT_FALSE(layout.divideLeft(LinearLayout::identity1D(2, "lane", "dim0")));
  EXPECT_FALSE(layout.divideRight(LinearLayout::identity1D(1, "lane", "dim0")));
  // Here the lower bases, 1 and 2, are a layout on 4 values; the last is not 4.
  EXPECT_FALSE(
      LinearLayout::create({{"register", {{1}, {2}, {5}}}}, {{"dim0", 8}})
          ->divideRight(identity(2)));
  // A swizzle's upper bases reach into the lower columns.
  LinearLayout swizzle = *LinearLayout::create(
      {{"offset", {{0, 1}, {0, 2}, {1, 1}, {2, 2}}}}, {{"r", 4}, {"c", 4}});
  LinearLayout row = LinearLayout::identity1D(4, "offset", "c");
  EXPECT_FALSE(swizzle.divideLeft(row));
  EXPECT_FALSE(swizzle.divideRight(row));
}

//===----------------------------------------------------------------------===//
// Blocks of the matrix
//===----------------------------------------------------------------------===//

TEST(Sublayout, KeepsTheChosenCoordinates) {
  RandomLayouts random(11);
  for (int round = 0; round < 50; ++round) {
    LinearLayout layout = random.layout();
    LinearLayout block = layout.sublayout({"warp", "register"}, {"dim1"});
    EXPECT_EQ(block.inDimNames(), (LinearLayout::Names{"register", "warp"}));
    bool zero = true;
    for (const Values &in : allValues(block.inDims())) {
      int32_t expected = layout.applyValues({in[0], 0, in[1]})[1];
      EXPECT_EQ(block.applyValues(in), Values{expected});
      zero &= expected == 0;
    }
    EXPECT_EQ(layout.sublayoutIsZero({"register", "warp"}, {"dim1"}), zero);
    EXPECT_EQ(layout.sublayout(kHardware, kAxes), layout);
  }
}

TEST(Sublayout, IgnoresAbsentNames) {
  LinearLayout layout = LinearLayout::identity1D(4, "lane", "dim0");
  EXPECT_EQ(layout.sublayout({"lane", "block"}, {"dim0", "dim9"}), layout);
  EXPECT_TRUE(layout.sublayoutIsZero({"block"}, {"dim0"}));
  EXPECT_TRUE(layout.sublayoutIsZero({"lane"}, {"dim9"}));
  EXPECT_FALSE(layout.sublayoutIsZero({"lane"}, {"dim0"}));
}
