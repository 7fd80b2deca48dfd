//===- SharedMemoryTest.cpp - tests of shared-memory layouts --------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conflicts are counted a second time lane by lane and bank by bank, swizzles
// are compared with their formula, and plans for ldmatrix are executed on an
// array of bytes as PTX defines the instruction.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/SharedMemory.h"

#include "RandomLayouts.h"
#include "tessera/Layout/Blocked.h"
#include "tessera/Layout/Mma.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr MmaShape kM16N8K16 = {16, 8, 16};

/// Wavefronts of one group of lanes, each of which accesses `bytes` bytes: the
/// most words that a bank has to give.
int64_t groupWavefronts(const std::vector<int64_t> &addresses, int bytes) {
  std::vector<std::set<int64_t>> banks(32);
  for (int64_t address : addresses)
    for (int byte = 0; byte < bytes; ++byte)
      banks[(address + byte) / 4 % 32].insert((address + byte) / 4);
  size_t most = 0;
  for (const std::set<int64_t> &words : banks)
    most = std::max(most, words.size());
  return static_cast<int64_t>(most);
}

/// The sum over all accesses of one warp, by definition.
int64_t bruteForce(const LinearLayout &places, int elementBytes, int vector,
                   int32_t warp) {
  int bytes = elementBytes * vector;
  int lanes = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  int64_t total = 0;
  for (int32_t reg = 0; reg < places.getInDimSize("register"); reg += vector)
    for (int32_t first = 0; first < 32; first += lanes) {
      std::vector<int64_t> addresses;
      for (int32_t lane = first; lane < first + lanes; ++lane)
        addresses.push_back(int64_t(places.applyValues({reg, lane, warp})[0]) *
                            elementBytes);
      total += groupWavefronts(addresses, bytes);
    }
  return total;
}

/// (register, lane, warp) -> (offset), in which `vector` registers are
/// consecutive and all else is random.
LinearLayout randomPlaces(RandomLayouts &random, int vector) {
  auto rest = random.layout({{"register", 4}, {"lane", 32}, {"warp", 4}},
                            {{"offset", 1 << 10}});
  return LinearLayout::identity1D(vector, "register", "offset") * rest;
}

LinearLayout blocked(const Values &shape, const Values &order, int vector,
                     int warps = 4) {
  return *makeBlockedLayout(*chooseBlocked(shape, order, vector, 32, warps));
}

LinearLayout operandA(int32_t M, int32_t K, int bits = 16,
                      MmaShape shape = kM16N8K16) {
  return *makeMmaOperandA(M, K, {{2, 2}, shape}, bits);
}
LinearLayout operandB(int32_t K, int32_t N, int bits = 16,
                      MmaShape shape = kM16N8K16) {
  return *makeMmaOperandB(K, N, {{2, 2}, shape}, bits);
}

} // namespace

//===----------------------------------------------------------------------===//
// Bank conflicts
//===----------------------------------------------------------------------===//

TEST(Wavefronts, AsCountedLaneByLane) {
  RandomLayouts random(11);
  int conflicting = 0, free = 0;
  for (int round = 0; round < 400; ++round) {
    int elementBytes = 1 << random.below(4);
    int vector = 1 << random.below(5 - random.below(2));
    vector = std::min(vector, 16 / elementBytes);
    LinearLayout places = randomPlaces(random, vector);
    if (places.contiguity("register", "offset") < vector)
      continue;
    BankConflicts count = countWavefronts(places, elementBytes, vector);
    for (int32_t warp = 0; warp < 4; ++warp)
      EXPECT_EQ(count.wavefronts,
                bruteForce(places, elementBytes, vector, warp))
          << places.str() << " " << elementBytes << " bytes x " << vector;
    (count.wavefronts > count.ideal ? conflicting : free) += 1;
  }
  EXPECT_GT(conflicting, 50); // Both kinds have been seen.
  EXPECT_GT(free, 50);
}

