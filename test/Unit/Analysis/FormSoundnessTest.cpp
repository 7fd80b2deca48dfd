//===- FormSoundnessTest.cpp - forms against runs of random loops ---------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random loops over integers, run on arguments of which many are near the
// largest and the smallest integer, so that sums wrap. At each iteration, each affine form, step
// and mask bound that the analysis claims is compared with the elements.
//
//===----------------------------------------------------------------------===//

#include "CheckForms.h"

#include "tessera/Analysis/AffineAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace mlir;
using namespace tessera;
using namespace tessera::test;

namespace {

/// A function of four scalar i32 arguments, the last a multiple of 8, with a
/// loop that carries two tensors.
class RandomLoop {
public:
  RandomLoop(MLIRContext *context, ModuleOp module, unsigned seed)
      : builder(context), random(seed) {
    builder.setInsertionPointToEnd(module.getBody());
    SmallVector<Type> types(4, builder.getI32Type());
    function =
        tile::FuncOp::create(builder, loc(), builder.getStringAttr("f"),
                             TypeAttr::get(builder.getFunctionType(types, {})),
                             StringAttr(), ArrayAttr(), ArrayAttr());
    Block *body = builder.createBlock(&function.getBody());
    for (Type type : types)
      scalars.push_back(body->addArgument(type, loc()));
    function.setArgAttr(3, tile::TileDialect::kDivisibleBy,
                        builder.getI32IntegerAttr(8));
    for (int64_t value : {0, 1, 8, -3, INT32_MAX - 9})
      scalars.push_back(constant(value));
    addLeaves();
    addOperations(3);
    buildLoop();
    builder.setInsertionPointToEnd(body);
    tile::ReturnOp::create(builder, loc(), ValueRange());
  }

  tile::FuncOp get() { return function; }

  SmallVector<int64_t> getArguments() {
    SmallVector<int64_t> arguments;
    const int64_t centers[] = {0, 0, INT32_MIN, INT32_MAX, int64_t(1) << 30};
    for (int64_t divisor : {1, 1, 1, 8}) {
      int64_t value = centers[pick(5)] + int64_t(pick(64)) - 32;
      arguments.push_back(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX) /
                          divisor * divisor);
    }
    return arguments;
  }

private:
  Location loc() { return builder.getUnknownLoc(); }
  unsigned pick(unsigned count) { return random() % count; }
  Value pickTensor() { return tensors[pick(tensors.size())]; }
  Type getType() {
    return RankedTensorType::get({kRows, kColumns}, builder.getI32Type());
  }
  Value constant(int64_t value) {
    return arith::ConstantOp::create(builder, loc(),
                                     builder.getI32IntegerAttr(value));
  }
  Value splat(Value scalar) {
    return tile::SplatOp::create(builder, loc(), getType(), scalar);
  }

  /// Coordinates of either dimension, and splats of all scalars.
  void addLeaves() {
    for (bool rows : {true, false}) {
      SmallVector<int64_t> line{rows ? kRows : kColumns};
      Value value = tile::ArangeOp::create(
          builder, loc(), RankedTensorType::get(line, builder.getI32Type()),
          builder.getI32IntegerAttr(rows ? pick(3) : 0));
      SmallVector<int64_t> expanded{rows ? kRows : 1, rows ? 1 : kColumns};
      value = tile::ExpandDimsOp::create(
          builder, loc(), RankedTensorType::get(expanded, builder.getI32Type()),
          value, builder.getI32IntegerAttr(rows ? 1 : 0));
      tensors.push_back(
          tile::BroadcastOp::create(builder, loc(), getType(), value));
    }
    for (Value scalar : scalars)
      tensors.push_back(splat(scalar));
  }

  Value build(Value a, Value b) {
    switch (pick(8)) {
    case 0:
      return arith::SubIOp::create(builder, loc(), a, b);
    case 1:
      return arith::MulIOp::create(builder, loc(), a, b);
    case 2:
      return arith::AndIOp::create(builder, loc(), a, b);
    case 3:
      return buildExtension(a);
    default:
      return arith::AddIOp::create(builder, loc(), a, b);
    }
  }

  /// To 64 bits and back, with something done in between.
  Value buildExtension(Value a) {
    Type wide =
        RankedTensorType::get({kRows, kColumns}, builder.getI64Type());
    Value left = arith::ExtSIOp::create(builder, loc(), wide, a);
    Value right = arith::ExtSIOp::create(builder, loc(), wide, pickTensor());
    Value sum = arith::AddIOp::create(builder, loc(), left, right);
    return arith::TruncIOp::create(builder, loc(), getType(), sum);
  }

