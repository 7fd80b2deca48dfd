//===- TensorCopyTest.cpp - boxes that the TMA copies ---------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware as PTX describes it, address by address, fills the buffers that
// the layouts say.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/TensorCopy.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

/// PTX ISA, "Swizzling Modes": 16-byte chunk bits, changed by the bits from the
/// 128-byte line on.
int64_t swizzleAddress(int64_t address, int swizzle) {
  int64_t mask = swizzle == 0 ? 0 : swizzle / 16 - 1;
  return address ^ ((address >> 7 & mask) << 4);
}

/// For each byte of the buffer, where its element lies in the tile: row * columns
/// + column, or -1 where no box writes.
std::vector<int64_t> fillBuffer(const TensorCopy &copy, BoxSize tile,
                                BoxSize box, int elementBytes, int swizzle) {
  std::vector<int64_t> elements(tile.rows * tile.columns, -1);
  for (const TensorCopy::Box &part : copy.getBoxes())
    for (int64_t row = 0; row < box.rows; ++row)
      for (int64_t column = 0; column < box.columns; ++column) {
        int64_t address =
            part.offset + (row * box.columns + column) * elementBytes;
        int64_t place = swizzleAddress(address, swizzle) / elementBytes;
        EXPECT_EQ(elements.at(place), -1);
        elements[place] = (part.row + row) * tile.columns + part.column + column;
      }
  return elements;
}

void check(BoxSize tile, BoxSize box, int elementBytes, int swizzle) {
  SCOPED_TRACE(testing::Message()
               << tile.rows << "x" << tile.columns << " by " << box.rows << "x"
               << box.columns << ", " << elementBytes << " bytes, swizzle "
               << swizzle);
  std::string error;
  auto copy = TensorCopy::create(tile, box, elementBytes, swizzle, &error);
  ASSERT_TRUE(copy) << error;
  std::vector<int64_t> elements =
      fillBuffer(*copy, tile, box, elementBytes, swizzle);
  for (int rowAxis : {0, 1}) {
    LinearLayout buffer = copy->getBuffer(rowAxis);
    for (size_t offset = 0; offset < elements.size(); ++offset) {
      std::vector<int32_t> place = buffer.applyValues({int32_t(offset)});
      int64_t column = place[rowAxis], row = place[1 - rowAxis];
      ASSERT_EQ(elements[offset], row * tile.columns + column) << offset;
    }
  }
}

} // namespace

TEST(TensorCopy, OneBox) {
  check({64, 64}, {64, 64}, 2, 128);
  check({128, 32}, {128, 32}, 4, 128);
  check({64, 128}, {64, 128}, 1, 128);
  check({64, 16}, {64, 16}, 8, 128);
  check({128, 32}, {128, 32}, 2, 64);
  check({256, 16}, {256, 16}, 2, 32);
  check({16, 8}, {16, 8}, 4, 32);
  check({32, 64}, {32, 64}, 2, 0);
  check({1, 256}, {1, 256}, 4, 0);
}

TEST(TensorCopy, PanelsOf128Bytes) {
  check({64, 256}, {64, 64}, 2, 128);
  check({8, 128}, {8, 32}, 4, 128);
  check({16, 512}, {16, 128}, 1, 128);
}

TEST(TensorCopy, SeveralBoxesAPanel) {
  check({512, 64}, {256, 64}, 2, 128);
  check({64, 128}, {16, 64}, 2, 128);
  check({64, 32}, {8, 32}, 2, 64);
  check({64, 32}, {2, 32}, 2, 0);
  check({1, 1024}, {1, 256}, 2, 0);
}

TEST(TensorCopy, BoxesAreInOrderOfTheirBytes) {
  auto copy = TensorCopy::create({32, 128}, {16, 64}, 2, 128);
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->getBoxBytes(), 2048);
  EXPECT_EQ(copy->getAlignment(), 1024);
  // Rows 16 to 31 of the first panel, then the second panel.
  const int64_t expected[4][3] = {
      {0, 0, 0}, {16, 0, 2048}, {0, 64, 4096}, {16, 64, 6144}};
  auto boxes = copy->getBoxes();
  ASSERT_EQ(boxes.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(boxes[i].row, expected[i][0]);
    EXPECT_EQ(boxes[i].column, expected[i][1]);
    EXPECT_EQ(boxes[i].offset, expected[i][2]);
  }
  EXPECT_EQ(TensorCopy::create({8, 8}, {8, 8}, 2, 0)->getAlignment(), 128);
  EXPECT_EQ(TensorCopy::create({8, 16}, {8, 16}, 2, 32)->getAlignment(), 256);
}

TEST(TensorCopy, RefusesWhatBoxesDoNotFill) {
  std::string error;
  EXPECT_FALSE(TensorCopy::create({64, 96}, {64, 96}, 1, 0, &error));
  EXPECT_EQ(error, "a box of 64x96 elements is no power of two of them");
  EXPECT_FALSE(TensorCopy::create({64, 64}, {128, 64}, 2, 128, &error));
  EXPECT_EQ(error, "a tile of 64x64 elements does not consist of boxes of "
                   "128x64");
  EXPECT_FALSE(TensorCopy::create({64, 32}, {64, 32}, 2, 128, &error));
  EXPECT_EQ(error, "a row of the box has 64 bytes, its swizzle 128");
  // Two panels of 64 bytes would not be rows of 128.
  EXPECT_FALSE(TensorCopy::create({64, 64}, {64, 32}, 2, 64, &error));
  EXPECT_EQ(error, "a row of the tile is longer than one of the box, and the "
                   "swizzle is not 128 bytes");
  EXPECT_FALSE(TensorCopy::create({64, 512}, {64, 256}, 2, 0, &error));
  // A second box would begin in the middle of the swizzle's period.
  EXPECT_FALSE(TensorCopy::create({4, 128}, {4, 64}, 2, 128, &error));
  EXPECT_EQ(error, "boxes of 512 bytes cannot follow each other: each begins "
                   "at a multiple of 1024");
  EXPECT_FALSE(TensorCopy::create({8, 16}, {2, 16}, 2, 0, &error));
  EXPECT_EQ(error, "boxes of 64 bytes cannot follow each other: each begins at "
                   "a multiple of 128");
}
