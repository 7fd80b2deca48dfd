//===- MappedArray.h - the array that a launch knows ------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel's descriptor of a part of an array, as a part of one whose pointer,
// extents and strides are arguments of the kernel or constants.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_ACCESS_MAPPEDARRAY_H
#define TESSERA_LIB_TRANSFORMS_ACCESS_MAPPEDARRAY_H

#include "SignSearch.h"

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tessera {

/// An integer argument of the kernel, or a constant where that is null.
struct LaunchValue {
  mlir::BlockArgument argument;
  int64_t constant = 0;
};

struct MappedDim {
  LaunchValue extent, stride;
  /// Where the descriptor's part begins, an i32; null for 0.
  mlir::Value origin;
};

struct MappedArray {
  mlir::BlockArgument pointer;
  /// Both dimensions in the descriptor's order.
  llvm::SmallVector<MappedDim, 2> dims;
  /// The dimension of stride 1.
  unsigned unitDim = 0;
  tile::TensorMapType type;
  /// Arguments that have to be 0 or more: the extents, and those without which
  /// a part might begin before the array.
  ArgumentSet nonNegative;
};

/// The array of `desc`, if one thread can copy tiles of it by a tensor map;
/// otherwise `reason` says why not. A store needs rows of whole pieces of 16
/// bytes, too: it would write beyond the end of the last one.
std::optional<MappedArray> matchMappedArray(tile::MakeDescOp desc,
                                            tile::FuncOp kernel, bool isStored,
                                            std::string &reason);

/// The origin, one i32 for each dimension.
llvm::SmallVector<mlir::Value> buildOrigin(mlir::OpBuilder &builder,
                                           mlir::Location loc,
                                           const MappedArray &array);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_ACCESS_MAPPEDARRAY_H