  void addOperations(int count) {
    for (int step = 0; step < count; ++step) {
      Value a = pickTensor(), b = pickTensor();
      tensors.push_back(build(a, b));
      arith::CmpIOp::create(builder, loc(), arith::CmpIPredicate(pick(10)),
                            pickTensor(), pickTensor());
    }
  }

  /// Mostly a sum of the carried tensor and something uniform.
  Value buildNext(Value carried) {
    Value addend = pick(4) == 0 ? pickTensor()
                                : splat(scalars[pick(scalars.size())]);
    if (pick(4) == 0)
      return arith::SubIOp::create(builder, loc(), carried, addend);
    return pick(8) == 0 ? addend
                        : arith::AddIOp::create(builder, loc(), addend, carried)
                              .getResult();
  }

  void buildLoop() {
    Value lower = constant(pick(3)), upper = constant(20);
    Value step = constant(4 + pick(5));
    SmallVector<Value> inits{pickTensor(), pickTensor()};
    auto loop =
        scf::ForOp::create(builder, loc(), lower, upper, step, inits);
    builder.setInsertionPointToStart(loop.getBody());
    scalars.push_back(loop.getInductionVar());
    tensors.push_back(splat(loop.getInductionVar()));
    llvm::append_range(tensors, loop.getRegionIterArgs());
    addOperations(8);
    SmallVector<Value> next;
    for (Value carried : loop.getRegionIterArgs())
      next.push_back(buildNext(carried));
    scf::YieldOp::create(builder, loc(), next);
  }

  OpBuilder builder;
  std::mt19937 random;
  tile::FuncOp function;
  SmallVector<Value> scalars, tensors;
};

/// The claims that were checked.
struct Counts {
  int64_t forms = 0, advances = 0, extended = 0, bounds = 0, exact = 0;
};

} // namespace

static void checkValue(const AffineAccess &analysis, Value value,
                       const Environment &values, Counts &counts) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() != 2 || type.getDimSize(0) != kRows ||
      type.getDimSize(1) != kColumns)
    return;
  Checker checker(values);
  if (type.getElementType().isInteger(1)) {
    std::optional<SmallVector<MaskBound>> bounds =
        analysis.getMaskBounds(value);
    if (!bounds)
      return;
    counts.bounds += bounds->size();
    for (const MaskBound &bound : *bounds)
      counts.exact += bound.isExact;
    checker.checkBounds(value, *bounds);
    return;
  }
  std::optional<AffineForm> form = analysis.getAffineForm(value);
  if (!form)
    return;
  ++counts.forms;
  counts.advances += form->base.hasAdvance();
  counts.extended += type.getElementType().isInteger(64);
  checker.checkForm(value, *form);
}

/// At the end of an iteration, the steps of its loop's arguments.
static void checkSteps(const AffineAccess &analysis, scf::ForOp loop,
                       const Environment &values) {
  Checker checker(values);
  for (BlockArgument argument : loop.getRegionIterArgs()) {
    std::optional<ScalarSum> step = analysis.getCarriedStep(argument);
    if (!step)
      continue;
    Value next = loop.getTiedLoopYieldedValue(argument)->get();
    for (auto [from, to] :
         llvm::zip(values.lookup(argument), values.lookup(next)))
      ASSERT_EQ(to, llvm::SignExtend64(from + checker.evaluate(*step), 32));
  }
}

TEST(Soundness, FormsHoldInRandomLoops) {
  MLIRContext context;
  context.loadDialect<tile::TileDialect, arith::ArithDialect, scf::SCFDialect>();
  Counts counts;
  for (unsigned seed = 0; seed < 2000 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    RandomLoop random(&context, *module, seed);
    AffineAccess analysis(random.get());
    auto loop = *random.get().getBody().getOps<scf::ForOp>().begin();
    Operation *last = loop.getBody()->getTerminator()->getPrevNode();
    for (int run = 0; run < 4; ++run)
      observe(random.get(), random.getArguments(),
              [&](Value value, const Environment &values) {
                checkValue(analysis, value, values, counts);
                if (value.getDefiningOp() == last)
                  checkSteps(analysis, loop, values);
              });
  }
  // The test would pass as well for an analysis that knows nothing.
  EXPECT_GT(counts.forms, 100000);
  EXPECT_GT(counts.advances, 5000);
  EXPECT_GT(counts.extended, 1000);
  EXPECT_GT(counts.bounds, 5000);
  EXPECT_GT(counts.exact, 1000);
}