TEST(Wavefronts, KnownPatterns) {
  // 32 lanes read f32 with a stride of s words: gcd(s, 32) wavefronts.
  for (int32_t stride : {1, 2, 4, 8, 16, 32, 64}) {
    auto places = LinearLayout::strided1D(32, stride, "lane", "offset");
    BankConflicts count = countWavefronts(places, 4, 1);
    EXPECT_EQ(count.wavefronts, std::min(stride, 32));
    EXPECT_EQ(count.ideal, 1);
  }
  // All lanes read one word; pairs of lanes share a word.
  EXPECT_EQ(countWavefronts(LinearLayout::zeros1D(32, "lane", "offset"), 4, 1)
                .wavefronts,
            1);
  EXPECT_EQ(
      countWavefronts(LinearLayout::identity1D(32, "lane", "offset"), 2, 1)
          .wavefronts,
      1);
  // 16 bytes a lane, in a row: 512 bytes are four wavefronts.
  auto row = LinearLayout::identity1D(4, "register", "offset") *
             LinearLayout::identity1D(32, "lane", "offset");
  EXPECT_EQ(countWavefronts(row, 4, 4).wavefronts, 4);
  EXPECT_EQ(countWavefronts(row, 4, 4).ideal, 4);
  // The same by single words: 4 accesses with a stride of 4 words.
  EXPECT_EQ(countWavefronts(row, 4, 1).wavefronts, 16);
  EXPECT_EQ(countWavefronts(row, 4, 1).ideal, 4);
  // Wider than 16 bytes or than memory is contiguous: narrowed.
  EXPECT_EQ(countWavefronts(row, 4, 8).wavefronts, 4);
  auto apart = LinearLayout::strided1D(4, 32, "register", "offset") *
               LinearLayout::identity1D(1, "lane", "offset");
  EXPECT_EQ(countWavefronts(apart, 4, 4).ideal, 4);
}

