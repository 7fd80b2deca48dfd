//===- WgmmaRegistersTest.cpp - wgmma's A in registers --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/Wgmma.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

/// PTX ISA, "Register Fragments for wgmma.mma_async.m64nNk16" and "… m64nNk32",
/// matrix A: what a`index` of a thread of the group is.
std::pair<int32_t, int32_t> getElement(int32_t warp, int32_t lane,
                                       int32_t index, int elementBytes) {
  int32_t packed = 4 / elementBytes;
  return {16 * (warp % 4) + lane / 4 + 8 * (index / packed % 2),
          packed * (lane % 4) + index % packed +
              4 * packed * (index / packed / 2)};
}

/// Compares all registers of all threads; fragments go along K first.
void expectOperand(int32_t M, int32_t N, int32_t K, int32_t numWarps,
                   int elementBytes) {
  SCOPED_TRACE(testing::Message() << M << "x" << K << " of " << elementBytes
                                  << " bytes by " << numWarps << " warps");
  auto tiling = chooseWgmmaTiling(M, N, numWarps);
  ASSERT_TRUE(tiling);
  auto layout = makeWgmmaOperandA(M, K, *tiling, elementBytes);
  ASSERT_TRUE(layout);
  EXPECT_TRUE(layout->isSurjective());
  int32_t k = 32 / elementBytes, each = 64 * k / 128;
  int32_t boxM = M / tiling->groupsM, registers = boxM * K / 128;
  EXPECT_EQ(layout->getInDimSize("register"), registers);
  for (int32_t warp = 0; warp < numWarps; ++warp)
    for (int32_t lane = 0; lane < 32; ++lane)
      for (int32_t reg = 0; reg < registers; ++reg) {
        int32_t part = reg / each, steps = K / k, group = warp / 4;
        auto [row, column] = getElement(warp, lane, reg % each, elementBytes);
        row += part / steps * 64 + group % tiling->groupsM * boxM;
        column += part % steps * k;
        ASSERT_EQ(layout->applyValues({reg, lane, warp}),
                  (std::vector<int32_t>{row, column}))
            << "register " << reg << " lane " << lane << " warp " << warp;
      }
}

} // namespace

TEST(WgmmaRegisters, OperandsFollowThePTXTable) {
  expectOperand(64, 64, 16, 4, 2);
  expectOperand(64, 64, 64, 4, 2);
  expectOperand(128, 64, 32, 4, 2);
  expectOperand(128, 64, 64, 8, 2);
  expectOperand(256, 64, 64, 8, 2);
  expectOperand(64, 64, 32, 4, 1);
  expectOperand(128, 64, 128, 8, 1);
  // Groups along N hold the same rows.
  expectOperand(64, 64, 32, 8, 2);
  expectOperand(128, 64, 32, 16, 2);
}

TEST(WgmmaRegisters, AccumulatorsAreOperands) {
  for (int32_t M : {64, 128, 256})
    for (int32_t K : {16, 32, 128})
      for (int32_t numWarps : {4, 8}) {
        auto first = chooseWgmmaTiling(M, K, numWarps);
        auto second = chooseWgmmaTiling(M, 64, numWarps);
        ASSERT_TRUE(first && second);
        auto acc = makeWgmmaAccumulator(M, K, *first);
        auto a = makeWgmmaOperandA(M, K, *second, 2);
        ASSERT_TRUE(acc && a);
        EXPECT_EQ(*acc == *a, second->groupsN == 1)
            << M << "x" << K << " by " << numWarps << " warps";
        // Fragments of 8 bits have four neighbours in a register.
        if (K >= 32) {
          auto bytes = makeWgmmaOperandA(M, K, *second, 1);
          ASSERT_TRUE(bytes);
          EXPECT_FALSE(*acc == *bytes);
        }
      }
}

TEST(WgmmaRegisters, RefusesOtherOperands) {
  auto tiling = chooseWgmmaTiling(64, 64, 4);
  ASSERT_TRUE(tiling);
  EXPECT_FALSE(makeWgmmaOperandA(64, 8, *tiling, 2));
  EXPECT_FALSE(makeWgmmaOperandA(64, 16, *tiling, 1));
  EXPECT_FALSE(makeWgmmaOperandA(64, 16, *tiling, 4));
}
