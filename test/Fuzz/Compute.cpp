//===- Compute.cpp - random computation -----------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

/// Whether values are of a float with arithmetic: 8-bit ones only convert.
static bool isComputable(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  return isa<FloatType>(element) && !tile::isFloat8(element);
}

static bool isWideInteger(Value value) {
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(value.getType()));
  return type && type.getWidth() > 1;
}

void Generator::addFloatOp() {
  Value a = findValue(isComputable);
  if (!a)
    return addLoad();
  Type type = a.getType();
  auto binary = [&](auto tag) -> Value {
    return decltype(tag)::create(builder, loc, a, getValue(type));
  };
  unsigned choice = random.below(16);
  if (!approximates && llvm::is_contained({8, 11, 12, 14}, choice))
    choice %= 8;
  switch (choice) {
  case 0:
    return add(binary(arith::AddFOp()));
  case 1:
    return add(binary(arith::SubFOp()));
  case 2:
  case 3:
    return add(binary(arith::MulFOp()));
  case 4:
    return add(binary(arith::MaximumFOp()));
  case 5:
    return add(binary(arith::MinimumFOp()));
  case 6:
    return add(binary(arith::MaxNumFOp()));
  case 7:
    return add(binary(arith::MinNumFOp()));
  case 8:
    return add(binary(arith::DivFOp()));
  case 9:
    return add(arith::NegFOp::create(builder, loc, a), exact.contains(a));
  case 10:
    return add(math::AbsFOp::create(builder, loc, a), exact.contains(a));
  case 11:
    return add(math::ExpOp::create(builder, loc, a));
  case 12:
    return add(math::SqrtOp::create(builder, loc,
                                    math::AbsFOp::create(builder, loc, a)));
  case 13:
    return add(
        math::FmaOp::create(builder, loc, a, getValue(type), getValue(type)));
  case 14:
    return add(math::Exp2Op::create(builder, loc, a));
  default: {
    Value b = getValue(type);
    auto predicate =
        random.pick({arith::CmpFPredicate::OLT, arith::CmpFPredicate::UGE,
                     arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE});
    Value condition = arith::CmpFOp::create(builder, loc, predicate, a, b);
    add(condition);
    add(arith::SelectOp::create(builder, loc, condition, b, a),
        exact.contains(a) && exact.contains(b));
  }
  }
}

void Generator::addIntegerOp() {
  Value a = findValue(isWideInteger);
  Type type = a.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto binary = [&](auto tag) -> Value {
    return decltype(tag)::create(builder, loc, a, getValue(type));
  };
  auto by = [&](auto tag, int64_t number) -> Value {
    return decltype(tag)::create(builder, loc, a, makeInt(type, number));
  };
  int64_t shift = random.below(width), divisor = 1 + random.below(7);
  switch (random.below(16)) {
  case 0:
    return add(binary(arith::AddIOp()));
  case 1:
    return add(binary(arith::SubIOp()));
  case 2:
    return add(binary(arith::MulIOp()));
  case 3:
    return add(binary(arith::AndIOp()));
  case 4:
    return add(binary(arith::OrIOp()));
  case 5:
    return add(binary(arith::XOrIOp()));
  case 6:
    return add(binary(arith::MaxSIOp()));
  case 7:
    return add(binary(arith::MinUIOp()));
  case 8:
    return add(by(arith::ShLIOp(), shift));
  case 9:
    return add(by(arith::ShRSIOp(), shift));
  case 10:
    return add(by(arith::ShRUIOp(), shift));
  case 11:
    return add(by(arith::DivSIOp(), divisor));
  case 12:
    return add(by(arith::RemSIOp(), divisor));
  case 13:
    return add(by(arith::RemUIOp(), divisor));
  case 14:
    return add(math::CtPopOp::create(builder, loc, a));
  default: {
    Value b = getValue(type);
    auto predicate =
        random.pick({arith::CmpIPredicate::slt, arith::CmpIPredicate::ult,
                     arith::CmpIPredicate::eq, arith::CmpIPredicate::sge});
    Value condition = arith::CmpIOp::create(builder, loc, predicate, a, b);
    add(condition);
    add(arith::SelectOp::create(builder, loc, condition, a, b));
  }
  }
}

