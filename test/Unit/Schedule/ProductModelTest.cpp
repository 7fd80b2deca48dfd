//===- ProductModelTest.cpp - how long a tiled product takes --------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of f16 with f16 results. Numbers are computed by hand from the
// formulas of ProductModel.h; rankings are those measured on an H200.
//
//===----------------------------------------------------------------------===//

#include "Products.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tessera;
using namespace tessera::test;

namespace {

TEST(ProductModel, DeviceRates) {
  // Peaks of the data sheets, TFLOP/s of dense f16 with f32 sums.
  auto peak = [](const char *name) {
    ProductDevice device = getDevice(name);
    return 2e-6 * device.rates.tensorFMAsPerCycle * device.target.referenceSMs *
           device.rates.clockMHz;
  };
  EXPECT_NEAR(peak("sm_80"), 312, 1);
  EXPECT_NEAR(peak("sm_86"), 71, 1);
  EXPECT_NEAR(peak("sm_89"), 165, 1);
  EXPECT_NEAR(peak("sm_90a"), 989, 1);
  EXPECT_NEAR(peak("sm_120a"), 209.5, 1);
  for (const std::string &name : TargetInfo::names())
    EXPECT_TRUE(DeviceRates::get(name)) << name;
  EXPECT_FALSE(DeviceRates::get("sm_70"));
  // 4800 GB/s at 1830 MHz; 50 MiB in two parts.
  EXPECT_NEAR(getDevice("sm_90a").rates.getMemoryBytesPerCycle(), 2622.95,
              0.01);
  EXPECT_EQ(getDevice("sm_90a").getSharedL2Bytes(), 25 << 20);
  EXPECT_EQ(getDevice("sm_120a").getSharedL2Bytes(), 96 << 20);
}

TEST(ProductModel, Rings) {
  auto ring = [](const ProductTile &tile, int32_t stages) {
    StageRing found = getStageRing(tile, stages);
    return std::make_pair(found.distance, found.slots);
  };
  ProductTile tile = wgmma(64, 64, 64);
  EXPECT_EQ(ring(tile, 4), std::make_pair(2, 4));
  EXPECT_EQ(ring(tile, 2), std::make_pair(1, 2));
  tile.tensorCopies = true;
  EXPECT_EQ(ring(tile, 4), std::make_pair(3, 4));
  EXPECT_EQ(ring(mma(64, 64, 64), 4), std::make_pair(3, 3));
  EXPECT_EQ(ring(mma(64, 64, 64), 1), std::make_pair(0, 1));
}

TEST(ProductModel, Steps) {
  ProductEstimate large = onH200(wgmma(128, 256, 64), {8, 4}, 4096, 4096, 4096);
  ASSERT_EQ(large.obstacle, "");
  EXPECT_EQ(large.tensor, 128 * 256 * 64 / 2048);
  // Two instructions of 64 x 256 read 64 + 256 rows of 128 bytes each; copies
  // write 384 rows: 1024 rows.
  EXPECT_EQ(large.shared, 1024);
  // 48 KiB at 51.2 bytes a cycle.
  EXPECT_NEAR(large.l2, 960, 1e-9);
  // 96 copies of a warp, 4 instructions each, 4 a cycle.
  EXPECT_EQ(large.issue, 96);
  EXPECT_NEAR(large.copies, (400 + 960) / 2, 1e-9);
  EXPECT_NEAR(large.step, 1074, 1e-9);
  EXPECT_EQ(large.residentCTAs, 1);
  EXPECT_EQ(large.footprint.sharedBytes, 4 * 48 * 1024);
  // 128 accumulators and 60.
  EXPECT_EQ(large.footprint.registers, 188);
  // 64 KiB at 32 bytes a cycle, and the latency.
  EXPECT_EQ(large.epilogue, 2448);

  // mma.sync, 4 warps of 64 x 32 as 2 x 2: each operand's rows twice.
  ProductTile tile = mma(128, 64, 32);
  ProductEstimate author = estimateProduct(
      getDevice("sm_120a"), tile, makeGrid(tile, 4096, 4096, 4096), {4, 4}, {});
  ASSERT_EQ(author.obstacle, "");
  EXPECT_EQ(author.tensor, 128 * 64 * 32 / 256);
  EXPECT_EQ(author.shared, (12288 + 2 * 12288) / 128);
  // 3 buffers of 12,288 bytes.
  EXPECT_EQ(author.footprint.sharedBytes, 36864);
  EXPECT_EQ(author.residentCTAs, 2);
  // 24 copies of 4 instructions; 128 products of 2.
  EXPECT_EQ(author.issue, (24 * 4 + 128 * 2) / 4);
}

TEST(ProductModel, Launches) {
  ProductEstimate large = onH200(wgmma(128, 256, 64), {8, 4}, 4096, 4096, 4096);
  // 512 tiles on 132 multiprocessors: 4 rounds of 1360 + 64 * 1074 + 2448.
  EXPECT_EQ(large.processorCycles, 4 * 72544);
  EXPECT_EQ(large.waves.rounds, 4);
  EXPECT_NEAR(large.waves.waves, 3.879, 0.001);
  // 512 / 132 waves of 34 MiB, and 32 MiB of results, at 2622.95 bytes a cycle.
  EXPECT_EQ(large.order.waveBytes, 34 << 20);
  EXPECT_EQ(large.memoryCycles, 65514);
  EXPECT_EQ(large.cycles, large.processorCycles);
  EXPECT_EQ(large.copiedBytes, 512.0 * 64 * 49152);

  // A batch is so many tiles more.
  ProductTile tile = wgmma(128, 256, 64);
  ProductGrid grid = makeGrid(tile, 4096, 4096, 4096);
  grid.batches = 33;
  ProductEstimate batch =
      estimateProduct(getDevice("sm_90a"), tile, grid, {8, 4}, {});
  EXPECT_EQ(batch.processorCycles, 512 * 33 / 132 * 72544);

  // 512 MiB of B, 0.5 of A and 8 of results.
  ProductEstimate row = onH200(wgmma(64, 64, 64), {4, 5}, 64, 65536, 4096);
  EXPECT_EQ(row.memoryCycles,
            std::llround(((520 << 20) + (1 << 19)) / 2622.950819672));
  // Nobody shares B, so that copies take memory's 1500 cycles more: 8 tiles for
  // each multiprocessor, 2 at a time, copies 3 steps ahead.
  EXPECT_EQ(row.residentCTAs, 2);
  double arrival = 400 + 1500 + 2 * 320;
  EXPECT_NEAR(row.copies, arrival / 3, 1e-9);
  EXPECT_EQ(row.cycles, std::llround(4 * (arrival + 64 * (arrival / 3 + 50) +
                                          8192.0 / 32 + 400)));
  // 256 columns are enough under way.
  ProductEstimate wide = onH200(wgmma(64, 256, 64), {8, 4}, 64, 65536, 4096);
  EXPECT_EQ(wide.cycles, wide.memoryCycles);
}

TEST(ProductModel, SplitPieces) {
  ProductTile tile = wgmma(128, 256, 64);
  auto l2 = [&](int32_t rows, int32_t columns) {
    tile.rowsPiece = rows;
    tile.columnsPiece = columns;
    return onH200(tile, {8, 4}, 4096, 4096, 4096).l2 * 64 * 0.8;
  };
  // 16384 bytes of A and 32768 of B a step, in pieces of so many bytes.
  EXPECT_NEAR(l2(0, 0), 16384 + 32768, 1e-6);
  EXPECT_NEAR(l2(128, 0), 16384 + 128 * 64 + 32768, 1e-6);
  EXPECT_NEAR(l2(0, 128), 16384 + 32768 + 256 * 64, 1e-6);
  EXPECT_NEAR(l2(64, 32), 16384 + 256 * 64 + 32768 + 1024 * 64, 1e-6);
}

TEST(ProductModel, LatencyOfMemory) {
  auto copies = [](int64_t m, int64_t n) {
    return onH200(wgmma(64, 64, 64), {4, 5}, m, n, 4096).copies;
  };
  // Panels of two tiles wait for memory, those of three do not, on either side;
  // few enough tiles for one each.
  double inL2 = (400 + 320) / 3.0, inMemory = (400 + 1500 + 320) / 3.0;
  EXPECT_NEAR(copies(128, 4096), inMemory, 1e-9);
  EXPECT_NEAR(copies(192, 1024), inL2, 1e-9);
  EXPECT_NEAR(copies(4096, 128), inMemory, 1e-9);
  EXPECT_NEAR(copies(1024, 192), inL2, 1e-9);
  // Of many tiles, those that run together count: rows of 512 tiles.
  ProductTile tile = wgmma(64, 64, 64);
  ProductEstimate rows = estimateProduct(
      getDevice("sm_90a"), tile, makeGrid(tile, 16384, 32768, 4096), {4, 5},
      {/*isGiven=*/true, TileOrder::Row, 1});
  EXPECT_NEAR(rows.copies, (400 + 1500 + 2 * 320) / 3.0, 1e-9);
}

TEST(ProductModel, Limits) {
  auto obstacle = [](const ProductTile &tile, ProductRun run) {
    return onH200(tile, run, 4096, 4096, 4096).obstacle;
  };
  EXPECT_EQ(obstacle(wgmma(128, 256, 64), {4, 4}), "too many accumulators");
  EXPECT_EQ(obstacle(wgmma(256, 256, 64), {8, 4}), "too many accumulators");
  // 5 * 48 KiB are more than 227.
  EXPECT_EQ(obstacle(wgmma(128, 256, 64), {8, 5}),
            "too little room: shared memory");
  // 128 accumulators, 128 of operands and 70.
  EXPECT_EQ(obstacle(mma(128, 128, 64), {4, 3}), "too little room: registers");
  // 64, 48 and 70.
  EXPECT_EQ(obstacle(mma(128, 128, 32), {8, 3}), "");
}

/// Cycles with the best number of stages from 3 to 5.
int64_t best(const ProductTile &tile, int32_t warps, int64_t m, int64_t n,
             int64_t k) {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int32_t stages : {3, 4, 5}) {
    ProductEstimate estimate = onH200(tile, {warps, stages}, m, n, k);
    if (estimate.obstacle.empty())
      least = std::min(least, estimate.cycles);
  }
  return least;
}

