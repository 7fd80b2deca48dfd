//===- FactsTest.cpp - contiguity, divisibility, constancy ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts of single chains, worked out by hand. Vector widths are tested in
// test/Transforms/Access.
//
//===----------------------------------------------------------------------===//

#include "Parse.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::test;

namespace {

/// Facts along dimension 0 of the last value of a kernel.
DimFacts along(const std::string &arguments, const std::string &body,
               FactOverrides overrides = {}) {
  Kernel kernel(arguments, body, std::move(overrides));
  EXPECT_TRUE(kernel.isValid());
  return kernel.isValid() ? kernel.getFacts().dims[0] : DimFacts();
}

void expect(const DimFacts &facts, int64_t contiguity, int64_t divisibility,
            int64_t constancy) {
  EXPECT_EQ(facts.contiguity, contiguity);
  EXPECT_EQ(facts.divisibility, divisibility);
  EXPECT_EQ(facts.constancy, constancy);
}

const char *kArange = "%r = tile.arange : tensor<64xi32>\n";
const char *kSplatN = "%s = tile.splat %n : i32 -> tensor<64xi32>\n";

} // namespace

TEST(Facts, DivisibilityIsCutOff) {
  // 0 is divisible by everything, INT64_MIN by 2^63.
  EXPECT_EQ(getDivisibility(0), int64_t(1) << 30);
  EXPECT_EQ(getDivisibility(INT64_MIN), int64_t(1) << 30);
  EXPECT_EQ(getDivisibility(-24), 8);
  expect(along("%n: i64 {tile.divisible_by = 4611686018427387904 : i64}",
               "%x = arith.addi %n, %n : i64"),
         1, int64_t(1) << 30, 1);
}

TEST(Facts, SumOfArangeAndScalar) {
  std::string body = std::string(kArange) + kSplatN +
                     "%x = arith.addi %r, %s : tensor<64xi32>";
  expect(along("%n: i32", body), 64, 1, 1);
  expect(along("%n: i32 {tile.divisible_by = 16 : i32}", body), 64, 16, 1);
  // Groups of 64 start at 0 + 48, hence at multiples of 16.
  expect(along("%n: i32 {tile.equals = 48 : i32}", body), 64, 16, 1);
}

TEST(Facts, OverridesAddToStatedFacts) {
  std::string body =
      std::string(kSplatN) + "%x = arith.muli %s, %s : tensor<64xi32>";
  expect(along("%n: i32 {tile.divisible_by = 4 : i32}", body), 1, 16, 64);
  expect(along("%n: i32 {tile.divisible_by = 4 : i32}", body, {{0, {8, {}}}}),
         1, 64, 64);
  // A weaker assumption takes nothing away.
  expect(along("%n: i32 {tile.divisible_by = 4 : i32}", body, {{0, {2, {}}}}),
         1, 16, 64);
  // 3 * 3.
  expect(along("%n: i32", body, {{0, {1, 3}}}), 1, 1, 64);
}

TEST(Facts, RemainderNeedsDividendThatIsNotNegative) {
  // n + r may be negative, even by overflow: -3 % 4 is -3, -2, -1, 0.
  std::string sum = std::string(kArange) + kSplatN +
                    "%x = arith.addi %r, %s : tensor<64xi32>\n"
                    "%c = arith.constant dense<16> : tensor<64xi32>\n";
  std::string n = "%n: i32 {tile.divisible_by = 64 : i32}";
  expect(along(n, sum + "%y = arith.remsi %x, %c : tensor<64xi32>"), 1, 1, 1);
  expect(along(n, sum + "%y = arith.remui %x, %c : tensor<64xi32>"), 16, 16, 1);
  expect(along(n, sum + "%y = arith.divsi %x, %c : tensor<64xi32>"), 1, 1, 1);
  expect(along(n, sum + "%y = arith.divui %x, %c : tensor<64xi32>"), 1, 1, 16);
  expect(along("%n: i32 {tile.equals = 64 : i32}",
               sum + "%y = arith.remsi %x, %c : tensor<64xi32>"),
         16, 16, 1);
}

TEST(Facts, ProgramIdsDoNotOverflowOnceWidened) {
  const char *body = "%p = tile.program_id x\n"
                     "%e = arith.extsi %p : i32 to i64\n"
                     "%c = arith.constant 1024 : i64\n"
                     "%x = arith.muli %e, %c : i64";
  Kernel wide("", body);
  ASSERT_TRUE(wide.isValid());
  EXPECT_EQ(wide.getFacts().rangeBits, 31 + 11);
  EXPECT_EQ(wide.getFacts().dims[0].divisibility, 1024);
  Kernel narrow("", "%p = tile.program_id x\n%c = arith.constant 1024 : i32\n"
                    "%x = arith.muli %p, %c : i32");
  ASSERT_TRUE(narrow.isValid());
  EXPECT_FALSE(narrow.getFacts().isNonNegative());
  Kernel flagged("", "%p = tile.program_id x\n%c = arith.constant 1024 : i32\n"
                     "%x = arith.muli %p, %c overflow<nsw> : i32");
  ASSERT_TRUE(flagged.isValid());
  EXPECT_EQ(flagged.getFacts().rangeBits, 31);
}

