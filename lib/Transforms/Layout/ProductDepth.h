//===- ProductDepth.h - where along k a product may stop --------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile that reaches over the end of its array is zero there (tile.desc_load):
// with an extent e of the array along k and the tile's offset o, at k >= e - o.
// A product of two such tiles may stop where both are zero. Where only one is,
// the other may hold an infinity, and the product is no zero.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_LAYOUT_PRODUCTDEPTH_H
#define TESSERA_LIB_TRANSFORMS_LAYOUT_PRODUCTDEPTH_H

#include "tessera/Analysis/AffineAccess.h"
#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tessera {

/// A tile along one dimension of its array; i32 or i64.
struct TileSpan {
  mlir::Value extent, offset;

  bool operator==(const TileSpan &other) const {
    return extent == other.extent && offset == other.offset;
  }
};

/// A product whose operands may both end before its K elements of k do.
struct ProductDepth {
  /// Those of the operands; one where they agree.
  llvm::SmallVector<TileSpan, 2> spans;
  int64_t extentK;

  /// The i32 in [0, K] at and behind which both operands are zero.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc) const;
};

/// Whether the dot may stop before its end, when an instruction takes `step`
/// elements of k at once; else with the reason, which is empty where no step
/// could be left out.
std::optional<ProductDepth> chooseProductDepth(tile::DotOp dot, int64_t step,
                                               const AffineAccess &analysis,
                                               std::string &reason);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_LAYOUT_PRODUCTDEPTH_H
