//===- SharedChainsTest.cpp - expressions that share parts ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk over an expression in which each value uses the one before twice takes
// 2^60 steps for a chain of 60: such a test would never end. What an analysis
// builds must not double at each step either.
//
//===----------------------------------------------------------------------===//

#include "Parse.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::test;

namespace {

constexpr int kLength = 60;
constexpr int64_t kDoubled = int64_t(1) << kLength;

/// `%NAME1` to `%NAME60`, each `op` of the one before with itself.
std::string makeChain(const std::string &op, const std::string &type,
                      const std::string &name = "x") {
  std::string text;
  for (int i = 0; i < kLength; ++i) {
    std::string before = "%" + name + std::to_string(i);
    text += "%" + name + std::to_string(i + 1) + " = arith." + op + " " +
            before + ", " + before + " : " + type + "\n";
  }
  return text;
}

/// Coordinates `%c` and a splat of `%n`, of i64.
const char *kValues = "%r = tile.arange : tensor<8xi32>\n"
                      "%c = arith.extsi %r : tensor<8xi32> to tensor<8xi64>\n"
                      "%n0 = tile.splat %n : i64 -> tensor<8xi64>\n";

/// `count` scalars `%a0`, ... as arguments, and their sum over 8 elements.
Kernel makeSum(int count) {
  std::string arguments, body = "%r = tile.arange : tensor<8xi32>\n"
                                "%t0 = arith.extsi %r : tensor<8xi32> to "
                                "tensor<8xi64>\n";
  for (int i = 0; i < count; ++i) {
    std::string n = std::to_string(i), next = std::to_string(i + 1);
    arguments += (i ? ", %a" : "%a") + n + ": i64";
    body += "%s" + n + " = tile.splat %a" + n + " : i64 -> tensor<8xi64>\n" +
            "%t" + next + " = arith.addi %t" + n + ", %s" + n +
            " : tensor<8xi64>\n";
  }
  return Kernel(arguments, body);
}

} // namespace

TEST(SharedChains, DoubledCoordinates) {
  Kernel kernel("%n: i64", std::string(kValues) +
                               "%x0 = arith.addi %c, %n0 : tensor<8xi64>\n" +
                               makeChain("addi", "tensor<8xi64>"));
  ASSERT_TRUE(kernel.isValid());
  std::optional<AffineForm> form =
      kernel.getAnalysis().getAffineForm(kernel.getLast());
  ASSERT_TRUE(form);
  EXPECT_TRUE(form->strides[0].isConstant(kDoubled));
  ASSERT_EQ(form->base.terms.size(), 1u);
  EXPECT_EQ(form->base.terms[0].factor, kDoubled);
  EXPECT_EQ(form->base.terms[0].values.front(), kernel.getArgument(0));
}

TEST(SharedChains, DifferencesVanish) {
  Kernel kernel("%n: i64", std::string(kValues) +
                               "%x0 = arith.addi %c, %n0 : tensor<8xi64>\n" +
                               makeChain("subi", "tensor<8xi64>"));
  ASSERT_TRUE(kernel.isValid());
  std::optional<AffineForm> form =
      kernel.getAnalysis().getAffineForm(kernel.getLast());
  ASSERT_TRUE(form);
  EXPECT_TRUE(form->base.isConstant(0));
  EXPECT_TRUE(form->isUniform());
}

TEST(SharedChains, PowersBeyondTheEighthHaveNone) {
  std::string text = "%x0 = arith.addi %n0, %n0 : tensor<8xi64>\n" +
                     makeChain("muli", "tensor<8xi64>");
  Kernel kernel("%n: i64", kValues + text);
  ASSERT_TRUE(kernel.isValid());
  Value value = kernel.getLast();
  EXPECT_FALSE(kernel.getAnalysis().getAffineForm(value));
  // (2 n)^8 = 256 n^8, three steps from 2 n.
  for (int step = kLength; step > 3; --step)
    value = value.getDefiningOp()->getOperand(0);
  std::optional<AffineForm> form = kernel.getAnalysis().getAffineForm(value);
  ASSERT_TRUE(form);
  ASSERT_EQ(form->base.terms.size(), 1u);
  EXPECT_EQ(form->base.terms[0].factor, 256);
  EXPECT_EQ(form->base.terms[0].values.size(), 8u);
}

