//===- IntervalPlacement.cpp - buffers in one address space ---------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/IntervalPlacement.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

using namespace tessera;

static bool isPowerOfTwo(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

static int64_t alignUp(int64_t value, int64_t alignment) {
  return (value + alignment - 1) & -alignment;
}

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

std::string IntervalProblem::check() const {
  for (size_t i = 0; i < buffers.size(); ++i) {
    const LiveBuffer &buffer = buffers[i];
    std::string name = "buffer " + std::to_string(i);
    if (buffer.bytes < 1 || buffer.bytes > kMaxPlacedBytes)
      return name + " has a size of " + std::to_string(buffer.bytes);
    if (!isPowerOfTwo(buffer.alignment) || buffer.alignment > kMaxPlacedBytes)
      return name + " has an alignment of " + std::to_string(buffer.alignment);
    if (buffer.begin >= buffer.end)
      return name + " dies before it is born";
  }
  return "";
}

std::string IntervalProblem::verify(const IntervalPlacement &placement) const {
  const std::vector<int64_t> &offsets = placement.offsets;
  if (offsets.size() != buffers.size())
    return std::to_string(offsets.size()) + " offsets for " +
           std::to_string(buffers.size()) + " buffers";
  int64_t total = 0;
  for (size_t i = 0; i < buffers.size(); ++i) {
    std::string name = "buffer " + std::to_string(i);
    if (offsets[i] < 0 || offsets[i] % buffers[i].alignment != 0)
      return name + " lies at " + std::to_string(offsets[i]);
    int64_t end = offsets[i] + buffers[i].bytes;
    total = std::max(total, end);
    for (size_t j = 0; j < i; ++j)
      if (buffers[i].livesWith(buffers[j]) && offsets[j] < end &&
          offsets[i] < offsets[j] + buffers[j].bytes)
        return "buffers " + std::to_string(j) + " and " + std::to_string(i) +
               " overlap";
  }
  if (placement.total != total)
    return "the total is " + std::to_string(total) + ", not " +
           std::to_string(placement.total);
  return "";
}

int64_t IntervalProblem::lowerBound() const {
  // Deaths sort before births of the same time: intervals are half-open.
  std::vector<std::pair<int64_t, int64_t>> changes;
  for (const LiveBuffer &buffer : buffers) {
    changes.emplace_back(buffer.begin, buffer.bytes);
    changes.emplace_back(buffer.end, -buffer.bytes);
  }
  std::sort(changes.begin(), changes.end());
  int64_t alive = 0, most = 0;
  for (auto [time, bytes] : changes)
    most = std::max(most, alive += bytes);
  return most;
}

//===----------------------------------------------------------------------===//
// First fit
//===----------------------------------------------------------------------===//

/// The lowest aligned offset for `buffer` between `taken`, intervals of
/// addresses that may overlap each other.
static int64_t findLowestGap(const LiveBuffer &buffer,
                             std::vector<std::pair<int64_t, int64_t>> taken) {
  std::sort(taken.begin(), taken.end());
  int64_t offset = 0;
  for (auto [begin, end] : taken) {
    if (offset + buffer.bytes <= begin)
      break;
    offset = std::max(offset, alignUp(end, buffer.alignment));
  }
  return offset;
}

IntervalPlacement tessera::placeFirstFit(const IntervalProblem &problem) {
  const std::vector<LiveBuffer> &buffers = problem.buffers;
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::make_tuple(-buffers[a].bytes, buffers[a].begin, a) <
           std::make_tuple(-buffers[b].bytes, buffers[b].begin, b);
  });

  IntervalPlacement placement;
  placement.offsets.resize(buffers.size());
  for (size_t position = 0; position < order.size(); ++position) {
    const LiveBuffer &buffer = buffers[order[position]];
    std::vector<std::pair<int64_t, int64_t>> taken;
    for (size_t before = 0; before < position; ++before) {
      size_t other = order[before];
      if (buffer.livesWith(buffers[other]))
        taken.emplace_back(placement.offsets[other],
                           placement.offsets[other] + buffers[other].bytes);
    }
    int64_t offset = findLowestGap(buffer, std::move(taken));
    placement.offsets[order[position]] = offset;
    placement.total = std::max(placement.total, offset + buffer.bytes);
  }
  return placement;
}
