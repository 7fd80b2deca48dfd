//===- FloatEncoding.cpp - doubles as narrower float bits -----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One rounding routine for every narrower format. Going to 16 bits by way of
// float would round twice: 1 + 2^-11 + 2^-30 becomes 1 + 2^-11 as a float, a
// tie, and then 1 as f16, where the nearest f16 is 1 + 2^-10.
//
//===----------------------------------------------------------------------===//

#include "tessera/Runtime/FloatEncoding.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace tessera::runtime {

namespace {

/// An IEEE-like binary format: a sign, `exponentBits`, `fractionBits`.
struct FloatFormat {
  int exponentBits;
  int fractionBits;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  uint64_t infinity() const {
    return ((uint64_t(1) << exponentBits) - 1) << fractionBits;
  }
};

FloatFormat formatOf(TypeKind kind) {
  switch (kind) {
  case TypeKind::F16:
    return {5, 10};
  case TypeKind::BF16:
    return {8, 7};
  case TypeKind::F32:
    return {8, 23};
  default:
    return {11, 52};
  }
}

/// The bits of the finite, normal double with significand `significand` * 2^-52
/// (in [1, 2)) and exponent `exponent`, without the sign.
uint64_t roundMagnitude(FloatFormat format, uint64_t significand,
                        int exponent) {
  int smallest = 1 - format.bias();
  bool subnormal = exponent < smallest;
  // How many low bits of the significand lie below the format's last place.
  int dropped = 52 - format.fractionBits;
  if (subnormal)
    dropped += smallest - exponent;
  // Below half of the smallest subnormal.
  if (dropped > 53)
    return 0;
  uint64_t kept = significand >> dropped;
  uint64_t rest = significand & ((uint64_t(1) << dropped) - 1);
  uint64_t half = uint64_t(1) << (dropped - 1);
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;
  // In both cases a carry out of the fraction runs into the exponent, which is
  // the right encoding of the next binade, up to infinity.
  if (subnormal)
    return kept;
  if (exponent > format.bias())
    return format.infinity();
  return (uint64_t(exponent + format.bias() - 1) << format.fractionBits) + kept;
}

} // namespace

uint64_t encodeFloat(TypeKind kind, double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (kind == TypeKind::F64)
    return bits;
  FloatFormat format = formatOf(kind);
  uint64_t sign = (bits >> 63) << (format.exponentBits + format.fractionBits);
  int biased = int((bits >> 52) & 0x7ff);
  uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
  if (biased == 0x7ff)
    return sign | format.infinity() |
           (fraction ? uint64_t(1) << (format.fractionBits - 1) : 0);
  // Zero, and double's own subnormals, all far below the narrower formats'.
  if (biased == 0)
    return sign;
  return sign |
         roundMagnitude(format, fraction | (uint64_t(1) << 52), biased - 1023);
}

double decodeFloat(TypeKind kind, uint64_t bits) {
  double value;
  if (kind == TypeKind::F64) {
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  FloatFormat format = formatOf(kind);
  bool negative = (bits >> (format.exponentBits + format.fractionBits)) & 1;
  uint64_t magnitude =
      bits & ((uint64_t(1) << (format.exponentBits + format.fractionBits)) - 1);
  uint64_t fraction = bits & ((uint64_t(1) << format.fractionBits) - 1);
  int biased = int(magnitude >> format.fractionBits);
  if (magnitude > format.infinity())
    value = std::numeric_limits<double>::quiet_NaN();
  else if (magnitude == format.infinity())
    value = std::numeric_limits<double>::infinity();
  else if (biased == 0)
    value =
        std::ldexp(double(fraction), 1 - format.bias() - format.fractionBits);
  else
    value = std::ldexp(double(fraction + (uint64_t(1) << format.fractionBits)),
                       biased - format.bias() - format.fractionBits);
  return negative ? -value : value;
}

} // namespace tessera::runtime
