//===- Element.h - element types and their conversions ----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types that the interpreter computes with, in the bytes that they
// take in global memory. Small floats are encoded and decoded exactly as IEEE
// 754 (f16, bf16) and the OCP 8-bit formats say.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_ELEMENT_H
#define TESSERA_INTERPRETER_ELEMENT_H

#include <cstdint>
#include <cstring>
#include <string>

namespace tessera::interpreter {

enum class ElementKind : uint8_t {
  I1, // one byte, 0 or 1
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  F32,
  F64,
  F8E4M3FN,
  F8E5M2,
  Pointer // 8 bytes, an address in GlobalMemory
};

/// Bytes of an element.
unsigned getByteWidth(ElementKind kind);
/// Bits of an integer: 1 for I1, 64 for Pointer.
unsigned getBitWidth(ElementKind kind);
bool isFloat(ElementKind kind);
/// "f16", "i32", "ptr", …
const char *getName(ElementKind kind);

/// Overflow of a conversion to a smaller float.
enum class Rounding {
  /// To nearest, ties to even; overflow gives infinity.
  NearestEven,
  /// Towards zero; overflow gives the largest finite number.
  TowardsZero,
  /// To nearest even; overflow and infinities give the largest finite number.
  NearestEvenSaturating
};

/// The number that the bits of a float of at most 16 bits stand for; exact.
float decodeSmallFloat(ElementKind kind, uint16_t bits);
/// The bits of `value` rounded once to a float of at most 16 bits.
uint16_t encodeSmallFloat(ElementKind kind, double value, Rounding rounding);
/// `value` rounded once to f32.
float roundToF32(double value, Rounding rounding);
/// `value` with 10 bits of fraction, rounded to nearest, ties away from zero
/// (PTX ISA, cvt.rna.tf32).
float roundToTF32(float value);

/// The element at `data` as a double; exact.
double readFloat(ElementKind kind, const void *data);
void writeFloat(ElementKind kind, void *data, double value,
                Rounding rounding = Rounding::NearestEven);
/// The integer at `data`, sign-extended: a true i1 is -1.
int64_t readSigned(ElementKind kind, const void *data);
/// The integer at `data`, zero-extended.
uint64_t readUnsigned(ElementKind kind, const void *data);
/// Writes the low bits.
void writeInteger(ElementKind kind, void *data, uint64_t value);

/// A pattern for values that the language leaves unspecified: NaN for floats,
/// 0x5A bytes for integers, true for i1, an invalid address for pointers.
uint64_t getUnspecifiedBits(ElementKind kind);

/// The element at `data` as text.
std::string printElement(ElementKind kind, const void *data);

} // namespace tessera::interpreter

#endif // TESSERA_INTERPRETER_ELEMENT_H
