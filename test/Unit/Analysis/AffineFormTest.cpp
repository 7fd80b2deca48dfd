//===- AffineFormTest.cpp - forms and mask bounds -------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parse.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::test;

namespace {

/// Rows of i and columns of j as 4x8 tensors of i64: `%i`, `%j`.
const char *kGrid = R"(
  %ri = tile.arange : tensor<4xi32>
  %wi = arith.extsi %ri : tensor<4xi32> to tensor<4xi64>
  %ei = tile.expand_dims %wi, 1 : tensor<4xi64> -> tensor<4x1xi64>
  %i = tile.broadcast %ei : tensor<4x1xi64> -> tensor<4x8xi64>
  %rj = tile.arange 16 : tensor<8xi32>
  %wj = arith.extsi %rj : tensor<8xi32> to tensor<8xi64>
  %ej = tile.expand_dims %wj, 0 : tensor<8xi64> -> tensor<1x8xi64>
  %j = tile.broadcast %ej : tensor<1x8xi64> -> tensor<4x8xi64>
  )";

/// `%x` compared with bounds, over 8 elements; `%m` is the last value.
std::optional<SmallVector<MaskBound>> boundsOf(const std::string &mask) {
  Kernel kernel("%n: i32, %k: i32",
                "%r = tile.arange 4 : tensor<8xi32>\n"
                "%s = tile.splat %n : i32 -> tensor<8xi32>\n"
                "%t = tile.splat %k : i32 -> tensor<8xi32>\n" +
                    mask);
  EXPECT_TRUE(kernel.isValid());
  if (!kernel.isValid())
    return std::nullopt;
  // Only numbers of the result are used after the kernel is gone.
  return kernel.getAnalysis().getMaskBounds(kernel.getLast());
}

} // namespace

TEST(AffineForm, PointerWithTwoStrides) {
  // p + (i * s) + 3 * j with j = 16 + c1.
  Kernel kernel("%p: !tile.ptr<f32>, %s: i64", std::string(kGrid) + R"(
    %ss = tile.splat %s : i64 -> tensor<4x8xi64>
    %three = arith.constant dense<3> : tensor<4x8xi64>
    %a = arith.muli %i, %ss : tensor<4x8xi64>
    %b = arith.muli %three, %j : tensor<4x8xi64>
    %o = arith.addi %a, %b : tensor<4x8xi64>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<4x8x!tile.ptr<f32>>
    %x = tile.addptr %ps, %o : tensor<4x8x!tile.ptr<f32>>, tensor<4x8xi64>)");
  ASSERT_TRUE(kernel.isValid());
  std::optional<AffineForm> form =
      kernel.getAnalysis().getAffineForm(kernel.getLast());
  ASSERT_TRUE(form);
  EXPECT_EQ(form->pointer, kernel.getArgument(0));
  EXPECT_TRUE(form->base.isConstant(48));
  ASSERT_EQ(form->strides.size(), 2u);
  EXPECT_EQ(form->strides[0].getSingleValue(), kernel.getArgument(1));
  EXPECT_TRUE(form->strides[1].isConstant(3));
}

TEST(AffineForm, ConstantArgumentsAndCancellingTerms) {
  // (i + n) * s - n * s with s = 2: the products cancel.
  Kernel kernel("%n: i64, %s: i64 {tile.equals = 2 : i64}",
                std::string(kGrid) + R"(
    %ss = tile.splat %s : i64 -> tensor<4x8xi64>
    %ns = tile.splat %n : i64 -> tensor<4x8xi64>
    %a = arith.addi %i, %ns : tensor<4x8xi64>
    %b = arith.muli %a, %ss : tensor<4x8xi64>
    %c = arith.muli %ns, %ss : tensor<4x8xi64>
    %x = arith.subi %b, %c : tensor<4x8xi64>)");
  ASSERT_TRUE(kernel.isValid());
  std::optional<AffineForm> form =
      kernel.getAnalysis().getAffineForm(kernel.getLast());
  ASSERT_TRUE(form);
  EXPECT_TRUE(form->base.isConstant(0));
  EXPECT_TRUE(form->strides[0].isConstant(2));
  EXPECT_TRUE(form->strides[1].isConstant(0));
}

