//===- SoundnessTest.cpp - facts against runs of random chains ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random straight-line functions over 8-bit integers, in which overflow,
// negative numbers and undefined shifts are the rule, run on random arguments
// that satisfy the stated facts. Each value of each run must satisfy what the
// analysis claims.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include "tessera/Analysis/AffineAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace tessera;
using namespace tessera::test;

namespace {

/// Builds one random function of scalar i8 arguments with the given facts.
class RandomFunction {
public:
  RandomFunction(MLIRContext *context, ModuleOp module, unsigned seed)
      : builder(context), random(seed) {
    builder.setInsertionPointToEnd(module.getBody());
    Type i8 = builder.getI8Type();
    for (int64_t i = 0; i < 4; ++i)
      divisors.push_back(int64_t(1) << (2 * i)); // 1, 4, 16, 64.
    SmallVector<Type> types(divisors.size(), i8);
    function =
        tile::FuncOp::create(builder, loc(), builder.getStringAttr("f"),
                             TypeAttr::get(builder.getFunctionType(types, {})),
                             StringAttr(), ArrayAttr(), ArrayAttr());
    Block *body = builder.createBlock(&function.getBody());
    for (int64_t divisor : divisors) {
      Value argument = body->addArgument(i8, loc());
      function.setArgAttr(body->getNumArguments() - 1,
                          tile::TileDialect::kDivisibleBy,
                          builder.getI32IntegerAttr(divisor));
      addSplat(argument);
    }
    for (int64_t constant : {0, 1, 2, 3, 7, 8, 16, -1, -8, 127})
      addSplat(arith::ConstantOp::create(builder, loc(),
                                         builder.getI8IntegerAttr(constant)));
    for (int64_t start : {0, 4, 6, -16, 120})
      addArange(start);
    for (int step = 0; step < 40; ++step)
      addOperation();
    tile::ReturnOp::create(builder, loc(), ValueRange());
  }

  tile::FuncOp get() { return function; }

  /// Arguments that satisfy the facts.
  SmallVector<int64_t> getArguments() {
    SmallVector<int64_t> arguments;
    for (int64_t divisor : divisors)
      arguments.push_back((int64_t(pick(256)) - 128) / divisor * divisor);
    return arguments;
  }

private:
  Location loc() { return builder.getUnknownLoc(); }
  unsigned pick(unsigned count) { return random() % count; }

  Type getTensorType(Type element) {
    return RankedTensorType::get({4, 16}, element);
  }

  void addSplat(Value scalar) {
    values.push_back(tile::SplatOp::create(
        builder, loc(), getTensorType(scalar.getType()), scalar));
  }

  /// An arange along either dimension, cut to 8 bits, as a 4x16 tensor.
  void addArange(int64_t start) {
    bool rows = pick(3) == 0;
    SmallVector<int64_t> line{rows ? 4 : 16};
    Value value = tile::ArangeOp::create(
        builder, loc(), RankedTensorType::get(line, builder.getI32Type()),
        builder.getI32IntegerAttr(start));
    value = arith::TruncIOp::create(
        builder, loc(), RankedTensorType::get(line, builder.getI8Type()),
        value);
    SmallVector<int64_t> expanded{rows ? 4 : 1, rows ? 1 : 16};
    value = tile::ExpandDimsOp::create(
        builder, loc(), RankedTensorType::get(expanded, builder.getI8Type()),
        value, builder.getI32IntegerAttr(rows ? 1 : 0));
    values.push_back(tile::BroadcastOp::create(
        builder, loc(), getTensorType(builder.getI8Type()), value));
  }

  template <typename OpTy>
  Value binary(Value a, Value b) {
    return OpTy::create(builder, loc(), a, b);
  }

  /// One value from two.
  Value build(Value a, Value b) {
    switch (pick(16)) {
    case 0:
    case 1:
      return binary<arith::AddIOp>(a, b);
    case 2:
      return binary<arith::SubIOp>(a, b);
    case 3:
      return binary<arith::MulIOp>(a, b);
    case 4:
      return binary<arith::AndIOp>(a, b);
    case 5:
      return binary<arith::OrIOp>(a, b);
    case 6:
      return binary<arith::XOrIOp>(a, b);
    case 7:
      return binary<arith::MinSIOp>(a, b);
    case 8:
      return binary<arith::MaxSIOp>(a, b);
    case 9:
      return binary<arith::MinUIOp>(a, b);
    case 10:
      return buildDivision(a, b);
    case 11:
      return buildShift(a);
    case 12:
      return buildSelect(a, b);
    case 13:
      return buildWidths(a, b);
    default:
      return buildShape(a);
    }
  }

