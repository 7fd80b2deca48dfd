//===- Evaluate.cpp - integer chains on given arguments -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::test;

namespace {

using MaybeInt = std::optional<int64_t>;

} // namespace

static int64_t mask(int64_t value, unsigned width) {
  return width == 64 ? value
                     : int64_t(uint64_t(value) & ((uint64_t(1) << width) - 1));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static MaybeInt evaluateCompare(arith::CmpIPredicate predicate, int64_t a,
                                int64_t b, unsigned width) {
  return -int64_t(arith::applyCmpPredicate(
      predicate, APInt(width, mask(a, width)), APInt(width, mask(b, width))));
}

static MaybeInt evaluateDivision(Operation *op, int64_t a, int64_t b,
                                 unsigned width) {
  if (b == 0 || (a == llvm::minIntN(width) && b == -1))
    return std::nullopt;
  int64_t ua = mask(a, width), ub = mask(b, width);
  if (isa<arith::DivSIOp>(op))
    return a / b;
  if (isa<arith::RemSIOp>(op))
    return a % b;
  return isa<arith::DivUIOp>(op) ? ua / ub : ua % ub;
}

static MaybeInt evaluateShift(Operation *op, int64_t a, int64_t b,
                              unsigned width) {
  if (b < 0 || b >= int64_t(width))
    return std::nullopt;
  if (isa<arith::ShLIOp>(op))
    return int64_t(uint64_t(a) << b);
  return isa<arith::ShRSIOp>(op) ? a >> b : mask(a, width) >> b;
}

/// One element of a binary operation on `width`-bit integers, before wrapping.
static MaybeInt evaluateBinary(Operation *op, int64_t a, int64_t b,
                               unsigned width) {
  int64_t ua = mask(a, width), ub = mask(b, width);
  return llvm::TypeSwitch<Operation *, MaybeInt>(op)
      .Case<arith::AddIOp, tile::AddPtrOp>(
          [&](auto) { return int64_t(uint64_t(a) + uint64_t(b)); })
      .Case<arith::SubIOp>(
          [&](auto) { return int64_t(uint64_t(a) - uint64_t(b)); })
      .Case<arith::MulIOp>(
          [&](auto) { return int64_t(uint64_t(a) * uint64_t(b)); })
      .Case<arith::AndIOp>([&](auto) { return a & b; })
      .Case<arith::OrIOp>([&](auto) { return a | b; })
      .Case<arith::XOrIOp>([&](auto) { return a ^ b; })
      .Case<arith::MinSIOp>([&](auto) { return std::min(a, b); })
      .Case<arith::MaxSIOp>([&](auto) { return std::max(a, b); })
      .Case<arith::MinUIOp>([&](auto) { return ua < ub ? a : b; })
      .Case<arith::MaxUIOp>([&](auto) { return ua > ub ? a : b; })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
          [&](auto) { return evaluateDivision(op, a, b, width); })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [&](auto) { return evaluateShift(op, a, b, width); })
      .Case<arith::CmpIOp>([&](auto cmp) {
        return evaluateCompare(cmp.getPredicate(), a, b, width);
      })
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Index of the element of the source that is element `index` of the result of
/// a shape operation.
static int64_t getSourceIndex(Operation *op, int64_t index) {
  Shape from = getShape(op->getOperand(0).getType());
  llvm::SmallVector<int64_t> at =
      getShape(op->getResult(0).getType()).coordinates(index);
  if (isa<tile::SplatOp>(op))
    return 0;
  if (auto trans = dyn_cast<tile::TransOp>(op)) {
    llvm::SmallVector<int64_t> source(at.size());
    for (auto [dim, order] : llvm::enumerate(trans.getOrder()))
      source[order] = at[dim];
    return from.index(source);
  }
  if (isa<tile::BroadcastOp>(op)) {
    for (auto [coordinate, size] : llvm::zip(at, from.sizes))
      coordinate = size == 1 ? 0 : coordinate;
    return from.index(at);
  }
  return index; // expand_dims and reshape keep the order.
}

/// Element `index` of the result, or nothing when it is undefined.
static MaybeInt evaluateElement(Operation *op, int64_t index,
                                llvm::ArrayRef<const Elements *> operands) {
  auto operand = [&](unsigned i) { return (*operands[i])[index]; };
  return llvm::TypeSwitch<Operation *, MaybeInt>(op)
      .Case<tile::ArangeOp>([&](auto arange) {
        return int64_t(int32_t(arange.getStart())) + index;
      })
      .Case<arith::ConstantOp>([&](auto) -> MaybeInt {
        APInt value;
        if (!matchPattern(op->getResult(0), m_ConstantInt(&value)))
          return std::nullopt;
        return value.getSExtValue();
      })
      .Case<tile::SplatOp, tile::ExpandDimsOp, tile::BroadcastOp,
            tile::ReshapeOp, tile::TransOp>(
          [&](auto) { return (*operands[0])[getSourceIndex(op, index)]; })
      .Case<arith::ExtSIOp, arith::TruncIOp>([&](auto) { return operand(0); })
      .Case<arith::ExtUIOp>([&](auto ext) {
        return mask(operand(0), getIntegerWidth(ext.getIn().getType()));
      })
      .Case<arith::SelectOp>(
          [&](auto) { return operand(0) ? operand(1) : operand(2); })
      .Default([&](Operation *) {
        return evaluateBinary(op, operand(0), operand(1),
                              getIntegerWidth(op->getOperand(0).getType()));
      });
}

