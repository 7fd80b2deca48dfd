//===- TileReuse.cpp - what tiles of one order share in L2 ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/TileReuse.h"

#include <set>

using namespace tessera;

/// Largest group that the choice looks at.
static constexpr int32_t kMostRows = 64;

std::string TileReuseProblem::check() const {
  constexpr int64_t mostBytes = int64_t(1) << 40;
  if (rows < 1 || columns < 1 ||
      int64_t(rows) * columns > std::numeric_limits<int32_t>::max())
    return "the grid has 1 to 2^31 - 1 tiles";
  if (rowPanelBytes < 1 || columnPanelBytes < 1 || rowPanelBytes > mostBytes ||
      columnPanelBytes > mostBytes)
    return "a panel has 1 to 2^40 bytes";
  if (cacheBytes < 0 || waveTiles < 1)
    return "a cache has no negative size and a wave at least one tile";
  return {};
}

int64_t TileReuseProblem::getWorkingSet(TileOrder order,
                                        int32_t groupRows) const {
  switch (order) {
  case TileOrder::Row:
    return columns * columnPanelBytes + rowPanelBytes;
  case TileOrder::Column:
    return rows * rowPanelBytes + columnPanelBytes;
  case TileOrder::Grouped:
  case TileOrder::Hilbert:
    break;
  }
  return std::min(groupRows, rows) * rowPanelBytes + columnPanelBytes;
}

TileWave TileReuseProblem::getWave(TileOrder order, int32_t groupRows,
                                   int32_t wave) const {
  std::set<int32_t> usedRows, usedColumns;
  int32_t count = rows * columns;
  int64_t first = int64_t(wave) * waveTiles;
  int64_t end = std::min<int64_t>(first + waveTiles, count);
  for (int64_t id = first; id < end; ++id) {
    TilePosition<int32_t> tile =
        mapTile(order, groupRows, count, columns, int32_t(id));
    usedRows.insert(tile.row);
    usedColumns.insert(tile.column);
  }
  return {int64_t(usedRows.size()), int64_t(usedColumns.size()), end - first};
}

int64_t TileReuseProblem::getWaveBytes(TileOrder order, int32_t groupRows,
                                       int32_t wave) const {
  TileWave panels = getWave(order, groupRows, wave);
  return panels.rows * rowPanelBytes + panels.columns * columnPanelBytes;
}

std::string TileReuseProblem::verify(const TileOrderChoice &choice) const {
  if (choice.rowMajorBytes != getWorkingSet(TileOrder::Row, 1) ||
      choice.workingSetBytes != getWorkingSet(choice.order, choice.groupRows) ||
      choice.waveBytes != getWaveBytes(choice.order, choice.groupRows))
    return "the bytes are not those of this order";
  if (choice.order != TileOrder::Row && choice.rowMajorBytes <= cacheBytes)
    return "row-major order fits and costs less";
  if (choice.order == TileOrder::Row && choice.rowMajorBytes > cacheBytes &&
      rows > 1 && getWorkingSet(TileOrder::Grouped, 2) <= cacheBytes)
    return "row-major order does not fit, and groups would";
  return {};
}

int32_t tessera::chooseGroupRows(int64_t rowPanelBytes,
                                 int64_t columnPanelBytes, int32_t waveTiles) {
  // g row panels and ceil(wave / g) column panels; smallest near
  // g = sqrt(wave * column panel / row panel).
  auto bytesOf = [&](int32_t group) {
    return group * rowPanelBytes +
           (waveTiles + group - 1) / group * columnPanelBytes;
  };
  int32_t best = 2;
  for (int32_t group = 4; group <= kMostRows; group *= 2)
    if (bytesOf(group) < bytesOf(best))
      best = group;
  return best;
}

TileOrderChoice tessera::chooseTileOrder(const TileReuseProblem &problem) {
  TileOrderChoice choice{TileOrder::Row, 1, 0, 0, 0};
  choice.rowMajorBytes = problem.getWorkingSet(TileOrder::Row, 1);
  // A single row has one order.
  if (choice.rowMajorBytes > problem.cacheBytes && problem.rows > 1) {
    choice.order = TileOrder::Grouped;
    choice.groupRows = chooseGroupRows(
        problem.rowPanelBytes, problem.columnPanelBytes, problem.waveTiles);
  }
  choice.workingSetBytes =
      problem.getWorkingSet(choice.order, choice.groupRows);
  choice.waveBytes = problem.getWaveBytes(choice.order, choice.groupRows);
  return choice;
}
