//===- Generator.cpp - random kernels -------------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frame: types, the pool of values, and the choice of the next step.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

/// Most elements of a tensor, and most steps of a kernel.
static constexpr int64_t kMostElements = 2048;
static constexpr unsigned kMostSteps = 40;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type Generator::pickFloat() {
  switch (random.below(8)) {
  case 0:
  case 1:
    return builder.getF16Type();
  case 2:
    return builder.getBF16Type();
  case 3:
    return builder.getF64Type();
  default:
    return builder.getF32Type();
  }
}

Type Generator::pickInteger() {
  return builder.getIntegerType(random.pick({8, 16, 32, 32, 32, 64}));
}

Type Generator::pickElement() {
  if (random.chance(1, 12))
    return random.chance(1, 2)
               ? Type(Float8E4M3FNType::get(builder.getContext()))
               : Type(Float8E5M2Type::get(builder.getContext()));
  return random.chance(3, 5) ? pickFloat() : pickInteger();
}

Generator::Shape Generator::pickShape() {
  // Shapes that are there already make values meet.
  if (random.chance(2, 3))
    if (Value other = findValue(
            [](Value value) { return isa<RankedTensorType>(value.getType()); }))
      return Shape(cast<RankedTensorType>(other.getType()).getShape());
  Shape shape;
  int64_t elements = 1;
  for (unsigned rank = 1 + random.below(3); shape.size() < rank;) {
    int64_t most = std::min<int64_t>(256, kMostElements / elements);
    int64_t size = int64_t(1) << random.below(9);
    shape.push_back(std::min(size, most));
    elements *= shape.back();
  }
  return shape;
}