TEST(ProductModel, LargeTilesForLargeProducts) {
  // 128x256x64 leads 128x128x64 by 10 % and more.
  const int64_t shapes[][3] = {{4096, 4096, 4096},
                               {8192, 8192, 8192},
                               {8192, 8192, 4096},
                               {16384, 16384, 4096},
                               {4096, 4000, 4104}};
  for (auto [m, n, k] : shapes) {
    int64_t large = best(wgmma(128, 256, 64), 8, m, n, k);
    EXPECT_LT(1.1 * large, best(wgmma(128, 128, 64), 4, m, n, k)) << m << k;
    EXPECT_LT(large, best(wgmma(64, 128, 64), 4, m, n, k)) << m << k;
    EXPECT_LT(large, best(wgmma(128, 64, 32), 4, m, n, k)) << m << k;
  }
  // 488 against 639 TFLOP/s with 3 and 4 stages.
  double slower =
      double(onH200(wgmma(128, 256, 64), {8, 3}, 4096, 4096, 4096).cycles) /
      onH200(wgmma(128, 256, 64), {8, 4}, 4096, 4096, 4096).cycles;
  EXPECT_NEAR(slower, 639.0 / 488, 0.05);
  // 385 against 623 TFLOP/s with 128x64x32.
  double narrow =
      double(onH200(wgmma(128, 64, 32), {4, 4}, 4096, 4096, 4096).cycles) /
      onH200(wgmma(128, 256, 64), {8, 4}, 4096, 4096, 4096).cycles;
  EXPECT_NEAR(narrow, 623.0 / 385, 0.15);
}

