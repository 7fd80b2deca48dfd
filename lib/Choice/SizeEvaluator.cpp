//===- SizeEvaluator.cpp - integers from assumed sizes --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeEvaluator.h"

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;

using Number = std::optional<int64_t>;

Number SizeEvaluator::get(Value value) {
  auto found = numbers.find(value);
  if (found != numbers.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  Number number = op ? compute(op) : std::nullopt;
  numbers[value] = number;
  return number;
}

Number SizeEvaluator::compute(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return std::nullopt;
  APInt constant;
  if (matchPattern(op, m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 64
               ? Number(constant.getSExtValue())
               : std::nullopt;
  return isa<arith::ArithDialect>(op->getDialect()) ? fold(op)
                                                    : computePlan(op);
}

Number SizeEvaluator::fold(Operation *op) {
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<IntegerType>(operand.getType());
    if (!type || type.getWidth() > 64)
      return std::nullopt;
    Number number = get(operand);
    if (!number)
      return std::nullopt;
    operands.push_back(IntegerAttr::get(
        type, APInt(type.getWidth(), *number, /*isSigned=*/true,
                    /*implicitTrunc=*/true)));
  }
  SmallVector<OpFoldResult, 1> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return std::nullopt;
  if (auto value = dyn_cast<Value>(results.front()))
    return value == op->getResult(0) ? std::nullopt : get(value);
  auto folded = dyn_cast<IntegerAttr>(cast<Attribute>(results.front()));
  return folded && folded.getValue().getSignificantBits() <= 64
             ? Number(folded.getValue().getSExtValue())
             : std::nullopt;
}

static bool compare(tile::PlanPredicate predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case tile::PlanPredicate::EQ:
    return a == b;
  case tile::PlanPredicate::NE:
    return a != b;
  case tile::PlanPredicate::LT:
    return a < b;
  case tile::PlanPredicate::LE:
    return a <= b;
  case tile::PlanPredicate::GT:
    return a > b;
  case tile::PlanPredicate::GE:
    return a >= b;
  }
  return false;
}

/// A checked operation of two numbers.
template <typename OpTy, typename Compute>
static Number computeBinary(SizeEvaluator &sizes, OpTy op, Compute compute) {
  Number a = sizes.get(op.getLhs());
  Number b = op.getConstant() ? Number(int64_t(*op.getConstant()))
             : op.getRhs()    ? sizes.get(op.getRhs())
                              : std::nullopt;
  return a && b ? compute(*a, *b) : std::nullopt;
}

/// `overflows` computes a result and says whether it is none.
template <typename Overflows>
static auto checked(Overflows overflows) {
  return [=](int64_t a, int64_t b) -> Number {
    int64_t result;
    return overflows(a, b, result) ? std::nullopt : Number(result);
  };
}

/// A quotient by a positive number.
template <typename Divide>
static auto divided(Divide divide) {
  return [=](int64_t a, int64_t b) -> Number {
    return b > 0 ? Number(divide(a, b)) : std::nullopt;
  };
}

/// `decisive` where an operand is known to be that, the other value where all
/// are known to be it.
static Number computeLogic(SizeEvaluator &sizes, Operation *op,
                           int64_t decisive) {
  Number result = 1 - decisive;
  for (Value operand : op->getOperands()) {
    Number number = sizes.get(operand);
    if (number == decisive)
      return decisive;
    if (!number)
      result = std::nullopt;
  }
  return result;
}

Number SizeEvaluator::computePlan(Operation *op) {
  auto binary = [&](auto o, auto compute) {
    return computeBinary(*this, o, compute);
  };
  return llvm::TypeSwitch<Operation *, Number>(op)
      .Case([&](tile::PlanConstantOp o) { return o.getValueAttr().getInt(); })
      .Case([&](tile::PlanNumSMsOp) { return numSMs; })
      .Case([&](tile::PlanAllOp o) { return computeLogic(*this, o, 0); })
      .Case([&](tile::PlanAnyOp o) { return computeLogic(*this, o, 1); })
      .Case([&](tile::PlanNotOp o) -> Number {
        Number number = get(o->getOperand(0));
        return number ? Number(*number == 0) : std::nullopt;
      })
      .Case([&](tile::PlanAddOp o) {
        return binary(o, checked(llvm::AddOverflow<int64_t>));
      })
      .Case([&](tile::PlanSubOp o) {
        return binary(o, checked(llvm::SubOverflow<int64_t>));
      })
      .Case([&](tile::PlanMulOp o) {
        return binary(o, checked(llvm::MulOverflow<int64_t>));
      })
      .Case([&](tile::PlanDivOp o) {
        return binary(o, divided([](int64_t a, int64_t b) {
                        return llvm::divideFloorSigned(a, b);
                      }));
      })
      .Case([&](tile::PlanCDivOp o) {
        return binary(o, divided([](int64_t a, int64_t b) {
                        return llvm::divideCeilSigned(a, b);
                      }));
      })
      .Case([&](tile::PlanRemOp o) {
        return binary(o, divided([](int64_t a, int64_t b) {
                        return a - llvm::divideFloorSigned(a, b) * b;
                      }));
      })
      .Case([&](tile::PlanMinOp o) {
        return binary(o, [](int64_t a, int64_t b) -> Number {
          return std::min(a, b);
        });
      })
      .Case([&](tile::PlanMaxOp o) {
        return binary(o, [](int64_t a, int64_t b) -> Number {
          return std::max(a, b);
        });
      })
      .Case([&](tile::PlanCmpOp o) {
        return binary(o, [&](int64_t a, int64_t b) -> Number {
          return compare(o.getPredicate(), a, b);
        });
      })
      .Case([&](tile::PlanDivisibleOp o) -> Number {
        Number number = get(o.getValue());
        return number ? Number(*number % o.getByAttr().getInt() == 0)
                      : std::nullopt;
      })
      .Default([](Operation *) { return std::nullopt; });
}
