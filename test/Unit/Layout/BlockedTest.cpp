//===- BlockedTest.cpp - tests of blocked layouts -------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/Blocked.h"

#include "RandomLayouts.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace tessera;
using namespace tessera::test;

namespace {

LinearLayout make(const BlockedParams &params) {
  std::string error;
  std::optional<LinearLayout> layout = makeBlockedLayout(params, &error);
  EXPECT_TRUE(layout) << error;
  return layout.value_or(LinearLayout());
}

std::string reasonFor(const BlockedParams &params) {
  std::string error;
  EXPECT_FALSE(makeBlockedLayout(params, &error));
  return error;
}

int64_t productOf(const Values &values) {
  int64_t product = 1;
  for (int32_t value : values)
    product *= value;
  return product;
}

/// Splits an index over a grid whose axis order[0] varies fastest.
Values gridPosition(int32_t index, const Values &sizes, const Values &order) {
  Values position(sizes.size());
  for (int32_t axis : order) {
    position[axis] = index % sizes[axis];
    index /= sizes[axis];
  }
  return position;
}

/// The coordinate by arithmetic on integers, no xor: where element `reg` of
/// thread (lane, warp) lies. Valid if no axis is shorter than its tile.
Values blockedByArithmetic(const BlockedParams &p, int32_t reg, int32_t lane,
                           int32_t warp) {
  int32_t box = static_cast<int32_t>(productOf(p.sizePerThread));
  Values repetitions;
  for (size_t d = 0; d < p.shape.size(); ++d)
    repetitions.push_back(
        p.shape[d] /
        (p.sizePerThread[d] * p.threadsPerWarp[d] * p.warpsPerCTA[d]));
  Values inBox = gridPosition(reg % box, p.sizePerThread, p.order);
  Values tile = gridPosition(reg / box, repetitions, p.order);
  Values thread = gridPosition(lane, p.threadsPerWarp, p.order);
  Values inBlock = gridPosition(warp, p.warpsPerCTA, p.order);
  Values result;
  for (size_t d = 0; d < p.shape.size(); ++d)
    result.push_back(
        inBox[d] +
        p.sizePerThread[d] *
            (thread[d] +
             p.threadsPerWarp[d] * (inBlock[d] + p.warpsPerCTA[d] * tile[d])));
  return result;
}

/// Powers of two whose product is 2^bits, at random over the axes.
Values spread(RandomLayouts &random, size_t rank, int bits) {
  Values result(rank, 1);
  for (int i = 0; i < bits; ++i)
    result[random.below(static_cast<int32_t>(rank))] *= 2;
  return result;
}

BlockedParams randomParams(RandomLayouts &random) {
  size_t rank = 1 + random.below(3);
  BlockedParams params;
  params.sizePerThread = spread(random, rank, random.below(4));
  params.threadsPerWarp = spread(random, rank, 3);
  params.warpsPerCTA = spread(random, rank, random.below(3));
  for (size_t d = 0; d < rank; ++d)
    params.order.insert(params.order.begin() + random.below(d + 1),
                        static_cast<int32_t>(d));
  for (size_t d = 0; d < rank; ++d)
    params.shape.push_back(1 << random.below(rank == 1 ? 10 : 4));
  return params;
}

} // namespace

TEST(Blocked, HeaderExample) {
  LinearLayout layout = make({{4, 8}, {1, 2}, {2, 4}, {2, 1}, {1, 0}});
  EXPECT_EQ(layout.str(),
            "{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0]], "
            "warp = [[2, 0]]} -> {dim0 = 4, dim1 = 8}");
  // The picture: row 3, column 5 is held by w1t6.
  EXPECT_EQ(layout.applyValues({1, 6, 1}), (Values{3, 5}));
}

TEST(Blocked, OrderPutsAxisZeroFirst) {
  LinearLayout layout = make({{8, 4}, {2, 2}, {4, 1}, {1, 2}, {0, 1}});
  EXPECT_EQ(layout.str(),
            "{register = [[1, 0], [0, 1]], lane = [[2, 0], [4, 0]], "
            "warp = [[0, 2]]} -> {dim0 = 8, dim1 = 4}");
}

