//===- ByteSet.cpp - a set of bytes ---------------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/ByteSet.h"

#include <algorithm>

using namespace tessera;

/// The first of the sorted ranges that ends at `address` or above it.
template <typename Ranges>
static auto findEndingAt(Ranges &ranges, int64_t address) {
  return std::lower_bound(
      ranges.begin(), ranges.end(), address,
      [](const ByteRange &range, int64_t end) { return range.end < end; });
}

void ByteSet::insert(ByteRange range) {
  // [first, last) overlap the new range or touch it, and become one with it.
  auto first = findEndingAt(list, range.begin);
  auto last = first;
  for (; last != list.end() && last->begin <= range.end; ++last) {
    range.begin = std::min(range.begin, last->begin);
    range.end = std::max(range.end, last->end);
  }
  list.insert(list.erase(first, last), range);
}

void ByteSet::insert(const ByteSet &other) {
  for (ByteRange range : other.list)
    insert(range);
}

bool ByteSet::overlaps(ByteRange range) const {
  auto next = findEndingAt(list, range.begin + 1);
  return next != list.end() && next->overlaps(range);
}

bool ByteSet::overlaps(const ByteSet &other) const {
  return std::any_of(other.list.begin(), other.list.end(),
                     [&](ByteRange range) { return overlaps(range); });
}
