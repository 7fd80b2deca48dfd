//===- SharedAdvice.cpp - what would fit into shared memory ---------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is changed by halving its dimensions. What a buffer holds follows from
// its readers and its shape; of several meanings the one that shrinks least
// counts, and what is not known stays as large as it is.
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Memory/SharedAdvice.h"

#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Layout/Wgmma.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <tuple>

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

static int64_t getSlots(Operation *op) {
  auto alloc = dyn_cast<AllocOp>(op);
  return alloc ? int64_t(alloc.getType().getSlots()) : 1;
}

static int64_t getMostSlots(const Lifetimes &lifetimes) {
  int64_t most = 1;
  for (Operation *op : lifetimes.allocs)
    most = std::max(most, getSlots(op));
  return most;
}

std::optional<int64_t> tessera::countSlotsTooMany(const Lifetimes &lifetimes,
                                                  int64_t limit) {
  int64_t longest = getMostSlots(lifetimes);
  for (int64_t fewer = 1; fewer < longest; ++fewer) {
    IntervalProblem shorter = lifetimes.problem;
    for (auto [op, buffer] : llvm::zip(lifetimes.allocs, shorter.buffers))
      if (int64_t slots = getSlots(op); slots == longest)
        buffer.bytes = buffer.bytes / slots * (slots - fewer);
    if (placeFirstFit(shorter).total <= limit)
      return fewer;
  }
  return std::nullopt;
}

/// Those that access a buffer, themselves or by a slot.
static SmallVector<OpOperand *> getAccesses(AllocOp alloc) {
  SmallVector<OpOperand *> accesses;
  for (OpOperand &use : alloc->getUses()) {
    if (isa<SlotOp>(use.getOwner())) {
      for (OpOperand &inner : use.getOwner()->getUses())
        accesses.push_back(&inner);
    } else {
      accesses.push_back(&use);
    }
  }
  return accesses;
}

/// Whether the rings of `slots` slots are those of loops whose products read
/// shared memory: they have a slot for each stage, others one less.
static bool areReadByWgmma(const Lifetimes &lifetimes, int64_t slots) {
  return llvm::any_of(lifetimes.allocs, [&](Operation *op) {
    auto alloc = dyn_cast<AllocOp>(op);
    return alloc && getSlots(op) == slots &&
           llvm::any_of(getAccesses(alloc), [](OpOperand *use) {
             return isa<WgmmaOp>(use->getOwner());
           });
  });
}

static std::string describeStages(const Lifetimes &lifetimes, int64_t limit) {
  std::optional<int64_t> fewer = countSlotsTooMany(lifetimes, limit);
  if (!fewer)
    return "";
  int64_t slots = getMostSlots(lifetimes);
  bool isPerStage = areReadByWgmma(lifetimes, slots);
  return llvm::formatv("num_stages = {0} fits",
                       slots - *fewer + (isPerStage ? 0 : 1));
}

//===----------------------------------------------------------------------===//
// A product's tile
//===----------------------------------------------------------------------===//

/// Bytes of a row of an operand that the instructions of tensor cores read at
/// once, and the fewest rows and columns of their tiles.
static constexpr int64_t kInstructionDepthBytes = 32;
static constexpr int64_t kFewestRows = 16;

namespace {
/// Rows, columns and depth of a product.
using Product = std::array<int64_t, 3>;

/// The only product of a function: the tiles of several may have dimensions in
/// common.
struct ProductTile {
  Product shape, least;
};

/// What a buffer may hold, as the two dimensions of a product that it has.
using Dims = std::pair<int, int>;
constexpr Dims kFirst = {0, 2}, kSecond = {2, 1}, kResult = {0, 1};

/// How much of it is left of each buffer: a part `1 / by`.
using Shrink = SmallVector<int64_t>;
} // namespace

static std::optional<ProductTile> findProduct(Operation *function) {
  std::optional<ProductTile> found;
  WalkResult walk = function->walk([&](Operation *op) {
    if (!isa<tile::DotOp, WgmmaOp>(op))
      return WalkResult::advance();
    auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    auto second = dyn_cast<ShapedType>(op->getOperand(1).getType());
    auto buffer = dyn_cast<BufferType>(op->getOperand(1).getType());
    ArrayRef<int64_t> shape = buffer   ? buffer.getShape()
                              : second ? second.getShape()
                                       : ArrayRef<int64_t>();
    if (found || !result || result.getRank() != 2 || shape.size() != 2)
      return WalkResult::interrupt();
    Type element = buffer ? buffer.getElementType() : second.getElementType();
    int64_t rows = isa<WgmmaOp>(op) ? kWgmmaM : kFewestRows;
    found = ProductTile{{result.getDimSize(0), result.getDimSize(1), shape[0]},
                        {rows, kFewestRows,
                         kInstructionDepthBytes / tile::getByteWidth(element)}};
    return WalkResult::advance();
  });
  return walk.wasInterrupted() ? std::nullopt : found;
}