TEST(AffineForm, ProductsOfCoordinatesHaveNone) {
  Kernel kernel("", std::string(kGrid) +
                        "%x = arith.muli %i, %j : tensor<4x8xi64>");
  ASSERT_TRUE(kernel.isValid());
  EXPECT_FALSE(kernel.getAnalysis().getAffineForm(kernel.getLast()));
}

TEST(AffineForm, ExtensionOfASumThatMayWrapHasNone) {
  const char *sum = "%r = tile.arange : tensor<8xi32>\n"
                    "%s = tile.splat %n : i32 -> tensor<8xi32>\n"
                    "%a = arith.addi %r, %s : tensor<8xi32>\n";
  Kernel narrow("%n: i32", sum);
  ASSERT_TRUE(narrow.isValid());
  EXPECT_TRUE(narrow.getAnalysis().getAffineForm(narrow.getLast()));
  Kernel wide("%n: i32",
              std::string(sum) +
                  "%x = arith.extsi %a : tensor<8xi32> to tensor<8xi64>");
  ASSERT_TRUE(wide.isValid());
  EXPECT_FALSE(wide.getAnalysis().getAffineForm(wide.getLast()));
}

TEST(AffineForm, ExtensionOfAnAlignedGroup) {
  // 8 * n + c does not wrap within 8 elements, whatever n is.
  Kernel kernel("%n: i32 {tile.divisible_by = 8 : i32}",
                "%r = tile.arange : tensor<8xi32>\n"
                "%s = tile.splat %n : i32 -> tensor<8xi32>\n"
                "%a = arith.addi %r, %s : tensor<8xi32>\n"
                "%x = arith.extsi %a : tensor<8xi32> to tensor<8xi64>");
  ASSERT_TRUE(kernel.isValid());
  std::optional<AffineForm> form =
      kernel.getAnalysis().getAffineForm(kernel.getLast());
  ASSERT_TRUE(form);
  EXPECT_EQ(form->base.getSingleValue(), kernel.getArgument(0));
  EXPECT_TRUE(form->strides[0].isConstant(1));
}

namespace {
/// A loop over pointers `%q`, from p + c with stride 4; the body makes `%next`.
Kernel makePointerLoop(const std::string &body) {
  return Kernel("%p: !tile.ptr<f32>, %n: i32, %s: i64, %b: i1",
                R"(
    %r = tile.arange : tensor<8xi32>
    %w = arith.extsi %r : tensor<8xi32> to tensor<8xi64>
    %four = arith.constant dense<4> : tensor<8xi64>
    %o = arith.muli %w, %four : tensor<8xi64>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
    %first = tile.addptr %ps, %o : tensor<8x!tile.ptr<f32>>, tensor<8xi64>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ss = tile.splat %s : i64 -> tensor<8xi64>
    %l = scf.for %i = %zero to %n step %one iter_args(%q = %first) -> (tensor<8x!tile.ptr<f32>>) : i32 {
)" + body + R"(
      scf.yield %next : tensor<8x!tile.ptr<f32>>
    })");
}

/// The argument that the loop, the last operation, carries.
BlockArgument getCarried(Kernel &kernel) {
  return cast<scf::ForOp>(kernel.getLast().getDefiningOp())
      .getRegionIterArg(0);
}
} // namespace

TEST(AffineForm, CarriedPointersAdvance) {
  Kernel kernel = makePointerLoop(
      "%next = tile.addptr %q, %ss : tensor<8x!tile.ptr<f32>>, tensor<8xi64>");
  ASSERT_TRUE(kernel.isValid());
  BlockArgument carried = getCarried(kernel);
  std::optional<AffineForm> form = kernel.getAnalysis().getAffineForm(carried);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->pointer, kernel.getArgument(0));
  EXPECT_EQ(form->base.getSingleValue(), carried);
  EXPECT_TRUE(form->base.hasAdvance());
  EXPECT_TRUE(form->strides[0].isConstant(4));
  std::optional<ScalarSum> step = kernel.getAnalysis().getCarriedStep(carried);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->getSingleValue(), kernel.getArgument(2));
}

