//===- ShapeTest.cpp - tests of transposes, reshapes, projections ---------===//
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

/// The row-major index of a coordinate list: the last dim varies fastest.
int64_t rowMajor(const Values &values, const Dims &dims) {
  int64_t index = 0;
  for (size_t i = 0; i < dims.size(); ++i)
    index = index * dims[i].size + values[i];
  return index;
}

/// The column-major one: the first dim varies fastest.
int64_t columnMajor(const Values &values, const Dims &dims) {
  int64_t index = 0;
  for (size_t i = dims.size(); i-- > 0;)
    index = index * dims[i].size + values[i];
  return index;
}

/// A layout onto a 4x8x2 tensor, of random bases.
LinearLayout layout4x8x2(RandomLayouts &random) {
  return random.layout(random.dims({"register", "lane"}, 4),
                       {{"dim0", 4}, {"dim1", 8}, {"dim2", 2}});
}

} // namespace

TEST(Transpose, Outs) {
  RandomLayouts random(20);
  LinearLayout layout = layout4x8x2(random);
  LinearLayout transposed = *layout.transposeOuts({"dim2", "dim0", "dim1"});
  EXPECT_EQ(transposed.outDims(),
            (Dims{{"dim2", 2}, {"dim0", 4}, {"dim1", 8}}));
  for (const Values &in : allValues(layout.inDims())) {
    Values v = layout.applyValues(in);
    EXPECT_EQ(transposed.applyValues(in), (Values{v[2], v[0], v[1]}));
  }
  EXPECT_EQ(*transposed.transposeOuts({"dim0", "dim1", "dim2"}), layout);
}

TEST(Transpose, Ins) {
  RandomLayouts random(21);
  LinearLayout layout = random.layout();
  LinearLayout transposed = *layout.transposeIns({"warp", "register", "lane"});
  for (const Values &in : allValues(layout.inDims()))
    EXPECT_EQ(transposed.applyValues({in[2], in[0], in[1]}),
              layout.applyValues(in));
}

TEST(Transpose, RefusesWhatIsNoPermutation) {
  RandomLayouts random(22);
  LinearLayout layout = random.layout();
  EXPECT_FALSE(layout.transposeOuts({"dim1"}));
  EXPECT_FALSE(layout.transposeOuts({"dim1", "dim1"}));
  EXPECT_FALSE(layout.transposeOuts({"dim1", "dim2"}));
  EXPECT_FALSE(layout.transposeIns({"lane", "register"}));
  EXPECT_FALSE(layout.transposeIns({"lane", "register", "register"}));
}

TEST(Rename, ChangesNamesOnly) {
  LinearLayout layout = *LinearLayout::create({{"lane", {{1, 0}, {0, 1}}}},
                                              {{"dim0", 2}, {"dim1", 2}});
  // Swapping names is possible: all are given at once.
  EXPECT_EQ(layout.renameOuts({"dim1", "dim0"})->str(),
            "{lane = [[1, 0], [0, 1]]} -> {dim1 = 2, dim0 = 2}");
  EXPECT_EQ(layout.renameIns({"warp"})->str(),
            "{warp = [[1, 0], [0, 1]]} -> {dim0 = 2, dim1 = 2}");
  EXPECT_FALSE(layout.renameOuts({"dim0"}));
  EXPECT_FALSE(layout.renameOuts({"dim0", "dim0"}));
  EXPECT_FALSE(layout.renameOuts({"dim0", ""}));
  EXPECT_FALSE(layout.renameIns({}));
}

TEST(Reshape, OutsByHand) {
  // Element 6 of a row-major 2x4 tensor is (1, 2); of a 4x2 one it is (3, 0).
  LinearLayout layout =
      *LinearLayout::create({{"lane", {{1, 2}}}}, {{"dim0", 2}, {"dim1", 4}});
  EXPECT_EQ(layout.reshapeOuts({{"a", 4}, {"b", 2}})->str(),
            "{lane = [[3, 0]]} -> {a = 4, b = 2}");
  EXPECT_EQ(layout.flattenOuts("i")->str(), "{lane = [[6]]} -> {i = 8}");
  // With the first dim fastest (1, 2) is 1 + 2 * 2 = 5.
  EXPECT_EQ(layout.flattenOuts("i", Fastest::FirstDim)->str(),
            "{lane = [[5]]} -> {i = 8}");
}

TEST(Reshape, OutsKeepTheIndex) {
  RandomLayouts random(23);
  for (int round = 0; round < 30; ++round) {
    LinearLayout layout = layout4x8x2(random);
    for (const Dims &shape :
         {Dims{{"dim0", 8}, {"dim1", 8}}, Dims{{"dim1", 2}, {"dim0", 32}},
          Dims{{"a", 2}, {"b", 1}, {"c", 4}, {"d", 8}}, Dims{{"a", 64}}}) {
      LinearLayout last = *layout.reshapeOuts(shape);
      LinearLayout first = *layout.reshapeOuts(shape, Fastest::FirstDim);
      EXPECT_EQ(last.outDims(), shape);
      EXPECT_EQ(first.outDims(), shape);
      for (const Values &in : allValues(layout.inDims())) {
        Values v = layout.applyValues(in);
        EXPECT_EQ(rowMajor(last.applyValues(in), shape),
                  rowMajor(v, layout.outDims()));
        EXPECT_EQ(columnMajor(first.applyValues(in), shape),
                  columnMajor(v, layout.outDims()));
      }
      EXPECT_EQ(*last.reshapeOuts(layout.outDims()), layout);
    }
  }
}

