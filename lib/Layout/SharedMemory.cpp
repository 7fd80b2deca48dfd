//===- SharedMemory.cpp - shared-memory buffers and their access ----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/SharedMemory.h"

#include "tessera/Layout/DimNames.h"
#include "tessera/Layout/F2.h"

#include <algorithm>
#include <utility>

using namespace tessera;

namespace {

constexpr int kLineBytes = 128; // All banks once: one wavefront.
constexpr int kNumBanks = 32;
constexpr int kWordBytes = 4;
constexpr int kVectorBytes = 16; // The widest access of a lane.
constexpr int kWarpBits = 5;

bool fail(std::string *error, std::string reason) {
  if (error)
    *error = std::move(reason);
  return false;
}

bool checkElement(int elementBytes, std::string *error) {
  return (elementBytes >= 1 && elementBytes <= 8 &&
          isPowerOfTwo(elementBytes)) ||
         fail(error, "elements of " + std::to_string(elementBytes) + " bytes");
}

//===----------------------------------------------------------------------===//
// Bank conflicts
//===----------------------------------------------------------------------===//

/// The first words of a group of lanes' accesses: the span of what is added.
class WordSpace {
public:
  void add(int64_t byteOffset) {
    auto word = static_cast<uint64_t>(byteOffset / kWordBytes);
    words.insert(word, added);
    banks.insert(word % kNumBanks, added);
    ++added;
  }

  /// How many words the busiest bank has to give: as many as any bank hit.
  int64_t wavefronts() const {
    return int64_t(1) << (words.rank() - banks.rank());
  }

private:
  EchelonBasis words, banks;
  int added = 0;
};

int64_t byteOffset(const LinearLayout &places, const char *in, int bit,
                   int elementBytes) {
  return int64_t(places.getBasis(in, bit, kOffsetDim)) * elementBytes;
}

/// The widest access of consecutive registers, in elements.
int vectorOf(const LinearLayout &places, int elementBytes) {
  return std::min<int>(places.contiguity(kRegisterDim, kOffsetDim),
                       std::max(1, kVectorBytes / elementBytes));
}

} // namespace

BankConflicts tessera::countWavefronts(const LinearLayout &places,
                                       int elementBytes, int vectorElements) {
  int vector = std::min(vectorElements, vectorOf(places, elementBytes));
  int bytes = vector * elementBytes;
  // 128 bytes at once: all lanes up to 4 bytes, then halves and quarters.
  int groupBits = std::min(kWarpBits, log2Floor(kLineBytes / bytes));

  // The words inside an access need not be added: addresses are multiples of
  // its size, so they are as many new banks as words.
  WordSpace space;
  for (int bit = 0; bit < groupBits; ++bit)
    space.add(byteOffset(places, kLaneDim, bit, elementBytes));

  int laneBits = places.getInDimSizeLog2(kLaneDim);
  BankConflicts result;
  result.ideal = int64_t(places.getInDimSize(kRegisterDim) / vector)
                 << std::max(0, laneBits - groupBits);
  result.wavefronts = result.ideal * space.wavefronts();
  return result;
}