/// What may be in a buffer: what a product reads from it, else all that has its
/// shape.
static SmallVector<Dims> findContents(AllocOp alloc, const Product &shape) {
  SmallVector<Dims> contents;
  for (OpOperand *use : getAccesses(alloc)) {
    if (isa<WgmmaOp>(use->getOwner()))
      contents.push_back(use->getOperandNumber() == 0 ? kFirst : kSecond);
    auto load = dyn_cast<LocalLoadOp>(use->getOwner());
    if (!load)
      continue;
    for (OpOperand &read : load->getUses())
      if (isa<tile::DotOp>(read.getOwner()) && read.getOperandNumber() < 2)
        contents.push_back(read.getOperandNumber() == 0 ? kFirst : kSecond);
  }
  if (!contents.empty())
    return contents;
  ArrayRef<int64_t> dims = alloc.getType().getShape();
  for (Dims like : {kFirst, kSecond, kResult})
    if (dims.size() == 2 && dims[0] == shape[like.first] &&
        dims[1] == shape[like.second])
      contents.push_back(like);
  return contents;
}

static bool fits(const Lifetimes &lifetimes, const Shrink &by, int64_t limit) {
  IntervalProblem smaller = lifetimes.problem;
  for (auto [buffer, part] : llvm::zip(smaller.buffers, by))
    buffer.bytes = llvm::divideCeil(buffer.bytes, part);
  return placeFirstFit(smaller).total <= limit;
}

/// Of each buffer, in a kernel whose product has a smaller shape.
static Shrink shrinkBuffers(const Lifetimes &lifetimes, const Product &shape,
                            const Product &smaller) {
  Shrink by;
  for (Operation *op : lifetimes.allocs) {
    int64_t least = 1;
    if (auto alloc = dyn_cast<AllocOp>(op)) {
      SmallVector<int64_t> parts;
      for (Dims dims : findContents(alloc, shape))
        parts.push_back(shape[dims.first] / smaller[dims.first] *
                        (shape[dims.second] / smaller[dims.second]));
      if (!parts.empty())
        least = *llvm::min_element(parts);
    }
    by.push_back(least);
  }
  return by;
}

/// The largest product of which this one is a multiple in each dimension that
/// fits; of equal ones that with the most results, then the most nearly square.
static std::string describeProduct(const Lifetimes &lifetimes,
                                   const ProductTile &tile, int64_t limit) {
  auto rank = [](const Product &p) {
    return std::make_tuple(p[0] * p[1] * p[2], p[0] * p[1],
                           std::min(p[0], p[1]), p[0]);
  };
  const auto &[m, n, k] = tile.shape;
  std::optional<Product> best;
  for (int64_t rows = m; rows >= std::min(m, tile.least[0]); rows /= 2)
    for (int64_t cols = n; cols >= std::min(n, tile.least[1]); cols /= 2)
      for (int64_t depth = k; depth >= std::min(k, tile.least[2]); depth /= 2) {
        Product smaller = {rows, cols, depth};
        if ((!best || rank(*best) < rank(smaller)) &&
            fits(lifetimes, shrinkBuffers(lifetimes, tile.shape, smaller),
                 limit))
          best = smaller;
      }
  if (!best)
    return "";
  return llvm::formatv(
      "a product of {0}x{1}x{2} (rows, columns, depth) fits in place of "
      "{3}x{4}x{5}",
      (*best)[0], (*best)[1], (*best)[2], m, n, k);
}

//===----------------------------------------------------------------------===//
// Another tile
//===----------------------------------------------------------------------===//

/// A part of the largest buffer's tensor that fits, all buffers of its shape
/// shrinking with it; its longest dimension is halved first.
static std::string describeTensor(const Lifetimes &lifetimes, int64_t limit) {
  AllocOp largest;
  int64_t bytes = 0;
  for (auto [op, buffer] :
       llvm::zip(lifetimes.allocs, lifetimes.problem.buffers))
    if (auto alloc = dyn_cast<AllocOp>(op); alloc && buffer.bytes > bytes) {
      largest = alloc;
      bytes = buffer.bytes;
    }
  if (!largest)
    return "";
  auto isAlike = [&](Operation *op) {
    auto alloc = dyn_cast<AllocOp>(op);
    return alloc && alloc.getType().getShape() == largest.getType().getShape();
  };
  auto print = [](ArrayRef<int64_t> shape) {
    return llvm::join(
        llvm::map_range(shape, [](int64_t d) { return std::to_string(d); }),
        "x");
  };
  SmallVector<int64_t> shape(largest.getType().getShape());
  for (int64_t part = 2; *llvm::max_element(shape) > 1; part *= 2) {
    *llvm::max_element(shape) /= 2;
    Shrink by = llvm::map_to_vector(lifetimes.allocs, [&](Operation *op) {
      return isAlike(op) ? part : int64_t(1);
    });
    if (fits(lifetimes, by, limit))
      return llvm::formatv("a tile of {0} fits in place of {1}", print(shape),
                           print(largest.getType().getShape()));
  }
  return "";
}

std::string tessera::describeWhatFits(const Lifetimes &lifetimes,
                                      int64_t limit) {
  std::string stages = describeStages(lifetimes, limit);
  return stages.empty() ? describeTileThatFits(lifetimes, limit) : stages;
}

std::string tessera::describeTileThatFits(const Lifetimes &lifetimes,
                                          int64_t limit) {
  if (lifetimes.allocs.empty())
    return "";
  Operation *function =
      lifetimes.allocs.front()->getParentOfType<tile::FuncOp>();
  if (std::optional<ProductTile> product = findProduct(function))
    return describeProduct(lifetimes, *product, limit);
  WalkResult products = function->walk([](Operation *op) {
    return isa<tile::DotOp, WgmmaOp>(op) ? WalkResult::interrupt()
                                         : WalkResult::advance();
  });
  return products.wasInterrupted() ? "" : describeTensor(lifetimes, limit);
}