TEST(Wavefronts, ColumnOf64x64HalvesConflictsEightfold) {
  // ldmatrix without a swizzle: 8 rows of 128 bytes, all in the same banks.
  auto plain = *makePlainShared({64, 64}, {1, 0});
  auto plan = planLdmatrix(operandA(64, 64), plain, 2);
  ASSERT_TRUE(plan);
  BankConflicts count = countWavefronts(*plan, 2);
  EXPECT_EQ(count.wavefronts, 8 * count.ideal);
  // Fragments read directly, 4 bytes a lane: 8 rows x 4 words in 4 banks.
  BankConflicts direct =
      countWavefronts(*placesIn(operandA(64, 64), plain), 2, 2);
  EXPECT_EQ(direct.wavefronts, 8 * direct.ideal);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

TEST(PlainShared, IsAddressArithmetic) {
  auto buffer = *makePlainShared({2, 4, 8}, {1, 2, 0});
  for (int32_t offset = 0; offset < 64; ++offset)
    EXPECT_EQ(buffer.applyValues({offset}),
              (Values{offset / 32, offset % 4, offset / 4 % 8}));
  std::string error;
  EXPECT_FALSE(makePlainShared({2, 4}, {0, 0}, &error));
  EXPECT_EQ(error, "order is no permutation of the 2 axes");
  EXPECT_FALSE(makePlainShared({2, 3}, {0, 1}, &error));
  EXPECT_EQ(error, "shape has the entry 3, which is no power of two");
}

TEST(SwizzledShared, IsTheFormula) {
  for (int elementBytes : {1, 2, 4, 8})
    for (int rowBytes : {16, 32, 64, 128, 256})
      for (int vectorBytes : {4, 8, 16}) {
        if (vectorBytes < elementBytes)
          continue;
        int32_t columns = rowBytes / elementBytes, rows = 32;
        auto buffer = *makeSwizzledShared({rows, columns}, {1, 0}, elementBytes,
                                          vectorBytes);
        EXPECT_TRUE(buffer.isBijective());
        int line = std::min(rowBytes, 128), perLine = 128 / line;
        int chunks = std::max(1, line / vectorBytes);
        for (int32_t offset = 0; offset < rows * columns; ++offset) {
          int32_t row = offset / columns;
          int32_t byte = offset % columns * elementBytes;
          int32_t chunk = byte % 128 / vectorBytes ^ row / perLine % chunks;
          int32_t column =
              (byte / 128 * 128 + chunk * vectorBytes + byte % vectorBytes) /
              elementBytes;
          ASSERT_EQ(buffer.applyValues({offset}), (Values{row, column}))
              << elementBytes << " " << rowBytes << " " << vectorBytes;
        }
      }
}

TEST(SwizzledShared, SplitRowsAreHardwareSwizzle) {
  // PTX ISA, swizzling modes: byte address bits 4-6 ^= bits 7-9 (128 bytes),
  // 4-5 ^= 7-8 (64 bytes), 4 ^= 7 (32 bytes).
  auto expectMode = [](int32_t columns, int32_t mask) {
    auto buffer =
        *makeSwizzledShared({32, columns}, {1, 0}, 2, 16, LongRows::Split);
    int32_t panel = std::min(columns, 64);
    for (int32_t offset = 0; offset < 32 * columns; ++offset) {
      int32_t byte = offset * 2;
      int32_t plain = (byte ^ (byte >> 7 & mask) << 4) / 2;
      EXPECT_EQ(buffer.applyValues({offset}),
                (Values{plain / panel % 32,
                        plain / panel / 32 * panel + plain % panel}));
    }
  };
  expectMode(256, 7);
  expectMode(64, 7);
  expectMode(32, 3);
  expectMode(16, 1);
}

TEST(SwizzledShared, RefusesWhatItCannotDo) {
  std::string error;
  EXPECT_FALSE(
      makeSwizzledShared({4, 4, 4}, {2, 1, 0}, 2, 16, LongRows::Whole, &error));
  EXPECT_EQ(error, "a swizzled buffer has two axes, not 3");
  EXPECT_FALSE(
      makeSwizzledShared({8, 8}, {1, 0}, 8, 4, LongRows::Whole, &error));
  EXPECT_EQ(error, "chunks of 4 bytes for 8-byte elements");
  EXPECT_FALSE(makeSwizzledShared({8, 8}, {1, 0}, 2, 32));
  EXPECT_FALSE(makeSwizzledShared({8, 8}, {1, 0}, 3, 16));
  EXPECT_FALSE(makeSwizzledShared({8, 8}, {1, 1}, 2, 16));
}

TEST(SwizzledShared, RowWritesAndLdmatrixAreFree) {
  // Either order of axes: B stored along n needs .trans, along k does not.
  for (int32_t columns : {16, 32, 64, 128})
    for (const Values &order : {Values{1, 0}, Values{0, 1}}) {
      Values shape = order[0] == 1 ? Values{64, columns} : Values{columns, 64};
      auto shared = *makeSwizzledShared(shape, order, 2);
      auto writes = *placesIn(blocked(shape, order, 8), shared);
      EXPECT_EQ(writes.contiguity("register", "offset"), 8) << columns;
      BankConflicts written = countWavefronts(writes, 2, 8);
      EXPECT_EQ(written.wavefronts, written.ideal) << columns;
      for (const LinearLayout &reader :
           {operandA(shape[0], shape[1]), operandB(shape[0], shape[1])}) {
        auto plan = planLdmatrix(reader, shared, 2);
        ASSERT_TRUE(plan) << columns;
        EXPECT_EQ(plan->matrices, 4);
        BankConflicts read = countWavefronts(*plan, 2);
        EXPECT_EQ(read.wavefronts, read.ideal) << columns;
      }
      EXPECT_EQ(
          planLdmatrix(operandA(shape[0], shape[1]), shared, 2)->transposed,
          order[0] == 0);
      EXPECT_EQ(
          planLdmatrix(operandB(shape[0], shape[1]), shared, 2)->transposed,
          order[0] == 1);
    }
}

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

namespace {

/// A name for each element, as wide as the element allows.
uint64_t nameOf(const Values &at, int32_t columns) {
  return static_cast<uint64_t>(at[0] * columns + at[1]) * 0x9E37 + 1;
}

/// The 32-bit registers of all lanes after one ldmatrix: [lane][matrix].
std::vector<std::vector<uint32_t>> ldmatrix(const std::vector<uint8_t> &memory,
                                            const std::vector<int64_t> &rows,
                                            int matrices, bool transposed) {
  std::vector<std::vector<uint32_t>> result(32,
                                            std::vector<uint32_t>(matrices));
  for (int matrix = 0; matrix < matrices; ++matrix) {
    uint16_t m[8][8];
    for (int row = 0; row < 8; ++row) {
      int64_t address = rows[matrix * 8 + row];
      EXPECT_EQ(address % 16, 0);
      std::memcpy(m[row], &memory[address], 16);
    }
    for (int lane = 0; lane < 32; ++lane) {
      int a = lane / 4, b = 2 * (lane % 4);
      uint32_t low = transposed ? m[b][a] : m[a][b];
      uint32_t high = transposed ? m[b + 1][a] : m[a][b + 1];
      result[lane][matrix] = low | high << 16;
    }
  }
  return result;
}

/// Executes the plan and compares every element of every lane.
void expectLoads(const LinearLayout &reader, const LinearLayout &shared,
                 int elementBytes, bool transposed, int matrices) {
  std::string error;
  auto plan = planLdmatrix(reader, shared, elementBytes, &error);
  ASSERT_TRUE(plan) << error;
  EXPECT_EQ(plan->transposed, transposed);
  EXPECT_EQ(plan->matrices, matrices);
  EXPECT_EQ(plan->registersPerGroup, matrices * 4 / elementBytes);

  int32_t columns = shared.getOutDimSize("dim1");
  std::vector<uint8_t> memory(int64_t(shared.getInDimSize("offset")) *
                              elementBytes);
  for (int32_t offset = 0; offset < shared.getInDimSize("offset"); ++offset) {
    uint64_t name = nameOf(shared.applyValues({offset}), columns);
    std::memcpy(&memory[int64_t(offset) * elementBytes], &name, elementBytes);
  }
  int32_t groups = plan->addresses.getInDimSize("group");
  ASSERT_EQ(groups * plan->registersPerGroup, reader.getInDimSize("register"));
  for (int32_t warp = 0; warp < reader.getInDimSize("warp"); ++warp)
    for (int32_t group = 0; group < groups; ++group) {
      std::vector<int64_t> rows;
      for (int32_t lane = 0; lane < 32; ++lane)
        rows.push_back(
            int64_t(plan->addresses.applyValues({group, lane, warp})[0]) *
            elementBytes);
      auto loaded = ldmatrix(memory, rows, matrices, transposed);
      for (int32_t lane = 0; lane < 32; ++lane)
        for (int32_t i = 0; i < plan->registersPerGroup; ++i) {
          int32_t reg = group * plan->registersPerGroup + i;
          uint64_t want =
              nameOf(reader.applyValues({reg, lane, warp}), columns);
          uint64_t got = 0;
          std::memcpy(&got,
                      reinterpret_cast<uint8_t *>(loaded[lane].data()) +
                          i * elementBytes,
                      elementBytes);
          uint64_t mask = ~uint64_t(0) >> (64 - 8 * elementBytes);
          ASSERT_EQ(got, want & mask)
              << "warp " << warp << " lane " << lane << " register " << reg;
        }
    }
}

} // namespace

TEST(Ldmatrix, LoadsOperandsOf16Bits) {
  for (LongRows rows : {LongRows::Whole, LongRows::Split}) {
    auto alongRows = *makeSwizzledShared({64, 128}, {1, 0}, 2, 16, rows);
    auto alongColumns = *makeSwizzledShared({64, 128}, {0, 1}, 2, 16, rows);
    expectLoads(operandA(64, 128), alongRows, 2, false, 4);
    expectLoads(operandA(64, 128), alongColumns, 2, true, 4);
    expectLoads(operandB(64, 128), alongRows, 2, true, 4);
    expectLoads(operandB(64, 128), alongColumns, 2, false, 4);
  }
  auto plain = *makePlainShared({32, 32}, {1, 0});
  expectLoads(operandA(32, 32), plain, 2, false, 4);
  expectLoads(operandB(32, 32), plain, 2, true, 4);
}

TEST(Ldmatrix, LoadsFewerMatrices) {
  // One m16n8k16 instruction: B has two matrices; of m16n8k8 A has two, B one.
  auto one = [](int32_t rows, int32_t columns) {
    return *makePlainShared({rows, columns}, {1, 0});
  };
  MmaTiling k16 = {{1, 1}, kM16N8K16}, k8 = {{1, 1}, {16, 8, 8}};
  expectLoads(*makeMmaOperandB(16, 8, k16, 16), one(16, 8), 2, true, 2);
  expectLoads(*makeMmaOperandA(16, 8, k8, 16), one(16, 8), 2, false, 2);
  expectLoads(*makeMmaOperandB(8, 8, k8, 16), one(8, 8), 2, true, 1);
}

TEST(Ldmatrix, LoadsOtherWidthsAlongK) {
  // Pairs of bytes and halves of words travel as 16-bit units.
  MmaShape k32 = {16, 8, 32}, k8 = {16, 8, 8};
  auto rows8 = *makeSwizzledShared({64, 128}, {1, 0}, 1);
  auto columns8 = *makeSwizzledShared({128, 64}, {0, 1}, 1);
  expectLoads(operandA(64, 128, 8, k32), rows8, 1, false, 4);
  expectLoads(operandB(128, 64, 8, k32), columns8, 1, false, 4);
  auto rows32 = *makeSwizzledShared({64, 32}, {1, 0}, 4);
  auto columns32 = *makeSwizzledShared({32, 64}, {0, 1}, 4);
  expectLoads(operandA(64, 32, 32, k8), rows32, 4, false, 4);
  expectLoads(operandB(32, 64, 32, k8), columns32, 4, false, 4);
}

TEST(Ldmatrix, LoadsWhatHappensToFit) {
  // Rows may lie anywhere, so 4 bytes a lane along a row are matrices too; and
  // the tensor may be a part of the buffer.
  expectLoads(blocked({64, 64}, {1, 0}, 2), *makePlainShared({64, 64}, {1, 0}),
              2, false, 4);
  expectLoads(operandA(32, 32), *makeSwizzledShared({32, 64}, {1, 0}, 2), 2,
              false, 4);
}

TEST(Ldmatrix, SaysWhyNot) {
  auto reason = [](const LinearLayout &reader, const LinearLayout &shared,
                   int elementBytes) {
    std::string error;
    EXPECT_FALSE(planLdmatrix(reader, shared, elementBytes, &error));
    return error;
  };
  std::string noMatrix = "the lanes' elements are no 8 x 8 matrices with rows "
                         "of 16 consecutive bytes in the buffer";
  // .trans would tear bytes and words apart.
  MmaShape k32 = {16, 8, 32};
  EXPECT_EQ(reason(operandA(64, 64, 8, k32),
                   *makeSwizzledShared({64, 64}, {0, 1}, 1), 1),
            noMatrix);
  EXPECT_EQ(reason(operandA(64, 32, 32, {16, 8, 8}),
                   *makeSwizzledShared({64, 32}, {0, 1}, 4), 4),
            noMatrix);
  // Swizzled by 8 bytes, rows of 16 bytes are no longer consecutive.
  EXPECT_EQ(
      reason(operandA(64, 64), *makeSwizzledShared({64, 64}, {1, 0}, 2, 8), 2),
      noMatrix);
  // With 8 bytes a lane, the lanes of a row are not 4 bytes apart.
  EXPECT_EQ(reason(blocked({64, 64}, {1, 0}, 4),
                   *makePlainShared({64, 64}, {1, 0}), 2),
            noMatrix);
  EXPECT_EQ(reason(*makeMmaOperandA(32, 32, {{2, 2}, {16, 8, 8}}, 64),
                   *makePlainShared({32, 32}, {1, 0}), 8),
            "ldmatrix does not move elements of 8 bytes");
  EXPECT_EQ(reason(operandA(32, 32), *makePlainShared({32, 16}, {1, 0}), 2),
            "the buffer does not hold the layout's tensor");
  EXPECT_EQ(
      reason(blocked({32, 4}, {1, 0}, 1), *makePlainShared({32, 4}, {1, 0}), 2),
      "a lane holds less than the 4 bytes that ldmatrix gives it");
}

TEST(Ldmatrix, ChecksEveryBit) {
  // The fragment of an 8 x 8 matrix, and one more register and warp bit.
  using Base = Values;
  auto planned = [](const std::vector<Base> &lanes, const Base &reg,
                    const Base &warp) {
    auto reader = *LinearLayout::create(
        {{"register", {{0, 1}, reg}}, {"lane", lanes}, {"warp", {warp}}},
        {{"dim0", 32}, {"dim1", 8}});
    auto shared = *makePlainShared({32, 8}, {1, 0});
    return planLdmatrix(reader, shared, 2).has_value();
  };
  std::vector<Base> lanes = {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}};
  EXPECT_TRUE(planned(lanes, {8, 0}, {16, 0}));
  EXPECT_TRUE(planned(lanes, {0, 0}, {0, 0})); // Copies.
  EXPECT_FALSE(planned(lanes, {0, 4}, {16, 0}));
  EXPECT_FALSE(planned(lanes, {8, 2}, {16, 0}));
  EXPECT_FALSE(planned(lanes, {8, 0}, {16, 1}));
  std::swap(lanes[0], lanes[1]);
  EXPECT_FALSE(planned(lanes, {8, 0}, {16, 0}));
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

TEST(ChooseShared, SwizzlesForOperands) {
  auto writer = blocked({64, 64}, {1, 0}, 8);
  for (const LinearLayout &reader : {operandA(64, 64), operandB(64, 64)}) {
    auto choice = chooseShared(writer, reader, {64, 64}, 2);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->description, "order [1, 0], swizzled by 16 bytes");
    EXPECT_EQ(choice->shared, *makeSwizzledShared({64, 64}, {1, 0}, 2));
    EXPECT_EQ(choice->writeVector, 8);
    EXPECT_TRUE(choice->ldmatrix);
    EXPECT_EQ(choice->writes.wavefronts, choice->writes.ideal);
    EXPECT_EQ(choice->reads.wavefronts, choice->reads.ideal);
  }
}

