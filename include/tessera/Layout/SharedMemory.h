//===- SharedMemory.h - shared-memory buffers and their access --*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer in shared memory is a bijection (offset) -> (dim0, ..), with offsets
// in elements. How a register layout R meets a buffer S is the layout of PLACES
//
//     places = S^-1 . R :  (register, lane, warp)  ->  (offset)
//
// and everything about the access can be read off its bases: how wide vectors
// may be (contiguity), how banks conflict, whether ldmatrix can do the job.
//
// Banks
// -----
// Shared memory has 32 banks of one 4-byte word: word w lies in bank w % 32.
// One wavefront serves any number of lanes as long as no bank has to give two
// different words; lanes that ask for the same word share it (CUDA C++
// Programming Guide, "Shared Memory" in "Compute Capability 5.x" and later).
// The guide leaves out wider accesses: a wavefront moves 128 bytes, so that an
// access of 8 bytes a lane is served by half-warps (16 lanes), one of 16 bytes
// by quarter-warps (8 lanes), each with the rule above. ldmatrix is served
// matrix by matrix: 8 rows of 16 bytes.
//
// As places are linear over F2, the words that one such group of lanes asks for
// are a (shifted) vector space V; the shift permutes banks and changes nothing.
// With b: V -> F2^5 the bank, every bank that is hit has to give |ker b| words:
//
//     wavefronts of a group = 2^(rank V - rank b(V))
//
// the same number for every group, register and warp.
//
// Swizzles
// --------
// Rows of 128 bytes put all elements of a column in the same bank. So the
// 16-byte chunks of a row are permuted: chunk c of row r is stored at
//
//     c ^ (r / rowsPerLine) % chunks     rowsPerLine = 128 / row bytes
//
// (rows longer than 128 bytes: in each 128-byte part of the row, with
// rowsPerLine = 1). Any 8 consecutive rows, from a multiple of 8 on, then have
// the same chunk in 8 different places of a 128-byte line. These are the 128-,
// 64- and 32-byte swizzles of the PTX ISA ("Swizzling Modes" of tensor copies
// and wgmma descriptors) for rows of as many bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_SHAREDMEMORY_H
#define TESSERA_LAYOUT_SHAREDMEMORY_H

#include "tessera/Layout/LinearLayout.h"