TEST(Blocked, RepeatsTheTile) {
  // Tile 2x8 on 8x16: registers grow by 2 along dim1, then by 4 along dim0.
  LinearLayout layout = make({{8, 16}, {1, 2}, {1, 4}, {2, 1}, {1, 0}});
  EXPECT_EQ(layout.str(), "{register = [[0, 1], [0, 8], [2, 0], [4, 0]], "
                          "lane = [[0, 2], [0, 4]], warp = [[1, 0]]} -> "
                          "{dim0 = 8, dim1 = 16}");
}

TEST(Blocked, ReplicatesOnSmallShapes) {
  // Tile 4x16 on 2x8: the upper lane bit of dim1 and the warp bit find nothing.
  LinearLayout layout = make({{2, 8}, {2, 4}, {1, 4}, {2, 1}, {1, 0}});
  EXPECT_EQ(layout.str(),
            "{register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 0]], "
            "warp = [[0, 0]]} -> {dim0 = 2, dim1 = 8}");
  // A box larger than the tensor: the thread holds it once.
  EXPECT_EQ(make({{2}, {8}, {2}, {1}, {0}}).str(),
            "{register = [[1]], lane = [[0]], warp = []} -> {dim0 = 2}");
}

TEST(Blocked, MatchesIntegerArithmetic) {
  RandomLayouts random(40);
  for (int round = 0; round < 100; ++round) {
    BlockedParams params = randomParams(random);
    for (size_t d = 0; d < params.shape.size(); ++d)
      params.shape[d] = params.sizePerThread[d] * params.threadsPerWarp[d] *
                            params.warpsPerCTA[d]
                        << random.below(2);
    LinearLayout layout = make(params);
    for (const Values &in : allValues(layout.inDims()))
      EXPECT_EQ(layout.applyValues(in),
                blockedByArithmetic(params, in[0], in[1], in[2]));
  }
}

TEST(Blocked, HoldsEachElementEquallyOften) {
  RandomLayouts random(41);
  int replicated = 0;
  for (int round = 0; round < 200; ++round) {
    BlockedParams params = randomParams(random);
    LinearLayout layout = make(params);
    EXPECT_EQ(layout.getInDimSize("lane"), productOf(params.threadsPerWarp));
    EXPECT_EQ(layout.getInDimSize("warp"), productOf(params.warpsPerCTA));

    std::map<Values, int64_t> holders;
    std::vector<Values> places = allValues(layout.inDims());
    for (const Values &in : places)
      ++holders[layout.applyValues(in)];
    int64_t elements = productOf(params.shape);
    EXPECT_EQ(static_cast<int64_t>(holders.size()), elements);
    int64_t replication = static_cast<int64_t>(places.size()) / elements;
    for (const auto &entry : holders)
      EXPECT_EQ(entry.second, replication);
    replicated += replication > 1;

    // Within one thread nothing is held twice.
    EXPECT_TRUE(
        layout.sublayout({"register"}, layout.outDimNames()).isInjective());
  }
  EXPECT_GT(replicated, 20);
}

TEST(Blocked, Refuses) {
  EXPECT_EQ(reasonFor({}), "a blocked layout needs a tensor of rank 1 or more");
  EXPECT_EQ(reasonFor({{48}, {1}, {32}, {1}, {0}}),
            "shape has the entry 48, which is no power of two");
  EXPECT_EQ(reasonFor({{64}, {0}, {32}, {1}, {0}}),
            "sizePerThread has the entry 0, which is no power of two");
  EXPECT_EQ(reasonFor({{64}, {1}, {32, 1}, {1}, {0}}),
            "threadsPerWarp has 2 entries for a tensor of rank 1");
  EXPECT_EQ(reasonFor({{64}, {1}, {32}, {3}, {0}}),
            "warpsPerCTA has the entry 3, which is no power of two");
  for (const Values &order : {Values{0}, Values{0, 0}, Values{1, 2}})
    EXPECT_EQ(reasonFor({{8, 8}, {1, 1}, {4, 8}, {1, 1}, order}),
              "order is no permutation of the 2 axes");
  const int32_t huge = 1 << 30;
  EXPECT_EQ(reasonFor({{huge, huge}, {1, 1}, {1, 1}, {1, 1}, {1, 0}}),
            "input dimension 'register' has 60 bits, the limit is 30");
  EXPECT_FALSE(makeBlockedLayout({}));
}

