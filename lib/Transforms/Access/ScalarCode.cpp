//===- ScalarCode.cpp - code for sums of products of scalars --------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;

Value ScalarCode::constant(int64_t value, unsigned width) {
  return arith::ConstantOp::create(
      b, b.getIntegerAttr(b.getIntegerType(width),
                          llvm::SignExtend64(uint64_t(value), width)));
}

Value ScalarCode::add(Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(x, y);
}
Value ScalarCode::subtract(Value x, Value y) {
  return b.createOrFold<arith::SubIOp>(x, y);
}
Value ScalarCode::multiply(Value x, Value y) {
  return b.createOrFold<arith::MulIOp>(x, y);
}
Value ScalarCode::smaller(Value x, Value y) {
  return b.createOrFold<arith::MinSIOp>(x, y);
}
Value ScalarCode::larger(Value x, Value y) {
  return b.createOrFold<arith::MaxSIOp>(x, y);
}

Value ScalarCode::resize(Value value, unsigned width) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  Type type = b.getIntegerType(width);
  if (from < width)
    return b.createOrFold<arith::ExtSIOp>(type, value);
  return from == width ? value : b.createOrFold<arith::TruncIOp>(type, value);
}

Value ScalarCode::sum(const ScalarSum &sum, unsigned width) {
  Value total;
  for (const ScalarTerm &term : sum.terms) {
    Value product;
    for (Value value : term.values) {
      Value factor = resize(value, width);
      product = product ? multiply(product, factor) : factor;
    }
    if (term.factor != 1)
      product = multiply(product, constant(term.factor, width));
    total = total ? add(total, product) : product;
  }
  if (!total)
    return constant(sum.constant, width);
  return sum.constant == 0 ? total : add(total, constant(sum.constant, width));
}

Value ScalarCode::index(const ScalarSum &sum, unsigned width) {
  Value value = sum.getSingleValue();
  if (value && value.getType().getIntOrFloatBitWidth() <= width &&
      (value.getType().isInteger(32) || value.getType().isInteger(64)))
    return value;
  return wideIndex(sum, width);
}

Value ScalarCode::wideIndex(const ScalarSum &total, unsigned width) {
  return resize(sum(total, width), 64);
}