TEST(ProductModel, SmallTilesForFewOfThem) {
  for (int64_t size : {1001, 1024}) {
    int64_t small = best(wgmma(64, 128, 64), 4, size, size, size);
    EXPECT_LT(small, best(wgmma(128, 128, 64), 4, size, size, size));
    EXPECT_LT(small, best(wgmma(128, 256, 64), 8, size, size, size));
    // More of them than multiprocessors.
    EXPECT_LT(small, best(wgmma(64, 64, 64), 4, size, size, size));
  }
  EXPECT_LT(best(wgmma(64, 64, 64), 4, 512, 512, 512),
            best(wgmma(64, 128, 64), 4, 512, 512, 512));
}

TEST(ProductModel, OrderFollowsTheWorkingSet) {
  // 128 x 64 tiles, K = 4096, f16, an L2 cache of 96 MiB.
  ProductTile tile = mma(128, 64, 32);
  auto order = [&](int64_t size) {
    return estimateProduct(getDevice("sm_120a"), tile,
                           makeGrid(tile, size, size, 4096), {4, 4}, {})
        .order;
  };
  EXPECT_EQ(order(8192).order, TileOrder::Row);
  EXPECT_EQ(order(8192).workingSetBytes, 65 << 20);
  EXPECT_EQ(order(16384).rowMajorBytes, 129 << 20);
  EXPECT_EQ(order(16384).order, TileOrder::Grouped);
  // A group of 8 rows is 8.5 MiB.
  OrderRequest eight{true, TileOrder::Grouped, 8};
  ProductEstimate grouped =
      estimateProduct(getDevice("sm_120a"), tile,
                      makeGrid(tile, 16384, 16384, 4096), {4, 4}, eight);
  EXPECT_EQ(grouped.order.groupRows, 8);
  EXPECT_EQ(grouped.order.workingSetBytes, (8 << 20) + (1 << 19));
  // Row-major order makes memory wait where the set does not fit.
  OrderRequest rowMajor{true, TileOrder::Row, 1};
  ProductEstimate plain =
      estimateProduct(getDevice("sm_120a"), tile,
                      makeGrid(tile, 16384, 16384, 4096), {4, 4}, rowMajor);
  EXPECT_GT(plain.memoryCycles, 3 * grouped.memoryCycles);
}

