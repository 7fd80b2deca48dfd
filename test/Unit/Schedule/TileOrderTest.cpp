//===- TileOrderTest.cpp - every tile once, in the right order ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/TileOrder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

using namespace tessera;

namespace {

using Tile = std::pair<int32_t, int32_t>;

Tile at(TileOrder order, int32_t group, int32_t count, int32_t columns,
        int32_t id) {
  TilePosition<int32_t> tile = mapTile(order, group, count, columns, id);
  return {tile.row, tile.column};
}

/// Grouped order as its definition has it, in 64 bits.
Tile groupedByDefinition(int64_t group, int64_t rows, int64_t columns,
                         int64_t id) {
  int64_t inGroup = group * columns;
  int64_t first = id / inGroup * group;
  int64_t size = std::min(group, rows - first);
  int64_t number = id % inGroup;
  return {int32_t(first + number % size), int32_t(number / size)};
}

/// Whether the ids 0 .. count-1 give each of the first `count` tiles once.
::testing::AssertionResult isPermutation(TileOrder order, int32_t group,
                                         int32_t count, int32_t columns) {
  std::vector<char> seen(count);
  for (int32_t id = 0; id < count; ++id) {
    Tile tile = at(order, group, count, columns, id);
    int64_t number = int64_t(tile.first) * columns + tile.second;
    if (tile.first < 0 || tile.second < 0 || tile.second >= columns ||
        number >= count || seen[number]++)
      return ::testing::AssertionFailure()
             << "order " << int(order) << " group " << group << " count "
             << count << " columns " << columns << " id " << id << ": ("
             << tile.first << ", " << tile.second << ")";
  }
  return ::testing::AssertionSuccess();
}

/// The numbers of a small grid, row by row.
std::vector<int32_t> drawn(TileOrder order, int32_t group, int32_t rows,
                           int32_t columns) {
  std::vector<int32_t> ids(rows * columns, -1);
  for (int32_t id = 0; id < rows * columns; ++id) {
    Tile tile = at(order, group, rows * columns, columns, id);
    ids[tile.first * columns + tile.second] = id;
  }
  return ids;
}

TEST(TileOrder, Drawings) {
  using Ids = std::vector<int32_t>;
  EXPECT_EQ(drawn(TileOrder::Row, 8, 2, 3), (Ids{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(drawn(TileOrder::Column, 8, 3, 3),
            (Ids{0, 3, 6, 1, 4, 7, 2, 5, 8}));
  EXPECT_EQ(drawn(TileOrder::Grouped, 2, 3, 3),
            (Ids{0, 2, 4, 1, 3, 5, 6, 7, 8}));
  EXPECT_EQ(drawn(TileOrder::Hilbert, 2, 3, 3),
            (Ids{0, 3, 4, 1, 2, 5, 6, 7, 8}));
}

TEST(TileOrder, GroupedIsItsDefinition) {
  for (int32_t group : {1, 2, 3, 8, 16})
    for (int32_t rows : {1, 5, 8, 31})
      for (int32_t columns : {1, 7, 64})
        for (int32_t id = 0; id < rows * columns; ++id)
          ASSERT_EQ(at(TileOrder::Grouped, group, rows * columns, columns, id),
                    groupedByDefinition(group, rows, columns, id));
}

TEST(TileOrder, RandomGridsArePermuted) {
  std::mt19937 random(7);
  auto pick = [&](int32_t low, int32_t high) {
    return std::uniform_int_distribution<int32_t>(low, high)(random);
  };
  for (int trial = 0; trial < 400; ++trial) {
    int32_t columns = pick(1, 70), rows = pick(0, 70), group = pick(1, 80);
    // With a last row that is not full, at times.
    int32_t count = rows * columns + (trial % 2 ? pick(0, columns - 1) : 0);
    ASSERT_TRUE(isPermutation(TileOrder::Row, group, count, columns));
    ASSERT_TRUE(isPermutation(TileOrder::Column, group, count, columns));
    ASSERT_TRUE(isPermutation(TileOrder::Grouped, group, count, columns));
    int32_t side = 2 << pick(0, 5);
    ASSERT_TRUE(isPermutation(TileOrder::Hilbert, side, count, columns));
  }
}

// Persistent programs: program p computes ids p, p + programs, ...
TEST(TileOrder, ProgramsComputeEachTileOnce) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 100; ++trial) {
    int32_t rows = 1 + random() % 40, columns = 1 + random() % 40;
    int32_t group = 1 + random() % 12, count = rows * columns;
    int32_t programs = std::min<int32_t>(1 + random() % 300, count);
    std::vector<int> computed(count);
    for (int32_t program = 0; program < programs; ++program)
      for (int32_t id = program; id < count; id += programs) {
        Tile tile = at(TileOrder::Grouped, group, count, columns, id);
        ++computed[tile.first * columns + tile.second];
      }
    EXPECT_EQ(std::count(computed.begin(), computed.end(), 1), count);
  }
}

// Steps of Hilbert's curve go to neighbours.
TEST(TileOrder, HilbertStepsToNeighbours) {
  for (int32_t side : {2, 4, 8, 16, 32}) {
    Tile before = at(TileOrder::Hilbert, side, side * side, side, 0);
    EXPECT_EQ(before, Tile(0, 0));
    for (int32_t id = 1; id < side * side; ++id) {
      Tile tile = at(TileOrder::Hilbert, side, side * side, side, id);
      EXPECT_EQ(std::abs(tile.first - before.first) +
                    std::abs(tile.second - before.second),
                1)
          << side << " " << id;
      before = tile;
    }
  }
}

// Nothing wraps: the largest grids, at their ends.
TEST(TileOrder, LargestGrids) {
  constexpr int32_t most = std::numeric_limits<int32_t>::max();
  // 2^31 - 1 is prime: one column, one row, or a last row of 1.
  struct Grid {
    int32_t count, columns;
  } grids[] = {{most, 1},        {most, most},       {most, 2},
               {most, most / 2}, {most, 46340},      {46340 * 46340, 46340},
               {most, 1 << 30},  {1 << 30, 1 << 30}, {most, 65535}};
  for (auto [count, columns] : grids)
    for (int32_t group : {1, 2, 8, 1024, most})
      for (int32_t id : {0, 1, count / 3, count / 2, count - 2, count - 1}) {
        Tile tile = at(TileOrder::Grouped, group, count, columns, id);
        int32_t rows = count / columns;
        if (int64_t(id) < int64_t(rows) * columns)
          EXPECT_EQ(tile, groupedByDefinition(group, rows, columns, id))
              << count << " " << columns << " " << group << " " << id;
        else
          EXPECT_EQ(tile, Tile(rows, id - rows * columns));
      }
}

// A divisor that is not positive leaves quotient and remainder as they are.
TEST(TileOrder, NonsenseDivisors) {
  constexpr int32_t least = std::numeric_limits<int32_t>::min();
  for (int32_t columns : {-1, -3, -1000, least})
    for (TileOrder order : {TileOrder::Grouped, TileOrder::Column})
      for (int32_t id : {0, 1, 2, 17, 99})
        EXPECT_EQ(at(order, 8, 100, columns, id),
                  Tile(id / columns, id % columns));
  for (int32_t id : {0, 1, 2, 17, 99})
    EXPECT_EQ(at(TileOrder::Hilbert, 8, 100, -3, id), Tile(id / -3, id % -3));
}

// A source that guards its division has no other tile than the number itself.
TEST(TileOrder, ZeroDivisor) {
  constexpr int32_t most = std::numeric_limits<int32_t>::max();
  for (int32_t count : {1, 100, most})
    for (TileOrder order : {TileOrder::Row, TileOrder::Grouped,
                            TileOrder::Column, TileOrder::Hilbert})
      for (int32_t id : {0, count / 3, count - 1})
        EXPECT_EQ(at(order, 8, count, 0, id), Tile(0, id));
}

} // namespace
