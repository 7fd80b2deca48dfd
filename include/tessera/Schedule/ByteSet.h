//===- ByteSet.h - a set of bytes -------------------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses of shared memory as a union of intervals.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SCHEDULE_BYTESET_H
#define TESSERA_SCHEDULE_BYTESET_H

#include <cstdint>
#include <vector>

namespace tessera {

/// The bytes begin, ..., end - 1.
struct ByteRange {
  int64_t begin, end;

  bool overlaps(ByteRange other) const {
    return begin < other.end && other.begin < end;
  }
  bool operator==(ByteRange other) const {
    return begin == other.begin && end == other.end;
  }
};

/// A set of bytes. Its ranges are sorted and neither overlap nor touch, so that
/// equal sets have equal ranges.
class ByteSet {
public:
  const std::vector<ByteRange> &ranges() const { return list; }

  /// Adds a range that is not empty.
  void insert(ByteRange range);
  void insert(const ByteSet &other);
  bool overlaps(ByteRange range) const;
  bool overlaps(const ByteSet &other) const;

  bool operator==(const ByteSet &other) const { return list == other.list; }

private:
  std::vector<ByteRange> list;
};

} // namespace tessera

#endif // TESSERA_SCHEDULE_BYTESET_H
