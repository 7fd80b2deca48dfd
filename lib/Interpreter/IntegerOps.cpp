//===- IntegerOps.cpp - integer arithmetic --------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers wrap. Beside the wrapped result, additions, subtractions and
// multiplications keep what 64 bits would give where it differs, for addresses
// (Tensor::getExact).
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace tessera::interpreter;

namespace {

struct Add {
  template <typename T> T operator()(T a, T b) const { return T(a + b); }
};
struct Sub {
  template <typename T> T operator()(T a, T b) const { return T(a - b); }
};
struct Mul {
  // Not in int, to which 16 bits would be promoted: it may overflow.
  template <typename T> T operator()(T a, T b) const {
    return T(uint64_t(a) * uint64_t(b));
  }
};
struct And {
  template <typename T> T operator()(T a, T b) const { return T(a & b); }
};
struct Or {
  template <typename T> T operator()(T a, T b) const { return T(a | b); }
};
struct Xor {
  template <typename T> T operator()(T a, T b) const { return T(a ^ b); }
};
struct Max {
  template <typename T> T operator()(T a, T b) const { return a > b ? a : b; }
};
struct Min {
  template <typename T> T operator()(T a, T b) const { return a < b ? a : b; }
};

} // namespace

/// Calls `function` with a zero of the integer type of `kind`.
template <bool Signed, typename Function>
static void withIntegerType(ElementKind kind, Function function) {
  switch (getByteWidth(kind)) {
  case 1:
    return function(std::conditional_t<Signed, int8_t, uint8_t>());
  case 2:
    return function(std::conditional_t<Signed, int16_t, uint16_t>());
  case 4:
    return function(std::conditional_t<Signed, int32_t, uint32_t>());
  default:
    return function(std::conditional_t<Signed, int64_t, uint64_t>());
  }
}

/// An i1 is stored as 0 or 1.
static void normalizeBooleans(Tensor &tensor) {
  if (tensor.getKind() == ElementKind::I1)
    for (int64_t i = 0; i < tensor.size(); ++i)
      *tensor.at(i) &= 1;
}

/// Operations whose result in the low bits does not depend on signs.
template <typename Function>
static std::shared_ptr<Tensor> mapUnsigned(const Operands &operands) {
  auto result = operands.makeResult(operands[0].getKind());
  withIntegerType</*Signed=*/false>(operands[0].getKind(), [&](auto zero) {
    using T = decltype(zero);
    mapPairs<T, T>(*result, operands, Function());
  });
  normalizeBooleans(*result);
  return result;
}

template <typename Function>
static Flow runUnsigned(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  program.set(instruction, mapUnsigned<Function>(operands));
  return Flow::Next;
}

/// On sign-extended operands; a true i1 is -1.
template <typename Function>
static Flow runSigned(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind kind = operands[0].getKind();
  if (kind == ElementKind::I1) {
    auto result = operands.makeResult(kind);
    for (int64_t i = 0; i < operands.size(); ++i)
      writeInteger(kind, result->at(i),
                   Function()(readSigned(kind, operands.at(0, i)),
                              readSigned(kind, operands.at(1, i))));
    program.set(instruction, std::move(result));
    return Flow::Next;
  }
  auto result = operands.makeResult(kind);
  withIntegerType</*Signed=*/true>(kind, [&](auto zero) {
    using T = decltype(zero);
    mapPairs<T, T>(*result, operands, Function());
  });
  program.set(instruction, std::move(result));
  return Flow::Next;
}

//===----------------------------------------------------------------------===//
// Chains of addresses
//===----------------------------------------------------------------------===//

/// Whether a result differs from what 64 bits would give.
template <typename Function>
static bool wraps(const Operands &operands, const Tensor &result) {
  bool differs = false;
  withIntegerType</*Signed=*/true>(operands[0].getKind(), [&](auto zero) {
    using T = decltype(zero);
    const T *a = operands[0].data<T>(), *b = operands[1].data<T>();
    const T *r = result.data<T>();
    int64_t strideA = operands.getStride(0), strideB = operands.getStride(1);
    for (int64_t i = 0; i < operands.size(); ++i)
      differs |= Function()(int64_t(a[strideA * i]), int64_t(b[strideB * i])) !=
                 int64_t(r[i]);
  });
  return differs;
}

template <typename Function>
static Flow runChain(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  auto result = mapUnsigned<Function>(operands);
  ElementKind kind = operands[0].getKind();
  bool isExact = operands[0].getExact() || operands[1].getExact();
  bool isNarrow = kind != ElementKind::I64 && kind != ElementKind::I1;
  if (isExact || (isNarrow && wraps<Function>(operands, *result))) {
    std::vector<int64_t> exact(operands.size());
    for (int64_t i = 0; i < operands.size(); ++i)
      exact[i] = int64_t(Function()(uint64_t(operands.getExactAt(0, i)),
                                    uint64_t(operands.getExactAt(1, i))));
    result->setExact(std::move(exact));
  }
  program.set(instruction, std::move(result));
  return Flow::Next;
}

