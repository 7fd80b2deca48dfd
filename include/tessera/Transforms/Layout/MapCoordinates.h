//===- MapCoordinates.h - tiles of an array as boxes of its map -*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A descriptor with a tensor map (`tile.make_desc`) is a part of the map's
// tensor: a tile of the one at some offsets is a tile of the other at
// coordinates
//
//     coordinate[d] = origin[d] + offset[d]
//
// in the map's order of dimensions. Elements before the part exist in the
// tensor, so that no offset may be negative where the origin is not 0.
//
// Coordinates have 32 bits, offsets may have 64: what is beyond the bounds of
// 32 becomes the nearer bound, where no array has elements either.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TRANSFORMS_LAYOUT_MAPCOORDINATES_H
#define TESSERA_TRANSFORMS_LAYOUT_MAPCOORDINATES_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "mlir/IR/Builders.h"

namespace tessera {

/// The descriptor's definition, if that has a map; else null.
tile::MakeDescOp getMappedDesc(mlir::Value desc);

/// A buffer of this shape that boxes of the map fill, with rows along axis
/// `rowAxis`; null where they cannot.
tile_gpu::BufferType getMapBuffer(tile::TensorMapType map,
                                  llvm::ArrayRef<int64_t> shape, int rowAxis);

/// Why the tile at `offsets` of `desc`, which has a map, cannot be copied between
/// the map's tensor and a buffer of this type; empty when it can.
std::string checkMapAccess(tile::MakeDescOp desc, mlir::ValueRange offsets,
                           tile_gpu::BufferType buffer);

/// The coordinates of the tile at `offsets`. Origin and offsets are given apart
/// from `desc`, since they may be copies of its operands.
llvm::SmallVector<mlir::Value>
buildMapCoordinates(mlir::OpBuilder &builder, mlir::Location loc,
                    tile::MakeDescOp desc, mlir::ValueRange origin,
                    mlir::ValueRange offsets);

} // namespace tessera

#endif // TESSERA_TRANSFORMS_LAYOUT_MAPCOORDINATES_H
