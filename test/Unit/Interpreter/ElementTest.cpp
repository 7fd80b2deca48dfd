//===- ElementTest.cpp - conversions of element types ---------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small floats and tf32 against llvm::APFloat. What a conversion does beyond
// the largest number is the language's: see tile.convert.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/Element.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace llvm;
using namespace tessera::interpreter;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Format {
  ElementKind kind;
  const fltSemantics &semantics;
  /// The largest number, by hand.
  double largest;
  bool hasInfinity;

  unsigned getPatterns() const { return 1u << (8 * getByteWidth(kind)); }
  APFloat decode(uint64_t bits) const {
    return APFloat(semantics, APInt(8 * getByteWidth(kind), bits));
  }
};

const Format kFormats[] = {
    {ElementKind::F16, APFloat::IEEEhalf(), 65504, true},
    {ElementKind::BF16, APFloat::BFloat(), std::ldexp(255, 120), true},
    {ElementKind::F8E4M3FN, APFloat::Float8E4M3FN(), 448, false},
    {ElementKind::F8E5M2, APFloat::Float8E5M2(), 57344, true}};

/// What APFloat makes of `value`, with the language's rule for numbers that are
/// too large: they become the largest one, unless infinity exists and nearest
/// even without saturation (or an infinity, without saturation) asks for it.
APFloat round(const Format &format, double value, Rounding rounding) {
  APFloat result(value);
  bool losesInfo;
  result.convert(format.semantics,
                 rounding == Rounding::TowardsZero
                     ? APFloat::rmTowardZero
                     : APFloat::rmNearestTiesToEven,
                 &losesInfo);
  bool overflows =
      result.isInfinity() || (result.isNaN() && !std::isnan(value));
  if (overflows &&
      (!format.hasInfinity || rounding == Rounding::NearestEvenSaturating))
    return APFloat::getLargest(format.semantics, std::signbit(value));
  return result;
}

void expectEncoded(const Format &format, double value) {
  for (Rounding rounding : {Rounding::NearestEven, Rounding::TowardsZero,
                            Rounding::NearestEvenSaturating}) {
    uint16_t found = encodeSmallFloat(format.kind, value, rounding);
    APFloat expected = round(format, value, rounding);
    if (expected.isNaN())
      ASSERT_TRUE(format.decode(found).isNaN()) << value;
    else
      ASSERT_EQ(found, expected.bitcastToAPInt().getZExtValue())
          << getName(format.kind) << " " << value << " rounding "
          << int(rounding);
  }
}

/// `value` and its neighbours, with both signs.
void expectEncodedAround(const Format &format, double value) {
  for (double sign : {1.0, -1.0})
    for (double near :
         {value, std::nextafter(value, 0.0), std::nextafter(value, kInfinity)})
      expectEncoded(format, sign * near);
}

/// The same pattern, or both NaN.
bool isSame(const APFloat &a, const APFloat &b) {
  return (a.isNaN() && b.isNaN()) || a.bitwiseIsEqual(b);
}

} // namespace

TEST(Element, DecodesEveryPattern) {
  for (const Format &format : kFormats) {
    EXPECT_EQ(format.decode(0).getLargest(format.semantics).convertToDouble(),
              format.largest);
    for (unsigned bits = 0; bits < format.getPatterns(); ++bits) {
      APFloat expected = format.decode(bits);
      bool losesInfo;
      expected.convert(APFloat::IEEEsingle(), APFloat::rmTowardZero,
                       &losesInfo);
      ASSERT_TRUE(
          isSame(APFloat(decodeSmallFloat(format.kind, bits)), expected))
          << getName(format.kind) << " " << bits;
    }
  }
}

TEST(Element, EncodesNumbersTiesAndTheirNeighbours) {
  for (const Format &format : kFormats)
    for (unsigned bits = 0; bits < format.getPatterns() / 2; ++bits) {
      double value = decodeSmallFloat(format.kind, bits);
      double next = decodeSmallFloat(format.kind, bits + 1);
      if (!std::isfinite(value))
        break;
      expectEncodedAround(format, value);
      // Exact in f64; behind the largest number the tie with what would follow.
      double below = decodeSmallFloat(format.kind, bits == 0 ? 0 : bits - 1);
      expectEncodedAround(format, std::isfinite(next)
                                      ? value + (next - value) / 2
                                      : value + (value - below) / 2);
    }
}

