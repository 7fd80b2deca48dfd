//===- Products.cpp - random reductions and matrix products ---------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

/// The shape without one dimension.
static SmallVector<int64_t, 3> dropDim(RankedTensorType type, unsigned axis) {
  SmallVector<int64_t, 3> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  return shape;
}

/// Adds one element of each source, and an accumulator for each, to a region.
static Block *addCombineBlock(OpBuilder &builder, tile::ReduceOp reduce,
                              Location loc) {
  Block *block = builder.createBlock(&reduce.getCombine());
  for (unsigned i = 0; i < 2; ++i)
    for (Value source : reduce.getSrcs())
      block->addArgument(getElementTypeOrSelf(source.getType()), loc);
  return block;
}

/// A combine operation that gives one result in any order.
static Value combine(OpBuilder &builder, Location loc, Value a, Value b,
                     bool isSum, unsigned choice) {
  if (isa<FloatType>(a.getType())) {
    if (isSum)
      return arith::AddFOp::create(builder, loc, a, b);
    switch (choice % 3) {
    case 0:
      return arith::MaximumFOp::create(builder, loc, a, b);
    case 1:
      return arith::MinimumFOp::create(builder, loc, a, b);
    default:
      return arith::MaxNumFOp::create(builder, loc, a, b);
    }
  }
  switch (choice % 6) {
  case 0:
    return arith::AddIOp::create(builder, loc, a, b);
  case 1:
    return arith::XOrIOp::create(builder, loc, a, b);
  case 2:
    return arith::MaxSIOp::create(builder, loc, a, b);
  case 3:
    return arith::MinUIOp::create(builder, loc, a, b);
  case 4:
    return arith::OrIOp::create(builder, loc, a, b);
  default:
    return arith::MulIOp::create(builder, loc, a, b);
  }
}

void Generator::addReduction() {
  Value source = findValue([](Value value) {
    Type element = getElementTypeOrSelf(value.getType());
    return isa<RankedTensorType>(value.getType()) && !tile::isFloat8(element) &&
           !element.isInteger(1);
  });
  if (!source)
    return addLoad();
  auto type = cast<RankedTensorType>(source.getType());
  Type element = type.getElementType();
  unsigned axis = random.below(type.getRank());
  // 2048 multiples of 1/8 up to 1 take 11 + 4 bits: exact in f32, not in f16.
  bool isSum = exact.contains(source) && (element.isF32() || element.isF64());
  auto reduce = tile::ReduceOp::create(
      builder, loc, TypeRange(makeType(dropDim(type, axis), element)),
      ValueRange(source), axis);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = addCombineBlock(builder, reduce, loc);
    Value result = combine(builder, loc, block->getArgument(0),
                           block->getArgument(1), isSum, random.below(6));
    tile::ReduceReturnOp::create(builder, loc, ValueRange(result));
  }
  add(reduce.getResult(0), exact.contains(source) && !isSum);
}

/// The largest element and its first place, along one dimension.
void Generator::addArgReduction() {
  Value source = findValue([](Value value) {
    return isa<RankedTensorType>(value.getType()) &&
           getElementTypeOrSelf(value.getType()).isF32();
  });
  if (!source)
    return addReduction();
  auto type = cast<RankedTensorType>(source.getType());
  unsigned axis = random.below(type.getRank());
  Value index = broadcast(makeIndex(type.getShape(), axis), type.getShape());
  Shape shape = dropDim(type, axis);
  // NaN is neither larger nor equal: it would win or lose by its place.
  Value numbers =
      arith::MaxNumFOp::create(builder, loc, source, makeFloat(type, -1e30));
  auto reduce =
      tile::ReduceOp::create(builder, loc,
                             TypeRange{makeType(shape, type.getElementType()),
                                       makeType(shape, builder.getI32Type())},
                             ValueRange{numbers, index}, axis);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = addCombineBlock(builder, reduce, loc);
    Value a = block->getArgument(0), ai = block->getArgument(1);
    Value b = block->getArgument(2), bi = block->getArgument(3);
    auto compareF = [&](arith::CmpFPredicate predicate) {
      return arith::CmpFOp::create(builder, loc, predicate, a, b);
    };
    Value larger = compareF(arith::CmpFPredicate::OGT);
    Value equal = compareF(arith::CmpFPredicate::OEQ);
    Value before =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, ai, bi);
    Value tie = arith::AndIOp::create(builder, loc, equal, before);
    Value first = arith::OrIOp::create(builder, loc, larger, tie);
    Value value = arith::SelectOp::create(builder, loc, first, a, b);
    Value place = arith::SelectOp::create(builder, loc, first, ai, bi);
    tile::ReduceReturnOp::create(builder, loc, ValueRange{value, place});
  }
  add(reduce.getResult(0));
  add(reduce.getResult(1));
}

