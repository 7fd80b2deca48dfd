//===- TileOrder.cpp - orders in which tiles are numbered -----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/TileOrder.h"

using namespace tessera;

TileOrderShape tessera::getOrderShape(TileOrder order, int32_t groupRows) {
  switch (order) {
  case TileOrder::Row:
    return {1, 0};
  case TileOrder::Column:
    return {std::numeric_limits<int32_t>::max(), 0};
  case TileOrder::Grouped:
    return {groupRows, 0};
  case TileOrder::Hilbert:
    break;
  }
  unsigned levels = 0;
  while ((int64_t(1) << levels) < groupRows)
    ++levels;
  return {groupRows, levels};
}

TilePosition<int32_t> tessera::mapTile(TileOrder order, int32_t groupRows,
                                       int32_t count, int32_t columns,
                                       int32_t id) {
  WrappingArithmetic arithmetic;
  TileOrderShape shape = getOrderShape(order, groupRows);
  auto grid = buildTileGrid(arithmetic, count, columns, shape.groupRows);
  return buildTilePosition(arithmetic, grid, id, shape.levels);
}
