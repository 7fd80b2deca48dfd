//===- Element.cpp - element types and their conversions ------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small floats go through one pair of functions, parametrised by the format.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/Element.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <cmath>
#include <limits>

using namespace tessera::interpreter;

namespace {

/// A float format: sign, exponent, fraction.
struct Format {
  int exponentBits, fractionBits;
  /// Whether the largest exponent holds infinity and NaNs; otherwise only the
  /// pattern of all ones is a NaN, and there is no infinity.
  bool hasInfinity;

  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  constexpr int width() const { return 1 + exponentBits + fractionBits; }
  constexpr uint16_t infinity() const {
    return uint16_t(((1 << exponentBits) - 1) << fractionBits);
  }
  constexpr uint16_t largest() const {
    return hasInfinity ? infinity() - 1
                       : uint16_t((1 << (exponentBits + fractionBits)) - 2);
  }
  constexpr uint16_t nan() const {
    return hasInfinity ? uint16_t(infinity() | (1 << (fractionBits - 1)))
                       : uint16_t((1 << (exponentBits + fractionBits)) - 1);
  }
};

} // namespace

static constexpr Format kF16{5, 10, true}, kBF16{8, 7, true},
    kE4M3{4, 3, false}, kE5M2{5, 2, true};

static const Format &getFormat(ElementKind kind) {
  switch (kind) {
  case ElementKind::BF16:
    return kBF16;
  case ElementKind::F8E4M3FN:
    return kE4M3;
  case ElementKind::F8E5M2:
    return kE5M2;
  default:
    return kF16;
  }
}

static float decode(const Format &format, uint16_t bits) {
  int magnitude = bits & ((1 << (format.width() - 1)) - 1);
  bool negative = bits >> (format.width() - 1) & 1;
  float value;
  if (format.hasInfinity ? magnitude > format.infinity()
                         : magnitude > format.largest())
    value = std::numeric_limits<float>::quiet_NaN();
  else if (format.hasInfinity && magnitude == format.infinity())
    value = std::numeric_limits<float>::infinity();
  else if (int exponent = magnitude >> format.fractionBits)
    value = std::ldexp(float((magnitude & ((1 << format.fractionBits) - 1)) |
                             1 << format.fractionBits),
                       exponent - format.bias() - format.fractionBits);
  else
    value = std::ldexp(float(magnitude), 1 - format.bias() - format.fractionBits);
  return negative ? -value : value;
}

/// All decoded values of a format of N bits.
template <size_t N> static std::array<float, N> makeTable(const Format &format) {
  std::array<float, N> table;
  for (size_t bits = 0; bits < N; ++bits)
    table[bits] = decode(format, uint16_t(bits));
  return table;
}

float tessera::interpreter::decodeSmallFloat(ElementKind kind, uint16_t bits) {
  static const auto f16 = makeTable<65536>(kF16);
  static const auto e4m3 = makeTable<256>(kE4M3);
  static const auto e5m2 = makeTable<256>(kE5M2);
  switch (kind) {
  case ElementKind::BF16:
    return llvm::bit_cast<float>(uint32_t(bits) << 16);
  case ElementKind::F8E4M3FN:
    return e4m3[bits & 0xff];
  case ElementKind::F8E5M2:
    return e5m2[bits & 0xff];
  default:
    return f16[bits];
  }
}