/// An operand of a product: loaded, perhaps transposed or computed, or a former
/// result converted.
Value Generator::makeOperand(ArrayRef<int64_t> shape, Type element) {
  Type type = makeType(shape, element);
  if (random.chance(1, 4))
    if (Value found =
            findValue([&](Value value) { return value.getType() == type; }))
      return found;
  if (isa<FloatType>(element) && random.chance(1, 3))
    if (Value found = findValue([&](Value value) {
          return value.getType() == withElement(type, builder.getF32Type());
        }))
      return tile::ConvertOp::create(builder, loc, type, found);
  if (random.chance(1, 3)) {
    Shape transposed(shape.rbegin(), shape.rend());
    Value loaded = makeLoad(transposed, element);
    add(loaded, /*isExact=*/true);
    return tile::TransOp::create(builder, loc, type, loaded,
                                 ArrayRef<int32_t>{1, 0});
  }
  Value loaded = makeLoad(shape, element);
  add(loaded, /*isExact=*/true);
  if (isa<FloatType>(element) && !tile::isFloat8(element) &&
      random.chance(1, 4))
    return arith::AddFOp::create(builder, loc, loaded,
                                 makeLoad(shape, element));
  return loaded;
}

void Generator::addProduct() {
  MLIRContext *context = builder.getContext();
  Type e4m3 = Float8E4M3FNType::get(context),
       e5m2 = Float8E5M2Type::get(context);
  Type f16 = builder.getF16Type(), f32 = builder.getF32Type();
  Type i8 = builder.getIntegerType(8);
  Type a = random.pick<Type>({f16, f16, f16, builder.getBF16Type(), f32,
                              builder.getF64Type(), i8, e4m3, e5m2});
  Type b = tile::isFloat8(a) ? random.pick({e4m3, e5m2}) : a;
  Type result = f32;
  if (a.isF64())
    result = a;
  else if (a == i8)
    result = builder.getI32Type();
  else if (a.isF16() && random.chance(1, 4))
    result = f16;
  // The shape of a former result chains products, and fits loops.
  int64_t m = random.pick({16, 16, 32, 8}), n = random.pick({16, 32, 8, 64});
  int64_t k = random.pick({16, 32, 32, 64});
  if (Value former = findValue([&](Value value) {
        auto type = dyn_cast<RankedTensorType>(value.getType());
        return type && type.getRank() == 2 && type.getElementType() == result &&
               type.getDimSize(0) >= 8 && type.getDimSize(1) >= 8 &&
               type.getNumElements() <= 2048;
      });
      former && random.chance(2, 3)) {
    m = cast<RankedTensorType>(former.getType()).getDimSize(0);
    n = cast<RankedTensorType>(former.getType()).getDimSize(1);
  }
  if (m * k > 2048 || n * k > 2048)
    k = 16;
  Type type = makeType({m, n}, result);
  Value acc = random.chance(1, 2) ? (isa<FloatType>(result) ? makeFloat(type, 0)
                                                            : makeInt(type, 0))
                                  : getValue(type);
  Value lhs = makeOperand({m, k}, a), rhs = makeOperand({k, n}, b);
  bool isIEEE = a.isF32() && random.chance(1, 2);
  auto precision = tile::InputPrecisionAttr::get(
      context,
      isIEEE ? tile::InputPrecision::IEEE : tile::InputPrecision::TF32);
  add(tile::DotOp::create(builder, loc, lhs, rhs, acc, precision));
}

/// All of a tensor as one number, which becomes a tensor again.
void Generator::addScalarReturn() {
  Value source = findValue([](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getRank() == 1 && type.getElementType().isInteger(32);
  });
  if (!source)
    return addReduction();
  auto reduce = tile::ReduceOp::create(
      builder, loc, TypeRange(builder.getI32Type()), ValueRange(source), 0);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = addCombineBlock(builder, reduce, loc);
    Value result = combine(builder, loc, block->getArgument(0),
                           block->getArgument(1), false, random.below(5));
    tile::ReduceReturnOp::create(builder, loc, ValueRange(result));
  }
  add(reduce.getResult(0));
  add(broadcast(reduce.getResult(0), pickShape()));
}
