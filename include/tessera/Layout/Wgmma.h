//===- Wgmma.h - operands and accumulators of wgmma -------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate". Four
// warps compute 64 x n accumulators from operands in shared memory, k elements
// (32 bytes) of the inner dimension a time.
//
// Accumulators
// ------------
// Warp w of the group holds rows 16w .. 16w + 15, as mma.m16n8 does, one n8
// tile after another:
//
//     register   n: 1    m: 8    n: 8, 16, .. n/2
//     lane       n: 2, 4         m: 1, 2, 4
//     warp       m: 16, 32
//
// A in registers
// --------------
// The fragments of mma.sync's A (Mma.h), one for each step of 32 bytes along k
// and each 64 rows of the group's box. With e = elements in a 32-bit register:
//
//     register   k: 1 .. e/2   m: 8   k: 4e   k: 8e ..   m: 64 ..
//     lane       k: e, 2e      m: 1, 2, 4
//     warp       m: 16, 32
//
// Groups along N hold copies. For 16-bit elements and groups along M alone it
// is the layout of the accumulators of an M x K product: what is computed of
// them element by element, and rounded, is an operand where it is.
//
// Operands in shared memory
// -------------------------
// Buffers as makeSwizzledShared() makes them with rows split into panels of 128
// bytes: rows of 32, 64 or 128 bytes, 16-byte chunks permuted with the period
// of 8 rows, panels of `panelBytes` one after another. A row runs along k (a
// *K-major* operand) or along m or n (*MN-major*; only 16-bit elements). The
// descriptor of a part that begins at byte `address`:
//
//     bits  0-13  address / 16
//     bits 16-29  leading byte offset / 16:  MN-major: from panel to panel;
//                                            K-major: not used with a swizzle
//     bits 32-45  stride byte offset / 16:   from 8 rows to the next 8
//     bits 62-63  swizzle: 1 for 128 bytes, 2 for 64, 3 for 32
//
// Swizzles are functions of address bits, so parts may begin anywhere in a row,
// and at rows that are multiples of 8, as long as the buffer begins at a
// multiple of 1024.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_WGMMA_H
#define TESSERA_LAYOUT_WGMMA_H

#include "tessera/Layout/LinearLayout.h"

namespace tessera {

/// Warps of a group.
inline constexpr int32_t kWarpsPerGroup = 4;
/// Rows that a group computes with one instruction.
inline constexpr int32_t kWgmmaM = 64;

/// How an M x N tile is dealt out: groups along M and N, each with a contiguous
/// box of it, and columns of one instruction.
struct WgmmaTiling {
  int32_t groupsM, groupsN, n;
};

/// The tiling for `numWarps` warps: groups along M first. nullopt, with the
/// reason in `error` if given, unless M is a multiple of 64, N of 8, and the
/// warps form groups that all get a part.
std::optional<WgmmaTiling> chooseWgmmaTiling(int32_t M, int32_t N,
                                             int32_t numWarps,
                                             std::string *error = nullptr);

/// Registers of a thread that an instruction of `n` columns with accumulators of
/// 32 bits takes at once: n / 2 accumulators, which cannot be spilled, and what
/// ptxas keeps beside them (measured with 13.0, whose C7602 names the number).
constexpr int32_t countWgmmaRegisters(int32_t n) { return n / 2 + 26; }

/// The accumulators of an M x N tile: (register, lane, warp) -> (dim0, dim1); a
/// bijection. The registers of the instruction for rows 64 mi and columns n ni
/// of the group's box begin at (mi * steps along N + ni) * n / 2.
std::optional<LinearLayout> makeWgmmaAccumulator(int32_t M, int32_t N,
                                                 const WgmmaTiling &tiling);

/// The M x K operand A in registers, (register, lane, warp) -> (dim0, dim1).
/// Surjective. The registers of rows 64 mi of the group's box and step ki begin
/// at (mi * steps along K + ki) * 32 / elementBytes / 2. nullopt when K is
/// shorter than a step, or elements have neither 1 nor 2 bytes.
std::optional<LinearLayout> makeWgmmaOperandA(int32_t M, int32_t K,
                                              const WgmmaTiling &tiling,
                                              int elementBytes);

/// An operand in shared memory.
class WgmmaOperand {
public:
  /// Axes of the buffer: which one is m or n, and along which one a row runs.
  enum class Major { K, MN };

  /// The operand for a buffer of `extentMN` x `extentK` elements. nullopt, with
  /// the reason in `error` if given, when rows are shorter than 32 bytes, or run
  /// along m or n with elements of other than 2 bytes.
  static std::optional<WgmmaOperand> create(int32_t extentMN, int32_t extentK,
                                            Major major, int elementBytes,
                                            std::string *error = nullptr);

  /// Its buffer, with m or n as axis `axisMN` and k as the other one.
  LinearLayout getBuffer(int axisMN) const;
  /// Byte at which the part with first element (mn, k) begins; mn is a multiple
  /// of 8, and k of 32 bytes.
  int64_t getStart(int32_t mn, int32_t k) const;
  /// The descriptor without the address.
  uint64_t getDescriptor() const;
  Major getMajor() const { return major; }

private:
  WgmmaOperand(int32_t extentMN, int32_t extentK, Major major, int elementBytes)
      : extentMN(extentMN), extentK(extentK), major(major),
        elementBytes(elementBytes) {}
  int64_t getRowBytes() const;
  int64_t getPanelBytes() const;

  int32_t extentMN, extentK;
  Major major;
  int elementBytes;
};

} // namespace tessera

#endif // TESSERA_LAYOUT_WGMMA_H