//===----------------------------------------------------------------------===//
// Division and shifts
//===----------------------------------------------------------------------===//

namespace {

/// Quotients and remainders by kind; `b` is not 0, and the quotient fits.
enum class Division { Quotient, Remainder, CeilQuotient, FloorQuotient };

} // namespace

template <Division kind, typename T> static T divide(T a, T b) {
  T quotient = a / b, remainder = a % b;
  switch (kind) {
  case Division::Quotient:
    return quotient;
  case Division::Remainder:
    return remainder;
  case Division::CeilQuotient:
    return quotient + T(remainder != 0 && (remainder < 0) == (b < 0));
  case Division::FloorQuotient:
    return quotient - T(remainder != 0 && (remainder < 0) != (b < 0));
  }
}

template <Division kind, bool Signed>
static Flow runDivision(Program &program, const Instruction &instruction) {
  using T = std::conditional_t<Signed, int64_t, uint64_t>;
  Operands operands(program, instruction);
  ElementKind element = operands[0].getKind();
  auto read = [&](size_t operand, int64_t index) -> T {
    const uint8_t *data = operands.at(operand, index);
    return Signed ? T(readSigned(element, data))
                  : T(readUnsigned(element, data));
  };
  auto result = operands.makeResult(element);
  for (int64_t i = 0; i < operands.size(); ++i) {
    T a = read(0, i), b = read(1, i);
    if (b == 0) {
      program.report(FindingKind::DivisionByZero, instruction, 1, i,
                     operands.getShape(), [] { return std::string(); });
      writeInteger(element, result->at(i), getUnspecifiedBits(element));
      continue;
    }
    // The one quotient that has no place in its type wraps.
    bool overflows = Signed && b == T(-1);
    T value = !overflows                   ? divide<kind>(a, b)
              : kind == Division::Remainder ? T(0)
                                            : T(0 - uint64_t(a));
    writeInteger(element, result->at(i), uint64_t(value));
  }
  program.set(instruction, std::move(result));
  return Flow::Next;
}

namespace {
enum class Shift { Left, RightSigned, RightUnsigned };
} // namespace

/// A shift by the width or more is unspecified.
template <Shift kind>
static Flow runShift(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind element = operands[0].getKind();
  auto result = operands.makeResult(element);
  for (int64_t i = 0; i < operands.size(); ++i) {
    uint64_t amount = readUnsigned(element, operands.at(1, i));
    uint64_t bits = readUnsigned(element, operands.at(0, i));
    if (amount >= getBitWidth(element))
      bits = getUnspecifiedBits(element);
    else if (kind == Shift::Left)
      bits <<= amount;
    else if (kind == Shift::RightUnsigned)
      bits >>= amount;
    else
      bits = uint64_t(readSigned(element, operands.at(0, i)) >> amount);
    writeInteger(element, result->at(i), bits);
  }
  program.set(instruction, std::move(result));
  return Flow::Next;
}

//===----------------------------------------------------------------------===//
// Comparison and choice
//===----------------------------------------------------------------------===//

template <bool Signed, typename Function>
static std::shared_ptr<Tensor> compare(const Operands &operands,
                                       Function function) {
  auto result = operands.makeResult(ElementKind::I1);
  ElementKind kind = operands[0].getKind();
  if (kind == ElementKind::I1) {
    for (int64_t i = 0; i < operands.size(); ++i)
      *result->at(i) =
          Signed ? function(readSigned(kind, operands.at(0, i)),
                            readSigned(kind, operands.at(1, i)))
                 : function(*operands.at(0, i), *operands.at(1, i));
    return result;
  }
  withIntegerType<Signed>(kind, [&](auto zero) {
    mapPairs<uint8_t, decltype(zero)>(*result, operands, function);
  });
  return result;
}

static std::shared_ptr<Tensor> compareIntegers(arith::CmpIPredicate predicate,
                                               const Operands &operands) {
  auto eq = [](auto a, auto b) { return uint8_t(a == b); };
  auto ne = [](auto a, auto b) { return uint8_t(a != b); };
  auto lt = [](auto a, auto b) { return uint8_t(a < b); };
  auto le = [](auto a, auto b) { return uint8_t(a <= b); };
  auto gt = [](auto a, auto b) { return uint8_t(a > b); };
  auto ge = [](auto a, auto b) { return uint8_t(a >= b); };
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return compare<false>(operands, eq);
  case arith::CmpIPredicate::ne:
    return compare<false>(operands, ne);
  case arith::CmpIPredicate::slt:
    return compare<true>(operands, lt);
  case arith::CmpIPredicate::sle:
    return compare<true>(operands, le);
  case arith::CmpIPredicate::sgt:
    return compare<true>(operands, gt);
  case arith::CmpIPredicate::sge:
    return compare<true>(operands, ge);
  case arith::CmpIPredicate::ult:
    return compare<false>(operands, lt);
  case arith::CmpIPredicate::ule:
    return compare<false>(operands, le);
  case arith::CmpIPredicate::ugt:
    return compare<false>(operands, gt);
  case arith::CmpIPredicate::uge:
    return compare<false>(operands, ge);
  }
  return nullptr;
}

