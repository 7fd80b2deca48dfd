//===- Blocked.cpp - blocked register layouts -----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/Blocked.h"

#include "tessera/Layout/DimNames.h"
#include "tessera/Layout/F2.h"

#include <algorithm>

using namespace tessera;

namespace {

bool fail(std::string *error, std::string reason) {
  if (error)
    *error = std::move(reason);
  return false;
}

/// Checks that `values` has one power of two for each of `rank` axes.
bool checkSizes(const std::vector<int32_t> &values, size_t rank,
                const char *what, std::string *error) {
  if (values.size() != rank)
    return fail(error,
                std::string(what) + " has " + std::to_string(values.size()) +
                    " entries for a tensor of rank " + std::to_string(rank));
  for (int32_t value : values)
    if (!isPowerOfTwo(value))
      return fail(error, std::string(what) + " has the entry " +
                             std::to_string(value) +
                             ", which is no power of two");
  return true;
}

bool checkOrder(const std::vector<int32_t> &order, size_t rank,
                std::string *error) {
  std::vector<int32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool isPermutation = sorted.size() == rank;
  for (size_t i = 0; isPermutation && i < rank; ++i)
    isPermutation = sorted[i] == static_cast<int32_t>(i);
  return isPermutation || fail(error, "order is no permutation of the " +
                                          std::to_string(rank) + " axes");
}

bool checkShape(const std::vector<int32_t> &shape, std::string *error) {
  if (shape.empty())
    return fail(error, "a blocked layout needs a tensor of rank 1 or more");
  return checkSizes(shape, shape.size(), "shape", error);
}

/// Deals out the bits of each axis's coordinate, lowest first, to index bits.
class BitDealer {
public:
  explicit BitDealer(const BlockedParams &params)
      : params(params), used(params.shape.size(), 0) {}

  using Bases = std::vector<std::vector<int32_t>>;

  /// Appends a grid of `sizes` entries to `bases`, axis order[0] first. Bits
  /// for which an axis has nothing left become zero bases, or none at all.
  void deal(const std::vector<int32_t> &sizes, bool keepCopies, Bases &bases) {
    for (int32_t axis : params.order)
      for (int i = 0; i < log2Floor(sizes[axis]); ++i)
        if (left(axis) > 0)
          bases.push_back(next(axis));
        else if (keepCopies)
          bases.emplace_back(params.shape.size(), 0);
  }

  /// Appends all that is left.
  void dealRest(Bases &bases) {
    for (int32_t axis : params.order)
      while (left(axis) > 0)
        bases.push_back(next(axis));
  }

private:
  int left(int32_t axis) const {
    return log2Floor(params.shape[axis]) - used[axis];
  }

  std::vector<int32_t> next(int32_t axis) {
    std::vector<int32_t> base(params.shape.size(), 0);
    base[axis] = int32_t(1) << used[axis]++;
    return base;
  }

  const BlockedParams &params;
  std::vector<int> used;
};

/// Distributes `count` workers over the axes, fastest first, as long as there
/// is something on them (`room`, divided accordingly); the rest goes to the
/// slowest axis.
std::vector<int32_t> distribute(int32_t count,
                                const std::vector<int32_t> &order,
                                std::vector<int32_t> &room) {
  std::vector<int32_t> result(order.size(), 1);
  for (int32_t axis : order) {
    result[axis] = std::min(count, room[axis]);
    count /= result[axis];
    room[axis] /= result[axis];
  }
  result[order.back()] *= count;
  return result;
}

} // namespace

std::optional<LinearLayout>
tessera::makeBlockedLayout(const BlockedParams &params, std::string *error) {
  size_t rank = params.shape.size();
  if (!checkShape(params.shape, error) ||
      !checkSizes(params.sizePerThread, rank, "sizePerThread", error) ||
      !checkSizes(params.threadsPerWarp, rank, "threadsPerWarp", error) ||
      !checkSizes(params.warpsPerCTA, rank, "warpsPerCTA", error) ||
      !checkOrder(params.order, rank, error))
    return std::nullopt;

  BitDealer dealer(params);
  BitDealer::Bases registers, lanes, warps;
  dealer.deal(params.sizePerThread, /*keepCopies=*/false, registers);
  dealer.deal(params.threadsPerWarp, /*keepCopies=*/true, lanes);
  dealer.deal(params.warpsPerCTA, /*keepCopies=*/true, warps);
  dealer.dealRest(registers);

  std::vector<LayoutDim> outDims;
  for (size_t axis = 0; axis < rank; ++axis)
    outDims.push_back(
        {tensorDimName(static_cast<int>(axis)), params.shape[axis]});
  return LinearLayout::create({{kRegisterDim, std::move(registers)},
                               {kLaneDim, std::move(lanes)},
                               {kWarpDim, std::move(warps)}},
                              std::move(outDims), error);
}

std::optional<BlockedParams>
tessera::chooseBlocked(const std::vector<int32_t> &shape,
                       const std::vector<int32_t> &order, int32_t vectorWidth,
                       int32_t threadsPerWarp, int32_t numWarps,
                       std::string *error) {
  if (!checkShape(shape, error) || !checkOrder(order, shape.size(), error) ||
      !checkSizes({vectorWidth}, 1, "vectorWidth", error) ||
      !checkSizes({threadsPerWarp}, 1, "threadsPerWarp", error) ||
      !checkSizes({numWarps}, 1, "numWarps", error))
    return std::nullopt;

  // log2 of the elements for each thread; products of shapes may overflow.
  int share = -log2Floor(threadsPerWarp) - log2Floor(numWarps);
  for (int32_t size : shape)
    share += log2Floor(size);
  int width = std::min(
      {log2Floor(vectorWidth), log2Floor(shape[order[0]]), std::max(share, 0)});

  BlockedParams params;
  params.shape = shape;
  params.order = order;
  params.sizePerThread.assign(shape.size(), 1);
  params.sizePerThread[order[0]] = int32_t(1) << width;
  std::vector<int32_t> room = shape;
  room[order[0]] >>= width;
  params.threadsPerWarp = distribute(threadsPerWarp, order, room);
  params.warpsPerCTA = distribute(numWarps, order, room);
  return params;
}
