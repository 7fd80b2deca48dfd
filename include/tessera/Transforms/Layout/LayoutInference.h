//===- LayoutInference.h - layouts across shape operations -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shape operations move no value between threads when operand and result have
// related layouts. These functions give the one from the other:
//
//   expand_dims, axis a:  operand = result without coordinate a
//   broadcast:            operand = result, repeated coordinates set to 0
//   trans, reshape:       the same places, coordinates renamed
//   reduce, axis a:       result = source without coordinate a
//
// Register bits that then select nothing are dropped, so that a thread holds
// each element once; lane and warp bits become replicas.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TRANSFORMS_LAYOUT_LAYOUTINFERENCE_H
#define TESSERA_TRANSFORMS_LAYOUT_LAYOUTINFERENCE_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

namespace tessera {

/// Whether `op` is one of the operations above.
bool relatesLayouts(mlir::Operation *op);

/// Which element of the operand each place of the result needs: the map from
/// (register, lane, warp) of `result` to the operand's coordinates. Nothing for
/// reductions.
std::optional<LinearLayout> inferOperandPlaces(mlir::Operation *op,
                                               tile_gpu::LayoutAttr result);

/// The layout that the operand of a shape operation needs for a result in
/// `result`; null for reductions, whose source does not follow from it.
tile_gpu::LayoutAttr inferOperandLayout(mlir::Operation *op,
                                        tile_gpu::LayoutAttr result);

/// The layout of the result for an operand in `operand`. For a broadcast, which
/// leaves a choice, null.
tile_gpu::LayoutAttr inferResultLayout(mlir::Operation *op,
                                       tile_gpu::LayoutAttr operand);

/// For each place of the result of a conversion, the place of its operand that
/// holds the element; nothing when some thread lacks a value that it needs, so
/// that the conversion is no renumbering of registers.
std::optional<LinearLayout>
getPlacesInThread(tile_gpu::ConvertLayoutOp convert);

} // namespace tessera

#endif // TESSERA_TRANSFORMS_LAYOUT_LAYOUTINFERENCE_H
