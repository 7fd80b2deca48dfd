//===- ProductStaysTest.cpp - copies by tensor maps, programs that stay ---===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers are computed by hand from the formulas of ProductModel.h; measured
// ones were so on an H200.
//
//===----------------------------------------------------------------------===//

#include "Products.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::test;

namespace {

TEST(ProductModel, TensorCopies) {
  ProductTile tile = wgmma(128, 256, 64);
  tile.tensorCopies = true;
  ProductEstimate tiled = onH200(tile, {8, 4}, 4096, 4096, 4096);
  EXPECT_EQ(tiled.issue, 0);
  EXPECT_NEAR(tiled.copies, (400 + 960) / 3.0, 1e-9);
  // 64 KiB at 64 bytes a cycle.
  EXPECT_EQ(tiled.epilogue, 1424);
  EXPECT_EQ(tiled.processorCycles, 4 * (1360 + 64 * 1074 + 1424));
  // 3 stages are ahead far enough.
  EXPECT_EQ(onH200(tile, {8, 3}, 4096, 4096, 4096).cycles, tiled.cycles);

  // 4 slots of 48 KiB and 64 KiB of results are more than 227 KiB: two pieces
  // of 128 rows of 128 bytes are not. There is no room for 5 slots.
  ProductEstimate pieces = onH200(tile, {8, 4, true}, 4096, 4096, 4096);
  ASSERT_EQ(pieces.obstacle, "");
  EXPECT_EQ(pieces.footprint.sharedBytes, (4 * 48 + 32) * 1024);
  EXPECT_EQ(onH200(tile, {8, 5, true}, 4096, 4096, 4096).obstacle,
            "too little room: shared memory");
  ProductEstimate stays = onH200(tile, {8, 3, true}, 4096, 4096, 4096);
  ASSERT_EQ(stays.obstacle, "");
  EXPECT_EQ(stays.footprint.sharedBytes, (3 * 48 + 64) * 1024);
  // Begin and end once, and 4 tiles.
  EXPECT_EQ(stays.processorCycles, 1360 + 400 + 4 * (64 * 1074 + 1024 + 200));
  // The shorter the loop, the larger the gain: at most 9 % was seen.
  double gain = double(tiled.cycles) / stays.cycles;
  EXPECT_GT(gain, 1.01);
  EXPECT_LT(gain, 1.09);

  // A single tile for each gains nothing; others have no copies ahead.
  EXPECT_LE(onH200(tile, {8, 3}, 1024, 1024, 1024).cycles,
            onH200(tile, {8, 3, true}, 1024, 1024, 1024).cycles);
  EXPECT_EQ(
      onH200(wgmma(128, 256, 64), {8, 3, true}, 4096, 4096, 4096).obstacle,
      "programs that stay need tensor copies");
}

// Measured with 128x64x32, 4 warps and 4 stages, of which four programs are
// resident: in groups, programs that stay reach 398, 389, 403 and 215 TFLOP/s
// at the sizes below, and tiled ones 411, 420, 422 and 219.
TEST(ProductModel, OfSeveralResidentProgramsNoneStays) {
  ProductTile small = wgmma(128, 64, 32), two = wgmma(128, 128, 64);
  ProductTile large = wgmma(128, 256, 64);
  small.tensorCopies = two.tensorCopies = large.tensorCopies = true;
  const int64_t sizes[][3] = {{4096, 4096, 4096},
                              {8192, 8192, 4096},
                              {16384, 16384, 4096},
                              {4096, 4000, 4104},
                              {65536, 65536, 128}};
  for (auto [m, n, k] : sizes) {
    EXPECT_EQ(onH200(small, {4, 4}, m, n, k).residentCTAs, 4);
    EXPECT_EQ(onH200(small, {4, 4, true}, m, n, k).obstacle,
              "programs that stay need a multiprocessor of their own");
    // 3 slots of 32 KiB: two programs have 192 of 227 KiB.
    EXPECT_EQ(onH200(two, {8, 3}, m, n, k).residentCTAs, 2);
    EXPECT_EQ(onH200(two, {8, 3, true}, m, n, k).obstacle,
              "programs that stay need a multiprocessor of their own");
    EXPECT_EQ(onH200(large, {8, 3}, m, n, k).residentCTAs, 1);
    EXPECT_EQ(onH200(large, {8, 3, true}, m, n, k).obstacle, "");
  }
}

// docs/Tuning.md, "How it chooses": relative to 128x256x64 whose programs stay.
TEST(ProductModel, ConfigurationsOfTheTableOfSpeed) {
  ProductTile small = wgmma(128, 64, 32), large = wgmma(128, 256, 64);
  small.tensorCopies = large.tensorCopies = true;
  OrderRequest groups{true, TileOrder::Grouped, 8};
  struct {
    int64_t m, n, k;
    /// TFLOP/s: what stays, the same tiled, and the small tile.
    double stays, tiled, small;
  } rows[] = {{4096, 4096, 4096, 724, 711, 411},
              {8192, 8192, 4096, 731, 716, 420},
              {16384, 16384, 4096, 737, 730, 422}};
  for (auto &row : rows) {
    auto cycles = [&](const ProductTile &tile, ProductRun run) {
      return double(estimateProduct(getDevice("sm_90a"), tile,
                                    makeGrid(tile, row.m, row.n, row.k), run,
                                    groups)
                        .cycles);
    };
    double stays = cycles(large, {8, 3, true});
    EXPECT_NEAR(cycles(large, {8, 3}) / stays, row.stays / row.tiled, 0.015);
    EXPECT_NEAR(cycles(small, {4, 4}) / stays, row.stays / row.small, 0.03);
  }
}

} // namespace