std::optional<LinearLayout> tessera::placesIn(const LinearLayout &registers,
                                              const LinearLayout &shared) {
  std::optional<LinearLayout> inverse = shared.invert();
  return inverse ? registers.compose(*inverse) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

namespace {

bool checkShape(const std::vector<int32_t> &shape,
                const std::vector<int32_t> &order, std::string *error) {
  for (int32_t size : shape)
    if (!isPowerOfTwo(size))
      return fail(error, "shape has the entry " + std::to_string(size) +
                             ", which is no power of two");
  std::vector<int32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool isPermutation = sorted.size() == shape.size();
  for (size_t i = 0; isPermutation && i < sorted.size(); ++i)
    isPermutation = sorted[i] == static_cast<int32_t>(i);
  return isPermutation ||
         fail(error, "order is no permutation of the " +
                         std::to_string(shape.size()) + " axes");
}

using Base = std::vector<int32_t>;

std::optional<LinearLayout> makeBuffer(std::vector<Base> bases,
                                       const std::vector<int32_t> &shape,
                                       std::string *error) {
  std::vector<LayoutDim> outDims;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    outDims.push_back({tensorDimName(static_cast<int>(axis)), shape[axis]});
  return LinearLayout::create({{kOffsetDim, std::move(bases)}},
                              std::move(outDims), error);
}

} // namespace

std::optional<LinearLayout>
tessera::makePlainShared(const std::vector<int32_t> &shape,
                         const std::vector<int32_t> &order,
                         std::string *error) {
  if (!checkShape(shape, order, error))
    return std::nullopt;
  std::vector<Base> bases;
  for (int32_t axis : order)
    for (int32_t coordinate = 1; coordinate < shape[axis]; coordinate *= 2) {
      bases.emplace_back(shape.size(), 0);
      bases.back()[axis] = coordinate;
    }
  return makeBuffer(std::move(bases), shape, error);
}

std::optional<LinearLayout> tessera::makeSwizzledShared(
    const std::vector<int32_t> &shape, const std::vector<int32_t> &order,
    int elementBytes, int vectorBytes, LongRows longRows, std::string *error) {
  if (shape.size() != 2) {
    fail(error,
         "a swizzled buffer has two axes, not " + std::to_string(shape.size()));
    return std::nullopt;
  }
  if (!checkShape(shape, order, error) || !checkElement(elementBytes, error))
    return std::nullopt;
  if (!isPowerOfTwo(vectorBytes) || vectorBytes < elementBytes ||
      vectorBytes > kVectorBytes) {
    fail(error, "chunks of " + std::to_string(vectorBytes) + " bytes for " +
                    std::to_string(elementBytes) + "-byte elements");
    return std::nullopt;
  }

  int fast = order[0], slow = order[1];
  int lineElements = std::min(shape[fast], kLineBytes / elementBytes);
  int chunk = vectorBytes / elementBytes;
  int rowsPerLine = kLineBytes / elementBytes / lineElements;
  auto columnBases = [&](int32_t from, int32_t end, std::vector<Base> &bases) {
    for (int32_t column = from; column < end; column *= 2) {
      bases.push_back({0, 0});
      bases.back()[fast] = column;
    }
  };

  std::vector<Base> bases;
  columnBases(1, lineElements, bases);
  if (longRows == LongRows::Whole)
    columnBases(lineElements, shape[fast], bases);
  for (int32_t row = 1; row < shape[slow]; row *= 2) {
    // Row bit i moves chunk bit i - log2(rowsPerLine), if there is one.
    int64_t moved = int64_t(row) / rowsPerLine * chunk;
    bases.push_back({0, 0});
    bases.back()[slow] = row;
    bases.back()[fast] = moved < lineElements ? static_cast<int32_t>(moved) : 0;
  }
  if (longRows == LongRows::Split)
    columnBases(lineElements, shape[fast], bases);
  return makeBuffer(std::move(bases), shape, error);
}

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

namespace {

/// The bases of places, by the role that ldmatrix gives to them.
struct MatrixBits {
  std::vector<int32_t> inRow;  ///< Along a row of 16 bytes.
  std::vector<int32_t> rows;   ///< Which of the 8 rows.
  std::vector<int32_t> others; ///< Which matrix: the other register bits.
};

std::vector<int32_t> basesOf(const LinearLayout &places, const char *in) {
  std::vector<int32_t> result;
  for (int bit = 0; bit < places.getInDimSizeLog2(in); ++bit)
    result.push_back(places.getBasis(in, bit, kOffsetDim));
  return result;
}

/// Sorts the bits; `packedBits` of them number the elements in one register of
/// 32 bits. Precondition: there are as many register bits, and 5 lane bits.
MatrixBits sortBits(const LinearLayout &places, int packedBits,
                    bool transposed) {
  std::vector<int32_t> registers = basesOf(places, kRegisterDim);
  std::vector<int32_t> lanes = basesOf(places, kLaneDim);
  std::vector<int32_t> columns(registers.begin(),
                               registers.begin() + packedBits);
  columns.insert(columns.end(), lanes.begin(), lanes.begin() + 2);
  std::vector<int32_t> rows(lanes.begin() + 2, lanes.end());
  if (transposed)
    std::swap(columns, rows);
  return {columns, rows, {registers.begin() + packedBits, registers.end()}};
}

/// The condition on LdmatrixPlan.
bool isMatrix(const MatrixBits &bits, const std::vector<int32_t> &warps,
              int rowElements) {
  for (size_t i = 0; i < bits.inRow.size(); ++i)
    if (bits.inRow[i] != int32_t(1) << i)
      return false;
  auto startsRow = [&](int32_t base) { return base % rowElements == 0; };
  return std::all_of(bits.rows.begin(), bits.rows.end(), startsRow) &&
         std::all_of(bits.others.begin(), bits.others.end(), startsRow) &&
         std::all_of(warps.begin(), warps.end(), startsRow);
}

LdmatrixPlan makePlan(const MatrixBits &bits, const std::vector<int32_t> &warps,
                      int32_t bufferSize, int packed, bool transposed) {
  auto lists = [](auto first, auto last) {
    std::vector<Base> result;
    for (; first != last; ++first)
      result.push_back({*first});
    return result;
  };
  size_t matrixBits = std::min<size_t>(2, bits.others.size());
  auto firstGroup = bits.others.begin() + matrixBits;

  std::vector<Base> lanes = lists(bits.rows.begin(), bits.rows.end());
  for (auto it = bits.others.begin(); it != firstGroup; ++it)
    lanes.push_back({*it});
  lanes.resize(kWarpBits, {0});

  LdmatrixPlan plan;
  plan.transposed = transposed;
  plan.matrices = 1 << matrixBits;
  plan.registersPerGroup = plan.matrices * packed;
  plan.addresses =
      *LinearLayout::create({{kGroupDim, lists(firstGroup, bits.others.end())},
                             {kLaneDim, std::move(lanes)},
                             {kWarpDim, lists(warps.begin(), warps.end())}},
                            {{kOffsetDim, bufferSize}});
  return plan;
}

/// What the sizes alone rule out.
bool mayUseLdmatrix(const LinearLayout &reader, int elementBytes,
                    std::string *error) {
  if (elementBytes != 1 && elementBytes != 2 && elementBytes != 4)
    return fail(error, "ldmatrix does not move elements of " +
                           std::to_string(elementBytes) + " bytes");
  if (reader.getInDimSizeLog2(kLaneDim) != kWarpBits)
    return fail(error, "ldmatrix is for warps of 32 lanes");
  if (reader.getInDimSize(kRegisterDim) < kWordBytes / elementBytes)
    return fail(error, "a lane holds less than the 4 bytes that ldmatrix "
                       "gives it");
  for (const LayoutDim &dim : reader.inDims())
    if (dim.size > 1 && dim.name != kRegisterDim && dim.name != kLaneDim &&
        dim.name != kWarpDim)
      return fail(error, "the layout depends on '" + dim.name + "'");
  return true;
}

} // namespace

std::optional<LdmatrixPlan> tessera::planLdmatrix(const LinearLayout &reader,
                                                  const LinearLayout &shared,
                                                  int elementBytes,
                                                  std::string *error) {
  if (!mayUseLdmatrix(reader, elementBytes, error))
    return std::nullopt;
  std::optional<LinearLayout> places = placesIn(reader, shared);
  if (!places) {
    fail(error, "the buffer does not hold the layout's tensor");
    return std::nullopt;
  }
  int packed = kWordBytes / elementBytes;
  std::vector<int32_t> warps = basesOf(*places, kWarpDim);
  for (bool transposed : {false, true}) {
    if (transposed && elementBytes != 2)
      break;
    MatrixBits bits = sortBits(*places, log2Floor(packed), transposed);
    if (isMatrix(bits, warps, kVectorBytes / elementBytes))
      return makePlan(bits, warps, places->getOutDimSize(kOffsetDim), packed,
                      transposed);
  }
  fail(error, "the lanes' elements are no 8 x 8 matrices with rows of 16 "
              "consecutive bytes in the buffer");
  return std::nullopt;
}

BankConflicts tessera::countWavefronts(const LdmatrixPlan &plan,
                                       int elementBytes) {
  WordSpace space; // Of the 8 rows of one matrix.
  for (int bit = 0; bit < 3; ++bit)
    space.add(byteOffset(plan.addresses, kLaneDim, bit, elementBytes));
  BankConflicts result;
  result.ideal =
      int64_t(plan.addresses.getInDimSize(kGroupDim)) * plan.matrices;
  result.wavefronts = result.ideal * space.wavefronts();
  return result;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

namespace {

/// The axis order in which a layout's accesses are widest and closest together:
/// first the axis along which the registers count 1, 2, .., if there is one,
/// then the axes in the order in which the bits of lanes, other registers and
/// warps first move along them; those that nothing moves along last, row-major.
std::vector<int32_t> orderOf(const LinearLayout &layout) {
  std::vector<int32_t> order;
  auto add = [&](int32_t axis) {
    if (std::find(order.begin(), order.end(), axis) == order.end())
      order.push_back(axis);
  };
  auto rank = static_cast<int32_t>(layout.outDims().size());
  for (int32_t axis = 0; axis < rank; ++axis)
    if (layout.contiguity(kRegisterDim, layout.outDims()[axis].name) > 1)
      add(axis);
  for (const char *in : {kLaneDim, kRegisterDim, kWarpDim})
    for (int bit = 0; bit < layout.getInDimSizeLog2(in); ++bit) {
      Base base = layout.getBasis(in, bit);
      for (int32_t axis = rank - 1; axis >= 0; --axis)
        if (base[axis] != 0)
          add(axis);
    }
  for (int32_t axis = rank - 1; axis >= 0; --axis)
    add(axis);
  return order;
}

std::string textOf(const std::vector<int32_t> &order) {
  std::string text = "order [";
  for (size_t i = 0; i < order.size(); ++i)
    text += (i ? ", " : "") + std::to_string(order[i]);
  return text + "]";
}

struct Candidate {
  LinearLayout shared;
  std::string description;
};

/// The candidates, those to be preferred first. `shape` is valid.
std::vector<Candidate> listCandidates(const LinearLayout &writer,
                                      const LinearLayout &reader,
                                      const std::vector<int32_t> &shape,
                                      int elementBytes) {
  std::vector<std::vector<int32_t>> orders = {orderOf(reader)};
  if (orderOf(writer) != orders[0])
    orders.push_back(orderOf(writer));
  if (shape.size() == 2 && orders.size() == 1)
    orders.push_back({orders[0][1], orders[0][0]});

  std::vector<Candidate> result;
  for (const std::vector<int32_t> &order : orders) {
    if (auto plain = makePlainShared(shape, order))
      result.push_back({*plain, textOf(order)});
    if (shape.size() != 2)
      continue;
    for (int chunkBytes : {16, 8, 4})
      if (auto swizzled =
              makeSwizzledShared(shape, order, elementBytes, chunkBytes))
        result.push_back({*swizzled, textOf(order) + ", swizzled by " +
                                         std::to_string(chunkBytes) +
                                         " bytes"});
  }
  return result;
}

/// Wavefronts, then instructions.
using Cost = std::pair<int64_t, int64_t>;

Cost costOf(const BankConflicts &conflicts, const LinearLayout &places,
            int vector) {
  return {conflicts.wavefronts, places.getInDimSize(kRegisterDim) / vector};
}

/// Fills in everything about one candidate. nullopt if a layout does not fit.
std::optional<Cost> evaluate(SharedChoice &choice, const LinearLayout &writer,
                             const LinearLayout &reader, int elementBytes,
                             LdmatrixUse use) {
  auto writes = placesIn(writer, choice.shared);
  auto reads = placesIn(reader, choice.shared);
  if (!writes || !reads)
    return std::nullopt;
  choice.writeVector = vectorOf(*writes, elementBytes);
  choice.writes = countWavefronts(*writes, elementBytes, choice.writeVector);
  choice.readVector = vectorOf(*reads, elementBytes);
  choice.reads = countWavefronts(*reads, elementBytes, choice.readVector);
  Cost writeCost = costOf(choice.writes, *writes, choice.writeVector);
  Cost readCost = costOf(choice.reads, *reads, choice.readVector);

  if (use == LdmatrixUse::WherePossible)
    if (auto plan = planLdmatrix(reader, choice.shared, elementBytes)) {
      BankConflicts conflicts = countWavefronts(*plan, elementBytes);
      Cost cost = {conflicts.wavefronts,
                   plan->addresses.getInDimSize(kGroupDim)};
      if (cost < readCost) {
        choice.ldmatrix = std::move(plan);
        choice.reads = conflicts;
        readCost = cost;
      }
    }
  return Cost{writeCost.first + readCost.first,
              writeCost.second + readCost.second};
}

/// Whether the layout's output dims are dim0, .. with the sizes of `shape`.
bool hasShape(const LinearLayout &layout, const std::vector<int32_t> &shape) {
  bool same = layout.outDims().size() == shape.size();
  for (size_t axis = 0; same && axis < shape.size(); ++axis)
    same = layout.outDims()[axis] ==
           LayoutDim{tensorDimName(static_cast<int>(axis)), shape[axis]};
  return same;
}

} // namespace

std::optional<SharedChoice>
tessera::chooseShared(const LinearLayout &writer, const LinearLayout &reader,
                      const std::vector<int32_t> &shape, int elementBytes,
                      LdmatrixUse use, std::string *error) {
  if (!checkElement(elementBytes, error))
    return std::nullopt;
  if (!hasShape(writer, shape) || !hasShape(reader, shape)) {
    fail(error, "the layouts are for tensors of another shape");
    return std::nullopt;
  }
  std::optional<SharedChoice> best;
  Cost bestCost;
  for (Candidate &candidate :
       listCandidates(writer, reader, shape, elementBytes)) {
    SharedChoice choice;
    choice.shared = std::move(candidate.shared);
    choice.description = std::move(candidate.description);
    std::optional<Cost> cost =
        evaluate(choice, writer, reader, elementBytes, use);
    if (!cost || (best && *cost >= bestCost))
      continue;
    best = std::move(choice);
    bestCost = *cost;
  }
  if (!best)
    fail(error, "the tensor exceeds the limits of a layout");
  return best;
}