TEST(Reshape, InsKeepTheIndex) {
  RandomLayouts random(24);
  LinearLayout layout =
      random.layout({{"lane", 8}, {"warp", 4}}, {{"dim0", 8}, {"dim1", 8}});
  Dims shape = {{"a", 2}, {"b", 16}};
  LinearLayout first = *layout.reshapeIns(shape);
  LinearLayout last = *layout.reshapeIns(shape, Fastest::LastDim);
  for (const Values &x : allValues(shape)) {
    int32_t f = static_cast<int32_t>(columnMajor(x, shape));
    EXPECT_EQ(first.applyValues(x), layout.applyValues({f % 8, f / 8}));
    int32_t l = static_cast<int32_t>(rowMajor(x, shape));
    EXPECT_EQ(last.applyValues(x), layout.applyValues({l / 4, l % 4}));
  }
  LinearLayout flat = *layout.flattenIns("thread");
  for (int32_t thread = 0; thread < 32; ++thread)
    EXPECT_EQ(flat.applyValues({thread}),
              layout.applyValues({thread % 8, thread / 8}));
}

TEST(Reshape, Refuses) {
  RandomLayouts random(25);
  LinearLayout layout = layout4x8x2(random);
  EXPECT_FALSE(layout.reshapeOuts({{"a", 32}}));
  EXPECT_FALSE(layout.reshapeOuts({{"a", 8}, {"a", 8}}));
  EXPECT_FALSE(layout.reshapeOuts({{"a", 64}, {"b", 0}}));
  EXPECT_FALSE(layout.reshapeIns({{"a", 1 << 20}}));
  EXPECT_FALSE(layout.flattenOuts(""));
  LinearLayout wide = LinearLayout::zeros1D(1 << 20, "a", "x", 1 << 20) *
                      LinearLayout::zeros1D(1 << 20, "b", "y", 1 << 20);
  EXPECT_FALSE(wide.flattenOuts("i"));
  EXPECT_FALSE(wide.flattenIns("i"));
}

TEST(SingleDim, RemoveOutDim) {
  RandomLayouts random(26);
  LinearLayout layout = layout4x8x2(random);
  LinearLayout removed = *layout.removeOutDim("dim1");
  EXPECT_EQ(removed.outDims(), (Dims{{"dim0", 4}, {"dim2", 2}}));
  for (const Values &in : allValues(layout.inDims())) {
    Values v = layout.applyValues(in);
    EXPECT_EQ(removed.applyValues(in), (Values{v[0], v[2]}));
  }
  EXPECT_FALSE(layout.removeOutDim("dim3"));
}

TEST(SingleDim, ResizeOut) {
  RandomLayouts random(27);
  LinearLayout layout = layout4x8x2(random);
  for (int32_t size : {1, 2, 4, 8, 32}) {
    LinearLayout resized = *layout.resizeOut("dim1", size);
    EXPECT_EQ(resized.outDims(),
              (Dims{{"dim0", 4}, {"dim1", size}, {"dim2", 2}}));
    for (const Values &in : allValues(layout.inDims())) {
      Values v = layout.applyValues(in);
      EXPECT_EQ(resized.applyValues(in), (Values{v[0], v[1] % size, v[2]}));
    }
  }
  EXPECT_EQ(layout.zeroOutDim("dim1"), layout.resizeOut("dim1", 1));
  EXPECT_FALSE(layout.resizeOut("dim1", 3));
  EXPECT_FALSE(layout.resizeOut("dim3", 2));
  EXPECT_FALSE(layout.zeroOutDim("dim3"));
}

TEST(SingleDim, AppendOutDim) {
  LinearLayout layout = *LinearLayout::create({{"lane", {{1, 0}, {0, 1}}}},
                                              {{"dim0", 2}, {"dim1", 2}});
  EXPECT_EQ(layout.appendOutDim("new", 4, 1)->str(),
            "{lane = [[1, 0, 0], [0, 0, 1]]} -> {dim0 = 2, new = 4, dim1 = 2}");
  EXPECT_EQ(layout.appendOutDim("new", 1, 0)->outDimNames(),
            (LinearLayout::Names{"new", "dim0", "dim1"}));
  EXPECT_EQ(layout.appendOutDim("new", 1, 2)->removeOutDim("new"), layout);
  EXPECT_FALSE(layout.appendOutDim("new", 1, 3));
  EXPECT_FALSE(layout.appendOutDim("new", 1, -1));
  EXPECT_FALSE(layout.appendOutDim("new", 5, 0));
  EXPECT_FALSE(layout.appendOutDim("dim1", 2, 0));
}

TEST(SingleDim, RemoveZeroBases) {
  LinearLayout layout =
      *LinearLayout::create({{"warp", {{0}}},
                             {"register", {{0}, {1}, {0}, {1}}},
                             {"lane", {{0}, {2}}}},
                            {{"dim0", 4}});
  EXPECT_EQ(layout.removeZeroBases("register").str(),
            "{warp = [[0]], register = [[1], [1]], lane = [[0], [2]]} -> "
            "{dim0 = 4}");
  EXPECT_EQ(layout.removeZeroBases("warp").getInDimSize("warp"), 1);
  EXPECT_EQ(layout.removeZeroBases("block"), layout);
}