TEST(AffineForm, OtherCarriedPointersHaveNone) {
  const char *bodies[] = {
      // Another number for each element.
      "%next = tile.addptr %q, %o : tensor<8x!tile.ptr<f32>>, tensor<8xi64>",
      // Under a condition, chosen elementwise or for all.
      "%m = tile.addptr %q, %ss : tensor<8x!tile.ptr<f32>>, tensor<8xi64>\n"
      "%next = arith.select %b, %m, %q : tensor<8x!tile.ptr<f32>>",
      "%next = scf.if %b -> tensor<8x!tile.ptr<f32>> {\n"
      "  %m = tile.addptr %q, %ss : tensor<8x!tile.ptr<f32>>, tensor<8xi64>\n"
      "  scf.yield %m : tensor<8x!tile.ptr<f32>>\n"
      "} else {\n  scf.yield %q : tensor<8x!tile.ptr<f32>>\n}",
      // Not from its own last value.
      "%next = tile.addptr %first, %ss : tensor<8x!tile.ptr<f32>>, tensor<8xi64>"};
  for (const char *body : bodies) {
    Kernel kernel = makePointerLoop(body);
    ASSERT_TRUE(kernel.isValid());
    EXPECT_FALSE(kernel.getAnalysis().getAffineForm(getCarried(kernel)));
    EXPECT_FALSE(kernel.getAnalysis().getCarriedStep(getCarried(kernel)));
  }
}

TEST(MaskBounds, ConjunctionOfUpperBounds) {
  // 4 + c < n, and k > 4 + c, which is the same kind.
  auto bounds = boundsOf("%a = arith.cmpi slt, %r, %s : tensor<8xi32>\n"
                         "%b = arith.cmpi sgt, %t, %r : tensor<8xi32>\n"
                         "%m = arith.andi %a, %b : tensor<8xi1>");
  ASSERT_TRUE(bounds);
  ASSERT_EQ(bounds->size(), 2u);
  for (const MaskBound &bound : *bounds) {
    EXPECT_EQ(bound.dim, 0);
    EXPECT_EQ(bound.width, 32u);
    EXPECT_TRUE(bound.start.isConstant(4));
    EXPECT_FALSE(bound.bound.isConstant());
  }
}

TEST(MaskBounds, LessOrEqualAConstantIsLessThanTheNext) {
  auto bounds = boundsOf("%c = arith.constant dense<9> : tensor<8xi32>\n"
                         "%m = arith.cmpi sle, %r, %c : tensor<8xi32>");
  ASSERT_TRUE(bounds);
  ASSERT_EQ(bounds->size(), 1u);
  EXPECT_TRUE(bounds->front().bound.isConstant(10));
}

TEST(MaskBounds, LowerBounds) {
  // 4 + c >= n, n <= 4 + c, and 4 + c > 9, which is 4 + c >= 10.
  for (const char *mask : {"%m = arith.cmpi sge, %r, %s : tensor<8xi32>",
                           "%m = arith.cmpi sle, %s, %r : tensor<8xi32>",
                           "%c = arith.constant dense<9> : tensor<8xi32>\n"
                           "%m = arith.cmpi sgt, %r, %c : tensor<8xi32>"}) {
    auto bounds = boundsOf(mask);
    ASSERT_TRUE(bounds);
    ASSERT_EQ(bounds->size(), 1u);
    EXPECT_TRUE(bounds->front().isLower);
    EXPECT_TRUE(bounds->front().start.isConstant(4));
    // From 4 on 8 elements are no aligned group, but none is negative.
    EXPECT_TRUE(bounds->front().isExact);
    EXPECT_TRUE(bounds->front().isNonNegative);
  }
  auto bounds = boundsOf("%c = arith.constant dense<9> : tensor<8xi32>\n"
                         "%m = arith.cmpi sgt, %r, %c : tensor<8xi32>");
  EXPECT_TRUE(bounds->front().bound.isConstant(10));
}

