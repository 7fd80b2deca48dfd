//===- Control.cpp - random loops and branches ----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

/// A counter to 0, 1, … 4, or a loop of blocks up to an argument, as products
/// have it. Values of the pool are carried; each iteration yields values of the
/// same types.
void Generator::addLoop(unsigned depth) {
  Type i32 = builder.getI32Type();
  bool isCounter = depth > 0 || random.chance(1, 2);
  Value lower = makeInt(i32, 0);
  Value upper = isCounter ? makeInt(i32, random.below(5)) : getSize();
  Value step = makeInt(i32, isCounter ? 1 : random.pick({16, 32, 64}));
  SmallVector<Value> inits;
  for (unsigned i = 0, count = 1 + random.below(3); i < count; ++i) {
    Value init = findValue(
        [](Value value) { return !isa<tile::PointerType>(value.getType()); });
    inits.push_back(init ? init : program);
  }
  auto loop = scf::ForOp::create(builder, loc, lower, upper, step, inits);
  if (random.chance(2, 3))
    loop->setAttr(tile::TileDialect::kNumStages,
                  builder.getI32IntegerAttr(1 + random.below(5)));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    size_t outside = pool.size();
    for (Value argument : loop.getRegionIterArgs())
      add(argument);
    add(loop.getInductionVar());
    loops.emplace_back(loop.getInductionVar(), isCounter);
    addSteps(2 + random.below(4), depth + 1);
    SmallVector<Value> yields;
    for (Value init : inits)
      yields.push_back(getValue(init.getType()));
    scf::YieldOp::create(builder, loc, yields);
    loops.pop_back();
    pool.resize(outside);
  }
  for (Value result : loop.getResults())
    add(result);
}

/// Pointers that move by a block in each iteration, and what is loaded from
/// them: the mask stays, follows the counter, or is not there.
void Generator::addPointerLoop() {
  Type i32 = builder.getI32Type();
  Shape shape = pickShape();
  Type element = random.chance(1, 2) ? Type(builder.getF32Type())
                                     : Type(builder.getI32Type());
  Place place = makePlace(shape, /*isStore=*/false);
  Value base = makeBase(element, "walk");
  Value pointers = tile::AddPtrOp::create(builder, loc, broadcast(base, shape),
                                          place.offsets);
  Type type = makeType(shape, element);
  Value zero = isa<FloatType>(element) ? makeFloat(type, 0) : makeInt(type, 0);
  int64_t step = random.pick({8, 16, 32});
  Value other = step != 16                ? zero
                : isa<FloatType>(element) ? makeFloat(type, 0.5)
                                          : makeInt(type, 1);
  auto loop =
      scf::ForOp::create(builder, loc, makeInt(i32, 0), getSize(),
                         makeInt(i32, step), ValueRange{pointers, zero});
  if (random.chance(1, 2))
    loop->setAttr(tile::TileDialect::kNumStages,
                  builder.getI32IntegerAttr(1 + random.below(5)));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value mask = place.mask;
    if (random.chance(1, 2)) {
      Value left = arith::SubIOp::create(builder, loc, loop.getUpperBound(),
                                         loop.getInductionVar());
      Value index = makeIndex(shape, random.below(int64_t(shape.size())));
      Value limit =
          broadcast(left, cast<RankedTensorType>(index.getType()).getShape());
      Value inside = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::slt, index, limit);
      mask = broadcast(inside, shape);
    }
    Value loaded = tile::LoadOp::create(
        builder, loc, loop.getRegionIterArg(0), mask, mask ? other : Value(),
        tile::CacheHintAttr(), tile::EvictionHintAttr(), UnitAttr());
    Value sum = isa<FloatType>(element)
                    ? Value(arith::MaximumFOp::create(
                          builder, loc, loop.getRegionIterArg(1), loaded))
                    : Value(arith::AddIOp::create(
                          builder, loc, loop.getRegionIterArg(1), loaded));
    Value next = tile::AddPtrOp::create(
        builder, loc, loop.getRegionIterArg(0),
        makeInt(makeType(shape, i32), step * random.pick({1, 4})));
    scf::YieldOp::create(builder, loc, ValueRange{next, sum});
  }
  add(loop.getResult(1), /*isExact=*/isa<FloatType>(element));
}

void Generator::addIf(unsigned depth) {
  Value condition = makeCondition();
  SmallVector<Type> types;
  for (unsigned i = 0, count = random.below(3); i < count; ++i)
    if (Value like = findValue([](Value value) {
          return !isa<tile::PointerType>(value.getType());
        }))
      types.push_back(like.getType());
  bool hasElse = !types.empty() || random.chance(1, 2);
  auto branch = scf::IfOp::create(builder, loc, types, condition,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/hasElse);
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    if (region->empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&region->front());
    size_t outside = pool.size();
    addSteps(1 + random.below(3), depth + 1);
    SmallVector<Value> yields;
    for (Type type : types)
      yields.push_back(getValue(type));
    scf::YieldOp::create(builder, loc, yields);
    pool.resize(outside);
  }
  for (Value result : branch.getResults())
    add(result);
}

/// A number that is halved until it is small, and a value that goes along.
void Generator::addWhile(unsigned depth) {
  Type i32 = builder.getI32Type();
  Value carried = findValue(
      [](Value value) { return !isa<tile::PointerType>(value.getType()); });
  SmallVector<Value> inits = {random.chance(1, 2) ? program : getSize(),
                              carried ? carried : program};
  SmallVector<Type> types = {i32, inits[1].getType()};
  auto loop = scf::WhileOp::create(builder, loc, types, inits);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locs(2, loc);
  Block *before = builder.createBlock(&loop.getBefore(), {}, types, locs);
  Value more = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                     before->getArgument(0), makeInt(i32, 1));
  scf::ConditionOp::create(builder, loc, more, before->getArguments());
  Block *after = builder.createBlock(&loop.getAfter(), {}, types, locs);
  size_t outside = pool.size();
  add(after->getArgument(0));
  add(after->getArgument(1));
  // Its iterations are not counted, so that nothing is stored in it.
  loops.emplace_back(after->getArgument(0), false);
  addSteps(1 + random.below(3), depth + 1);
  Value half = arith::DivSIOp::create(builder, loc, after->getArgument(0),
                                      makeInt(i32, 2));
  scf::YieldOp::create(builder, loc, ValueRange{half, getValue(types[1])});
  loops.pop_back();
  pool.resize(outside);
  for (Value result : loop.getResults())
    add(result);
}
