//===- LdmatrixTest.cpp - tests of plans for ldmatrix ---------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans are executed on an array of bytes as PTX defines the instruction.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/SharedMemory.h"

#include "RandomLayouts.h"
#include "RegisterLayouts.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace tessera;
using namespace tessera::test;

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
