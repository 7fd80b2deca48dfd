//===- Memory.cpp - random loads and stores -------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

/// Most programs (4 x 2), and the values of a counter of a loop.
static constexpr int64_t kMostPrograms = 8, kMostCount = 4;

Value Generator::broadcast(Value value, ArrayRef<int64_t> shape) {
  Type type = makeType(shape, getElementTypeOrSelf(value.getType()));
  if (value.getType() == type)
    return value;
  if (!isa<RankedTensorType>(value.getType()))
    return tile::SplatOp::create(builder, loc, type, value);
  return tile::BroadcastOp::create(builder, loc, type, value);
}

/// Positions along one dimension, of size 1 in the others.
Value Generator::makeIndex(ArrayRef<int64_t> shape, unsigned dim) {
  Type i32 = builder.getI32Type();
  Value range = tile::ArangeOp::create(
      builder, loc, makeType({shape[dim]}, i32), builder.getI32IntegerAttr(0));
  Shape target(shape.size(), 1);
  target[dim] = shape[dim];
  if (shape.size() == 1)
    return range;
  if (random.chance(1, 3))
    return tile::ReshapeOp::create(builder, loc, makeType(target, i32), range);
  // Dimensions behind it first: its own number is then 0.
  Shape current = {shape[dim]};
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (d == dim)
      continue;
    unsigned axis = d < dim ? 0 : current.size();
    current.insert(current.begin() + axis, 1);
    range = tile::ExpandDimsOp::create(builder, loc, makeType(current, i32),
                                       range, axis);
  }
  return range;
}

/// Positions in the block of an iteration or a program, in front of the array,
/// or around its end to its beginning.
Value Generator::moveIndex(Value index) {
  Type type = index.getType();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
  if (!loops.empty() && random.chance(1, 3))
    index = arith::AddIOp::create(builder, loc, index,
                                  broadcast(loops.back().first, shape));
  switch (random.below(12)) {
  case 0:
    return arith::AddIOp::create(builder, loc, index,
                                 broadcast(program, shape));
  case 1:
    return arith::SubIOp::create(builder, loc, index, makeInt(type, 3));
  case 2:
    return arith::RemSIOp::create(builder, loc, index, makeInt(type, 13));
  case 3: {
    Value size = arith::MaxSIOp::create(builder, loc, getSize(),
                                        makeInt(builder.getI32Type(), 1));
    return arith::RemSIOp::create(builder, loc, index, broadcast(size, shape));
  }
  default:
    return index;
  }
}

/// Where the elements of this program and of this iteration of small loops
/// begin, if each has `count` of them.
Value Generator::makeStart(int64_t count) {
  Type i32 = builder.getI32Type();
  Value number = program;
  int64_t range = kMostPrograms;
  for (auto [counter, isSmall] : loops) {
    if (!isSmall)
      continue;
    Value scaled =
        arith::MulIOp::create(builder, loc, counter, makeInt(i32, range));
    number = arith::AddIOp::create(builder, loc, number, scaled);
    range *= kMostCount;
  }
  return arith::MulIOp::create(builder, loc, number, makeInt(i32, count));
}

/// Row-major places; those of loads may have other strides, and be masked by
/// arguments. A store gives each program and each iteration places of its own.
Generator::Place Generator::makePlace(ArrayRef<int64_t> shape, bool isStore) {
  Type i32 = builder.getI32Type();
  bool isTransposed = shape.size() == 2 && !isStore && random.chance(1, 3);
  bool hasStride = shape.size() == 2 && !isStore && random.chance(1, 3);
  Place place;
  int64_t stride = 1;
  for (unsigned i = 0; i < shape.size(); ++i) {
    unsigned dim = isTransposed ? i : shape.size() - 1 - i;
    Value index = makeIndex(shape, dim);
    if (!isStore)
      index = moveIndex(index);
    if (random.chance(1, 3)) {
      Value size = broadcast(
          getSize(), cast<RankedTensorType>(index.getType()).getShape());
      auto predicate =
          random.pick({arith::CmpIPredicate::slt, arith::CmpIPredicate::slt,
                       arith::CmpIPredicate::slt, arith::CmpIPredicate::sle,
                       arith::CmpIPredicate::ult, arith::CmpIPredicate::ne,
                       arith::CmpIPredicate::sge});
      Value inside =
          arith::CmpIOp::create(builder, loc, predicate, index, size);
      inside = broadcast(inside, shape);
      place.mask =
          place.mask
              ? Value(arith::AndIOp::create(builder, loc, place.mask, inside))
              : inside;
    }
    if (hasStride && i == 1)
      index = arith::MulIOp::create(
          builder, loc, index,
          broadcast(addArgument(i32, "s"),
                    cast<RankedTensorType>(index.getType()).getShape()));
    else if (stride != 1)
      index = arith::MulIOp::create(builder, loc, index,
                                    makeInt(index.getType(), stride));
    index = broadcast(index, shape);
    place.offsets =
        place.offsets
            ? Value(arith::AddIOp::create(builder, loc, place.offsets, index))
            : index;
    stride *= shape[dim];
  }
  if (!isStore && random.chance(1, 2))
    return place;
  place.offsets = arith::AddIOp::create(builder, loc, place.offsets,
                                        broadcast(makeStart(stride), shape));
  return place;
}

