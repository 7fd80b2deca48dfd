//===- NpyFile.h - NumPy's .npy files ---------------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads versions 1 to 3 of the format (numpy.lib.format), little-endian, of
// booleans, integers, floats and raw bytes; writes version 1. Arrays in Fortran
// order are transposed. No contents of a file are trusted: a file that is cut
// short, or whose header asks for more than it holds, is an error.
//
// NumPy has no type for bf16 and the 8-bit floats; files have them as raw bytes
// (V2, V1) or as unsigned integers (u2, u1) of the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_NPYFILE_H
#define TESSERA_INTERPRETER_NPYFILE_H

#include "tessera/Interpreter/HostArray.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tessera::interpreter {

struct NpyArray {
  /// One of b, i, u, f and V.
  char type = 'f';
  /// Bytes of an element: 1, 2, 4 or 8.
  unsigned width = 4;
  Shape shape;
  /// In row-major order.
  std::vector<uint8_t> bytes;

  /// "f4".
  std::string getTypeName() const { return type + std::to_string(width); }
};

/// Reads the contents of a file.
llvm::Expected<NpyArray> parseNpy(llvm::StringRef contents);

/// The kind of elements that an array without further knowledge has; none for
/// raw bytes.
std::optional<ElementKind> getNaturalKind(const NpyArray &array);

/// The array as elements of `kind`, which have the same bits. An error where the
/// file's type is another.
llvm::Expected<HostArray> toHostArray(NpyArray array, ElementKind kind);

/// The contents of a file.
std::string writeNpy(const HostArray &array);

} // namespace tessera::interpreter

#endif // TESSERA_INTERPRETER_NPYFILE_H
