//===- ConversionOps.cpp - conversions between element types --------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floats are rounded once. 8-bit floats saturate (tile.convert).
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

static ElementKind getResultKind(const Instruction &instruction) {
  return instruction.resultTypes[0].kind;
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static Rounding getRounding(Operation *op, ElementKind result) {
  if (result == ElementKind::F8E4M3FN || result == ElementKind::F8E5M2)
    return Rounding::NearestEvenSaturating;
  bool towardsZero = false;
  if (auto convert = dyn_cast<tile::ConvertOp>(op))
    towardsZero = convert.getRounding() == tile::Rounding::RTZ;
  else if (auto truncate = dyn_cast<arith::TruncFOp>(op))
    towardsZero =
        truncate.getRoundingmode() == arith::RoundingMode::toward_zero;
  return towardsZero ? Rounding::TowardsZero : Rounding::NearestEven;
}

static Flow runFloatConversion(Program &program,
                               const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind from = operands[0].getKind(), to = getResultKind(instruction);
  if (from == to) {
    program.set(instruction, program.get(instruction, 0));
    return Flow::Next;
  }
  Rounding rounding = getRounding(instruction.op, to);
  auto result = operands.makeResult(to);
  for (int64_t i = 0; i < operands.size(); ++i)
    writeFloat(to, result->at(i), readFloat(from, operands.at(0, i)), rounding);
  program.set(instruction, std::move(result));
  return Flow::Next;
}

/// The float nearest to an integer of 64 bits. In f64 the integer would be
/// rounded twice, so the bits below those that f64 keeps are folded into one,
/// which makes the first rounding one to odd.
static double toDoubleForRounding(uint64_t magnitude) {
  if (magnitude >> 53 == 0)
    return double(magnitude);
  uint64_t low = magnitude & 0x7ff;
  return double((magnitude & ~uint64_t(0x7ff)) | (low ? 0x800 : 0));
}

template <bool Signed>
static Flow runIntegerToFloat(Program &program,
                              const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind from = operands[0].getKind(), to = getResultKind(instruction);
  auto result = operands.makeResult(to);
  for (int64_t i = 0; i < operands.size(); ++i) {
    const uint8_t *data = operands.at(0, i);
    int64_t value = readSigned(from, data);
    uint64_t bits = readUnsigned(from, data);
    bool negative = Signed && value < 0;
    uint64_t magnitude = negative ? 0 - uint64_t(value) : bits;
    double wide = to == ElementKind::F64 ? double(magnitude)
                                         : toDoubleForRounding(magnitude);
    writeFloat(to, result->at(i), negative ? -wide : wide);
  }
  program.set(instruction, std::move(result));
  return Flow::Next;
}

/// Truncates; what does not fit is unspecified.
template <bool Signed>
static Flow runFloatToInteger(Program &program,
                              const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind from = operands[0].getKind(), to = getResultKind(instruction);
  int bits = int(getBitWidth(to)) - Signed;
  double low = Signed ? -std::ldexp(1.0, bits) : 0.0;
  double high = std::ldexp(1.0, bits);
  auto result = operands.makeResult(to);
  for (int64_t i = 0; i < operands.size(); ++i) {
    double value = std::trunc(readFloat(from, operands.at(0, i)));
    uint64_t integer = getUnspecifiedBits(to);
    if (value >= low && value < high)
      integer = Signed ? uint64_t(int64_t(value)) : uint64_t(value);
    writeInteger(to, result->at(i), integer);
  }
  program.set(instruction, std::move(result));
  return Flow::Next;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Sign extension is part of the chains that addresses are made of; the others
/// end them.
template <bool Signed, bool KeepsExact>
static Flow runIntegerConversion(Program &program,
                                 const Instruction &instruction) {
  Operands operands(program, instruction);
  ElementKind from = operands[0].getKind(), to = getResultKind(instruction);
  auto result = operands.makeResult(to);
  for (int64_t i = 0; i < operands.size(); ++i) {
    const uint8_t *data = operands.at(0, i);
    writeInteger(to, result->at(i),
                 Signed ? uint64_t(readSigned(from, data))
                        : readUnsigned(from, data));
  }
  if (const int64_t *exact = operands[0].getExact(); exact && KeepsExact)
    result->setExact(std::vector<int64_t>(exact, exact + operands.size()));
  program.set(instruction, std::move(result));
  return Flow::Next;
}

static Flow runBitcast(Program &program, const Instruction &instruction) {
  Operands operands(program, instruction);
  auto result = operands.makeResult(getResultKind(instruction));
  std::memcpy(result->at(0), operands[0].at(0),
              operands.size() * result->getByteWidth());
  program.set(instruction, std::move(result));
  return Flow::Next;
}

void tessera::interpreter::registerConversionOps(Registry &registry) {
  registry.add<tile::ConvertOp>(runFloatConversion);
  registry.add<arith::ExtFOp>(runFloatConversion);
  registry.add<arith::TruncFOp>(runFloatConversion);
  registry.add<arith::SIToFPOp>(runIntegerToFloat<true>);
  registry.add<arith::UIToFPOp>(runIntegerToFloat<false>);
  registry.add<arith::FPToSIOp>(runFloatToInteger<true>);
  registry.add<arith::FPToUIOp>(runFloatToInteger<false>);
  registry.add<arith::ExtSIOp>(runIntegerConversion<true, true>);
  registry.add<arith::ExtUIOp>(runIntegerConversion<false, false>);
  registry.add<arith::TruncIOp>(runIntegerConversion<false, false>);
  registry.add<arith::IndexCastOp>(runIntegerConversion<true, false>);
  registry.add<arith::IndexCastUIOp>(runIntegerConversion<false, false>);
  registry.add<arith::BitcastOp>(runBitcast);
}