TEST(ChooseShared, SwizzlesTranspositions) {
  // f32, rows to columns: free on both sides with one of the swizzles.
  auto choice = chooseShared(blocked({64, 64}, {1, 0}, 4),
                             blocked({64, 64}, {0, 1}, 4), {64, 64}, 4);
  ASSERT_TRUE(choice);
  int64_t best = choice->writes.wavefronts + choice->reads.wavefronts;
  auto plain = *makePlainShared({64, 64}, {1, 0});
  int64_t plainCost =
      countWavefronts(*placesIn(blocked({64, 64}, {1, 0}, 4), plain), 4, 4)
          .wavefronts +
      countWavefronts(*placesIn(blocked({64, 64}, {0, 1}, 4), plain), 4, 1)
          .wavefronts;
  EXPECT_LT(best * 2, plainCost);
}

TEST(ChooseShared, LeavesPlainWhatIsFree) {
  // Rows in, rows out: no swizzle is better than none.
  auto rows = blocked({64, 64}, {1, 0}, 8);
  auto choice = chooseShared(rows, rows, {64, 64}, 2);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->description, "order [1, 0]");
  EXPECT_EQ(choice->readVector, 8);
  EXPECT_FALSE(choice->ldmatrix);
}

TEST(ChooseShared, IsNoWorseThanAnyCandidate) {
  RandomLayouts random(12);
  for (int round = 0; round < 60; ++round) {
    Values shape = {1 << (3 + random.below(4)), 1 << (3 + random.below(4))};
    int elementBytes = 1 << random.below(4);
    auto pick = [&] {
      Values order = random.below(2) ? Values{1, 0} : Values{0, 1};
      return blocked(shape, order, 1 << random.below(4));
    };
    LinearLayout writer = pick(), reader = pick();
    auto choice = chooseShared(writer, reader, shape, elementBytes);
    ASSERT_TRUE(choice);
    EXPECT_TRUE(choice->shared.isBijective());
    int64_t cost = choice->writes.wavefronts + choice->reads.wavefronts;
    for (const Values &order : {Values{1, 0}, Values{0, 1}})
      for (int chunk : {0, 4, 8, 16}) {
        auto shared =
            chunk == 0 ? makePlainShared(shape, order)
                       : makeSwizzledShared(shape, order, elementBytes, chunk);
        if (!shared)
          continue;
        auto writes = *placesIn(writer, *shared);
        auto reads = *placesIn(reader, *shared);
        auto width = [&](const LinearLayout &places) {
          return std::min<int>(places.contiguity("register", "offset"),
                               16 / elementBytes);
        };
        EXPECT_LE(cost, bruteForce(writes, elementBytes, width(writes), 0) +
                            bruteForce(reads, elementBytes, width(reads), 0));
      }
    // Deterministic.
    EXPECT_EQ(chooseShared(writer, reader, shape, elementBytes)->description,
              choice->description);
  }
}