TEST(MaskBounds, CoordinatesThatMayWrapAreNotExact) {
  // n + c wraps for n near 2^31, unless n is a multiple of 8; its sign is open.
  const char *mask = "%r = tile.arange : tensor<8xi32>\n"
                     "%s = tile.splat %n : i32 -> tensor<8xi32>\n"
                     "%t = tile.splat %k : i32 -> tensor<8xi32>\n"
                     "%x = arith.addi %r, %s : tensor<8xi32>\n"
                     "%m = arith.cmpi slt, %x, %t : tensor<8xi32>";
  for (int64_t divisor : {1, 4, 8}) {
    Kernel kernel("%n: i32 {tile.divisible_by = " + std::to_string(divisor) +
                      " : i32}, %k: i32",
                  mask);
    ASSERT_TRUE(kernel.isValid());
    auto bounds = kernel.getAnalysis().getMaskBounds(kernel.getLast());
    ASSERT_TRUE(bounds);
    EXPECT_EQ(bounds->front().isExact, divisor == 8);
    EXPECT_FALSE(bounds->front().isNonNegative);
  }
}

TEST(MaskBounds, RefusesOtherConditions) {
  EXPECT_FALSE(boundsOf("%m = arith.cmpi eq, %r, %s : tensor<8xi32>"));
  EXPECT_FALSE(boundsOf("%m = arith.cmpi ne, %r, %s : tensor<8xi32>"));
  EXPECT_FALSE(boundsOf("%m = arith.cmpi ult, %r, %s : tensor<8xi32>"));
  EXPECT_FALSE(boundsOf("%m = arith.cmpi uge, %r, %s : tensor<8xi32>"));
  EXPECT_FALSE(boundsOf("%m = arith.cmpi sgt, %r, %s : tensor<8xi32>"));
  EXPECT_FALSE(boundsOf("%m = arith.cmpi sle, %r, %s : tensor<8xi32>"));
  // A bound that varies, and a coordinate with stride 2.
  EXPECT_FALSE(boundsOf("%d = arith.addi %r, %s : tensor<8xi32>\n"
                        "%m = arith.cmpi slt, %r, %d : tensor<8xi32>"));
  EXPECT_FALSE(boundsOf("%d = arith.addi %r, %r : tensor<8xi32>\n"
                        "%m = arith.cmpi slt, %d, %s : tensor<8xi32>"));
  EXPECT_FALSE(boundsOf("%a = arith.cmpi slt, %r, %s : tensor<8xi32>\n"
                        "%b = arith.cmpi slt, %r, %t : tensor<8xi32>\n"
                        "%m = arith.ori %a, %b : tensor<8xi1>"));
}

TEST(MaskBounds, DimensionsFollowShapes) {
  Kernel kernel("%n: i32", R"(
    %r = tile.arange : tensor<8xi32>
    %s = tile.splat %n : i32 -> tensor<8xi32>
    %a = arith.cmpi slt, %r, %s : tensor<8xi32>
    %e = tile.expand_dims %a, 0 : tensor<8xi1> -> tensor<1x8xi1>
    %b = tile.broadcast %e : tensor<1x8xi1> -> tensor<4x8xi1>
    %m = tile.trans %b, [1, 0] : tensor<4x8xi1> -> tensor<8x4xi1>)");
  ASSERT_TRUE(kernel.isValid());
  auto along = [&](Value mask) {
    return kernel.getAnalysis().getMaskBounds(mask)->front().dim;
  };
  EXPECT_EQ(along(kernel.getLast().getDefiningOp()->getOperand(0)), 1);
  EXPECT_EQ(along(kernel.getLast()), 0);
}
