//===- FreeValues.h - tensors that are made again in any layout -*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splats, aranges, constants and the integers, masks and pointers computed from
// nothing else are *free*: they are made again in whatever layout a use wants,
// which costs a few instructions where a conversion costs a barrier.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TRANSFORMS_LAYOUT_FREEVALUES_H
#define TESSERA_TRANSFORMS_LAYOUT_FREEVALUES_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "llvm/ADT/DenseMap.h"

namespace tessera {

/// Remembers what it was asked and what it made, for as long as the values that
/// it was asked about stay as they are.
class FreeValues {
public:
  bool contains(mlir::Value value) const;

  /// Whether `value` has this layout, or is free and can be made in it.
  bool canMakeIn(mlir::Value value, tile_gpu::LayoutAttr layout) const;

  /// `value` in this layout, made again, with all that it is computed from,
  /// beside the original operations; `value` itself if it has the layout.
  mlir::Value makeIn(mlir::Value value, tile_gpu::LayoutAttr layout);

private:
  using InLayout = std::pair<mlir::Value, tile_gpu::LayoutAttr>;

  // What is computed of one value by many ways would be asked about as often.
  mutable llvm::DenseMap<mlir::Value, bool> known;
  mutable llvm::DenseMap<InLayout, bool> makeable;
  llvm::DenseMap<InLayout, mlir::Value> made;
};

} // namespace tessera

#endif // TESSERA_TRANSFORMS_LAYOUT_FREEVALUES_H