namespace tessera {

//===----------------------------------------------------------------------===//
// Bank conflicts
//===----------------------------------------------------------------------===//

/// What one warp's accesses cost, in wavefronts of shared memory.
struct BankConflicts {
  int64_t wavefronts = 0;
  /// The same if no two lanes met in a bank: one for each group of lanes.
  int64_t ideal = 0;
};

/// The cost of reading (writing) all registers of `places`, (register, lane[,
/// warp]) -> (offset), in accesses of `vectorElements` consecutive registers a
/// lane. Accesses are narrower than asked for where the registers are not
/// consecutive in memory, and never exceed 16 bytes. `elementBytes` is 1, 2, 4
/// or 8; `vectorElements` is a power of two.
BankConflicts countWavefronts(const LinearLayout &places, int elementBytes,
                              int vectorElements);

/// The places of a register layout's elements in a buffer: (register, lane, ..)
/// -> (offset). nullopt if the buffer is no bijection, has other dims, or is
/// smaller than the tensor along an axis (it may be larger).
std::optional<LinearLayout> placesIn(const LinearLayout &registers,
                                     const LinearLayout &shared);

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// The plain buffer (offset) -> (dim0, ..) in which axis order[0] varies
/// fastest, order[1] next, and so on. nullopt, with the reason in `error` if
/// given, if `order` is no permutation of the axes, a size is no power of two,
/// or the limits of a layout are exceeded.
std::optional<LinearLayout> makePlainShared(const std::vector<int32_t> &shape,
                                            const std::vector<int32_t> &order,
                                            std::string *error = nullptr);

/// What comes after the first 128 bytes of a row.
enum class LongRows {
  Whole, ///< The rest of the row.
  Split, ///< The first 128 bytes of the next row: the buffer is a sequence of
         ///< panels 128 bytes wide, as tensor copies and wgmma want it.
};

/// A two-dimensional buffer whose rows (along axis order[0]) are swizzled in
/// chunks of `vectorBytes` bytes; 16 for 16-byte accesses and ldmatrix, less
/// for narrower accesses down a column. A row of no more than one chunk has
/// nothing to swizzle. nullopt, with the reason in `error` if given, as for
/// makePlainShared, if the rank is not 2, or unless vectorBytes is a power of
/// two and elementBytes <= vectorBytes <= 16.
std::optional<LinearLayout>
makeSwizzledShared(const std::vector<int32_t> &shape,
                   const std::vector<int32_t> &order, int elementBytes,
                   int vectorBytes = 16, LongRows longRows = LongRows::Whole,
                   std::string *error = nullptr);

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

/// The input dim of LdmatrixPlan::addresses that numbers instructions.
inline constexpr const char *kGroupDim = "group";

/// How ldmatrix reads a register layout from a buffer: one .x4, .x2 or .x1
/// instruction for each group of consecutive registers.
///
/// PTX ISA, "Warp-level matrix load instruction: ldmatrix". A matrix is 8 rows
/// of 16 consecutive bytes in memory; seen as 8 x 8 elements M of 16 bits, lane
/// t gets, in one 32-bit register with the low half first,
///
///     M[t / 4][2 * (t % 4) + {0, 1}]        or, with .trans,
///     M[2 * (t % 4) + {0, 1}][t / 4]
///
/// In terms of bases of places, with n = 16 / elementBytes elements in a row:
/// the bits that run along a row (plain: those of the registers inside 32 bits,
/// then lane bits 0 and 1; .trans: lane bits 2, 3, 4) have to be the offsets 1,
/// 2, .. n/2, in this order, and all other bases multiples of n. The others are
/// free: where rows lie is up to the addresses.
struct LdmatrixPlan {
  /// Whether the instruction has .trans (a qualifier of PTX, so no enum).
  bool transposed = false;
  /// 1, 2 or 4: .x1, .x2, .x4.
  int matrices = 1;
  /// Elements of the reader that one instruction gives: group g yields the
  /// registers g * registersPerGroup and following, matrix j the j-th 32-bit
  /// register of them.
  int registersPerGroup = 1;
  /// (group, lane, warp) -> (offset): the element at which the row begins whose
  /// address lane t has to pass, row t % 8 of matrix t / 8. Lanes beyond the
  /// matrices repeat valid addresses. Linear: the parts of group, lane and warp
  /// combine by xor; the buffer's base, a multiple of 16 bytes, is added last.
  LinearLayout addresses;
};

/// The plan for `reader`, (register, lane, warp) -> coordinates, and the buffer
/// `shared`. Elements of 1, 2 or 4 bytes; .trans moves 16-bit units and is for
/// 2 bytes only. nullopt, with the reason in `error` if given, if ldmatrix
/// cannot produce the layout.
std::optional<LdmatrixPlan> planLdmatrix(const LinearLayout &reader,
                                         const LinearLayout &shared,
                                         int elementBytes,
                                         std::string *error = nullptr);

/// The cost of a warp's ldmatrix instructions.
BankConflicts countWavefronts(const LdmatrixPlan &plan, int elementBytes);

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

enum class LdmatrixUse { Never, WherePossible };

/// A buffer between a layout that writes and one that reads.
struct SharedChoice {
  LinearLayout shared; ///< (offset) -> (dim0, ..).
  BankConflicts writes, reads;
  int writeVector = 1; ///< Elements of one access.
  int readVector = 1;  ///< The same for reads without ldmatrix.
  std::optional<LdmatrixPlan> ldmatrix; ///< Set if reads are to use it.
  /// For remarks, e.g. "order [1, 0], swizzled by 16 bytes".
  std::string description;
};

/// The buffer with the fewest wavefronts for one write and one read of the
/// whole tensor, by one warp. Candidates are plain buffers in the reader's and
/// in the writer's order of axes and, for tensors of rank 2, buffers of either
/// order, plain and swizzled in chunks of 16, 8 and 4 bytes. Ties go to fewer
/// instructions, then to the candidate named first. Accesses are as wide as
/// contiguity allows, up to 16 bytes; reads use ldmatrix if that is cheaper and
/// `use` permits. nullopt, with the reason in `error` if given, if the layouts
/// do not have `shape`.
std::optional<SharedChoice>
chooseShared(const LinearLayout &writer, const LinearLayout &reader,
             const std::vector<int32_t> &shape, int elementBytes,
             LdmatrixUse use = LdmatrixUse::WherePossible,
             std::string *error = nullptr);

} // namespace tessera

#endif // TESSERA_LAYOUT_SHAREDMEMORY_H
