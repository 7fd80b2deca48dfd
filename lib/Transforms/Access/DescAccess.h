//===- DescAccess.h - a pointer access as a descriptor access ---*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decision of tile-raise-accesses, apart from the rewrite. A masked access
// touches, for tile coordinates c,
//
//     pointer + base + sum over d of stride_d * c_d
//     where, for each d, low <= start + c_d < bound for all bounds of the mask.
//
// A descriptor's array may begin anywhere, so that each dimension has a choice:
//
// * Array: coordinate i = start + c_d of the mask, so that the offset is
//   `start` and the extent `bound`; stride_d * start leaves the base. The array
//   does not depend on the tile, as a TMA needs it. Since a descriptor has a
//   lower bound 0 as well, i must be bounded by 0 in the mask, or be proven not
//   to be negative: else the access may touch memory before the array.
// * Tile: the array begins at the tile, or at the first element that the mask
//   lets through: the offset is 0, the extent what is left, bound - start.
//
// Both need start + c_d not to wrap inside the tile, or the mask would let other
// elements through than those of an interval. All is exact in 64 bits if the
// mask's integers have at most 32; of wider ones, only Array is.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_ACCESS_DESCACCESS_H
#define TESSERA_LIB_TRANSFORMS_ACCESS_DESCACCESS_H

#include "tessera/Analysis/AffineAccess.h"

#include "llvm/ADT/SetVector.h"

namespace tessera {

/// One dimension of a descriptor.
struct DescDim {
  enum class Origin { Array, Tile };
  Origin origin = Origin::Tile;
  ScalarSum stride;
  /// Bounds of the mask: x < bound, and x >= bound.
  llvm::SmallVector<MaskBound, 1> uppers, lowers;
};

/// The descriptor that an access is raised to.
struct DescAccess {
  mlir::Operation *access;
  /// Pointer and base of the access: element 0 of the tile.
  mlir::Value pointer;
  ScalarSum base;
  llvm::SmallVector<DescDim, 2> dims;

  /// Advances that occur in it.
  llvm::SetVector<mlir::BlockArgument> getAdvances() const;
  /// Values that the descriptor is made from.
  llvm::SetVector<mlir::Value> getLeaves() const;
};

/// A decision, or in a few words what stands in its way.
struct DescChoice {
  std::optional<DescAccess> access;
  std::string reason;
};

/// Decides about a `tile.load` or `tile.store` of a tensor; accesses of more
/// than `maxRank` dimensions stay.
DescChoice chooseDesc(mlir::Operation *loadOrStore,
                      const AffineAccess &analysis, int64_t maxRank);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_ACCESS_DESCACCESS_H
