//===- FmaTest.cpp - fused multiply-adds ----------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// math.fma rounds once, although it is computed in f64: llvm::APFloat's, which
// is exact before it rounds, gives the same bits.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/Interpreter.h"
#include "tessera/Pipelines/TileToCubin.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

#include <random>

using namespace llvm;
using namespace tessera;
using namespace tessera::interpreter;

namespace {

constexpr unsigned kElements = 32768;

/// a * b + c with one rounding, as the interpreter computes it.
void runFma(ElementKind kind, const std::vector<uint64_t> &bits,
            std::vector<uint64_t> &results) {
  std::string n = std::to_string(kElements), type = getName(kind);
  std::string source =
      "!p = tensor<" + n + "x!tile.ptr<" + type + ">>\n" +
      "tile.func @k(%p: !tile.ptr<" + type + ">) {\n" +
      "%r = tile.arange : tensor<" + n + "xi32>\n" +
      "%s = tile.splat %p : !tile.ptr<" + type + "> -> !p\n" +
      "%n = arith.constant dense<" + n + "> : tensor<" + n + "xi32>\n" +
      "%pa = tile.addptr %s, %r : !p, tensor<" + n + "xi32>\n" +
      "%pb = tile.addptr %pa, %n : !p, tensor<" + n + "xi32>\n" +
      "%pc = tile.addptr %pb, %n : !p, tensor<" + n + "xi32>\n" +
      "%pd = tile.addptr %pc, %n : !p, tensor<" + n + "xi32>\n" +
      "%a = tile.load %pa : !p\n%b = tile.load %pb : !p\n%c = tile.load %pc : "
      "!p\n" +
      "%d = math.fma %a, %b, %c : tensor<" + n + "x" + type + ">\n" +
      "tile.store %pd, %d : !p\ntile.return\n}\n";
  mlir::DialectRegistry registry;
  registerTesseraDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      source, mlir::ParserConfig(&context));
  ASSERT_TRUE(module);
  unsigned width = getByteWidth(kind);
  std::vector<uint8_t> bytes(bits.size() * width);
  for (size_t i = 0; i < bits.size(); ++i)
    writeInteger(kind, &bytes[i * width], bits[i]);
  GlobalMemory memory;
  Buffer &buffer = memory.allocate("p", 4 * kElements * width);
  buffer.fill(0, buffer.size(), 0);
  std::memcpy(buffer.data(), bytes.data(), bytes.size());
  Findings findings;
  ASSERT_TRUE(mlir::succeeded(
      runKernel(*module->getOps<tile::FuncOp>().begin(),
                {makeScalar(ElementKind::Pointer, buffer.getAddress())},
                {1, 1, 1}, memory, RunOptions(), findings)));
  EXPECT_TRUE(findings.empty());
  for (unsigned i = 0; i < kElements; ++i)
    results.push_back(
        readUnsigned(kind, buffer.data() + (3 * kElements + i) * width));
}

/// Any patterns; products that an addend cancels but for their rounding error;
/// products that lie next to half of the addend's last bit, by less than f64
/// has room for: (1 - x) (1 + x) = 1 - x^2.
std::vector<uint64_t> makeOperands(const fltSemantics &semantics,
                                   unsigned width) {
  std::mt19937_64 random(4);
  std::vector<uint64_t> bits(3 * kElements);
  int precision = APFloat::semanticsPrecision(semantics);
  const APFloat one = APFloat::getOne(semantics);
  auto make = [&](uint64_t pattern) {
    return APFloat(semantics, APInt(64, pattern).trunc(width));
  };
  auto power = [&](int exponent) {
    return scalbn(one, exponent, APFloat::rmTowardZero);
  };
  for (unsigned i = 0; i < kElements; ++i) {
    APFloat a = make(random()), b = make(random()), c = make(random());
    if (i % 3 == 1) {
      c = a * b;
      c.changeSign();
    } else if (i % 3 == 2) {
      APFloat x = power(-int(random() % (precision / 2)) - precision / 2);
      a = one - x;
      b = (one + x) * power(-precision);
      c = make(one.bitcastToAPInt().getZExtValue() + random() % 64);
      if (random() % 2)
        c.changeSign();
    }
    bits[i] = a.bitcastToAPInt().getZExtValue();
    bits[kElements + i] = b.bitcastToAPInt().getZExtValue();
    bits[2 * kElements + i] = c.bitcastToAPInt().getZExtValue();
  }
  return bits;
}

void expectFma(ElementKind kind, const fltSemantics &semantics) {
  unsigned width = 8 * getByteWidth(kind);
  std::vector<uint64_t> bits = makeOperands(semantics, width), results;
  runFma(kind, bits, results);
  ASSERT_EQ(results.size(), kElements);
  for (unsigned i = 0; i < kElements; ++i) {
    APFloat expected(semantics, APInt(width, bits[i]));
    APFloat b(semantics, APInt(width, bits[kElements + i]));
    APFloat c(semantics, APInt(width, bits[2 * kElements + i]));
    expected.fusedMultiplyAdd(b, c, APFloat::rmNearestTiesToEven);
    APFloat found(semantics, APInt(width, results[i]));
    ASSERT_TRUE(found.bitwiseIsEqual(expected) ||
                (found.isNaN() && expected.isNaN()))
        << getName(kind) << " " << i;
  }
}

} // namespace

TEST(Fma, RoundsOnce) {
  expectFma(ElementKind::F16, APFloat::IEEEhalf());
  expectFma(ElementKind::BF16, APFloat::BFloat());
  expectFma(ElementKind::F32, APFloat::IEEEsingle());
  expectFma(ElementKind::F64, APFloat::IEEEdouble());
}