TEST(SharedChains, SumsOfManyTermsHaveNone) {
  Kernel fits = makeSum(64), exceeds = makeSum(65);
  ASSERT_TRUE(fits.isValid() && exceeds.isValid());
  std::optional<AffineForm> form =
      fits.getAnalysis().getAffineForm(fits.getLast());
  ASSERT_TRUE(form);
  EXPECT_EQ(form->base.terms.size(), 64u);
  EXPECT_FALSE(exceeds.getAnalysis().getAffineForm(exceeds.getLast()));
}

TEST(SharedChains, StepsOfCarriedTensors) {
  // The carried value plus 2^60 n; then a chain that the carried value is in
  // twice, which is no step.
  for (bool isStep : {true, false}) {
    std::string next = isStep ? makeChain("addi", "tensor<8xi64>", "n") +
                                    "%y = arith.addi %q, %n60 : tensor<8xi64>\n"
                              : makeChain("addi", "tensor<8xi64>", "q") +
                                    "%y = arith.addi %q60, %n0 : "
                                    "tensor<8xi64>\n";
    std::string carried = isStep ? "%q" : "%q0";
    Kernel kernel("%n: i64, %k: i32",
                  std::string(kValues) +
                      "%zero = arith.constant 0 : i32\n"
                      "%one = arith.constant 1 : i32\n"
                      "%l = scf.for %i = %zero to %k step %one iter_args(" +
                      carried + " = %c) -> (tensor<8xi64>) : i32 {\n" + next +
                      "scf.yield %y : tensor<8xi64>\n}");
    ASSERT_TRUE(kernel.isValid());
    BlockArgument argument = cast<scf::ForOp>(kernel.getLast().getDefiningOp())
                                 .getRegionIterArg(0);
    std::optional<ScalarSum> step =
        kernel.getAnalysis().getCarriedStep(argument);
    ASSERT_EQ(step.has_value(), isStep);
    if (!isStep)
      continue;
    ASSERT_EQ(step->terms.size(), 1u);
    EXPECT_EQ(step->terms[0].factor, kDoubled);
  }
}

TEST(SharedChains, ConjunctionsBoundADimensionOnce) {
  // m2 = m0 & m1, m3 = m1 & m2, ...: two conditions, however long.
  std::string text = "%r = tile.arange : tensor<8xi32>\n"
                     "%s = tile.splat %n : i32 -> tensor<8xi32>\n"
                     "%m0 = arith.cmpi slt, %r, %s : tensor<8xi32>\n"
                     "%m1 = arith.cmpi sge, %r, %s : tensor<8xi32>\n";
  for (int i = 0; i < kLength; ++i)
    text += "%m" + std::to_string(i + 2) + " = arith.andi %m" +
            std::to_string(i) + ", %m" + std::to_string(i + 1) +
            " : tensor<8xi1>\n";
  Kernel kernel("%n: i32", text);
  ASSERT_TRUE(kernel.isValid());
  auto bounds = kernel.getAnalysis().getMaskBounds(kernel.getLast());
  ASSERT_TRUE(bounds);
  ASSERT_EQ(bounds->size(), 2u);
  EXPECT_NE((*bounds)[0].isLower, (*bounds)[1].isLower);
}

TEST(SharedChains, OneConditionMayBoundTwoDimensions) {
  Kernel kernel("%n: i32", R"(
    %r = tile.arange : tensor<8xi32>
    %s = tile.splat %n : i32 -> tensor<8xi32>
    %a = arith.cmpi slt, %r, %s : tensor<8xi32>
    %e = tile.expand_dims %a, 0 : tensor<8xi1> -> tensor<1x8xi1>
    %b = tile.broadcast %e : tensor<1x8xi1> -> tensor<8x8xi1>
    %t = tile.trans %b, [1, 0] : tensor<8x8xi1> -> tensor<8x8xi1>
    %both = arith.andi %b, %t : tensor<8x8xi1>
    %m = arith.andi %both, %b : tensor<8x8xi1>)");
  ASSERT_TRUE(kernel.isValid());
  auto bounds = kernel.getAnalysis().getMaskBounds(kernel.getLast());
  ASSERT_TRUE(bounds);
  ASSERT_EQ(bounds->size(), 2u);
  EXPECT_EQ((*bounds)[0].dim, 1);
  EXPECT_EQ((*bounds)[1].dim, 0);
}
