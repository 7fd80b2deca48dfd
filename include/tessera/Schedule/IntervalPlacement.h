//===- IntervalPlacement.h - buffers in one address space -------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic storage allocation: each buffer has a size and an interval of time
// in which it is alive, and gets an offset such that buffers that are alive at
// one time do not overlap; the total is to be small. In the plane with time on
// one axis and addresses on the other, buffers are rectangles that may slide
// along the address axis only:
//
//     address
//        |        +-----+
//        |  +--+  |  C  |        A and C share addresses: A is dead when C
//        |  |A |  +-----+---+    comes. B lies below both.
//        |  +--+--+----+ D  |
//        |  |    B     |    |
//        +--+----------+----+--> time
//
// The optimum is NP-hard (Garey, Johnson: SR2), already without alignment. The
// problem and what makes a placement right stand apart from the solver, so that
// a placement of any origin can be checked.
//
// Times are any numbers that order events; sizes and offsets are bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SCHEDULE_INTERVALPLACEMENT_H
#define TESSERA_SCHEDULE_INTERVALPLACEMENT_H

#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// A buffer to be placed.
struct LiveBuffer {
  /// 1 .. kMaxPlacedBytes.
  int64_t bytes;
  /// A power of two, 1 .. kMaxPlacedBytes; divides the offset.
  int64_t alignment;
  /// Alive from `begin` until just before `end`; begin < end.
  int64_t begin, end;

  bool livesWith(const LiveBuffer &other) const {
    return begin < other.end && other.begin < end;
  }
};

/// Largest size and alignment of a buffer: sums of offsets stay far from 2^63.
inline constexpr int64_t kMaxPlacedBytes = int64_t(1) << 32;

/// Offsets of the buffers of a problem, in their order.
struct IntervalPlacement {
  std::vector<int64_t> offsets;
  /// Where the highest buffer ends; 0 without buffers.
  int64_t total = 0;
};

/// The buffers to be placed in one address space that begins at 0.
struct IntervalProblem {
  std::vector<LiveBuffer> buffers;

  /// What is wrong with the input; empty when nothing is.
  std::string check() const;

  /// What is wrong with a placement of these buffers: an offset that is
  /// negative or not aligned, two live buffers that overlap, a wrong total.
  /// Empty when nothing is. Quadratic.
  std::string verify(const IntervalPlacement &placement) const;

  /// max over time of the bytes alive: no placement has a smaller total.
  int64_t lowerBound() const;
};

/// Places each buffer, the largest first and of equal ones the one that lives
/// first, at the lowest offset that those placed before it leave free. The
/// problem has passed check(). Quadratic, up to a logarithm.
///
/// Buffers of one size and an alignment that divides it get the optimum: in
/// order of their begin, first fit colours an interval graph with as many
/// colours as buffers are alive at once.
IntervalPlacement placeFirstFit(const IntervalProblem &problem);

} // namespace tessera

#endif // TESSERA_SCHEDULE_INTERVALPLACEMENT_H
