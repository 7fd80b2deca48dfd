//===- TileReuse.h - what tiles of one order share in L2 --------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles of one row of a grid read one *row panel* (BM rows of A in a matrix
// product, BM * K elements), those of one column a *column panel* (K * BN
// elements of B). Panels that are read again soon should still be in L2.
//
// **Working set.** What has to stay for the order to read each panel from
// memory about once:
//
//   row-major     one row: its row panel and all column panels, which the next
//                 row reads again:       columns * column panel + row panel
//   column-major  rows * row panel + column panel
//   grouped, g    the group's row panels, which each column of the group reads
//                 again, and a column panel: min(g, rows) * row + column panel
//   hilbert, s    the same as for a group of s rows
//
// For 16384^2 outputs of 128 x 64, K = 4096 and f16: 129 MiB in row-major
// order, 8.5 MiB in groups of 8 rows; the L2 cache of an RTX 5090 holds 96 MiB.
//
// **Wave.** The panels that the tiles which run at one time read: at least
// that much comes from memory for each wave when nothing stays.
//
// **Choice.** Row-major order where its working set fits, since grouping costs
// instructions; else groups, of so many rows (a power of two) as make the wave
// smallest, the fewest of equal ones.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SCHEDULE_TILEREUSE_H
#define TESSERA_SCHEDULE_TILEREUSE_H

#include "tessera/Schedule/TileOrder.h"

#include <cstdint>
#include <string>

namespace tessera {

/// An order and the model's reasons for it.
struct TileOrderChoice {
  TileOrder order;
  /// 1 for row-major order.
  int32_t groupRows;
  /// In bytes: working sets of row-major order and of what is chosen, and what
  /// the first wave of what is chosen reads.
  int64_t rowMajorBytes, workingSetBytes, waveBytes;
};

/// Panels that tiles read together.
struct TileWave {
  /// How many of A and of B.
  int64_t rows, columns;
  int64_t tiles;
};

/// A grid of tiles on a device.
struct TileReuseProblem {
  /// rows * columns < 2^31, both positive.
  int32_t rows, columns;
  /// Bytes of a panel, positive and at most 2^40.
  int64_t rowPanelBytes, columnPanelBytes;
  /// L2 cache of the device.
  int64_t cacheBytes;
  /// Tiles that run at one time: multiprocessors times resident CTAs.
  int32_t waveTiles;

  /// What is wrong with the input; empty when nothing is.
  std::string check() const;

  int64_t getWorkingSet(TileOrder order, int32_t groupRows) const;
  /// What tiles wave * waveTiles ... read together; counts them one by one.
  TileWave getWave(TileOrder order, int32_t groupRows, int32_t wave = 0) const;
  int64_t getWaveBytes(TileOrder order, int32_t groupRows,
                       int32_t wave = 0) const;

  /// What is wrong with a choice: numbers that are not the problem's, an order
  /// that does not fit although another one does. Empty when nothing is.
  std::string verify(const TileOrderChoice &choice) const;
};

/// Rows of a group for grids that are large in both directions.
int32_t chooseGroupRows(int64_t rowPanelBytes, int64_t columnPanelBytes,
                        int32_t waveTiles);

/// `problem` has passed check().
TileOrderChoice chooseTileOrder(const TileReuseProblem &problem);

} // namespace tessera

#endif // TESSERA_SCHEDULE_TILEREUSE_H