  Value constant(int64_t value) {
    Type type = getTensorType(builder.getI8Type());
    return arith::ConstantOp::create(
        builder, loc(),
        DenseElementsAttr::get(cast<RankedTensorType>(type),
                               builder.getI8IntegerAttr(value).getValue()));
  }

  /// Mostly by constants, since few random divisors are never 0.
  Value buildDivision(Value a, Value b) {
    const int64_t divisors[] = {1, 2, 4, 8, 3, 12, -4, 16};
    if (pick(4) != 0)
      b = constant(divisors[pick(8)]);
    switch (pick(4)) {
    case 0:
      return binary<arith::DivSIOp>(a, b);
    case 1:
      return binary<arith::DivUIOp>(a, b);
    case 2:
      return binary<arith::RemSIOp>(a, b);
    default:
      return binary<arith::RemUIOp>(a, b);
    }
  }

  Value buildShift(Value a) {
    Value b = constant(pick(9));
    switch (pick(3)) {
    case 0:
      return binary<arith::ShLIOp>(a, b);
    case 1:
      return binary<arith::ShRSIOp>(a, b);
    default:
      return binary<arith::ShRUIOp>(a, b);
    }
  }

  Value buildSelect(Value a, Value b) {
    auto predicate = arith::CmpIPredicate(pick(10));
    Value left = pickValue(), right = pickValue();
    Value condition =
        arith::CmpIOp::create(builder, loc(), predicate, left, right);
    return arith::SelectOp::create(builder, loc(), condition, a, b);
  }

  /// Widens both, adds in 16 bits, and cuts off or divides there.
  Value buildWidths(Value a, Value b) {
    Type wide = getTensorType(builder.getIntegerType(16));
    Value left = arith::ExtSIOp::create(builder, loc(), wide, a);
    Value right = arith::ExtUIOp::create(builder, loc(), wide, b);
    Value sum = pick(2) ? binary<arith::AddIOp>(left, right)
                        : binary<arith::MulIOp>(left, right);
    if (pick(2))
      sum = binary<arith::MaxUIOp>(sum, left);
    return arith::TruncIOp::create(builder, loc(),
                                   getTensorType(builder.getI8Type()), sum);
  }

  /// A detour through another shape and back, which permutes elements.
  Value buildShape(Value a) {
    static const std::vector<std::vector<int64_t>> shapes = {
        {16, 4}, {2, 32}, {64}, {2, 2, 16}, {4, 4, 4}, {1, 4, 2, 1, 8}};
    Type i8 = builder.getI8Type();
    std::vector<int64_t> shape = shapes[pick(shapes.size())];
    Value value = tile::ReshapeOp::create(builder, loc(),
                                          RankedTensorType::get(shape, i8), a);
    if (shape.size() == 2) {
      value = tile::TransOp::create(
          builder, loc(), RankedTensorType::get({shape[1], shape[0]}, i8),
          value, builder.getDenseI32ArrayAttr({1, 0}));
    }
    return tile::ReshapeOp::create(builder, loc(), getTensorType(i8), value);
  }

  Value pickValue() { return values[pick(values.size())]; }

  void addOperation() {
    Value a = pickValue(), b = pickValue();
    values.push_back(build(a, b));
  }

  OpBuilder builder;
  std::mt19937 random;
  tile::FuncOp function;
  SmallVector<int64_t> divisors;
  SmallVector<Value> values;
};

template <typename T>
std::string describe(T value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.print(os);
  return text;
}

} // namespace

TEST(Soundness, FactsHoldInRandomRuns) {
  MLIRContext context;
  context.loadDialect<tile::TileDialect, arith::ArithDialect>();
  int64_t claims = 0; // Values with a group of more than one element.
  for (unsigned seed = 0; seed < 2000; ++seed) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    RandomFunction random(&context, *module, seed);
    AffineAccess analysis(random.get());
    for (int run = 0; run < 4; ++run)
      for (const auto &[value, elements] :
           evaluate(random.get(), random.getArguments())) {
        ValueFacts facts = analysis.getFacts(value);
        std::string violation = findViolation(facts, value.getType(), elements);
        ASSERT_EQ(violation, "")
            << "seed " << seed << ": " << describe(value) << "\n"
            << describe(facts);
        for (const DimFacts &dim : facts.dims)
          claims += dim.contiguity > 1;
      }
  }
  // The test would pass as well for an analysis that knows nothing.
  EXPECT_GT(claims, 50000);
}