uint16_t tessera::interpreter::encodeSmallFloat(ElementKind kind, double value,
                                                Rounding rounding) {
  const Format &format = getFormat(kind);
  uint64_t bits = llvm::bit_cast<uint64_t>(value);
  uint16_t sign = uint16_t(bits >> 63) << (format.width() - 1);
  uint64_t magnitude = bits & ~(uint64_t(1) << 63);
  constexpr uint64_t infinity = uint64_t(0x7ff) << 52;
  if (magnitude > infinity)
    return sign | format.nan();
  bool finiteOverflow =
      rounding != Rounding::NearestEven || !format.hasInfinity;
  if (magnitude == infinity)
    return sign | (rounding == Rounding::NearestEvenSaturating ||
                           !format.hasInfinity
                       ? format.largest()
                       : format.infinity());
  int exponent = int(magnitude >> 52) - 1023;
  if (exponent < 1 - format.bias() - format.fractionBits - 1)
    return sign; // less than half the smallest number
  // Value = significand * 2^(exponent - 52); drop bits below the last one.
  uint64_t significand =
      (magnitude & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52;
  bool subnormal = exponent < 1 - format.bias();
  int drop = 52 - format.fractionBits +
             (subnormal ? 1 - format.bias() - exponent : 0);
  uint64_t kept = significand >> drop;
  uint64_t rest = significand & ((uint64_t(1) << drop) - 1);
  uint64_t half = uint64_t(1) << (drop - 1);
  if (rounding != Rounding::TowardsZero &&
      (rest > half || (rest == half && (kept & 1))))
    ++kept;
  // A carry out of the fraction runs into the exponent, as it should.
  uint64_t result =
      subnormal ? kept
                : kept + (uint64_t(exponent + format.bias() - 1)
                          << format.fractionBits);
  if (result > format.largest())
    return sign | (finiteOverflow ? format.largest() : format.infinity());
  return sign | uint16_t(result);
}

float tessera::interpreter::roundToF32(double value, Rounding rounding) {
  float nearest = float(value);
  if (rounding != Rounding::TowardsZero || std::isnan(value) ||
      std::isinf(value) || std::fabs(double(nearest)) <= std::fabs(value))
    return nearest;
  return std::nextafter(nearest, 0.0f);
}

float tessera::interpreter::roundToTF32(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  if ((bits & 0x7f800000) == 0x7f800000)
    return value;
  return llvm::bit_cast<float>((bits + 0x1000) & ~uint32_t(0x1fff));
}

unsigned tessera::interpreter::getByteWidth(ElementKind kind) {
  switch (kind) {
  case ElementKind::I1:
  case ElementKind::I8:
  case ElementKind::F8E4M3FN:
  case ElementKind::F8E5M2:
    return 1;
  case ElementKind::I16:
  case ElementKind::F16:
  case ElementKind::BF16:
    return 2;
  case ElementKind::I32:
  case ElementKind::F32:
    return 4;
  case ElementKind::I64:
  case ElementKind::F64:
  case ElementKind::Pointer:
    return 8;
  }
  return 8;
}

unsigned tessera::interpreter::getBitWidth(ElementKind kind) {
  return kind == ElementKind::I1 ? 1 : 8 * getByteWidth(kind);
}

bool tessera::interpreter::isFloat(ElementKind kind) {
  return kind >= ElementKind::F16 && kind <= ElementKind::F8E5M2;
}

const char *tessera::interpreter::getName(ElementKind kind) {
  static constexpr const char *names[] = {"i1",   "i8",  "i16",      "i32",
                                          "i64",  "f16", "bf16",     "f32",
                                          "f64",  "f8E4M3FN", "f8E5M2", "ptr"};
  return names[size_t(kind)];
}

double tessera::interpreter::readFloat(ElementKind kind, const void *data) {
  if (kind == ElementKind::F64) {
    double value;
    std::memcpy(&value, data, sizeof(value));
    return value;
  }
  if (kind == ElementKind::F32) {
    float value;
    std::memcpy(&value, data, sizeof(value));
    return value;
  }
  return decodeSmallFloat(kind, uint16_t(readUnsigned(kind, data)));
}

void tessera::interpreter::writeFloat(ElementKind kind, void *data,
                                      double value, Rounding rounding) {
  if (kind == ElementKind::F64) {
    std::memcpy(data, &value, sizeof(value));
  } else if (kind == ElementKind::F32) {
    float rounded = roundToF32(value, rounding);
    std::memcpy(data, &rounded, sizeof(rounded));
  } else {
    writeInteger(kind, data, encodeSmallFloat(kind, value, rounding));
  }
}

uint64_t tessera::interpreter::readUnsigned(ElementKind kind,
                                            const void *data) {
  // Hosts are little-endian, as GPUs are.
  uint64_t value = 0;
  std::memcpy(&value, data, getByteWidth(kind));
  return value;
}

int64_t tessera::interpreter::readSigned(ElementKind kind, const void *data) {
  unsigned unused = 64 - getBitWidth(kind);
  return int64_t(readUnsigned(kind, data) << unused) >> unused;
}

void tessera::interpreter::writeInteger(ElementKind kind, void *data,
                                        uint64_t value) {
  if (kind == ElementKind::I1)
    value &= 1;
  std::memcpy(data, &value, getByteWidth(kind));
}

uint64_t tessera::interpreter::getUnspecifiedBits(ElementKind kind) {
  switch (kind) {
  case ElementKind::I1:
    return 1;
  case ElementKind::F16:
  case ElementKind::BF16:
  case ElementKind::F8E4M3FN:
  case ElementKind::F8E5M2:
    return getFormat(kind).nan();
  case ElementKind::F32:
    return 0x7fc00000;
  case ElementKind::F64:
    return uint64_t(0x7ff8) << 48;
  default:
    return 0x5a5a5a5a5a5a5a5a;
  }
}

std::string tessera::interpreter::printElement(ElementKind kind,
                                               const void *data) {
  if (kind == ElementKind::Pointer)
    return "0x" + llvm::utohexstr(readUnsigned(kind, data), /*LowerCase=*/true);
  if (kind == ElementKind::I1)
    return readUnsigned(kind, data) ? "true" : "false";
  if (!isFloat(kind))
    return std::to_string(readSigned(kind, data));
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.*g", kind == ElementKind::F64 ? 17 : 9,
                      readFloat(kind, data));
  return text;
}