namespace {

/// Runs blocks, and tells an observer about each value.
class Evaluator {
public:
  explicit Evaluator(Observer observe) : observe(observe) {}

  void define(Value value, Elements elements) {
    values[value] = std::move(elements);
    observe(value, values);
  }
  /// False when an operation has no defined result.
  bool run(Block &block);

private:
  bool runLoop(scf::ForOp loop);
  bool runOperation(Operation &op);

  Observer observe;
  Environment values;
};

} // namespace

bool Evaluator::runLoop(scf::ForOp loop) {
  int64_t upper = values[loop.getUpperBound()][0];
  int64_t step = values[loop.getStep()][0];
  llvm::SmallVector<Elements> carried;
  for (Value init : loop.getInitArgs())
    carried.push_back(values[init]);
  for (int64_t i = values[loop.getLowerBound()][0]; i < upper; i += step) {
    define(loop.getInductionVar(), {i});
    for (auto [argument, elements] :
         llvm::zip(loop.getRegionIterArgs(), carried))
      define(argument, elements);
    if (!run(*loop.getBody()))
      return false;
    for (auto [value, elements] : llvm::zip(loop.getYieldedValues(), carried))
      elements = values[value];
  }
  for (auto [result, elements] : llvm::zip(loop.getResults(), carried))
    define(result, elements);
  return true;
}

bool Evaluator::runOperation(Operation &op) {
  if (isa<tile::LoadOp, tile::DescLoadOp>(op)) {
    define(op.getResult(0),
           Elements(getShape(op.getResult(0).getType()).count(), 0));
    return true;
  }
  if (auto make = dyn_cast<tile::MakeDescOp>(op)) {
    Elements fields;
    for (Value operand : make->getOperands())
      fields.push_back(values[operand][0]);
    define(make, fields);
    return true;
  }
  llvm::SmallVector<const Elements *> operands;
  for (Value value : op.getOperands())
    operands.push_back(&values[value]);
  Type type = op.getResult(0).getType();
  Elements elements;
  for (int64_t index = 0; index < getShape(type).count(); ++index) {
    MaybeInt element = evaluateElement(&op, index, operands);
    if (!element)
      return false;
    elements.push_back(llvm::SignExtend64(*element, getIntegerWidth(type)));
  }
  define(op.getResult(0), std::move(elements));
  return true;
}

bool Evaluator::run(Block &block) {
  for (Operation &op : block.without_terminator()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!(loop ? runLoop(loop) : runOperation(op)))
      return false;
  }
  return true;
}

void tessera::test::observe(tile::FuncOp function,
                            llvm::ArrayRef<int64_t> arguments,
                            Observer observer) {
  Evaluator evaluator(observer);
  for (auto [argument, value] :
       llvm::zip(function.getBody().getArguments(), arguments))
    evaluator.define(argument, {value});
  evaluator.run(function.getBody().front());
}

Run tessera::test::evaluate(tile::FuncOp function,
                            llvm::ArrayRef<int64_t> arguments) {
  Run run;
  observe(function, arguments, [&](Value value, const Environment &values) {
    run.emplace_back(value, values.lookup(value));
  });
  return run;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

std::string tessera::test::findViolation(const ValueFacts &facts, Type type,
                                         const Elements &elements) {
  Shape shape = getShape(type);
  unsigned width = getIntegerWidth(type);
  for (int64_t index = 0; index < int64_t(elements.size()); ++index) {
    int64_t value = elements[index];
    if (facts.constant && value != *facts.constant)
      return "constant";
    if (facts.isNonNegative() && (value < 0 || value >> facts.rangeBits != 0))
      return "range";
    llvm::SmallVector<int64_t> at = shape.coordinates(index);
    for (unsigned dim = 0; dim < facts.dims.size(); ++dim) {
      const DimFacts &along = facts.dims[dim];
      auto first = [&](int64_t group) {
        llvm::SmallVector<int64_t> start = at;
        start[dim] -= start[dim] % group;
        return elements[shape.index(start)];
      };
      if (mask(value - first(along.contiguity), width) !=
          mask(at[dim] % along.contiguity, width))
        return "contiguity of dim " + std::to_string(dim);
      if (first(along.contiguity) % along.divisibility != 0)
        return "divisibility of dim " + std::to_string(dim);
      if (value != first(along.constancy))
        return "constancy of dim " + std::to_string(dim);
    }
  }
  return "";
}
