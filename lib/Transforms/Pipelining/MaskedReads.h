//===- MaskedReads.h - what stands where a mask is false --------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An asynchronous copy writes zeros where its mask is false. A load may want
// something else there, its 'other'. Whoever reads the slot into registers then
// puts it in:
//
//   load(p, m, o) = select(m, local_load(what async_copy(p, m) filled), o)
//
// The copy's mask is computed with its address, iterations ahead. That of the
// select belongs to the iteration that reads, and so does 'other', which may be
// anything that this iteration computes before the load. Both have to be in the
// layout in which the slot is read. In the load's layout they are there; in
// another one, that of a product's operand, they are made again.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_PIPELINING_MASKEDREADS_H
#define TESSERA_LIB_TRANSFORMS_PIPELINING_MASKEDREADS_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Transforms/Layout/FreeValues.h"

namespace tessera {

/// Whether something else than zero (of all bits) may have to stand where the
/// mask of a load, a `tile.load` or `tile.desc_load`, is false.
bool hasNonzeroOther(mlir::Operation *load);

/// Why readers of the buffer that `store` writes the loaded value to could not
/// put in its 'other'; empty when they can, or need not.
std::string checkMaskedReads(mlir::Operation *load,
                             tile_gpu::LocalStoreOp store);

/// Puts the load's 'other' into what `read` reads, behind it. The checks above
/// have passed.
void selectOther(mlir::Operation *load, tile_gpu::LocalLoadOp read,
                 FreeValues &free);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_PIPELINING_MASKEDREADS_H