void Generator::addMaskOp() {
  Value mask = findValue([](Value value) {
    return getElementTypeOrSelf(value.getType()).isInteger(1);
  });
  if (!mask)
    return addIntegerOp();
  Value other = getValue(mask.getType());
  switch (random.below(4)) {
  case 0:
    return add(arith::AndIOp::create(builder, loc, mask, other));
  case 1:
    return add(arith::OrIOp::create(builder, loc, mask, other));
  case 2:
    return add(arith::XOrIOp::create(builder, loc, mask, other));
  default:
    return add(arith::ExtUIOp::create(
        builder, loc, withElement(mask.getType(), pickInteger()), mask));
  }
}

void Generator::addConversion() {
  Value value = findValue([](Value candidate) {
    return isWideInteger(candidate) ||
           isa<FloatType>(getElementTypeOrSelf(candidate.getType()));
  });
  Type from = getElementTypeOrSelf(value.getType());
  if (isa<FloatType>(from) && (tile::isFloat8(from) || random.chance(2, 3))) {
    Type to = pickFloat();
    bool isWider = to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
    return add(tile::ConvertOp::create(builder, loc,
                                       withElement(value.getType(), to), value),
               isWider && exact.contains(value));
  }
  if (isa<FloatType>(from)) {
    // Into the range of i8: outside of it the result is unspecified.
    Type type = value.getType();
    Value low =
        arith::MaxNumFOp::create(builder, loc, value, makeFloat(type, -100));
    Value clamped =
        arith::MinNumFOp::create(builder, loc, low, makeFloat(type, 100));
    return add(arith::FPToSIOp::create(
        builder, loc, withElement(type, pickInteger()), clamped));
  }
  if (random.chance(1, 2)) {
    Type to = withElement(value.getType(), pickFloat());
    return add(random.chance(1, 2)
                   ? Value(arith::SIToFPOp::create(builder, loc, to, value))
                   : Value(arith::UIToFPOp::create(builder, loc, to, value)));
  }
  Type to = withElement(value.getType(), pickInteger());
  unsigned old = from.getIntOrFloatBitWidth();
  unsigned now = getElementTypeOrSelf(to).getIntOrFloatBitWidth();
  if (now < old)
    return add(arith::TruncIOp::create(builder, loc, to, value));
  if (now > old)
    add(random.chance(1, 2)
            ? Value(arith::ExtSIOp::create(builder, loc, to, value))
            : Value(arith::ExtUIOp::create(builder, loc, to, value)));
}

void Generator::addShapeOp() {
  Value value = findValue([](Value candidate) {
    return isa<RankedTensorType>(candidate.getType());
  });
  if (!value)
    return addLoad();
  bool isExact = exact.contains(value);
  auto type = cast<RankedTensorType>(value.getType());
  Type element = type.getElementType();
  Shape shape(type.getShape());
  switch (random.below(4)) {
  case 0: // Two dimensions or one, of the same elements.
    if (shape.size() == 1 && shape[0] >= 4)
      return add(tile::ReshapeOp::create(
                     builder, loc, makeType({shape[0] / 4, 4}, element), value),
                 isExact);
    return add(
        tile::ReshapeOp::create(
            builder, loc, makeType({type.getNumElements()}, element), value),
        isExact);
  case 1: {
    SmallVector<int32_t> order;
    Shape permuted;
    for (size_t i = 0; i < shape.size(); ++i)
      order.push_back(i);
    for (size_t i = shape.size(); i > 1; --i)
      std::swap(order[i - 1], order[random.below(i)]);
    for (int32_t source : order)
      permuted.push_back(shape[source]);
    return add(tile::TransOp::create(builder, loc, makeType(permuted, element),
                                     value, order),
               isExact);
  }
  case 2: {
    if (shape.size() > 2)
      return;
    unsigned axis = random.below(shape.size() + 1);
    shape.insert(shape.begin() + axis, 1);
    return add(tile::ExpandDimsOp::create(
                   builder, loc, makeType(shape, element), value, axis),
               isExact);
  }
  default:
    for (int64_t &size : shape)
      if (size == 1 && type.getNumElements() <= 256)
        size = random.pick({2, 8});
    if (ArrayRef(shape) != type.getShape())
      add(broadcast(value, shape), isExact);
  }
}
