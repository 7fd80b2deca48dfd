//===- DotOps.cpp - matrix products ---------------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// result[m, n] = acc[m, n] + a[m, 0] b[0, n] + a[m, 1] b[1, n] + …, in this
// order, each product and each sum rounded to the type that it is computed in:
// f32 for floats of at most 32 bits, f64, or i32. Products of 16- and 8-bit
// floats are exact in f32, unless they leave its range. An accumulator of f16 is
// kept in f32 inside one dot and rounded at its end.
//
//===----------------------------------------------------------------------===//

#include "DotProduct.h"
#include "Machine.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

template <typename T>
static std::vector<T> convert(const Tensor &tensor, bool toTF32) {
  std::vector<T> values(tensor.size());
  for (int64_t i = 0; i < tensor.size(); ++i) {
    if constexpr (std::is_integral_v<T>)
      values[i] = T(readSigned(tensor.getKind(), tensor.at(i)));
    else
      values[i] = T(readFloat(tensor.getKind(), tensor.at(i)));
  }
  if constexpr (std::is_same_v<T, float>)
    if (toTF32)
      for (float &value : values)
        value = roundToTF32(value);
  return values;
}

/// One product MxK times KxN. Rows of b are added to rows of c, a loop over
/// consecutive elements.
template <typename T>
static void multiply(const T *a, const T *b, T *c, int64_t m, int64_t n,
                     int64_t k) {
  for (int64_t row = 0; row < m; ++row)
    for (int64_t step = 0; step < k; ++step) {
      T factor = a[row * k + step];
      const T *from = b + step * n;
      T *to = c + row * n;
      for (int64_t column = 0; column < n; ++column)
        to[column] += factor * from[column];
    }
}

template <typename T>
static std::shared_ptr<Tensor> dotIn(const Tensor &lhs, const Tensor &rhs,
                                     const Tensor &acc, bool toTF32) {
  ArrayRef<int64_t> shape = lhs.getShape();
  int64_t k = shape.back(), m = shape[shape.size() - 2];
  int64_t n = rhs.getShape().back();
  std::vector<T> a = convert<T>(lhs, toTF32), b = convert<T>(rhs, toTF32);
  std::vector<T> c = convert<T>(acc, /*toTF32=*/false);
  for (int64_t batch = 0; batch < lhs.size() / (m * k); ++batch)
    multiply(a.data() + batch * m * k, b.data() + batch * k * n,
             c.data() + batch * m * n, m, n, k);
  auto result = std::make_shared<Tensor>(acc.getKind(), acc.getShape());
  for (int64_t i = 0; i < result->size(); ++i) {
    if constexpr (std::is_integral_v<T>)
      writeInteger(result->getKind(), result->at(i), c[i]);
    else
      writeFloat(result->getKind(), result->at(i), c[i]);
  }
  return result;
}

std::shared_ptr<Tensor> interpreter::computeDot(const Tensor &lhs,
                                                const Tensor &rhs,
                                                const Tensor &acc,
                                                bool toTF32) {
  if (lhs.getKind() == ElementKind::F64)
    return dotIn<double>(lhs, rhs, acc, toTF32);
  if (!isFloat(lhs.getKind())) // unsigned: it wraps
    return dotIn<uint32_t>(lhs, rhs, acc, toTF32);
  return dotIn<float>(lhs, rhs, acc, toTF32);
}

static Flow runDot(Program &program, const Instruction &instruction) {
  const Tensor &lhs = *program.get(instruction, 0);
  bool toTF32 = lhs.getKind() == ElementKind::F32 &&
                cast<tile::DotOp>(instruction.op).getPrecision() ==
                    tile::InputPrecision::TF32;
  program.set(instruction,
              computeDot(lhs, *program.get(instruction, 1),
                         *program.get(instruction, 2), toTF32));
  return Flow::Next;
}

void tessera::interpreter::registerDotOps(Registry &registry) {
  registry.add<tile::DotOp>(runDot);
}