static Flow runCompare(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  auto predicate = cast<arith::CmpIOp>(instruction.op).getPredicate();
  program.set(instruction, compareIntegers(predicate, operands));
  return Flow::Next;
}

/// The condition is a scalar or has the values' shape.
static Flow runSelect(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  auto result = operands.makeResult(operands[1].getKind());
  unsigned width = result->getByteWidth();
  for (int64_t i = 0; i < operands.size(); ++i)
    std::memcpy(result->at(i),
                operands.at(*operands.at(0, i) ? 1 : 2, i), width);
  program.set(instruction, std::move(result));
  return Flow::Next;
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

template <typename Function>
static Flow runUnary(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind kind = operands[0].getKind();
  auto result = operands.makeResult(kind);
  for (int64_t i = 0; i < operands.size(); ++i)
    writeInteger(kind, result->at(i),
                 Function()(kind, operands.at(0, i)));
  program.set(instruction, std::move(result));
  return Flow::Next;
}

namespace {
struct Abs {
  uint64_t operator()(ElementKind kind, const uint8_t *data) const {
    int64_t value = readSigned(kind, data);
    return value < 0 ? 0 - uint64_t(value) : uint64_t(value);
  }
};
struct PopCount {
  uint64_t operator()(ElementKind kind, const uint8_t *data) const {
    return llvm::popcount(readUnsigned(kind, data));
  }
};
struct LeadingZeros {
  uint64_t operator()(ElementKind kind, const uint8_t *data) const {
    return llvm::countl_zero(readUnsigned(kind, data)) + getBitWidth(kind) - 64;
  }
};
struct TrailingZeros {
  uint64_t operator()(ElementKind kind, const uint8_t *data) const {
    return std::min<uint64_t>(llvm::countr_zero(readUnsigned(kind, data)),
                              getBitWidth(kind));
  }
};
} // namespace

/// Both halves of the product of two integers.
template <bool Signed>
static Flow runMulExtended(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind kind = operands[0].getKind();
  auto low = operands.makeResult(kind), high = operands.makeResult(kind);
  for (int64_t i = 0; i < operands.size(); ++i) {
    const uint8_t *a = operands.at(0, i), *b = operands.at(1, i);
    __int128 product =
        Signed ? __int128(readSigned(kind, a)) * readSigned(kind, b)
               : __int128((unsigned __int128)(readUnsigned(kind, a)) *
                          readUnsigned(kind, b));
    writeInteger(kind, low->at(i), uint64_t(product));
    writeInteger(kind, high->at(i), uint64_t(product >> getBitWidth(kind)));
  }
  program.set(instruction, std::move(low), 0);
  program.set(instruction, std::move(high), 1);
  return Flow::Next;
}

void tessera::interpreter::registerIntegerOps(Registry &registry) {
  registry.add<arith::AddIOp>(runChain<Add>);
  registry.add<arith::SubIOp>(runChain<Sub>);
  registry.add<arith::MulIOp>(runChain<Mul>);
  registry.add<arith::AndIOp>(runUnsigned<And>);
  registry.add<arith::OrIOp>(runUnsigned<Or>);
  registry.add<arith::XOrIOp>(runUnsigned<Xor>);
  registry.add<arith::MaxUIOp>(runUnsigned<Max>);
  registry.add<arith::MinUIOp>(runUnsigned<Min>);
  registry.add<arith::MaxSIOp>(runSigned<Max>);
  registry.add<arith::MinSIOp>(runSigned<Min>);
  registry.add<arith::DivSIOp>(runDivision<Division::Quotient, true>);
  registry.add<arith::DivUIOp>(runDivision<Division::Quotient, false>);
  registry.add<arith::RemSIOp>(runDivision<Division::Remainder, true>);
  registry.add<arith::RemUIOp>(runDivision<Division::Remainder, false>);
  registry.add<arith::CeilDivSIOp>(runDivision<Division::CeilQuotient, true>);
  registry.add<arith::CeilDivUIOp>(runDivision<Division::CeilQuotient, false>);
  registry.add<arith::FloorDivSIOp>(runDivision<Division::FloorQuotient, true>);
  registry.add<arith::ShLIOp>(runShift<Shift::Left>);
  registry.add<arith::ShRSIOp>(runShift<Shift::RightSigned>);
  registry.add<arith::ShRUIOp>(runShift<Shift::RightUnsigned>);
  registry.add<arith::CmpIOp>(runCompare);
  registry.add<arith::SelectOp>(runSelect);
  registry.add<arith::MulSIExtendedOp>(runMulExtended<true>);
  registry.add<arith::MulUIExtendedOp>(runMulExtended<false>);
  registry.add<math::AbsIOp>(runUnary<Abs>);
  registry.add<math::CtPopOp>(runUnary<PopCount>);
  registry.add<math::CountLeadingZerosOp>(runUnary<LeadingZeros>);
  registry.add<math::CountTrailingZerosOp>(runUnary<TrailingZeros>);
}
