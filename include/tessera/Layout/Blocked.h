//===- Blocked.h - blocked register layouts ---------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout of plain loads, stores and elementwise work: each thread holds a
// small box of neighbouring elements, the threads of a warp form a grid of such
// boxes, the warps a grid of those. One such tile has, along axis d,
//
//     tile[d] = sizePerThread[d] * threadsPerWarp[d] * warpsPerCTA[d]
//
// elements. With sizePerThread = [1, 2], threadsPerWarp = [2, 4], warpsPerCTA =
// [2, 1] and order = [1, 0], a 4x8 tensor is held by (w = warp, t = lane):
//
//     w0t0 w0t0 w0t1 w0t1 w0t2 w0t2 w0t3 w0t3
//     w0t4 w0t4 w0t5 w0t5 w0t6 w0t6 w0t7 w0t7
//     w1t0 w1t0 w1t1 w1t1 w1t2 w1t2 w1t3 w1t3
//     w1t4 w1t4 w1t5 w1t5 w1t6 w1t6 w1t7 w1t7
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_BLOCKED_H
#define TESSERA_LAYOUT_BLOCKED_H

#include "tessera/Layout/LinearLayout.h"

namespace tessera {

/// All lists have one entry for each tensor axis. All numbers but those of
/// `order` are powers of two.
struct BlockedParams {
  std::vector<int32_t> shape;          ///< Elements of the tensor.
  std::vector<int32_t> sizePerThread;  ///< Elements of one thread's box.
  std::vector<int32_t> threadsPerWarp; ///< The warp's grid of threads.
  std::vector<int32_t> warpsPerCTA;    ///< The block's grid of warps.
  std::vector<int32_t> order;          ///< A permutation; order[0] is the axis
                                       ///< that varies fastest.
};

/// The blocked layout (register, lane, warp) -> (dim0, .., dimN-1).
///
/// An axis longer than its tile is covered by repeating the tile: the registers
/// grow, repetitions along order[0] first. On an axis shorter than its tile the
/// surplus is cut off from the top, warps first, then lanes, then registers:
/// surplus lane and warp bits get zero bases (threads hold copies), surplus
/// register bits are left out (a thread does not hold an element twice). The
/// result is surjective, and "lane" and "warp" have the sizes asked for.
///
/// nullopt, with the reason in `error` if given, for parameters that break the
/// conditions on BlockedParams, rank 0, or layouts beyond LinearLayout's
/// limits.
std::optional<LinearLayout> makeBlockedLayout(const BlockedParams &params,
                                              std::string *error = nullptr);

/// Parameters under which a warp's accesses are coalesced when axis order[0] is
/// contiguous in memory.
///
/// Each thread holds `vectorWidth` elements (one vector access) along order[0],
/// but not more than the axis has, nor more than are left when the tensor is
/// dealt out to all threads: narrower accesses by all of them are better than
/// wide ones that every other thread repeats. Lanes, then warps, fill axis
/// order[0] first, then order[1], and so on. Lanes and warps that find no
/// elements are put on the slowest axis, where makeBlockedLayout turns them
/// into copies.
///
/// `vectorWidth`, `threadsPerWarp` and `numWarps` are powers of two. nullopt,
/// with the reason in `error` if given, as for makeBlockedLayout.
std::optional<BlockedParams> chooseBlocked(const std::vector<int32_t> &shape,
                                           const std::vector<int32_t> &order,
                                           int32_t vectorWidth,
                                           int32_t threadsPerWarp = 32,
                                           int32_t numWarps = 4,
                                           std::string *error = nullptr);

} // namespace tessera

#endif // TESSERA_LAYOUT_BLOCKED_H
