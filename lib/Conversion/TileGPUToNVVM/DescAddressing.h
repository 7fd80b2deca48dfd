//===- DescAddressing.h - addresses and bounds of a descriptor's tile -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a thread's elements of a tile are, and which of them the array has.
//
// Element (o_d + c_d) of the array is at base + size * sum of stride_d * (o_d +
// c_d). A coordinate c_d of the tile is t_d + r_d, what the thread and what the
// register contribute; where their bits overlap, t_d ^ r_d. So a thread needs
// one address; the others are constants away along a dimension of stride 1, and
// multiples of strides, the same for all threads, along others.
//
// The array has c_d in [low_d, high_d), with low_d = -o_d and high_d = extent_d
// - o_d, cut to [0, size of the tile]: numbers that are the same for all
// threads. When each interval is the whole tile, no element needs a check.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_CONVERSION_TILEGPUTONVVM_DESCADDRESSING_H
#define TESSERA_LIB_CONVERSION_TILEGPUTONVVM_DESCADDRESSING_H

#include "GlobalChunk.h"

namespace tessera {

/// One access of a descriptor.
class DescAddressing {
public:
  /// `desc` and `offsets` are lowered operands of `op`, whose tile is `type`.
  DescAddressing(ThreadCode &code, mlir::Operation *op,
                 mlir::RankedTensorType type, mlir::Value desc,
                 mlir::ValueRange offsets);

  /// Whether all elements exist, an i1; null if that needs no check. To be
  /// called before forEach, at a place that dominates it.
  mlir::Value isWhole();
  /// Emits `body` in two branches, unchecked where all elements exist and
  /// checked elsewhere; unchecked alone if that needs no check. Calls isWhole.
  void branch(llvm::function_ref<void(bool checked)> body);
  /// Calls `visit` for each register in `registers`, the first ones of chunks,
  /// with its address, an i64, and whether its element exists, an i1, or null
  /// if `checked` is false or nothing needs a check.
  void forEach(llvm::ArrayRef<int64_t> registers, bool checked,
               llvm::function_ref<void(int64_t reg, mlir::Value address,
                                       mlir::Value exists)>
                   visit);

private:
  struct Dim {
    mlir::Value offset, extent, stride;
    /// Offset and stride where they are constants.
    std::optional<int64_t> knownOffset, knownStride;
    /// The size of the tile.
    int64_t size;
    /// The part of lane and warp, an i32; null for 0.
    mlir::Value thread;
    /// Proven to be inside the array.
    bool inside;
    /// First and last plus one of the coordinates that exist, as i32; `low`
    /// null for 0. Set by isWhole, if not inside.
    mlir::Value low, high;
  };

  void buildInterval(Dim &dim);
  mlir::Value wide(mlir::Value value);
  /// Bytes of `elements` steps of a dimension.
  mlir::Value getStep(const Dim &dim, int64_t elements);
  llvm::SmallVector<int32_t, 4> getParts(int64_t reg) const;
  mlir::Value getFirstAddress();
  mlir::Value getOwnAddress(llvm::ArrayRef<int32_t> parts);
  mlir::Value getExists(const Dim &dim, mlir::Value thread, int32_t part);

  ThreadCode &code;
  LinearLayout layout;
  int64_t bytes;
  mlir::Value base;
  llvm::SmallVector<Dim, 4> dims;
  /// Coordinates are sums (see above).
  bool disjoint = true;
  /// Address of the thread's element with register parts 0; of the tile's first
  /// element where coordinates are no sums.
  mlir::Value first;
};

} // namespace tessera

#endif // TESSERA_LIB_CONVERSION_TILEGPUTONVVM_DESCADDRESSING_H
