//===- SharedAlignment.h - where things in shared memory begin --*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One rule for the pass that places buffers, for those that ask beforehand how
// much room they will take, and for the array that they are placed in.
//
// All in bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILEGPU_IR_SHAREDALIGNMENT_H
#define TESSERA_DIALECT_TILEGPU_IR_SHAREDALIGNMENT_H

#include <cstdint>

namespace tessera::tile_gpu {

/// No buffer asks for more. Swizzles of asynchronous operations repeat
/// with this period at most.
inline constexpr int64_t kMaxSharedAlignment = 1024;

inline constexpr int64_t kMBarrierAlignment = 16;

/// Of a buffer of `bytes`, which asynchronous operations access or not. Wide
/// accesses need 16 bytes; larger buffers begin with a line of 128 bytes, all
/// 32 banks, so that the banks of an element follow from its offset in the
/// buffer.
constexpr int64_t getSharedAlignment(int64_t bytes, bool isAsync) {
  if (isAsync)
    return kMaxSharedAlignment;
  return bytes < 128 ? 16 : 128;
}

} // namespace tessera::tile_gpu

#endif // TESSERA_DIALECT_TILEGPU_IR_SHAREDALIGNMENT_H