Value Generator::makeBase(Type element, StringRef name) {
  Value base = addArgument(tile::PointerType::get(element), name);
  if (random.chance(3, 4))
    return base;
  // Offsets do not wrap, in whatever type they are computed.
  Type narrow = builder.getIntegerType(random.pick({8, 16, 32}));
  int64_t most = narrow.isInteger(8) ? 127 : 300;
  Value offset =
      arith::MulIOp::create(builder, loc, makeInt(narrow, random.below(most)),
                            makeInt(narrow, random.below(9)));
  if (random.chance(1, 2))
    offset = arith::SubIOp::create(builder, loc, offset,
                                   makeInt(narrow, random.below(most)));
  return tile::AddPtrOp::create(builder, loc, base, offset);
}

Value Generator::makeLoad(ArrayRef<int64_t> shape, Type element) {
  Place place = makePlace(shape, /*isStore=*/false);
  Value base = makeBase(element, "in");
  if (random.chance(1, 6))
    place.offsets = arith::ExtSIOp::create(
        builder, loc,
        withElement(place.offsets.getType(), builder.getI64Type()),
        place.offsets);
  Value pointers = tile::AddPtrOp::create(builder, loc, broadcast(base, shape),
                                          place.offsets);
  Value other;
  Type type = makeType(shape, element);
  if (place.mask)
    other = isa<FloatType>(element)
                ? makeFloat(type, random.chance(2, 3) ? 0 : 0.5)
                : makeInt(type, random.below(2));
  return tile::LoadOp::create(builder, loc, pointers, place.mask, other,
                              tile::CacheHintAttr(), tile::EvictionHintAttr(),
                              UnitAttr());
}

void Generator::addLoad() {
  add(makeLoad(pickShape(), pickElement()), /*isExact=*/true);
}

/// Places that were computed or loaded.
void Generator::addGather() {
  Type i32 = builder.getI32Type();
  Value indices = getValue(makeType(pickShape(), i32));
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(indices.getType()).getShape();
  Value bounded = arith::AndIOp::create(builder, loc, indices,
                                        makeInt(indices.getType(), 63));
  Value base = addArgument(tile::PointerType::get(pickElement()), "table");
  Value pointers =
      tile::AddPtrOp::create(builder, loc, broadcast(base, shape), bounded);
  add(tile::LoadOp::create(builder, loc, pointers, Value(), Value(),
                           tile::CacheHintAttr(), tile::EvictionHintAttr(),
                           UnitAttr()),
      /*isExact=*/true);
}

void Generator::addScalarLoad() {
  Value base = addArgument(tile::PointerType::get(pickElement()), "one");
  Value pointer = tile::AddPtrOp::create(builder, loc, base, program);
  add(tile::LoadOp::create(builder, loc, pointer, Value(), Value(),
                           tile::CacheHintAttr(), tile::EvictionHintAttr(),
                           UnitAttr()),
      /*isExact=*/true);
}

void Generator::addStore() {
  // In a loop whose counter is no small number iterations would meet.
  for (auto [counter, isSmall] : loops)
    if (!isSmall)
      return;
  Value value = findValue([](Value candidate) {
    return isa<RankedTensorType>(candidate.getType()) &&
           !getElementTypeOrSelf(candidate.getType()).isInteger(1);
  });
  // What was made last is what nothing has used yet.
  for (Value candidate : llvm::reverse(pool))
    if (isa<RankedTensorType>(candidate.getType()) && candidate.use_empty() &&
        !getElementTypeOrSelf(candidate.getType()).isInteger(1)) {
      value = candidate;
      break;
    }
  if (!value)
    value = makeValue(makeType({64}, builder.getF32Type()));
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  Place place = makePlace(shape, /*isStore=*/true);
  Value base = addArgument(
      tile::PointerType::get(getElementTypeOrSelf(value.getType())), "out");
  Value pointers = tile::AddPtrOp::create(builder, loc, broadcast(base, shape),
                                          place.offsets);
  tile::StoreOp::create(builder, loc, pointers, value, place.mask,
                        tile::CacheHintAttr(), tile::EvictionHintAttr());
  ++numStores;
}

/// Sums of integers, whose order does not matter, and whose results are not
/// used.
void Generator::addAtomic() {
  Type element = builder.getIntegerType(random.pick({32, 64}));
  Value value = getValue(makeType(pickShape(), element));
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  Place place = makePlace(shape, /*isStore=*/false);
  Value base = addArgument(tile::PointerType::get(element), "sums");
  Value pointers = tile::AddPtrOp::create(builder, loc, broadcast(base, shape),
                                          place.offsets);
  auto kind = random.pick({tile::AtomicKind::Add, tile::AtomicKind::Max,
                           tile::AtomicKind::UMin, tile::AtomicKind::Xor});
  tile::AtomicRMWOp::create(
      builder, loc, value.getType(), kind, tile::MemorySemantic::Relaxed,
      tile::MemoryScope::GPU, pointers, value, place.mask);
}
