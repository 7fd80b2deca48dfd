//===- TensorCopy.h - boxes that the TMA copies to a buffer -----*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Tensor-map" and "Swizzling Modes". One copy moves a box of R rows of
// C elements to R * C consecutive elements of shared memory, row by row. With a
// swizzle of S bytes (32, 64 or 128), the 16-byte chunks change places as a
// function of the address:
//
//     bits 4 .. 3 + log2(S / 16)  ^=  the same number of bits from bit 7 on
//
// so that a buffer begins at a multiple of 8 S. Here rows are always S bytes
// long: that is what makeSwizzledShared() makes of rows of S bytes.
//
// A tile that is larger than the box takes several copies. Rows of more than
// 128 bytes are split into panels of 128 bytes, each with all rows, one panel
// after another; a panel of more rows than the box has takes several boxes.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_TENSORCOPY_H
#define TESSERA_LAYOUT_TENSORCOPY_H

#include "tessera/Layout/LinearLayout.h"

namespace tessera {

/// Rows and elements of a row.
struct BoxSize {
  int32_t rows, columns;
};

/// The copies between a tile in global memory and its buffer.
class TensorCopy {
public:
  /// Where one box begins in the tile, and at which byte of the buffer.
  struct Box {
    int32_t row, column;
    int64_t offset;
  };

  /// For a `tile`, boxes of `box`, elements of 1, 2, 4 or 8 bytes and a swizzle
  /// of 0, 32, 64 or 128 bytes; sizes are powers of two. nullopt, with the
  /// reason in `error` if given, where boxes do not fill a buffer as above.
  static std::optional<TensorCopy> create(BoxSize tile, BoxSize box,
                                          int elementBytes, int swizzle,
                                          std::string *error = nullptr);

  /// The buffer, (offset) -> (dim0, dim1), with rows along axis `rowAxis`.
  LinearLayout getBuffer(int rowAxis) const;
  std::vector<Box> getBoxes() const;
  /// The buffer begins at a multiple of this many bytes.
  int64_t getAlignment() const;
  int64_t getBoxBytes() const {
    return int64_t(box.rows) * box.columns * elementBytes;
  }

private:
  TensorCopy(BoxSize tile, BoxSize box, int elementBytes, int swizzle)
      : tile(tile), box(box), elementBytes(elementBytes), swizzle(swizzle) {}

  BoxSize tile, box;
  int elementBytes, swizzle;
};

} // namespace tessera

#endif // TESSERA_LAYOUT_TENSORCOPY_H
