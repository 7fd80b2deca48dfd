//===- SwizzleTest.cpp - tests of buffers in shared memory ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Swizzles are compared with their formula.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/SharedMemory.h"

#include "RandomLayouts.h"
#include "RegisterLayouts.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace tessera;
using namespace tessera::test;

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
