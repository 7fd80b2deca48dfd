//===- Values.h - values of arguments and buffers ---------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_VERIFY_VALUES_H
#define TESSERA_LIB_VERIFY_VALUES_H

#include "ArgumentRoles.h"
#include "tessera/Interpreter/Random.h"

namespace tessera::verify {

/// Arrays that are stored by columns.
enum class ColumnOrder { None, SecondOperands, FirstOperands };

/// How candidates differ: by the numbers of the input and of the attempt at it,
/// and by the order of products' operands.
struct Flavor {
  unsigned input, attempt;
  ColumnOrder columns = ColumnOrder::None;

  /// Of three inputs, all arguments of the first are aligned as the fast
  /// variants want it: pointers to 256 bytes, sizes and strides multiples
  /// of 16. None of the second is, and of the third all but one are, another
  /// one each time: a guard that forgets a fact lets it pass.
  bool isAligned(unsigned argument, size_t numArguments) const {
    if (input % 3 != 2)
      return input % 3 == 0;
    return (input / 3 + attempt) % numArguments != argument;
  }
};

/// Whether arrays are there whose order `columns` changes: an operand with two
/// strides or more that the launch passes.
bool hasColumns(llvm::ArrayRef<ArgumentRole> roles, ColumnOrder columns);

/// One value for each argument that is no pointer.
void chooseArguments(llvm::ArrayRef<ArgumentRole> roles, Flavor flavor,
                     interpreter::Random &random, Input &input);

/// The kinds of numbers in buffers.
enum class DataKind {
  /// Multiples of 1/8 from -1 to 1, integers from -8 to 8: sums are exact.
  Exact,
  /// Uniform from -1 to 1, and a few special values; integers of all bits.
  Wild,
  /// Positive; integers from 0 to 3, which may be used as indices.
  Small
};

/// Writes element number `element` (from the pointer) of a buffer.
void writeData(interpreter::ElementKind kind, DataKind data, uint64_t seed,
               int64_t element, uint8_t *to);

} // namespace tessera::verify

#endif // TESSERA_LIB_VERIFY_VALUES_H
