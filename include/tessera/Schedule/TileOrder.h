//===- TileOrder.h - orders in which tiles are numbered ---------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grid of tiles, `columns` wide, whose first `count` tiles in row-major order
// exist: all rows are full but perhaps the last. An order numbers these tiles
// 0 .. count-1 anew; programs with neighbouring numbers run at one time.
//
//   grouped, 2 rows a group:    hilbert, squares of 2:     column-major:
//     0  2  4                     0  3 | 4                   0  3  6
//     1  3  5                     1  2 | 5                   1  4  7
//     6  7  8                     6  7  8                    2  5  8
//
// Grouped order, with g rows a group (the last group has fewer), is
//
//   group = id / (g * columns)            number = id % (g * columns)
//   first = group * g                     size   = min(g, rows - first)
//   row   = first + number % size         column = number / size
//
// It is row-major order for g = 1 and column-major order for g >= rows. Hilbert
// order has bands of g = 2^k rows, cut into squares of g columns that are gone
// through along Hilbert's curve; what is not a whole square is gone through as
// in grouped order. A last row that is not full stays in place.
//
// The formulas are templates over an arithmetic, so that the code that a
// compiler builds, the numbers that a test checks and a model that counts are
// one text. An arithmetic has the type Value and
//
//   constant(int32_t)  most()  add sub mul div rem min max(Value, Value)
//   less(Value, Value)  select(condition, Value, Value)
//   both(condition, condition)  same(Value, Value)
//
// on signed integers of one width, of which most() is the largest. For 0 <= id
// < count <= most() and any `columns` nothing overflows into a result and
// nothing is divided by zero. For columns < 0 the tile is (id / columns, id %
// columns), that is, nothing changes. For columns = 0 it is (0, id): a source
// that guards its division gets no other value than the number, row * columns +
// column = id. So it is for columns < 0, too, where the source divides as
// unsigned numbers.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SCHEDULE_TILEORDER_H
#define TESSERA_SCHEDULE_TILEORDER_H

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tessera {

enum class TileOrder { Row, Column, Grouped, Hilbert };

/// Most rows of a group, and columns of one of Hilbert's squares.
inline constexpr int32_t kMaxGroupRows = 1024;

/// A tile.
template <typename Value>
struct TilePosition {
  Value row, column;
};

/// What the tiles of one launch have in common.
template <typename Value>
struct TileGridValues {
  Value columns;
  /// Full rows, and the tiles in them.
  Value rows, fullTiles;
  /// Rows of a group, and the tiles of one that has so many.
  Value groupRows, groupTiles;
};

/// The common values for `count` tiles, `columns` a row.
template <typename Arithmetic, typename Value = typename Arithmetic::Value>
TileGridValues<Value> buildTileGrid(Arithmetic &a, Value count, Value columns,
                                    Value groupRows, bool isUnsigned = false) {
  Value one = a.constant(1);
  auto usual = a.less(a.constant(0), columns);
  Value rows = a.div(count, a.max(columns, one));
  // A group of more rows than there are is as good, and its tiles are few
  // enough to be counted.
  Value group = a.max(a.min(groupRows, rows), one);
  group = a.select(usual, group, one);
  Value most = a.most();
  Value full = a.select(usual, a.mul(rows, columns), most);
  // Without columns, all tiles are in the first row.
  Value tiles = a.mul(group, columns);
  Value groupTiles =
      isUnsigned ? a.select(usual, tiles, most)
                 : a.select(a.same(columns, a.constant(0)), most, tiles);
  return {columns, rows, full, group, groupTiles};
}

/// The same for a grid of `rows` full rows, rows * columns < 2^31, both
/// positive.
template <typename Arithmetic, typename Value = typename Arithmetic::Value>
TileGridValues<Value> buildFullTileGrid(Arithmetic &a, Value rows,
                                        Value columns, Value groupRows) {
  Value group = a.max(a.min(groupRows, rows), a.constant(1));
  return {columns, rows, a.mul(rows, columns), group, a.mul(group, columns)};
}

/// A point of Hilbert's curve through a square of 2^levels by 2^levels.
template <typename Arithmetic, typename Value = typename Arithmetic::Value>
TilePosition<Value> buildHilbertPoint(Arithmetic &a, Value number,
                                      unsigned levels) {
  // From the smallest square up: turn the part so far, then put it into its
  // quadrant. The quadrants of a square are, in order, (0,0), (1,0), (1,1),
  // (0,1); the first is transposed, the last transposed and turned around.
  Value zero = a.constant(0), one = a.constant(1);
  Value row = zero, column = zero, rest = number;
  for (unsigned level = 0; level < levels; ++level) {
    Value side = a.constant(1 << level), last = a.constant((1 << level) - 1);
    Value digit = a.rem(rest, a.constant(4));
    rest = a.div(rest, a.constant(4));
    auto isFirst = a.same(digit, zero);
    auto isLast = a.same(digit, a.constant(3));
    Value newRow = a.select(isFirst, column, row);
    Value newColumn = a.select(isFirst, row, column);
    newRow = a.select(isLast, a.sub(last, column), newRow);
    newColumn = a.select(isLast, a.sub(last, row), newColumn);
    Value down = a.select(a.less(zero, digit), one, zero);
    down = a.select(isLast, zero, down);
    Value right = a.select(a.less(one, digit), one, zero);
    row = a.add(newRow, a.mul(down, side));
    column = a.add(newColumn, a.mul(right, side));
  }
  return {row, column};
}

/// Where in its band of `size` rows tile `number` of the band lies, in Hilbert
/// order.
template <typename Arithmetic, typename Value = typename Arithmetic::Value>
TilePosition<Value>
buildHilbertPosition(Arithmetic &a, const TileGridValues<Value> &grid,
                     Value number, Value size, unsigned levels) {
  Value side = a.constant(1 << levels);
  Value tiles = a.mul(size, side);
  Value square = a.div(number, tiles);
  Value inSquare = a.rem(number, tiles);
  Value firstColumn = a.mul(square, side);
  Value width = a.min(side, a.sub(grid.columns, firstColumn));
  auto whole = a.both(a.same(size, side), a.same(width, side));
  TilePosition<Value> point = buildHilbertPoint(a, inSquare, levels);
  Value row = a.select(whole, point.row, a.rem(inSquare, size));
  Value column = a.select(whole, point.column, a.div(inSquare, size));
  return {row, a.add(firstColumn, column)};
}

/// Tile number `id` of a grid without a last row that is not full; in grouped
/// order, or with levels > 0 in Hilbert order, where the group that the grid
/// was built with is 2^levels rows.
template <typename Arithmetic, typename Value = typename Arithmetic::Value>
TilePosition<Value> buildFullTilePosition(Arithmetic &a,
                                          const TileGridValues<Value> &grid,
                                          Value id, unsigned levels) {
  Value group = a.div(id, grid.groupTiles);
  Value number = a.rem(id, grid.groupTiles);
  Value first = a.mul(group, grid.groupRows);
  // At least 1, for tiles behind the last full row.
  Value size =
      a.max(a.min(grid.groupRows, a.sub(grid.rows, first)), a.constant(1));
  if (levels > 0) {
    TilePosition<Value> inBand =
        buildHilbertPosition(a, grid, number, size, levels);
    return {a.add(first, inBand.row), inBand.column};
  }
  return {a.add(first, a.rem(number, size)), a.div(number, size)};
}

/// Tile number `id` of any grid.
template <typename Arithmetic, typename Value = typename Arithmetic::Value>
TilePosition<Value> buildTilePosition(Arithmetic &a,
                                      const TileGridValues<Value> &grid,
                                      Value id, unsigned levels) {
  TilePosition<Value> tile = buildFullTilePosition(a, grid, id, levels);
  auto inFull = a.less(id, grid.fullTiles);
  return {a.select(inFull, tile.row, grid.rows),
          a.select(inFull, tile.column, a.sub(id, grid.fullTiles))};
}

/// The arithmetic of machine integers, which wraps as hardware does.
struct WrappingArithmetic {
  using Value = int32_t;
  static Value wrap(int64_t value) { return Value(uint32_t(value)); }

  Value constant(int32_t value) { return value; }
  Value most() { return std::numeric_limits<int32_t>::max(); }
  Value add(Value x, Value y) { return wrap(int64_t(x) + y); }
  Value sub(Value x, Value y) { return wrap(int64_t(x) - y); }
  Value mul(Value x, Value y) { return wrap(int64_t(x) * y); }
  Value div(Value x, Value y) { return wrap(int64_t(x) / y); }
  Value rem(Value x, Value y) { return wrap(int64_t(x) % y); }
  Value min(Value x, Value y) { return std::min(x, y); }
  Value max(Value x, Value y) { return std::max(x, y); }
  bool less(Value x, Value y) { return x < y; }
  bool same(Value x, Value y) { return x == y; }
  bool both(bool x, bool y) { return x && y; }
  Value select(bool which, Value x, Value y) { return which ? x : y; }
};

/// Rows of a group and levels of Hilbert's curve with which the formulas give
/// `order`; `groupRows` is what the order was asked with.
struct TileOrderShape {
  int32_t groupRows;
  unsigned levels;
};
TileOrderShape getOrderShape(TileOrder order, int32_t groupRows);

/// The tile that comes `id`-th in `order` of `count` tiles, `columns` a row.
TilePosition<int32_t> mapTile(TileOrder order, int32_t groupRows, int32_t count,
                              int32_t columns, int32_t id);

} // namespace tessera

#endif // TESSERA_SCHEDULE_TILEORDER_H
