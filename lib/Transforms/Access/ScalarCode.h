//===- ScalarCode.h - code for sums of products of scalars ------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the sums that the affine-access analysis found back into operations on
// scalars.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_ACCESS_SCALARCODE_H
#define TESSERA_LIB_TRANSFORMS_ACCESS_SCALARCODE_H

#include "tessera/Analysis/AffineForm.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera {

/// Builds scalars at one place; constants fold.
class ScalarCode {
public:
  ScalarCode(mlir::OpBuilder &builder, mlir::Location loc) : b(loc, builder) {}

  mlir::Value constant(int64_t value, unsigned width);
  /// A sum without advances, modulo 2^width, as an integer of `width` bits.
  mlir::Value sum(const ScalarSum &sum, unsigned width);
  /// The signed value of a sum modulo 2^width, as an i32 or i64: a value itself
  /// where the sum is nothing else.
  mlir::Value index(const ScalarSum &sum, unsigned width);
  /// The same as an i64.
  mlir::Value wideIndex(const ScalarSum &sum, unsigned width);

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value subtract(mlir::Value a, mlir::Value b);
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  mlir::Value smaller(mlir::Value a, mlir::Value b);
  mlir::Value larger(mlir::Value a, mlir::Value b);
  /// Sign-extends, or cuts off, to `width` bits.
  mlir::Value resize(mlir::Value value, unsigned width);

private:
  mlir::ImplicitLocOpBuilder b;
};

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_ACCESS_SCALARCODE_H