TEST(ChooseBlocked, MatrixRowMajor) {
  // 64 columns / 8 = 8 lanes; 4 rows of lanes; 4 warps below each other.
  BlockedParams params = *chooseBlocked({128, 64}, {1, 0}, 8);
  EXPECT_EQ(params.shape, (Values{128, 64}));
  EXPECT_EQ(params.order, (Values{1, 0}));
  EXPECT_EQ(params.sizePerThread, (Values{1, 8}));
  EXPECT_EQ(params.threadsPerWarp, (Values{4, 8}));
  EXPECT_EQ(params.warpsPerCTA, (Values{4, 1}));
}

TEST(ChooseBlocked, MatrixColumnMajor) {
  // 512 rows / 4 = 128: all lanes and all warps lie on axis 0.
  BlockedParams params = *chooseBlocked({512, 32}, {0, 1}, 4, 32, 4);
  EXPECT_EQ(params.sizePerThread, (Values{4, 1}));
  EXPECT_EQ(params.threadsPerWarp, (Values{32, 1}));
  EXPECT_EQ(params.warpsPerCTA, (Values{4, 1}));
}

TEST(ChooseBlocked, WarpsFillTheFastestAxisFirst) {
  // 256 / 4 = 64 = 32 lanes * 2 warps; the other 4 warps go to axis 0.
  BlockedParams params = *chooseBlocked({64, 256}, {1, 0}, 4, 32, 8);
  EXPECT_EQ(params.threadsPerWarp, (Values{1, 32}));
  EXPECT_EQ(params.warpsPerCTA, (Values{4, 2}));
}

TEST(ChooseBlocked, NarrowsVectorsOnSmallTensors) {
  // 256 elements for 128 threads: 2 each, although 8 would be possible.
  EXPECT_EQ(chooseBlocked({256}, {0}, 8)->sizePerThread, Values{2});
  // Never more than the axis has.
  EXPECT_EQ(chooseBlocked({1024, 2}, {1, 0}, 8)->sizePerThread, (Values{1, 2}));
  // Fewer elements than threads: copies, on the slowest axis.
  BlockedParams params = *chooseBlocked({2, 8}, {1, 0}, 4, 32, 4);
  EXPECT_EQ(params.sizePerThread, (Values{1, 1}));
  EXPECT_EQ(params.threadsPerWarp, (Values{4, 8}));
  EXPECT_EQ(params.warpsPerCTA, (Values{4, 1}));
}

TEST(ChooseBlocked, PropertiesOfTheLayout) {
  RandomLayouts random(42);
  for (int round = 0; round < 200; ++round) {
    BlockedParams random3 = randomParams(random);
    int32_t width = 1 << random.below(4), warps = 1 << random.below(4);
    BlockedParams params =
        *chooseBlocked(random3.shape, random3.order, width, 32, warps);
    EXPECT_EQ(productOf(params.threadsPerWarp), 32);
    EXPECT_EQ(productOf(params.warpsPerCTA), warps);
    LinearLayout layout = make(params);

    // Replication only if there are fewer elements than threads, and then as
    // little as possible.
    int64_t elements = productOf(params.shape), threads = 32 * warps;
    EXPECT_EQ(int64_t(1) << layout.totalInBits(), std::max(elements, threads));

    // Each thread's run on the fastest axis, unless there is too little.
    int32_t fastest = params.order[0];
    int64_t run = std::min<int64_t>({width, params.shape[fastest],
                                     std::max<int64_t>(elements / threads, 1)});
    EXPECT_GE(layout.contiguity("register", "dim" + std::to_string(fastest)),
              run);
  }
}

TEST(ChooseBlocked, Refuses) {
  std::string error;
  EXPECT_FALSE(chooseBlocked({}, {}, 4, 32, 4, &error));
  EXPECT_EQ(error, "a blocked layout needs a tensor of rank 1 or more");
  EXPECT_FALSE(chooseBlocked({64}, {1}, 4, 32, 4, &error));
  EXPECT_EQ(error, "order is no permutation of the 1 axes");
  EXPECT_FALSE(chooseBlocked({64}, {0}, 3, 32, 4, &error));
  EXPECT_EQ(error, "vectorWidth has the entry 3, which is no power of two");
  EXPECT_FALSE(chooseBlocked({64}, {0}, 4, 0, 4, &error));
  EXPECT_EQ(error, "threadsPerWarp has the entry 0, which is no power of two");
  EXPECT_FALSE(chooseBlocked({64}, {0}, 4, 32, 12, &error));
  EXPECT_EQ(error, "numWarps has the entry 12, which is no power of two");
}