TEST(Element, EncodesAnyDouble) {
  std::mt19937_64 random(1);
  for (const Format &format : kFormats) {
    for (double value : {0.0, 5e-324, 1e-310, 2.2250738585072014e-308, 1e-50,
                         1.7976931348623157e308, kInfinity})
      expectEncodedAround(format, value);
    expectEncoded(format, std::nan(""));
    expectEncoded(format, -std::nan(""));
    // Any pattern; then numbers in the format's range.
    for (int i = 0; i < 20000; ++i)
      expectEncoded(format, bit_cast<double>(uint64_t(random())));
    for (int i = 0; i < 20000; ++i)
      expectEncoded(format, std::ldexp(double(int64_t(random())),
                                       int(random() % 48) - 24 - 63));
  }
}

TEST(Element, OverflowByHand) {
  auto encode = [](ElementKind kind, double value, Rounding rounding) {
    return encodeSmallFloat(kind, value, rounding);
  };
  // 65520 is the tie between 65504 and 2^16, 61440 between 57344 and 2^16.
  EXPECT_EQ(encode(ElementKind::F16, 65519.99, Rounding::NearestEven), 0x7BFF);
  EXPECT_EQ(encode(ElementKind::F16, 65520, Rounding::NearestEven), 0x7C00);
  EXPECT_EQ(encode(ElementKind::F16, -1e9, Rounding::TowardsZero), 0xFBFF);
  EXPECT_EQ(encode(ElementKind::F16, -kInfinity, Rounding::TowardsZero),
            0xFC00);
  EXPECT_EQ(encode(ElementKind::F8E5M2, 61440, Rounding::NearestEvenSaturating),
            0x7B);
  EXPECT_EQ(
      encode(ElementKind::F8E5M2, -kInfinity, Rounding::NearestEvenSaturating),
      0xFB);
  EXPECT_EQ(encode(ElementKind::F8E4M3FN, 1e9, Rounding::NearestEvenSaturating),
            0x7E);
  EXPECT_EQ(encode(ElementKind::F8E4M3FN, -kInfinity,
                   Rounding::NearestEvenSaturating),
            0xFE);
}

TEST(Element, F32TowardsZeroAndToNearest) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    uint64_t bits = random();
    // Every other one a tie of f32, exactly.
    double value = bit_cast<double>(
        i % 2 ? bits : (bits & ~uint64_t(0x1FFFFFFF)) | 0x10000000);
    for (auto [rounding, mode] :
         {std::pair{Rounding::NearestEven, APFloat::rmNearestTiesToEven},
          std::pair{Rounding::TowardsZero, APFloat::rmTowardZero}}) {
      APFloat expected(value);
      bool losesInfo;
      expected.convert(APFloat::IEEEsingle(), mode, &losesInfo);
      ASSERT_TRUE(isSame(APFloat(roundToF32(value, rounding)), expected))
          << value;
    }
  }
}

TEST(Element, TF32) {
  // 10 bits of fraction; ties go away from zero.
  EXPECT_EQ(roundToTF32(1 + 0x1p-11f), 1 + 0x1p-10f);
  EXPECT_EQ(roundToTF32(-1 - 0x1p-11f), -1 - 0x1p-10f);
  EXPECT_EQ(roundToTF32(1 + 0x1p-11f - 0x1p-23f), 1.0f);
  EXPECT_TRUE(std::isnan(roundToTF32(std::nanf(""))));
  std::mt19937 random(3);
  // Each 10-bit fraction, with the rest 0, below, at and above the tie, random.
  for (uint32_t high = 0; high < 1u << 19; high += 3)
    for (uint32_t low :
         {0u, 0xFFFu, 0x1000u, 0x1001u, uint32_t(random()) & 0x1FFFu}) {
      float value = bit_cast<float>(high << 13 | low);
      APFloat expected(value);
      bool losesInfo;
      expected.convert(APFloat::FloatTF32(), APFloat::rmNearestTiesToAway,
                       &losesInfo);
      expected.convert(APFloat::IEEEsingle(), APFloat::rmTowardZero,
                       &losesInfo);
      ASSERT_TRUE(isSame(APFloat(roundToTF32(value)), expected)) << value;
    }
}
