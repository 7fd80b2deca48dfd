//===- TMATest.cpp - tensor copies on the CPU ----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is right: boxes over the edge, rings, fences.
//
//===----------------------------------------------------------------------===//

#include "TMAFixture.h"

using namespace tessera::interpreter;

TEST_F(TMA, CopiesWhatLiesInside) {
  // The box at (8, 64) has 3 rows of 6 elements inside; outside, memory keeps
  // what it holds. A box that begins at (-1, -2) fills with zeros.
  std::string body = R"(
    tile_gpu.tma_prefetch %a : !map
    tile_gpu.mbarrier_expect %full[%c0], 1024 : !full
    tile_gpu.tma_load %a[%c8, %c64], %s0, %full[%c0] : !map, !box, !full
    tile_gpu.mbarrier_wait %full[%c0], %c0 : !full
    tile_gpu.tma_store %s0, %b[%c0, %c0] : !box, !map
    tile_gpu.tma_store_commit
    tile_gpu.tma_store_wait pending = 0
  )";
  EXPECT_EQ(run(body), std::vector<std::string>());
  for (int64_t row = 0; row < kRows; ++row)
    for (int64_t column = 0; column < kPitch; ++column) {
      uint16_t expected = row < 3 && column < 6
                              ? (row + 8) * kPitch + column + 64
                          : row < 8 && column < 64 ? 0
                                                   : row * kPitch + column;
      ASSERT_EQ(at(to, row, column), expected) << row << " " << column;
    }
}

TEST_F(TMA, StoresOnlyWhatLiesInside) {
  std::string body = R"(
    %m1 = arith.constant -1 : i32
    %m2 = arith.constant -2 : i32
    tile_gpu.mbarrier_expect %full[%c0], 1024 : !full
    tile_gpu.tma_load %a[%m1, %m2], %s0, %full[%c0] : !map, !box, !full
    tile_gpu.mbarrier_wait %full[%c0], %c0 : !full
    tile_gpu.tma_store %s0, %b[%c8, %c64] : !box, !map
    tile_gpu.tma_store_commit
    tile_gpu.tma_store_wait pending = 0
  )";
  EXPECT_EQ(run(body), std::vector<std::string>());
  for (int64_t row = 0; row < kRows; ++row)
    for (int64_t column = 0; column < kPitch; ++column) {
      uint16_t expected = row * kPitch + column;
      if (row >= 8 && column >= 64 && column < kColumns)
        expected = row == 8 || column < 66
                       ? 0
                       : (row - 9) * kPitch + column - 66;
      ASSERT_EQ(at(to, row, column), expected) << row << " " << column;
    }
}

TEST_F(TMA, ARingPassesThroughItsPhases) {
  // 4 boxes through 2 slots: slots 0 1 0 1, parities 0 0 1 1.
  std::string body = R"(
    %c4 = arith.constant 4 : i32
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %slot = arith.remsi %i, %c2 : i32
      %turn = arith.divsi %i, %c2 : i32
      %column = arith.muli %i, %c8 : i32
      %s = tile_gpu.slot %ring[%slot] : !ring
      tile_gpu.mbarrier_expect %full[%slot], 1024 : !full
      tile_gpu.tma_load %a[%c0, %column], %s, %full[%slot] : !map, !box, !full
      tile_gpu.mbarrier_wait %full[%slot], %turn : !full
      %y = tile_gpu.local_load %s : !box -> !t
      tile_gpu.barrier
    }
  )";
  EXPECT_EQ(run(body), std::vector<std::string>());
}

TEST_F(TMA, ACopyMayComeBeforeItsBytesAreExpected) {
  EXPECT_EQ(run(kLoad + kExpect + kWait + kRead), std::vector<std::string>());
}

TEST_F(TMA, ArrivalsWithoutBytesEndPhasesByThemselves) {
  std::string arrive = "tile_gpu.mbarrier_arrive %full[%c0] : !full\n";
  EXPECT_EQ(run(arrive + kWait + kBarrier + arrive +
                "tile_gpu.mbarrier_wait %full[%c0], %c1 : !full\n"),
            std::vector<std::string>());
  EXPECT_EQ(run(arrive + arrive), std::vector<std::string>());
}

TEST_F(TMA, WritesNeedAFenceAndThenABarrier) {
  std::string after = kStore + kCommit + kWaitStore;
  EXPECT_EQ(run(kWrite + kFence + kBarrier + after), std::vector<std::string>());
  EXPECT_EQ(at(to, 7, 63), 0x3C00);
  std::string fence = "no fence between a write and an asynchronous access";
  EXPECT_EQ(find(kWrite + kBarrier + after).substr(0, fence.size()), fence);
  // Other threads' fences may come too late.
  EXPECT_EQ(find(kWrite + kBarrier + kFence + after).substr(0, fence.size()),
            fence);
  EXPECT_EQ(find(kWrite + kFence + after).substr(0, 10), "no barrier");
  // A load over what threads wrote.
  EXPECT_EQ(find(kWrite + kBarrier + kExpect + kLoad + kWait)
                .substr(0, fence.size()),
            fence);
  EXPECT_EQ(run(kWrite + kFence + kBarrier + kExpect + kLoad + kWait),
            std::vector<std::string>());
}
