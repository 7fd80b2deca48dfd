//===- DotLayouts.h - layouts of a dot's operands -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts that the instruction of a dot demands.
//
//   mma_sync: the fragments of Mma.h. A third, leading dimension, the batch,
//             takes the highest register bits: each warp works on all batches.
//   fma:      accumulators in a blocked layout; a thread holds the rows of A
//             and the columns of B that its accumulators need, registers
//             numbered k + K * (row or column among the thread's registers).
//   wgmma:    accumulators as Wgmma.h says; operands come from shared memory,
//             and keep whatever layout they have. Those without one (constants
//             and the like) get the one given here. An A that is computed in
//             registers has to be laid out as Wgmma.h says for registers, and
//             is read from there.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TRANSFORMS_LAYOUT_DOTLAYOUTS_H
#define TESSERA_TRANSFORMS_LAYOUT_DOTLAYOUTS_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Layout/Mma.h"
#include "tessera/Layout/Wgmma.h"

namespace tessera {

/// Sizes of a product; batch is 1 for two dimensions.
struct DotShape {
  int64_t batch, m, n, k;
};
DotShape getDotShape(tile::DotOp dot);

/// The instruction that selection gave a dot; fma where it gave none.
tile_gpu::InstructionAttr getInstruction(tile::DotOp dot);

struct DotLayouts {
  tile_gpu::LayoutAttr a, b, acc;
  /// Whether an operand needs its layout: it is read from registers.
  bool readsA = true, readsB = true;
};

/// What a wgmma's A is computed from, element by element, next to the product.
struct ComputedOperand {
  /// Loads of A's shape, whose values nothing else uses; they run ahead of the
  /// product (tile.num_stages).
  llvm::SmallVector<mlir::Operation *> loads;
};

/// How the A of a wgmma dot is computed in registers: of the results of other
/// wgmma dots, which have the layout that it needs, or of loads, which need not
/// stand in a thread's registers before. nullopt where it is loaded, or comes
/// from elsewhere: then it is written to shared memory.
std::optional<ComputedOperand> matchComputedA(tile::DotOp dot);

/// The layouts for `numWarps` warps; an error at the dot when there are none.
mlir::FailureOr<DotLayouts> getDotLayouts(tile::DotOp dot, int32_t numWarps);

/// The tiling of a wgmma dot for `numWarps` warps.
std::optional<WgmmaTiling> getWgmmaTiling(tile::DotOp dot, int32_t numWarps);

/// The tiling of a mma_sync dot for `numWarps` warps.
std::optional<MmaTiling> getMmaTiling(tile::DotOp dot, int32_t numWarps);

} // namespace tessera

#endif // TESSERA_TRANSFORMS_LAYOUT_DOTLAYOUTS_H
