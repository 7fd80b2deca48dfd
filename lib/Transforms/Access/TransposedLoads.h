//===- TransposedLoads.h - tiles that products need transposed --*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transposed tile of an array is the same tile of the transposed array: one
// with extents, strides and offsets in another order. Products take a tile with
// rows along either dimension, so that nothing has to move, and the load's
// value goes to them directly: it can then be an asynchronous copy.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_ACCESS_TRANSPOSEDLOADS_H
#define TESSERA_LIB_TRANSFORMS_ACCESS_TRANSPOSEDLOADS_H

#include "tessera/Dialect/Tile/IR/Tile.h"

namespace tessera {

/// Lets loads of descriptors, whose tiles are transposed for products and used
/// in no other way, read the transposed arrays. Others stay: of a tile that is
/// stored, say, either the load or the store would become narrow. Returns
/// whether anything has changed; operations may be left without a use.
bool foldTransposes(tile::FuncOp function);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_ACCESS_TRANSPOSEDLOADS_H
