//===- F2Test.cpp - tests of the echelon basis ----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/F2.h"

#include <gtest/gtest.h>

using namespace tessera;

TEST(F2, PowersOfTwo) {
  EXPECT_TRUE(isPowerOfTwo(1));
  EXPECT_TRUE(isPowerOfTwo(1 << 30));
  EXPECT_FALSE(isPowerOfTwo(0));
  EXPECT_FALSE(isPowerOfTwo(6));
  EXPECT_FALSE(isPowerOfTwo(INT32_MIN));
  EXPECT_EQ(log2Floor(1), 0);
  EXPECT_EQ(log2Floor(64), 6);
  EXPECT_EQ(log2Floor(1 << 30), 30);
}

TEST(F2, PivotsAreTheFirstIndependentColumns) {
  EchelonBasis basis;
  EXPECT_TRUE(basis.insert(0b011, 0));
  EXPECT_FALSE(basis.insert(0, 1));
  EXPECT_TRUE(basis.insert(0b110, 2));
  EXPECT_FALSE(basis.insert(0b101, 3)); // 011 ^ 110
  EXPECT_EQ(basis.rank(), 2);

  EXPECT_EQ(basis.solve(0b101), uint64_t(0b0101));
  EXPECT_EQ(basis.solve(0b110), uint64_t(0b0100));
  EXPECT_EQ(basis.solve(0), uint64_t(0));
  EXPECT_EQ(basis.solve(0b001), std::nullopt);

  EXPECT_TRUE(basis.insert(0b111, 4));
  EXPECT_EQ(basis.solve(0b001), uint64_t(0b10100)); // 111 ^ 110
}

TEST(F2, AllSixtyFourBits) {
  // Column i has the bits 0..i: a full-rank triangle.
  EchelonBasis basis;
  for (int i = 0; i < 64; ++i)
    EXPECT_TRUE(basis.insert(~uint64_t(0) >> (63 - i), i));
  EXPECT_EQ(basis.rank(), 64);
  EXPECT_FALSE(basis.insert(0x123456789abcdef0, 0));
  EXPECT_EQ(basis.solve(uint64_t(1) << 63), uint64_t(3) << 62);
  EXPECT_EQ(basis.solve(1), uint64_t(1));
}
