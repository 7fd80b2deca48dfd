//===- TileGPU.h - the tile_gpu dialect -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts of tensors, shared memory and barriers. See TileGPUOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILEGPU_IR_TILEGPU_H
#define TESSERA_DIALECT_TILEGPU_IR_TILEGPU_H

#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Layout/LinearLayout.h"
#include "tessera/Layout/TensorCopy.h"
#include "tessera/Layout/Wgmma.h"
#include "tessera/Target/TargetInfo.h"

#include "tessera/Dialect/TileGPU/IR/TileGPUDialect.h.inc"
#include "tessera/Dialect/TileGPU/IR/TileGPUEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/TileGPU/IR/TileGPUAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tessera/Dialect/TileGPU/IR/TileGPUTypes.h.inc"

namespace tessera::tile_gpu {

/// Lanes of a warp.
inline constexpr int32_t kWarpSize = 32;

/// Most slots of a buffer; no loop has more stages.
inline constexpr int64_t kMaxSlots = 64;

/// Whether `type` is a tensor with a layout.
bool hasLayout(mlir::Type type);
/// The layout of a tensor type; null when it has none.
LayoutAttr getLayout(mlir::Type type);
/// The layout of a tensor type that has one, as a map.
LinearLayout getLinearLayout(mlir::RankedTensorType type);

/// Whether every coordinate of `vectors`, basis vectors one after another, lies
/// inside `shape`.
bool liesInside(llvm::ArrayRef<int32_t> vectors, llvm::ArrayRef<int64_t> shape);

/// A part of a tensor that is made of whole registers of each thread.
class RegisterSlice {
public:
  /// For a part of `shape` that begins at multiples of it; nullopt where the
  /// tensor, which has a layout, is not spread over registers that way.
  static std::optional<RegisterSlice> get(mlir::RankedTensorType tensor,
                                          llvm::ArrayRef<int64_t> shape);

  /// The part's type, with its layout.
  mlir::RankedTensorType getType() const { return type; }
  /// For each register of the part at `offsets`, the register of the tensor.
  llvm::SmallVector<int32_t>
  getRegisters(llvm::ArrayRef<int64_t> offsets) const;

private:
  mlir::RankedTensorType type;
  /// Bits of the tensor's register number: those that the part keeps, and
  /// those that say which part it is, with what each adds to the coordinates.
  llvm::SmallVector<int> keptBits;
  llvm::SmallVector<std::pair<int, std::vector<int32_t>>> partBits;
};

/// How wgmma sees a buffer with m or n along axis `axisMN`; nullopt for a buffer
/// that is not laid out as it demands.
std::optional<WgmmaOperand> getWgmmaOperand(BufferType buffer, int axisMN);

/// The layout in which wgmma reads A of this type from registers; null where it
/// cannot.
LayoutAttr getWgmmaRegisters(mlir::RankedTensorType type,
                             const WgmmaTiling &tiling);

/// The copies between a buffer and a tensor, by way of a tensor map.
struct BufferCopy {
  TensorCopy copy;
  /// The buffer's axis along the map's last dimension.
  int rowAxis;
};
/// nullopt, with the reason in `error` if given, where boxes of the map do not
/// fill the buffer as it is laid out.
std::optional<BufferCopy> getBufferCopy(tile::TensorMapType map,
                                        BufferType buffer,
                                        std::string *error = nullptr);

/// Warps of the function around `op`: `tile_gpu.num_warps`, or 0 where it is
/// missing or no power of two from 1 to tile::kMaxWarps.
int32_t getNumWarps(mlir::Operation *op);

/// The target that the module at or around `op` names, sm_90a when it names
/// none. Fails, with a diagnostic at the module, for a name that is not known.
mlir::FailureOr<TargetInfo> getTargetInfo(mlir::Operation *op);

} // namespace tessera::tile_gpu

#define GET_OP_CLASSES
#include "tessera/Dialect/TileGPU/IR/TileGPUOps.h.inc"

#endif // TESSERA_DIALECT_TILEGPU_IR_TILEGPU_H