// Measured with 1001x1003x1005, in cycles at 1755 MHz: 38000 with 64x128x64 and
// 4 warps, 35400 with 64x128x128 and 8, 38900 with its 4, 52900 with
// 128x128x64.
TEST(ProductModel, SingleElements) {
  auto onElements = [](ProductTile tile, ProductRun run) {
    tile.copyBytes = 2;
    return onH200(tile, run, 1001, 1003, 1005);
  };
  ProductEstimate wide = onElements(wgmma(64, 128, 128), {8, 4});
  // 24576 elements, 10.5 instructions for 32 of them, 2 a cycle.
  EXPECT_EQ(wide.issue, 4032);
  // Nothing runs ahead, and one slot is enough.
  EXPECT_EQ(wide.footprint.sharedBytes, 49152);
  EXPECT_EQ(wide.copies, 400 + 4032);
  EXPECT_EQ(wide.step, 4482);
  // 192 elements a thread, of which 96 at a time.
  EXPECT_EQ(onElements(wgmma(64, 128, 128), {4, 4}).copies, 800 + 4032);
  const std::pair<ProductEstimate, double> measured[] = {
      {wide, 35400},
      {onElements(wgmma(64, 128, 64), {4, 4}), 38000},
      {onElements(wgmma(64, 128, 128), {4, 4}), 38900},
      {onElements(wgmma(128, 128, 64), {8, 3}), 52900}};
  for (const auto &[estimate, cycles] : measured)
    EXPECT_NEAR(estimate.cycles / cycles, 1, 0.08);
}

} // namespace
