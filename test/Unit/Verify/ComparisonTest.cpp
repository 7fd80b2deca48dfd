//===- ComparisonTest.cpp - what counts as a difference -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Verify/Comparison.h"
#include "tessera/Pipelines/TileToCubin.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace tessera;
using namespace tessera::verify;
using namespace tessera::interpreter;

namespace {

/// One buffer of f32, and outcomes that hold numbers in it.
class Floats : public testing::Test {
protected:
  Floats() {
    InputBuffer buffer;
    buffer.name = "y";
    buffer.kind = ElementKind::F32;
    input.buffers.push_back(buffer);
  }

  static Outcome makeOutcome(std::vector<float> values) {
    Outcome outcome;
    const auto *bytes = reinterpret_cast<const uint8_t *>(values.data());
    outcome.buffers.emplace_back(bytes, bytes + 4 * values.size());
    return outcome;
  }

  std::optional<ElementDifference> compare(std::vector<float> before,
                                           std::vector<float> after,
                                           double relative = 0) {
    return compareBuffers(input, makeOutcome(before), makeOutcome(after),
                          {relative});
  }

  Input input;
};

double getPassTolerance(const char *body, const char *pass) {
  DialectRegistry registry;
  registerTesseraDialects(registry);
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(
      std::string("tile.func @k(%x: f32, %i: i32, %p: !tile.ptr<f32>,"
                  " %q: !tile.ptr<i32>) {\n") +
          body + "tile.return }",
      ParserConfig(&context));
  EXPECT_TRUE(bool(module));
  EXPECT_EQ(getTolerance("cse", *module).relative, 0);
  return getTolerance(pass, *module).relative;
}

double getReductionTolerance(const char *body) {
  return getPassTolerance(body, "tile-gpu-split-reductions");
}

} // namespace

TEST_F(Floats, UnspecifiedElementsAreNotCompared) {
  Outcome before = makeOutcome({1, 2, 3});
  before.unspecified = {{0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0}};
  EXPECT_FALSE(compareBuffers(input, before, makeOutcome({1, 7, 3}), {}));
  auto difference =
      compareBuffers(input, before, makeOutcome({1, 7, 4}), {});
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->element, 2);
}

TEST_F(Floats, EveryBitCounts) {
  EXPECT_FALSE(compare({1, 2, -0.0f}, {1, 2, -0.0f}));
  EXPECT_TRUE(compare({0.0f}, {-0.0f}));
  auto difference = compare({1, 2, 3}, {1, std::nextafter(2.0f, 3.0f), 3});
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->element, 1);
  EXPECT_EQ(difference->offset, 4);
  EXPECT_EQ(difference->before, "2");
}

TEST_F(Floats, NaNEqualsNaNAndNothingElse) {
  EXPECT_FALSE(compare({std::nanf("1")}, {-std::nanf("2")}));
  EXPECT_TRUE(compare({std::nanf("1")}, {1}, 1));
  EXPECT_TRUE(compare({INFINITY}, {-INFINITY}, 1));
}

TEST_F(Floats, ToleranceIsOfTheLargestMagnitude) {
  // Besides `relative`, one unit in the last place of 8 is 8 * 2^-23 = 2^-20.
  EXPECT_FALSE(compare({8, 1}, {8, 1 + std::ldexp(1.0f, -20)}, 1e-9));
  EXPECT_TRUE(compare({8, 1}, {8, 1 + std::ldexp(3.0f, -20)}, 1e-9));
  EXPECT_FALSE(compare({8, 1}, {8, 1.07f}, 0.01));
  EXPECT_TRUE(compare({8, 1}, {8, 1.09f}, 0.01));
}

TEST_F(Floats, ElementsCountFromThePointer) {
  // The buffer begins two elements in front of the pointer.
  input.buffers[0].before = 8;
  auto difference = compare({1, 2, 3}, {1, 5, 3});
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->element, -1);
  // And three behind it.
  input.buffers[0].before = -12;
  EXPECT_EQ(compare({1, 2, 3}, {1, 5, 3})->element, 4);
}

TEST(Tolerances, OnlySumsOfFloatsMayMove) {
  // 8 * 2 (L - 1) u with L = 64 and u = 2^-24.
  EXPECT_EQ(getReductionTolerance("%t = tile.splat %x : f32 -> tensor<64xf32>\n"
                                  "%s = tile.reduce %t axis 0 with arith.addf"
                                  " : (tensor<64xf32>) -> f32\n"),
            16 * 63 * std::ldexp(1, -24));
  EXPECT_EQ(
      getReductionTolerance("%t = tile.splat %x : f32 -> tensor<64xf32>\n"
                            "%s = tile.reduce %t axis 0 with arith.maximumf"
                            " : (tensor<64xf32>) -> f32\n"),
      0);
  EXPECT_EQ(getReductionTolerance("%t = tile.splat %i : i32 -> tensor<64xi32>\n"
                                  "%s = tile.reduce %t axis 0 with arith.addi"
                                  " : (tensor<64xi32>) -> i32\n"),
            0);
}

TEST(Tolerances, OnlyAtomicSumsOfFloatsDependOnTheOrderOfPrograms) {
  const char *floats = "%b = tile.atomic_rmw add relaxed gpu %p, %x"
                       " : !tile.ptr<f32>\n";
  const char *integers = "%b = tile.atomic_rmw add relaxed gpu %q, %i"
                         " : !tile.ptr<i32>\n";
  // 24 programs at most.
  for (const char *pass : {"tile-cta-swizzle", "tile-persistent-schedule"}) {
    EXPECT_EQ(getPassTolerance(floats, pass), 16 * 23 * std::ldexp(1, -24));
    EXPECT_EQ(getPassTolerance(integers, pass), 0);
  }
  EXPECT_EQ(getReductionTolerance(floats), 0);
}
