//===- TensorCopy.cpp - boxes that the TMA copies to a buffer -------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TensorCopy.h.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/TensorCopy.h"

#include "tessera/Layout/SharedMemory.h"

using namespace tessera;

static constexpr int kWidestSwizzle = 128;

static std::nullopt_t fail(std::string *error, std::string text) {
  if (error)
    *error = std::move(text);
  return std::nullopt;
}

static std::string print(BoxSize size) {
  return std::to_string(size.rows) + "x" + std::to_string(size.columns);
}

static bool isPowerOf2(int32_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

std::optional<TensorCopy> TensorCopy::create(BoxSize tile, BoxSize box,
                                             int elementBytes, int swizzle,
                                             std::string *error) {
  if (!isPowerOf2(box.rows) || !isPowerOf2(box.columns))
    return fail(error, "a box of " + print(box) +
                           " elements is no power of two of them");
  if (tile.rows % box.rows != 0 || tile.columns % box.columns != 0)
    return fail(error, "a tile of " + print(tile) +
                           " elements does not consist of boxes of " +
                           print(box));
  int64_t rowBytes = int64_t(box.columns) * elementBytes;
  if (swizzle != 0 && rowBytes != swizzle)
    return fail(error, "a row of the box has " + std::to_string(rowBytes) +
                           " bytes, its swizzle " + std::to_string(swizzle));
  // The rest of a row follows only where a panel is the widest line, or where
  // there is no other row.
  if (tile.columns != box.columns && swizzle != kWidestSwizzle &&
      (tile.rows != 1 || swizzle != 0))
    return fail(error, "a row of the tile is longer than one of the box, and "
                       "the swizzle is not 128 bytes");
  TensorCopy copy(tile, box, elementBytes, swizzle);
  bool single = tile.columns == box.columns && tile.rows == box.rows;
  if (!single && copy.getBoxBytes() % copy.getAlignment() != 0)
    return fail(error, "boxes of " + std::to_string(copy.getBoxBytes()) +
                           " bytes cannot follow each other: each begins at a "
                           "multiple of " +
                           std::to_string(copy.getAlignment()));
  return copy;
}

int64_t TensorCopy::getAlignment() const {
  // PTX ISA, "cp.async.bulk.tensor": 128 bytes; a swizzle repeats after 8 lines.
  return swizzle == 0 ? 128 : 8 * swizzle;
}

LinearLayout TensorCopy::getBuffer(int rowAxis) const {
  std::vector<int32_t> shape(2);
  shape[rowAxis] = tile.columns;
  shape[1 - rowAxis] = tile.rows;
  std::vector<int32_t> order = {rowAxis, 1 - rowAxis};
  return swizzle == 0
             ? *makePlainShared(shape, order)
             : *makeSwizzledShared(shape, order, elementBytes,
                                   /*vectorBytes=*/16, LongRows::Split);
}

std::vector<TensorCopy::Box> TensorCopy::getBoxes() const {
  std::vector<Box> boxes;
  int64_t rowBytes = int64_t(box.columns) * elementBytes;
  for (int32_t column = 0; column < tile.columns; column += box.columns)
    for (int32_t row = 0; row < tile.rows; row += box.rows)
      boxes.push_back({row, column,
                       column / box.columns * tile.rows * rowBytes +
                           row * rowBytes});
  return boxes;
}
