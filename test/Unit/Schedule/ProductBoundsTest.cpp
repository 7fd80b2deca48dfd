//===- ProductBoundsTest.cpp - products within bounds ---------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What --maxnreg and --min-ctas leave of the runs of a product of f16, on an
// H200, and what copies cost that cannot run ahead. Numbers are computed by
// hand.
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/ProductModel.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

/// wgmma with groups of warps along M.
ProductTile wgmma(int32_t m, int32_t n, int32_t k) {
  return {m,         n,         k,         2, m * k * 2, k * n * 2,
          m * n * 4, m * n * 2, ProductUnit::Wgmma, n};
}

ProductEstimate run(const ProductTile &tile, int32_t warps, int32_t stages,
                    ResourceBounds bounds) {
  ProductGrid grid{4096 / tile.m, 4096 / tile.n, 1, 4096 / tile.k};
  ProductDevice device{*TargetInfo::get("sm_90a"), *DeviceRates::get("sm_90a")};
  return estimateProduct(device, tile, grid, {warps, stages, false, bounds},
                         {});
}

TEST(ProductBounds, ByHand) {
  // 128 accumulators and 60.
  ProductTile large = wgmma(128, 256, 64);
  EXPECT_EQ(run(large, 8, 4, {187}).obstacle,
            "too few registers: --maxnreg=187");
  EXPECT_EQ(run(large, 8, 4, {188}).obstacle, "");
  // 65536 registers for 2 * 256 threads.
  EXPECT_EQ(run(large, 8, 4, {0, 2}).obstacle,
            "too few registers: --min-ctas=2");
  // With tensor maps 26 are enough, and then are all that a thread takes.
  large.tensorCopies = true;
  EXPECT_EQ(run(large, 8, 4, {153, 1}).obstacle,
            "too few registers: --maxnreg=153");
  ProductEstimate least = run(large, 8, 4, {154, 1});
  EXPECT_EQ(least.obstacle, "");
  EXPECT_EQ(least.footprint.registers, 154);
  // 4 slots of 32 KiB are more than half of 228 KiB, 3 slots not.
  ProductTile small = wgmma(128, 128, 64);
  EXPECT_EQ(run(small, 8, 4, {0, 2}).obstacle,
            "too little room: shared memory");
  ProductEstimate two = run(small, 8, 3, {0, 2});
  EXPECT_EQ(two.obstacle, "");
  EXPECT_EQ(two.residentCTAs, 2);
  EXPECT_EQ((ResourceBounds{96, 2}.describe()), "--maxnreg=96, --min-ctas=2");
  EXPECT_FALSE((ResourceBounds{0, 1}.areGiven()));
}

// Copies that wait for data of the loop: 400 cycles for it, 400 + 640 for them,
// none of it ahead; and the 512 of the tensor cores.
TEST(ProductWaits, ByHand) {
  ProductTile tile = wgmma(128, 128, 64);
  tile.rowsWait = true;
  ProductEstimate waits = run(tile, 4, 4, {});
  EXPECT_NEAR(waits.copies, waits.residentCTAs * 640 + 800, 1e-9);
  EXPECT_NEAR(waits.step, waits.copies + 512 + 50, 1e-9);
  // One slot of A's 16 KiB, 4 of B's.
  EXPECT_EQ(waits.footprint.sharedBytes, 5 * 16384);
  tile.rowsWait = false;
  ProductEstimate ahead = run(tile, 4, 4, {});
  EXPECT_EQ(ahead.footprint.sharedBytes, 8 * 16384);
  EXPECT_LT(ahead.cycles, waits.cycles);
}

} // namespace