TEST(ChooseShared, OtherRanksAreStoredInOneOfTheOrders) {
  auto line = blocked({1024}, {0}, 4);
  auto choice = chooseShared(line, line, {1024}, 4);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->description, "order [0]");
  EXPECT_EQ(choice->shared, LinearLayout::identity1D(1024, "offset", "dim0"));

  // Both sides alike: their own order, free of conflicts.
  Values shape = {4, 16, 64};
  auto writer = blocked(shape, {2, 1, 0}, 4);
  auto rows = chooseShared(writer, writer, shape, 4);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->description, "order [2, 1, 0]");
  auto reader = blocked(shape, {1, 2, 0}, 1);
  auto planes = chooseShared(reader, reader, shape, 4);
  ASSERT_TRUE(planes);
  EXPECT_EQ(planes->description, "order [1, 2, 0]");
  EXPECT_EQ(planes->shared, *makePlainShared(shape, {1, 2, 0}));
}

TEST(ChooseShared, LdmatrixIsAnOption) {
  auto writer = blocked({64, 64}, {1, 0}, 8);
  auto choice =
      chooseShared(writer, operandB(64, 64), {64, 64}, 2, LdmatrixUse::Never);
  ASSERT_TRUE(choice);
  EXPECT_FALSE(choice->ldmatrix);
  auto with = chooseShared(writer, operandB(64, 64), {64, 64}, 2);
  EXPECT_LT(with->reads.wavefronts + with->writes.wavefronts,
            choice->reads.wavefronts + choice->writes.wavefronts);
}

TEST(ChooseShared, RefusesOtherShapes) {
  std::string error;
  auto layout = blocked({64, 64}, {1, 0}, 8);
  EXPECT_FALSE(chooseShared(layout, layout, {64, 32}, 2,
                            LdmatrixUse::WherePossible, &error));
  EXPECT_EQ(error, "the layouts are for tensors of another shape");
  EXPECT_FALSE(chooseShared(layout, layout, {64, 64}, 3,
                            LdmatrixUse::WherePossible, &error));
  EXPECT_EQ(error, "elements of 3 bytes");
}