Type Generator::makeType(ArrayRef<int64_t> shape, Type element) {
  return shape.empty() ? element : Type(RankedTensorType::get(shape, element));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value Generator::addArgument(Type type, StringRef name) {
  unsigned index = kernel.getNumArguments();
  NamedAttrList attributes;
  attributes.append(tile::TileDialect::kName,
                    builder.getStringAttr(name + Twine(index)));
  // Facts, which the inputs of the verification respect.
  bool isPointer = isa<tile::PointerType>(type);
  if (type.isInteger(32) ? random.chance(1, 4)
                         : isPointer && random.chance(1, 3))
    attributes.append(tile::TileDialect::kDivisibleBy,
                      builder.getI32IntegerAttr(random.pick({4, 16})));
  if (isPointer && name != "out" && name != "sums" && random.chance(1, 4))
    attributes.append(tile::TileDialect::kReadOnly, builder.getUnitAttr());
  if (isPointer && random.chance(1, 4))
    attributes.append(tile::TileDialect::kNoAlias, builder.getUnitAttr());
  (void)kernel.insertArgument(
      index, type, attributes.getDictionary(builder.getContext()), loc);
  return kernel.getBody().getArgument(index);
}

Value Generator::makeInt(Type type, int64_t value) {
  TypedAttr attribute =
      builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    attribute = DenseElementsAttr::get(tensor, attribute);
  return arith::ConstantOp::create(builder, loc, attribute);
}

Value Generator::makeFloat(Type type, double value) {
  TypedAttr attribute = builder.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    attribute = DenseElementsAttr::get(tensor, attribute);
  return arith::ConstantOp::create(builder, loc, attribute);
}

Value Generator::findValue(llvm::function_ref<bool(Value)> accepts) {
  SmallVector<Value> found;
  for (Value value : pool)
    if (accepts(value))
      found.push_back(value);
  return found.empty() ? Value() : found[random.below(found.size())];
}

Value Generator::makeValue(Type type) {
  Type element = getElementTypeOrSelf(type);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (element.isInteger(1)) {
    Type wide = withElement(type, builder.getI32Type());
    auto predicate = random.chance(1, 2) ? arith::CmpIPredicate::slt
                                         : arith::CmpIPredicate::ne;
    return arith::CmpIOp::create(builder, loc, predicate, getValue(wide),
                                 getValue(wide));
  }
  if (tensor && random.chance(2, 3)) {
    Value loaded = makeLoad(tensor.getShape(), element);
    add(loaded, /*isExact=*/true);
    return loaded;
  }
  if (tensor && random.chance(1, 2))
    return tile::SplatOp::create(builder, loc, type, getValue(element));
  if (!isa<FloatType>(element))
    return makeInt(type, random.below(15) - 7);
  Value constant = makeFloat(type, double(random.below(17) - 8) / 8);
  exact.insert(constant);
  return constant;
}

Value Generator::getValue(Type type) {
  if (Value found =
          findValue([&](Value value) { return value.getType() == type; });
      found && random.chance(7, 8))
    return found;
  return makeValue(type);
}

void Generator::add(Value value, bool isExact) {
  pool.push_back(value);
  if (isExact)
    exact.insert(value);
}

/// An i32 argument around sizes of tensors, or a new one.
Value Generator::getSize() {
  if (!sizes.empty() && random.chance(2, 3))
    return sizes[random.below(sizes.size())];
  if (sizes.size() >= 4)
    return sizes[random.below(sizes.size())];
  sizes.push_back(addArgument(builder.getI32Type(), "n"));
  return sizes.back();
}

/// A scalar that differs between programs, arguments or iterations.
Value Generator::makeCondition() {
  Value number = random.chance(1, 2) ? program : getSize();
  if (!loops.empty() && random.chance(1, 2))
    number = loops.back().first;
  auto predicate =
      random.pick({arith::CmpIPredicate::slt, arith::CmpIPredicate::sgt,
                   arith::CmpIPredicate::eq, arith::CmpIPredicate::ne});
  return arith::CmpIOp::create(
      builder, loc, predicate, number,
      makeInt(number.getType(), random.pick({0, 1, 2, 17, 33})));
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void Generator::addStep(unsigned depth) {
  ++numSteps;
  switch (random.below(depth < 2 ? 26 : 21)) {
  case 0:
  case 1:
    return addLoad();
  case 2:
    return addGather();
  case 3:
    return addScalarLoad();
  case 4:
  case 5:
  case 6:
    return addFloatOp();
  case 7:
  case 8:
    return addIntegerOp();
  case 9:
    return addMaskOp();
  case 10:
  case 11:
    return addConversion();
  case 12:
  case 13:
    return addShapeOp();
  case 14:
    return addReduction();
  case 15:
    return addArgReduction();
  case 16:
  case 17:
    return addProduct();
  case 18:
    return addStore();
  case 19:
    return addAtomic();
  case 20:
    return addScalarReturn();
  case 21:
    return addIf(depth);
  case 22:
    return addWhile(depth);
  case 23:
    return addPointerLoop();
  default:
    return addLoop(depth);
  }
}

void Generator::addSteps(unsigned count, unsigned depth) {
  for (unsigned i = 0; i < count && numSteps < kMostSteps; ++i)
    addStep(depth);
}

OwningOpRef<ModuleOp> Generator::generate() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  kernel = tile::FuncOp::create(builder, loc, "fuzz_kernel",
                                builder.getFunctionType({}, {}), StringAttr(),
                                ArrayAttr(), ArrayAttr());
  if (random.chance(1, 2))
    kernel->setAttr(tile::TileDialect::kNumWarps,
                    builder.getI32IntegerAttr(random.pick({1, 2, 4, 8})));
  builder.createBlock(&kernel.getBody());
  // Programs of a grid of 4 x 2 at most.
  Value x = tile::ProgramIdOp::create(
      builder, loc, tile::AxisAttr::get(builder.getContext(), tile::Axis::X));
  Value y = tile::ProgramIdOp::create(
      builder, loc, tile::AxisAttr::get(builder.getContext(), tile::Axis::Y));
  Value row = arith::MulIOp::create(builder, loc, y, makeInt(y.getType(), 4));
  program = arith::AddIOp::create(builder, loc, row, x);
  add(program);

  addSteps(6 + random.below(12), /*depth=*/0);
  for (unsigned i = 0; i < 2 || numStores == 0; ++i)
    addStore();
  tile::ReturnOp::create(builder, loc, ValueRange());
  return module;
}
