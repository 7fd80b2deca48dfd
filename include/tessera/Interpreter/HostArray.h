//===- HostArray.h - tensors outside a kernel -------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel is called with and what comes out of it: elements in row-major
// order, made up or read from a file, and compared with others.
//
// Random contents are the same on every machine and in every release.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_HOSTARRAY_H
#define TESSERA_INTERPRETER_HOSTARRAY_H

#include "tessera/Interpreter/Tensor.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::interpreter {

/// Elements of at most 2^40 bytes in all.
struct HostArray {
  ElementKind kind = ElementKind::F32;
  Shape shape;
  std::vector<uint8_t> bytes;
  /// Which elements were ever written, one flag each; empty when all were.
  std::vector<uint8_t> written;

  HostArray() = default;
  /// Zeros.
  HostArray(ElementKind kind, llvm::ArrayRef<int64_t> shape);

  int64_t size() const { return countElements(shape); }
  uint8_t *at(int64_t index) {
    return bytes.data() + index * getByteWidth(kind);
  }
  const uint8_t *at(int64_t index) const {
    return bytes.data() + index * getByteWidth(kind);
  }
  bool isWritten(int64_t index) const {
    return written.empty() || written[index];
  }
};

/// The bytes of a shape's elements; none when an extent is negative or the
/// product is above the limit of an array.
std::optional<int64_t> countBytes(ElementKind kind,
                                  llvm::ArrayRef<int64_t> shape);

/// The kind of "f16", "i32", "f8E4M3FN", …; none for another name.
std::optional<ElementKind> parseElementKind(llvm::StringRef name);

/// Floats uniform in [-1, 1), integers uniform in [-100, 100], i1 true or
/// false. The stream is splitmix64's.
void fillRandom(HostArray &array, uint64_t seed);
/// 0, 1, 2, …, rounded or wrapped to the kind.
void fillIota(HostArray &array);
/// The bytes of one element, everywhere.
void fillElement(HostArray &array, llvm::ArrayRef<uint8_t> element);

/// What is allowed: |value - expected| <= absolute + relative * |expected|.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// A tolerance for results of this kind after sums of some thousand terms.
Tolerance getDefaultTolerance(ElementKind kind);

/// How two arrays of one shape differ. A NaN equals a NaN, an infinity the same
/// infinity; each differs from all else by infinity, and so does an element
/// that was never written.
struct Comparison {
  struct Error {
    double size = 0;
    /// Row-major.
    int64_t index = 0;
  };
  Error absolute;
  /// Over the magnitude of what is expected; of elements where that is 0, only
  /// the absolute error counts.
  Error relative;
  int64_t count = 0;
  /// Elements beyond the tolerance, and the first of them.
  int64_t numWrong = 0, firstWrong = 0;
};

Comparison compare(const HostArray &value, const HostArray &expected,
                   Tolerance tolerance);

/// "[3, 5]"; "[]" for a scalar's.
std::string printCoordinates(int64_t index, llvm::ArrayRef<int64_t> shape);
/// "512x384"; "scalar" without dimensions.
std::string printShape(llvm::ArrayRef<int64_t> shape);

} // namespace tessera::interpreter

#endif // TESSERA_INTERPRETER_HOSTARRAY_H
