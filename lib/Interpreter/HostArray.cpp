//===- HostArray.cpp - tensors outside a kernel ---------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/HostArray.h"

#include "tessera/Interpreter/Random.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace tessera;
using namespace tessera::interpreter;

static constexpr int64_t kMaxBytes = int64_t(1) << 40;

HostArray::HostArray(ElementKind kind, llvm::ArrayRef<int64_t> shape)
    : kind(kind), shape(shape) {
  bytes.resize(size() * getByteWidth(kind));
}

std::optional<int64_t>
interpreter::countBytes(ElementKind kind, llvm::ArrayRef<int64_t> shape) {
  int64_t bytes = getByteWidth(kind);
  for (int64_t extent : shape) {
    if (extent < 0 || llvm::MulOverflow(bytes, extent, bytes) ||
        bytes > kMaxBytes)
      return std::nullopt;
  }
  return bytes;
}

std::optional<ElementKind>
interpreter::parseElementKind(llvm::StringRef name) {
  for (ElementKind kind :
       {ElementKind::I1, ElementKind::I8, ElementKind::I16, ElementKind::I32,
        ElementKind::I64, ElementKind::F16, ElementKind::BF16, ElementKind::F32,
        ElementKind::F64, ElementKind::F8E4M3FN, ElementKind::F8E5M2})
    if (name == getName(kind))
      return kind;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

void interpreter::fillRandom(HostArray &array, uint64_t seed) {
  Random random(seed);
  for (int64_t i = 0, e = array.size(); i < e; ++i) {
    uint64_t bits = random.next() >> 11;
    if (isFloat(array.kind))
      // 53 bits over 2^52, less 1. Towards zero, so that 1 is never reached.
      writeFloat(array.kind, array.at(i), std::ldexp(double(bits), -52) - 1,
                 Rounding::TowardsZero);
    else if (array.kind == ElementKind::I1)
      writeInteger(array.kind, array.at(i), bits & 1);
    else
      writeInteger(array.kind, array.at(i), bits % 201 - 100);
  }
}

void interpreter::fillIota(HostArray &array) {
  for (int64_t i = 0, e = array.size(); i < e; ++i)
    if (isFloat(array.kind))
      writeFloat(array.kind, array.at(i), double(i));
    else
      writeInteger(array.kind, array.at(i), uint64_t(i));
}

void interpreter::fillElement(HostArray &array,
                              llvm::ArrayRef<uint8_t> element) {
  for (int64_t i = 0, e = array.size(); i < e; ++i)
    std::memcpy(array.at(i), element.data(), element.size());
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

Tolerance interpreter::getDefaultTolerance(ElementKind kind) {
  // About two to four units of the last place, and for f32 and f64 room for
  // sums in another order.
  switch (kind) {
  case ElementKind::F64:
    return {1e-12, 1e-12};
  case ElementKind::F32:
    return {1e-5, 1e-5};
  case ElementKind::F16:
    return {0x1p-9, 0x1p-9};
  case ElementKind::BF16:
    return {0x1p-6, 0x1p-6};
  case ElementKind::F8E4M3FN:
    return {0x1p-3, 0x1p-3};
  case ElementKind::F8E5M2:
    return {0x1p-2, 0x1p-2};
  default:
    return {0, 0};
  }
}

/// An element as a double, which rounds integers above 2^53.
static double readElement(const HostArray &array, int64_t index) {
  if (isFloat(array.kind))
    return readFloat(array.kind, array.at(index));
  if (array.kind == ElementKind::I1)
    return readUnsigned(array.kind, array.at(index)) ? 1 : 0;
  return double(readSigned(array.kind, array.at(index)));
}

/// |value - expected|, exactly zero for integers only if they are equal.
static double getAbsoluteError(const HostArray &value,
                               const HostArray &expected, int64_t index) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!value.isWritten(index) || !expected.isWritten(index))
    return value.isWritten(index) == expected.isWritten(index) ? 0 : infinity;
  double a = readElement(value, index), b = readElement(expected, index);
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b) ? 0 : infinity;
  if (std::isinf(a) || std::isinf(b))
    return a == b ? 0 : infinity;
  if (a == b && !isFloat(value.kind) && !isFloat(expected.kind) &&
      value.kind != ElementKind::I1 &&
      readSigned(value.kind, value.at(index)) !=
          readSigned(expected.kind, expected.at(index)))
    return 1; // Less than the distance of doubles there.
  return std::abs(a - b);
}

Comparison interpreter::compare(const HostArray &value,
                                const HostArray &expected,
                                Tolerance tolerance) {
  Comparison result;
  result.count = value.size();
  for (int64_t i = 0; i < result.count; ++i) {
    double error = getAbsoluteError(value, expected, i);
    double magnitude = std::abs(readElement(expected, i));
    if (error > result.absolute.size)
      result.absolute = {error, i};
    if (error > 0 && magnitude != 0) {
      double relative = std::isfinite(error) ? error / magnitude : error;
      if (relative > result.relative.size)
        result.relative = {relative, i};
    }
    double allowed = tolerance.absolute;
    if (std::isfinite(magnitude))
      allowed += tolerance.relative * magnitude;
    if (error <= allowed)
      continue;
    if (result.numWrong++ == 0)
      result.firstWrong = i;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string interpreter::printCoordinates(int64_t index,
                                          llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (int64_t coordinate : delinearize(index, shape))
    text += (text.size() > 1 ? ", " : "") + std::to_string(coordinate);
  return text + "]";
}

std::string interpreter::printShape(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return shape.empty() ? "scalar" : text;
}
