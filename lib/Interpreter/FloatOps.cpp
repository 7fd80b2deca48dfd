//===- FloatOps.cpp - float arithmetic ------------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operation is rounded once to its type. Smaller floats than f32 are
// computed in f32 and rounded: for +, -, *, / and sqrt that is the correctly
// rounded result, since 24 >= 2 * 11 + 2 bits (Figueroa, "When is double
// rounding innocuous?"). Functions are the C library's in f64, rounded.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/bit.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tessera::interpreter;

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

template <typename Function>
static Flow runBinary(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind kind = operands[0].getKind();
  auto result = operands.makeResult(kind);
  if (kind == ElementKind::F32)
    mapPairs<float, float>(*result, operands, Function());
  else if (kind == ElementKind::F64)
    mapPairs<double, double>(*result, operands, Function());
  else
    for (int64_t i = 0; i < operands.size(); ++i)
      writeFloat(kind, result->at(i),
                 Function()(float(readFloat(kind, operands.at(0, i))),
                            float(readFloat(kind, operands.at(1, i)))));
  program.set(instruction, std::move(result));
  return Flow::Next;
}

namespace {

struct Add {
  template <typename T> T operator()(T a, T b) const { return a + b; }
};
struct Sub {
  template <typename T> T operator()(T a, T b) const { return a - b; }
};
struct Mul {
  template <typename T> T operator()(T a, T b) const { return a * b; }
};
struct Div {
  template <typename T> T operator()(T a, T b) const { return a / b; }
};
struct Rem {
  template <typename T> T operator()(T a, T b) const { return std::fmod(a, b); }
};

/// -0 is less than +0 in all of these (IEEE 754-2019, 9.6).
template <typename T> bool isLess(T a, T b) {
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}
struct Maximum {
  template <typename T> T operator()(T a, T b) const {
    return std::isnan(a) ? a : std::isnan(b) ? b : isLess(a, b) ? b : a;
  }
};
struct Minimum {
  template <typename T> T operator()(T a, T b) const {
    return std::isnan(a) ? a : std::isnan(b) ? b : isLess(b, a) ? b : a;
  }
};
struct MaxNum {
  template <typename T> T operator()(T a, T b) const {
    return std::isnan(a) ? b : std::isnan(b) ? a : isLess(a, b) ? b : a;
  }
};
struct MinNum {
  template <typename T> T operator()(T a, T b) const {
    return std::isnan(a) ? b : std::isnan(b) ? a : isLess(b, a) ? b : a;
  }
};
struct CopySign {
  template <typename T> T operator()(T a, T b) const {
    return std::copysign(a, b);
  }
};
struct Pow {
  template <typename T> T operator()(T a, T b) const {
    return T(std::pow(double(a), double(b)));
  }
};
struct Atan2 {
  template <typename T> T operator()(T a, T b) const {
    return T(std::atan2(double(a), double(b)));
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

/// `function` in f64, rounded once.
template <double (*function)(double)>
static Flow runUnary(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind kind = operands[0].getKind();
  auto result = operands.makeResult(kind);
  for (int64_t i = 0; i < operands.size(); ++i)
    writeFloat(kind, result->at(i), function(readFloat(kind, operands.at(0, i))));
  program.set(instruction, std::move(result));
  return Flow::Next;
}

static double reciprocalSqrt(double x) { return 1 / std::sqrt(x); }
static double roundHalfAway(double x) { return std::round(x); }

/// Signs are bits: a NaN has one too.
template <bool Clears>
static Flow runSign(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind kind = operands[0].getKind();
  uint64_t sign = uint64_t(1) << (8 * getByteWidth(kind) - 1);
  auto result = operands.makeResult(kind);
  for (int64_t i = 0; i < operands.size(); ++i) {
    uint64_t bits = readUnsigned(kind, operands.at(0, i));
    writeInteger(kind, result->at(i), Clears ? bits & ~sign : bits ^ sign);
  }
  program.set(instruction, std::move(result));
  return Flow::Next;
}

template <bool (*test)(double)>
static Flow runTest(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind kind = operands[0].getKind();
  auto result = operands.makeResult(ElementKind::I1);
  for (int64_t i = 0; i < operands.size(); ++i)
    *result->at(i) = test(readFloat(kind, operands.at(0, i)));
  program.set(instruction, std::move(result));
  return Flow::Next;
}

static bool isNaN(double x) { return std::isnan(x); }
static bool isInfinite(double x) { return std::isinf(x); }
static bool isFinite(double x) { return std::isfinite(x); }

/// Normal in its own type, not in f64.
static Flow runIsNormal(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind kind = operands[0].getKind();
  int smallest = kind == ElementKind::F64                               ? -1022
                 : kind == ElementKind::F32 || kind == ElementKind::BF16 ? -126
                 : kind == ElementKind::F8E4M3FN                         ? -6
                                                                         : -14;
  auto result = operands.makeResult(ElementKind::I1);
  for (int64_t i = 0; i < operands.size(); ++i) {
    double value = readFloat(kind, operands.at(0, i));
    *result->at(i) =
        std::isfinite(value) && std::fabs(value) >= std::ldexp(1.0, smallest);
  }
  program.set(instruction, std::move(result));
  return Flow::Next;
}

//===----------------------------------------------------------------------===//
// Fused multiplication and addition, comparison
//===----------------------------------------------------------------------===//

/// product + addend in f64, rounded to odd: rounding it again to at most 51 bits
/// then is one rounding (Boldo and Melquiond, "Emulation of FMA and correctly
/// rounded sums").
static double addRoundingToOdd(double product, double addend) {
  double sum = product + addend;
  if (!std::isfinite(sum))
    return sum;
  // The error of the sum (Knuth's two-sum).
  double shadow = sum - product;
  double error = (product - (sum - shadow)) + (addend - shadow);
  if (error == 0 || (llvm::bit_cast<uint64_t>(sum) & 1))
    return sum;
  return std::nextafter(sum, error > 0 ? std::numeric_limits<double>::infinity()
                                       : -std::numeric_limits<double>::infinity());
}

static Flow runFma(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind kind = operands[0].getKind();
  auto result = operands.makeResult(kind);
  for (int64_t i = 0; i < operands.size(); ++i) {
    double a = readFloat(kind, operands.at(0, i));
    double b = readFloat(kind, operands.at(1, i));
    double c = readFloat(kind, operands.at(2, i));
    // The product of two floats of at most 24 bits is exact in f64.
    writeFloat(kind, result->at(i),
               kind == ElementKind::F64 ? std::fma(a, b, c)
                                        : addRoundingToOdd(a * b, c));
  }
  program.set(instruction, std::move(result));
  return Flow::Next;
}

static bool holds(arith::CmpFPredicate predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::OEQ:
    return a == b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::ONE:
    return !unordered && a != b;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UEQ:
    return unordered || a == b;
  case arith::CmpFPredicate::UGT:
    return unordered || a > b;
  case arith::CmpFPredicate::UGE:
    return unordered || a >= b;
  case arith::CmpFPredicate::ULT:
    return unordered || a < b;
  case arith::CmpFPredicate::ULE:
    return unordered || a <= b;
  case arith::CmpFPredicate::UNE:
    return unordered || a != b;
  case arith::CmpFPredicate::UNO:
    return unordered;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  }
  return false;
}

static Flow runCompare(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  auto predicate = cast<arith::CmpFOp>(instruction.op).getPredicate();
  ElementKind kind = operands[0].getKind();
  auto result = operands.makeResult(ElementKind::I1);
  for (int64_t i = 0; i < operands.size(); ++i)
    *result->at(i) = holds(predicate, readFloat(kind, operands.at(0, i)),
                           readFloat(kind, operands.at(1, i)));
  program.set(instruction, std::move(result));
  return Flow::Next;
}

/// `base` to an integer power, by repeated squaring in f64.
static Flow runIntegerPower(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind kind = operands[0].getKind();
  auto result = operands.makeResult(kind);
  for (int64_t i = 0; i < operands.size(); ++i)
    writeFloat(kind, result->at(i),
               std::pow(readFloat(kind, operands.at(0, i)),
                        double(readSigned(operands[1].getKind(),
                                          operands.at(1, i)))));
  program.set(instruction, std::move(result));
  return Flow::Next;
}

static void registerFunctions(Registry &registry) {
  registry.add<math::AcosOp>(runUnary<std::acos>);
  registry.add<math::AcoshOp>(runUnary<std::acosh>);
  registry.add<math::AsinOp>(runUnary<std::asin>);
  registry.add<math::AsinhOp>(runUnary<std::asinh>);
  registry.add<math::AtanOp>(runUnary<std::atan>);
  registry.add<math::AtanhOp>(runUnary<std::atanh>);
  registry.add<math::CbrtOp>(runUnary<std::cbrt>);
  registry.add<math::CeilOp>(runUnary<std::ceil>);
  registry.add<math::CosOp>(runUnary<std::cos>);
  registry.add<math::CoshOp>(runUnary<std::cosh>);
  registry.add<math::ErfOp>(runUnary<std::erf>);
  registry.add<math::ErfcOp>(runUnary<std::erfc>);
  registry.add<math::ExpOp>(runUnary<std::exp>);
  registry.add<math::Exp2Op>(runUnary<std::exp2>);
  registry.add<math::ExpM1Op>(runUnary<std::expm1>);
  registry.add<math::FloorOp>(runUnary<std::floor>);
  registry.add<math::LogOp>(runUnary<std::log>);
  registry.add<math::Log10Op>(runUnary<std::log10>);
  registry.add<math::Log1pOp>(runUnary<std::log1p>);
  registry.add<math::Log2Op>(runUnary<std::log2>);
  registry.add<math::RoundOp>(runUnary<roundHalfAway>);
  registry.add<math::RoundEvenOp>(runUnary<std::nearbyint>);
  registry.add<math::RsqrtOp>(runUnary<reciprocalSqrt>);
  registry.add<math::SinOp>(runUnary<std::sin>);
  registry.add<math::SinhOp>(runUnary<std::sinh>);
  registry.add<math::SqrtOp>(runUnary<std::sqrt>);
  registry.add<math::TanOp>(runUnary<std::tan>);
  registry.add<math::TanhOp>(runUnary<std::tanh>);
  registry.add<math::TruncOp>(runUnary<std::trunc>);
}

void tessera::interpreter::registerFloatOps(Registry &registry) {
  registerFunctions(registry);
  registry.add<arith::AddFOp>(runBinary<Add>);
  registry.add<arith::SubFOp>(runBinary<Sub>);
  registry.add<arith::MulFOp>(runBinary<Mul>);
  registry.add<arith::DivFOp>(runBinary<Div>);
  registry.add<arith::RemFOp>(runBinary<Rem>);
  registry.add<arith::MaximumFOp>(runBinary<Maximum>);
  registry.add<arith::MinimumFOp>(runBinary<Minimum>);
  registry.add<arith::MaxNumFOp>(runBinary<MaxNum>);
  registry.add<arith::MinNumFOp>(runBinary<MinNum>);
  registry.add<arith::NegFOp>(runSign</*Clears=*/false>);
  registry.add<math::AbsFOp>(runSign</*Clears=*/true>);
  registry.add<arith::CmpFOp>(runCompare);
  registry.add<math::FmaOp>(runFma);
  registry.add<math::CopySignOp>(runBinary<CopySign>);
  registry.add<math::PowFOp>(runBinary<Pow>);
  registry.add<math::FPowIOp>(runIntegerPower);
  registry.add<math::Atan2Op>(runBinary<Atan2>);
  registry.add<math::IsNaNOp>(runTest<isNaN>);
  registry.add<math::IsInfOp>(runTest<isInfinite>);
  registry.add<math::IsFiniteOp>(runTest<isFinite>);
  registry.add<math::IsNormalOp>(runIsNormal);
}