TEST(Facts, ShiftByTheWidthIsUnknown) {
  std::string body = std::string(kArange);
  expect(along("", body + "%c = arith.constant dense<4> : tensor<64xi32>\n"
                          "%x = arith.shli %r, %c : tensor<64xi32>"),
         1, 16, 1);
  expect(along("", body + "%c = arith.constant dense<32> : tensor<64xi32>\n"
                          "%x = arith.shli %r, %c : tensor<64xi32>"),
         1, 1, 1);
}

TEST(Facts, ReshapeSplitsAndMerges) {
  // 64 consecutive numbers as rows of 16: columns stay consecutive and start
  // at multiples of 16; rows are 16 apart, from any column.
  Kernel split("", std::string(kArange) +
                       "%x = tile.reshape %r : tensor<64xi32> -> "
                       "tensor<4x16xi32>");
  ASSERT_TRUE(split.isValid());
  expect(split.getFacts().dims[0], 1, 1, 1);
  expect(split.getFacts().dims[1], 16, 16, 1);
  // r / 32 is constant over 32: over two whole rows of 16.
  Kernel rows("", std::string(kArange) +
                      "%c = arith.constant dense<32> : tensor<64xi32>\n"
                      "%q = arith.divsi %r, %c : tensor<64xi32>\n"
                      "%x = tile.reshape %q : tensor<64xi32> -> "
                      "tensor<4x16xi32>");
  ASSERT_TRUE(rows.isValid());
  expect(rows.getFacts().dims[0], 1, 1, 2);
  expect(rows.getFacts().dims[1], 1, 1, 16);
  // Back to one dimension: two rows of 16 are one group of 32.
  expect(along("", std::string(kArange) +
                       "%c = arith.constant dense<32> : tensor<64xi32>\n"
                       "%q = arith.divsi %r, %c : tensor<64xi32>\n"
                       "%t = tile.reshape %q : tensor<64xi32> -> "
                       "tensor<4x16xi32>\n"
                       "%x = tile.reshape %t : tensor<4x16xi32> -> "
                       "tensor<64xi32>"),
         1, 1, 32);
}

TEST(Facts, LoopCounterIsStartPlusSteps) {
  const char *body = R"(
    %lo = arith.constant 8 : i32
    %step = arith.constant 12 : i32
    %x = scf.for %i = %lo to %n step %step iter_args(%a = %lo) -> i32 : i32 {
      scf.yield %i : i32
    })";
  // 8 + 12 k: multiples of 4, as is 8, where no iteration runs.
  expect(along("%n: i32", body), 1, 4, 1);
}

TEST(Facts, LoopCounterIsNotNegativeIfItsStartIsNot) {
  auto counterRange = [](const char *start) {
    Kernel kernel("%n: i32", std::string("%lo = arith.constant ") + start +
                                 " : i32\n%one = arith.constant 1 : i32\n"
                                 "%x = scf.for %i = %lo to %n step %one "
                                 "iter_args(%a = %n) -> i32 : i32 {\n"
                                 "scf.yield %a : i32\n}");
    EXPECT_TRUE(kernel.isValid());
    auto loop = kernel.getLast().getDefiningOp<scf::ForOp>();
    return kernel.getAnalysis().getFacts(loop.getInductionVar()).rangeBits;
  };
  EXPECT_EQ(counterRange("0"), 31);
  EXPECT_EQ(counterRange("-1"), kUnknownRange);
}

TEST(Facts, LoopCarriedValueIsNotItsFirst) {
  auto body = [](const char *step) {
    return std::string(R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %step = arith.constant )") +
           step + R"( : i32
    %x = scf.for %i = %zero to %n step %one iter_args(%a = %zero) -> i32 : i32 {
      %b = arith.addi %a, %step : i32
      scf.yield %b : i32
    })";
  };
  expect(along("%n: i32", body("64")), 1, 64, 1);
  expect(along("%n: i32", body("2")), 1, 2, 1);
  expect(along("%n: i32", body("7")), 1, 1, 1);
}

TEST(Facts, BranchesAndWhileLoopsMeet) {
  expect(along("%c: i1, %a: i32 {tile.divisible_by = 16 : i32}, "
               "%b: i32 {tile.divisible_by = 4 : i32}",
               "%x = scf.if %c -> i32 { scf.yield %a : i32 } "
               "else { scf.yield %b : i32 }"),
         1, 4, 1);
  expect(along("%a: i32 {tile.divisible_by = 16 : i32}, %n: i32",
               R"(%six = arith.constant 6 : i32
                  %x = scf.while (%v = %a) : (i32) -> i32 {
                    %c = arith.cmpi slt, %v, %n : i32
                    scf.condition(%c) %v : i32
                  } do {
                  ^bb0(%v: i32):
                    %w = arith.addi %v, %six : i32
                    scf.yield %w : i32
                  })"),
         1, 2, 1);
}
