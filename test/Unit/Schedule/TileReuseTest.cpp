//===- TileReuseTest.cpp - the choice between orders of tiles -------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of f16 with K = 4096 in tiles of 128 x 64 on an RTX 5090, of which
// measurements are known: at 8192^2 grouping made it slower, at 16384^2 faster.
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/TileReuse.h"

#include "tessera/Target/TargetInfo.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

constexpr int64_t kMiB = 1024 * 1024;
constexpr int64_t kHalfMiB = kMiB / 2;

/// C of size^2 in tiles of 128 x 64.
TileReuseProblem product(int32_t size, int32_t programsPerSM = 1) {
  TargetInfo device = *TargetInfo::get("sm_120a");
  return {size / 128,
          size / 64,
          128 * 4096 * 2,
          4096 * 64 * 2,
          device.referenceL2Bytes,
          device.referenceSMs * programsPerSM};
}

TEST(TileReuse, Panels) {
  TileReuseProblem problem = product(8192);
  EXPECT_EQ(problem.rowPanelBytes, 1 * kMiB);
  EXPECT_EQ(problem.columnPanelBytes, kHalfMiB);
  EXPECT_EQ(problem.cacheBytes, 96 * kMiB);
  EXPECT_EQ(problem.waveTiles, 170);
}

TEST(TileReuse, WorkingSets) {
  EXPECT_EQ(product(8192).getWorkingSet(TileOrder::Row, 1), 65 * kMiB);
  EXPECT_EQ(product(16384).getWorkingSet(TileOrder::Row, 1), 129 * kMiB);
  for (int32_t size : {8192, 16384})
    EXPECT_EQ(product(size).getWorkingSet(TileOrder::Grouped, 8),
              8 * kMiB + kHalfMiB);
  // 64 rows of tiles; a group of more rows than there are.
  EXPECT_EQ(product(8192).getWorkingSet(TileOrder::Column, 1),
            64 * kMiB + kHalfMiB);
  EXPECT_EQ(product(8192).getWorkingSet(TileOrder::Grouped, 100),
            64 * kMiB + kHalfMiB);
}

TEST(TileReuse, Waves) {
  TileReuseProblem problem = product(16384); // 128 x 256 tiles
  // 170 tiles of one row; the second wave has 86 of it and 84 of the next,
  // whose columns the first 84 are.
  EXPECT_EQ(problem.getWaveBytes(TileOrder::Row, 1), kMiB + 170 * kHalfMiB);
  EXPECT_EQ(problem.getWaveBytes(TileOrder::Row, 1, 1),
            2 * kMiB + 170 * kHalfMiB);
  TileWave second = problem.getWave(TileOrder::Row, 1, 1);
  EXPECT_EQ(second.rows, 2);
  EXPECT_EQ(second.columns, 170);
  EXPECT_EQ(second.tiles, 170);
  // The last one is not full.
  EXPECT_EQ(problem.getWave(TileOrder::Row, 1, 128 * 256 / 170).tiles,
            128 * 256 % 170);
  // 128 rows of one column, 42 of the next.
  EXPECT_EQ(problem.getWaveBytes(TileOrder::Column, 1), 128 * kMiB + kMiB);
  // 8 rows, 170 / 8 = 21.25 columns.
  EXPECT_EQ(problem.getWaveBytes(TileOrder::Grouped, 8),
            8 * kMiB + 22 * kHalfMiB);
  // Squares of 8: two whole ones and 42 tiles of the third: two quadrants (4
  // columns), two quadrants of the next one (2 columns), 2 tiles (1 column).
  EXPECT_EQ(problem.getWaveBytes(TileOrder::Hilbert, 8),
            8 * kMiB + 23 * kHalfMiB);
}

TEST(TileReuse, RowMajorWhereItFits) {
  TileOrderChoice choice = chooseTileOrder(product(8192));
  EXPECT_EQ(choice.order, TileOrder::Row);
  EXPECT_EQ(choice.groupRows, 1);
  EXPECT_EQ(choice.workingSetBytes, 65 * kMiB);
  EXPECT_EQ(product(8192).verify(choice), "");
}

TEST(TileReuse, GroupedWhereNot) {
  TileOrderChoice choice = chooseTileOrder(product(16384));
  EXPECT_EQ(choice.order, TileOrder::Grouped);
  // Waves of 170: 4 rows take 4 + 43/2, 8 take 8 + 22/2, 16 take 16 + 11/2.
  EXPECT_EQ(choice.groupRows, 8);
  EXPECT_EQ(choice.rowMajorBytes, 129 * kMiB);
  EXPECT_EQ(choice.workingSetBytes, 8 * kMiB + kHalfMiB);
  EXPECT_EQ(choice.waveBytes, 19 * kMiB);
  EXPECT_EQ(product(16384).verify(choice), "");
}

TEST(TileReuse, LargerWavesWantLargerGroups) {
  // Waves of 340: 8 + 43/2 = 29.5, 16 + 22/2 = 27, 32 + 11/2 = 37.5.
  EXPECT_EQ(chooseTileOrder(product(16384, 2)).groupRows, 16);
  // Row panels that cost nothing beside column panels.
  EXPECT_EQ(chooseGroupRows(1, kMiB, 340), 64);
  EXPECT_EQ(chooseGroupRows(kMiB, 1, 340), 2);
}

TEST(TileReuse, OneRow) {
  TileReuseProblem problem = product(16384);
  problem.rows = 1;
  EXPECT_EQ(chooseTileOrder(problem).order, TileOrder::Row);
}

TEST(TileReuse, VerifyFindsFaults) {
  TileReuseProblem problem = product(16384);
  TileOrderChoice choice = chooseTileOrder(problem);
  choice.workingSetBytes += 1;
  EXPECT_EQ(problem.verify(choice), "the bytes are not those of this order");
  TileOrderChoice row{TileOrder::Row, 1, 129 * kMiB, 129 * kMiB,
                      problem.getWaveBytes(TileOrder::Row, 1)};
  EXPECT_EQ(problem.verify(row),
            "row-major order does not fit, and groups would");
  TileReuseProblem small = product(8192);
  TileOrderChoice grouped{TileOrder::Grouped, 8, 65 * kMiB, 8 * kMiB + kHalfMiB,
                          small.getWaveBytes(TileOrder::Grouped, 8)};
  EXPECT_EQ(small.verify(grouped), "row-major order fits and costs less");
}

TEST(TileReuse, Check) {
  EXPECT_EQ(product(8192).check(), "");
  TileReuseProblem problem = product(8192);
  problem.rows = problem.columns = 1 << 16;
  EXPECT_EQ(problem.check(), "the grid has 1 to 2^31 - 1 tiles");
  problem = product(8192);
  problem.rowPanelBytes = 0;
  EXPECT_EQ(problem.check(), "a panel has 1 to 2^40 bytes");
  problem = product(8192);
  problem.waveTiles = 0;
  EXPECT_EQ(problem.check(),
            "a cache has no negative size and a wave at least one tile");
}

} // namespace
