//===- Render.h - pictures of layouts ---------------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout's bases say everything and show nothing. These functions draw a
// layout as a grid with one cell for each element of a tensor or of a buffer:
//
//     register layout   w1 t5 r2   warp 1, lane (thread of the warp) 5,
//                                  register 2 hold the element
//     buffer            12 b6      the element has offset 12 and lies in bank 6
//
// Where a register layout holds elements several times, the cell names the
// first holder, the one whose free bits are zero (LinearLayout, "Example 3").
// The other holders are the same for every element, as the map is linear: they
// are found by flipping (xor) the bits of a vector of the null space. A line
// under the grid gives a basis of it, one vector for each doubling.
//
// Grids
// -----
// Of a tensor with two axes, rows are dim0 and columns dim1. A tensor with one
// axis is broken into rows of as many elements as there may be columns.
// What lies beyond the limits is left out, and a line says how much.
//
// The same input gives the same bytes, on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_RENDER_H
#define TESSERA_LAYOUT_RENDER_H

#include "tessera/Layout/LinearLayout.h"

namespace tessera {

/// What is to be drawn.
struct LayoutPicture {
  /// Lines above the grid; any text, also none.
  std::vector<std::string> title;
  /// (register, lane, warp[, block]) -> (dim0[, dim1]), or, for a buffer in
  /// shared memory, (offset) -> (dim0[, dim1]). Surjective; further input dims
  /// are not known to the renderer.
  LinearLayout layout;
  /// Bytes of an element: for the banks of a buffer, otherwise not used.
  int elementBytes = 4;
  /// Where the buffer begins in shared memory, in bytes: this moves the banks.
  int64_t startByte = 0;

  bool isBuffer() const;
};

/// The largest grid that is drawn; both are at least 1.
struct GridLimits {
  int32_t rows;
  int32_t columns;
};

/// A terminal's width for most layouts.
inline constexpr GridLimits kTextLimits = {32, 16};
/// A picture that fits on a screen and some 200 kB.
inline constexpr GridLimits kSvgLimits = {64, 32};

/// An empty string, or why there is no picture: a rank other than 1 and 2, an
/// input dim that the renderer does not know, or elements without a place.
std::string checkPicture(const LayoutPicture &picture);

/// The title, the grid with headings, and notes, as lines of text.
/// Precondition: checkPicture() has no objection.
std::string renderText(const LayoutPicture &picture,
                       GridLimits limits = kTextLimits);

/// An SVG document with the pictures below each other, each with title, grid,
/// legend and notes. It has no scripts and refers to nothing outside itself.
///
///   register layout   a colour for each warp, darker from lane to lane; a cell
///                     reads thread:register, the thread counted in its block
///   buffer            a colour for each 16 bytes of the 128 bytes that the 32
///                     banks make, darker from bank to bank; a cell reads
///                     offset:bank
///
/// Precondition: checkPicture() has no objection to any of them.
std::string renderSvg(const std::vector<LayoutPicture> &pictures,
                      GridLimits limits = kSvgLimits);

} // namespace tessera

#endif // TESSERA_LAYOUT_RENDER_H
