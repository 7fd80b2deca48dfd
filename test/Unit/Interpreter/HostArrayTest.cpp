//===- HostArrayTest.cpp - contents and comparison of arrays --------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/HostArray.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tessera::interpreter;

namespace {

HostArray makeFloats(std::initializer_list<double> values) {
  HostArray array(ElementKind::F32, {int64_t(values.size())});
  int64_t i = 0;
  for (double value : values)
    writeFloat(array.kind, array.at(i++), value);
  return array;
}

const double kInfinity = std::numeric_limits<double>::infinity();

} // namespace

TEST(HostArray, CountsBytesWithoutOverflow) {
  EXPECT_EQ(countBytes(ElementKind::F16, {512, 384}), 393216);
  EXPECT_EQ(countBytes(ElementKind::F64, {}), 8);
  EXPECT_EQ(countBytes(ElementKind::F32, {0, 7}), 0);
  EXPECT_EQ(countBytes(ElementKind::I8, {int64_t(1) << 40}), int64_t(1) << 40);
  EXPECT_FALSE(countBytes(ElementKind::I16, {int64_t(1) << 40}));
  EXPECT_FALSE(countBytes(ElementKind::I8, {int64_t(1) << 32, int64_t(1) << 32}));
  EXPECT_FALSE(countBytes(ElementKind::I8, {-1, -1}));
}

TEST(HostArray, RandomNumbersAreThoseOfSplitmix64) {
  // The first outputs of splitmix64 from seed 0 are 0xE220A8397B1DCDAF and
  // 0x6E789E6AA1B965F4; their upper 53 bits, over 2^52, less 1.
  HostArray floats(ElementKind::F64, {2});
  fillRandom(floats, 0);
  EXPECT_EQ(readFloat(ElementKind::F64, floats.at(0)),
            double(0xE220A8397B1DCDAF >> 11) / 0x1p52 - 1);
  EXPECT_EQ(readFloat(ElementKind::F64, floats.at(1)),
            double(0x6E789E6AA1B965F4 >> 11) / 0x1p52 - 1);
}

TEST(HostArray, RandomNumbersKeepTheirBounds) {
  for (ElementKind kind : {ElementKind::F8E4M3FN, ElementKind::F16,
                           ElementKind::F32}) {
    HostArray array(kind, {10000});
    fillRandom(array, 3);
    for (int64_t i = 0; i < array.size(); ++i) {
      EXPECT_GE(readFloat(kind, array.at(i)), -1);
      EXPECT_LT(readFloat(kind, array.at(i)), 1);
    }
  }
  HostArray array(ElementKind::I8, {10000});
  fillRandom(array, 3);
  int64_t least = 0, most = 0;
  for (int64_t i = 0; i < array.size(); ++i) {
    least = std::min(least, readSigned(array.kind, array.at(i)));
    most = std::max(most, readSigned(array.kind, array.at(i)));
  }
  EXPECT_EQ(least, -100);
  EXPECT_EQ(most, 100);
}

TEST(HostArray, ComparesAbsolutelyAndRelatively) {
  Comparison errors = compare(makeFloats({1, 100, 0, 4}),
                              makeFloats({1, 104, 0.5, 5}), {0, 1});
  EXPECT_EQ(errors.absolute.size, 4);
  EXPECT_EQ(errors.absolute.index, 1);
  // 0.5 / 0.5 is more than 4 / 104 and 1 / 5.
  EXPECT_EQ(errors.relative.size, 1);
  EXPECT_EQ(errors.relative.index, 2);
  EXPECT_EQ(errors.numWrong, 1);
  EXPECT_EQ(errors.firstWrong, 1);
  // 4 <= 0.03 * 104 + 1.
  EXPECT_EQ(compare(makeFloats({100}), makeFloats({104}), {0.03, 1}).numWrong,
            0);
}

TEST(HostArray, SpecialValuesEqualOnlyThemselves) {
  double nan = std::nan("");
  HostArray values = makeFloats({nan, nan, 1, kInfinity, kInfinity, kInfinity});
  HostArray wanted = makeFloats({nan, 1, nan, kInfinity, -kInfinity, 1});
  Comparison errors = compare(values, wanted, {10, 1000});
  EXPECT_EQ(errors.numWrong, 4);
  EXPECT_EQ(errors.firstWrong, 1);
  EXPECT_EQ(errors.absolute.size, kInfinity);
}

TEST(HostArray, WhatWasNeverWrittenIsWrong) {
  HostArray values = makeFloats({0, 0});
  values.written = {1, 0};
  Comparison errors = compare(values, makeFloats({0, 0}), {1, 1});
  EXPECT_EQ(errors.numWrong, 1);
  EXPECT_EQ(errors.firstWrong, 1);
  // Unless that is what is expected.
  HostArray expected = makeFloats({0, 7});
  expected.written = {1, 0};
  EXPECT_EQ(compare(values, expected, {0, 0}).numWrong, 0);
  EXPECT_EQ(compare(makeFloats({0, 7}), expected, {0, 0}).numWrong, 1);
}

TEST(HostArray, LargeIntegersAreComparedExactly) {
  HostArray a(ElementKind::I64, {1}), b(ElementKind::I64, {1});
  // Doubles have no 2^60 + 1.
  writeInteger(a.kind, a.at(0), (uint64_t(1) << 60) + 1);
  writeInteger(b.kind, b.at(0), uint64_t(1) << 60);
  EXPECT_EQ(compare(a, b, {0, 0}).numWrong, 1);
  EXPECT_EQ(compare(a, a, {0, 0}).numWrong, 0);
}
