//===- FloatEncodingTest.cpp - rounding to narrower floats ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected bits are worked out by hand from the formats: f16 has 10 fraction
// bits, bias 15, smallest subnormal 2^-24; bf16 has 7, bias 127, 2^-133.
//
//===----------------------------------------------------------------------===//

#include "tessera/Runtime/FloatEncoding.h"

#include <cfenv>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace tessera::runtime;

namespace {

double power(int exponent) { return std::ldexp(1.0, exponent); }

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(FloatEncoding, HalfNormal) {
  EXPECT_EQ(encodeFloat(TypeKind::F16, 1.0), 0x3c00u);
  EXPECT_EQ(encodeFloat(TypeKind::F16, -2.0), 0xc000u);
  EXPECT_EQ(encodeFloat(TypeKind::F16, 0.1), 0x2e66u);
  EXPECT_EQ(encodeFloat(TypeKind::F16, 65504.0), 0x7bffu);
}

TEST(FloatEncoding, HalfTiesToEven) {
  // 2049 lies between 2048 (even fraction) and 2050; 2051 between 2050 and
  // 2052.
  EXPECT_EQ(encodeFloat(TypeKind::F16, 2049.0), 0x6800u);
  EXPECT_EQ(encodeFloat(TypeKind::F16, 2051.0), 0x6802u);
  EXPECT_EQ(encodeFloat(TypeKind::F16, 2049.0001), 0x6801u);
}

TEST(FloatEncoding, RoundsOnce) {
  // As a float this is exactly the tie 1 + 2^-11, which would then go to 1.
  double value = 1.0 + power(-11) + power(-30);
  EXPECT_EQ(encodeFloat(TypeKind::F16, value), 0x3c01u);
  // The same with bf16: the tie is at 1 + 2^-8.
  EXPECT_EQ(encodeFloat(TypeKind::BF16, 1.0 + power(-8) + power(-30)), 0x3f81u);
}

TEST(FloatEncoding, HalfOverflow) {
  // 65520 is the tie between 65504 and 65536, which is infinity's place.
  EXPECT_EQ(encodeFloat(TypeKind::F16, 65519.99), 0x7bffu);
  EXPECT_EQ(encodeFloat(TypeKind::F16, 65520.0), 0x7c00u);
  EXPECT_EQ(encodeFloat(TypeKind::F16, -1e300), 0xfc00u);
}

TEST(FloatEncoding, HalfSubnormal) {
  EXPECT_EQ(encodeFloat(TypeKind::F16, power(-24)), 0x0001u);
  EXPECT_EQ(encodeFloat(TypeKind::F16, power(-25)), 0x0000u);
  EXPECT_EQ(encodeFloat(TypeKind::F16, power(-25) * 1.001), 0x0001u);
  EXPECT_EQ(encodeFloat(TypeKind::F16, 3 * power(-25)), 0x0002u);
  EXPECT_EQ(encodeFloat(TypeKind::F16, -power(-26)), 0x8000u);
  // Just below the smallest normal, 2^-14: rounds up into it.
  EXPECT_EQ(encodeFloat(TypeKind::F16, power(-14) - power(-30)), 0x0400u);
}

TEST(FloatEncoding, Special) {
  EXPECT_EQ(encodeFloat(TypeKind::F16, -0.0), 0x8000u);
  EXPECT_EQ(encodeFloat(TypeKind::F16, kInfinity), 0x7c00u);
  EXPECT_EQ(encodeFloat(TypeKind::F16, kNaN), 0x7e00u);
  EXPECT_EQ(encodeFloat(TypeKind::BF16, -kInfinity), 0xff80u);
  EXPECT_EQ(encodeFloat(TypeKind::BF16, kNaN), 0x7fc0u);
  EXPECT_EQ(
      encodeFloat(TypeKind::F16, std::numeric_limits<double>::denorm_min()),
      0x0000u);
}

TEST(FloatEncoding, Bfloat) {
  EXPECT_EQ(encodeFloat(TypeKind::BF16, 1.0), 0x3f80u);
  EXPECT_EQ(encodeFloat(TypeKind::BF16, 3.14159265358979), 0x4049u);
  EXPECT_EQ(encodeFloat(TypeKind::BF16, 257.0), 0x4380u);
  EXPECT_EQ(encodeFloat(TypeKind::BF16, 259.0), 0x4382u);
  EXPECT_EQ(encodeFloat(TypeKind::BF16, power(-133)), 0x0001u);
  EXPECT_EQ(encodeFloat(TypeKind::BF16, 3.4e38), 0x7f80u);
}

TEST(FloatEncoding, FloatAgreesWithHardware) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    // Every exponent of float, and some beyond on both sides.
    double value = std::ldexp(1.0 + double(random() >> 12) * power(-52),
                              int(random() % 320) - 170);
    float expected = float(value);
    uint32_t bits;
    std::memcpy(&bits, &expected, sizeof(bits));
    ASSERT_EQ(encodeFloat(TypeKind::F32, value), bits) << value;
  }
}

TEST(FloatEncoding, IgnoresTheHostsRoundingMode) {
  std::fesetround(FE_UPWARD);
  uint64_t bits = encodeFloat(TypeKind::F32, 1.0 + power(-40));
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(bits, 0x3f800000u);
}

TEST(FloatEncoding, DecodeInvertsEncode) {
  // All 65536 patterns, except that a NaN comes back as the quiet one.
  for (TypeKind kind : {TypeKind::F16, TypeKind::BF16})
    for (uint64_t bits = 0; bits < 65536; ++bits) {
      double value = decodeFloat(kind, bits);
      if (!std::isnan(value)) {
        ASSERT_EQ(encodeFloat(kind, value), bits);
      }
    }
  EXPECT_EQ(decodeFloat(TypeKind::F16, 0x3555), 1365.0 / 4096);
  EXPECT_TRUE(std::isnan(decodeFloat(TypeKind::BF16, 0x7fc0)));
  EXPECT_EQ(decodeFloat(TypeKind::F64, encodeFloat(TypeKind::F64, 0.1)), 0.1);
}

} // namespace
