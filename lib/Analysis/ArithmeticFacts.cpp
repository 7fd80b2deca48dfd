//===- ArithmeticFacts.cpp - facts of integer arithmetic ------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function an operation. Each says why its claim holds; "aligned group" and
// the reason that sums need no proof against overflow are in ValueFacts.h. In
// formulas g is the size of a group, g*s its first element.
//
//===----------------------------------------------------------------------===//

#include "FactTransfer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;

namespace {

/// The operands and the result of a binary operation.
struct Binary {
  const ValueFacts &lhs;
  const ValueFacts &rhs;
  Type type;
  unsigned width; // Of the operands, in bits.

  Binary swapped() const { return {rhs, lhs, type, width}; }
};

using DimRule = llvm::function_ref<DimFacts(unsigned dim)>;

} // namespace

/// Facts with one entry for each dimension.
static ValueFacts forEachDim(Type type, DimRule rule) {
  ValueFacts facts = ValueFacts::unknown(type);
  for (unsigned dim = 0; dim < facts.dims.size(); ++dim)
    facts.dims[dim] = rule(dim);
  return facts;
}

static int64_t constancyOfBoth(const Binary &op, unsigned dim) {
  return std::min(op.lhs.dims[dim].constancy, op.rhs.dims[dim].constancy);
}

/// Largest g such that along `dim` aligned groups of g elements of the left
/// operand start at a multiple of g while the right operand is one multiple of
/// g: L = g*s + i, R = g*t.
static int64_t alignedAgainstMultiple(const Binary &op, unsigned dim) {
  return std::min({op.lhs.alignedContiguity(dim), op.rhs.dims[dim].constancy,
                   op.rhs.elementDivisibility()});
}

/// Sign-extends the low `width` bits.
static int64_t wrap(uint64_t value, unsigned width) {
  return llvm::SignExtend64(value, width);
}

/// Bits of a sum or product that would need `bits`, when they leave the sign
/// bit alone or the operation is said not to overflow.
static int32_t rangeWithoutOverflow(Operation *op, int32_t bits,
                                    unsigned width) {
  int32_t limit = int32_t(width) - 1;
  if (bits <= limit)
    return bits;
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap() ? limit : kUnknownRange;
}

//===----------------------------------------------------------------------===//
// Sums, products, shifts
//===----------------------------------------------------------------------===//

/// L contiguous and R constant over g elements: L + R is contiguous. At
/// multiples of g both operands' divisibility there divides the sum.
static ValueFacts addFacts(const Binary &op) {
  return forEachDim(op.type, [&](unsigned dim) -> DimFacts {
    const DimFacts &l = op.lhs.dims[dim], &r = op.rhs.dims[dim];
    int64_t group = std::max(std::min(l.contiguity, r.constancy),
                             std::min(l.constancy, r.contiguity));
    return {group,
            std::min(op.lhs.divisibilityAt(dim, group),
                     op.rhs.divisibilityAt(dim, group)),
            constancyOfBoth(op, dim)};
  });
}

/// As a sum, but R contiguous makes the difference fall.
static ValueFacts subFacts(const Binary &op) {
  return forEachDim(op.type, [&](unsigned dim) -> DimFacts {
    int64_t group =
        std::min(op.lhs.dims[dim].contiguity, op.rhs.dims[dim].constancy);
    return {group,
            std::min(op.lhs.divisibilityAt(dim, group),
                     op.rhs.divisibilityAt(dim, group)),
            constancyOfBoth(op, dim)};
  });
}

/// Each element's divisibilities multiply; the product may wrap, but then the
/// low bits that are zero stay zero.
static ValueFacts mulFacts(const Binary &op) {
  if (op.rhs.constant == 1)
    return op.lhs;
  if (op.lhs.constant == 1)
    return op.rhs;
  if (op.lhs.constant == 0 || op.rhs.constant == 0)
    return ValueFacts::ofConstant(op.type, 0);
  int64_t divisibility =
      std::min(kMaxDivisibility,
               op.lhs.elementDivisibility() * op.rhs.elementDivisibility());
  return forEachDim(op.type, [&](unsigned dim) -> DimFacts {
    return {1, divisibility, constancyOfBoth(op, dim)};
  });
}

/// x << s for a constant s is x * 2^s. A shift by the width or more, or by
/// something unknown, may give anything.
static ValueFacts shlFacts(const Binary &op) {
  std::optional<int64_t> shift = op.rhs.constant;
  bool known = shift && *shift >= 0 && *shift < int64_t(op.width);
  if (shift == 0)
    return op.lhs;
  int64_t factor =
      known ? int64_t(1) << std::min<int64_t>(*shift, 30) : int64_t(1);
  int64_t divisibility =
      known ? std::min(kMaxDivisibility, op.lhs.elementDivisibility() * factor)
            : 1;
  return forEachDim(op.type, [&](unsigned dim) -> DimFacts {
    return {1, divisibility, constancyOfBoth(op, dim)};
  });
}

//===----------------------------------------------------------------------===//
// Quotients and remainders
//===----------------------------------------------------------------------===//

/// floor((g*s + i) / (g*q)) = floor(s / q) for 0 <= i < g: the quotient is
/// constant over g elements. Division that rounds to zero agrees for L >= 0
/// only (-4..-1 divided by 4 is -1, 0, 0, 0); the sign of R does not matter
/// then. `rounds` says that L may be negative and is rounded to zero.
static ValueFacts divFacts(const Binary &op, bool rounds) {
  std::optional<int64_t> divisor = op.rhs.constant;
  if (divisor == 1)
    return op.lhs;
  // Exact quotients keep what is left of the divisibility, whatever the sign.
  int64_t divisibility = 1;
  if (divisor && *divisor > 1 && llvm::isPowerOf2_64(*divisor))
    divisibility =
        std::max<int64_t>(1, op.lhs.elementDivisibility() / *divisor);
  bool grouped = !rounds || op.lhs.isNonNegative();
  ValueFacts facts = forEachDim(op.type, [&](unsigned dim) -> DimFacts {
    int64_t group = grouped ? alignedAgainstMultiple(op, dim) : 1;
    return {1, divisibility, std::max(group, constancyOfBoth(op, dim))};
  });
  if (op.lhs.isNonNegative() && op.rhs.isNonNegative())
    facts.rangeBits = op.lhs.rangeBits;
  return facts;
}

/// Shifts to the right divide by 2^s and round down, at any sign (or without
/// one).
static ValueFacts shrFacts(const Binary &op) {
  std::optional<int64_t> shift = op.rhs.constant;
  if (!shift || *shift < 0 || *shift >= int64_t(op.width))
    return forEachDim(op.type, [&](unsigned dim) -> DimFacts {
      return {1, 1, constancyOfBoth(op, dim)};
    });
  if (*shift == 0)
    return op.lhs;
  // 2^62 stands for all larger factors: groups and divisibilities end before.
  ValueFacts factor = ValueFacts::ofConstant(
      op.type, int64_t(1) << std::min<int64_t>(*shift, 62));
  return divFacts({op.lhs, factor, op.type, op.width}, /*rounds=*/false);
}

/// (g*s + i) mod (g*q) = g*(s mod q) + i: contiguous over g elements that start
/// at multiples of g, and no further: `offs % M` jumps back at multiples of M,
/// which is known only as far as M's divisibility. With rounding to zero that
/// holds for L >= 0. What divides L and R divides the remainder at any sign.
static ValueFacts remFacts(const Binary &op, bool rounds) {
  bool grouped = !rounds || op.lhs.isNonNegative();
  ValueFacts facts = forEachDim(op.type, [&](unsigned dim) -> DimFacts {
    int64_t group = grouped ? alignedAgainstMultiple(op, dim) : 1;
    return {group,
            std::min(op.lhs.divisibilityAt(dim, group),
                     op.rhs.divisibilityAt(dim, group)),
            constancyOfBoth(op, dim)};
  });
  if (op.lhs.isNonNegative())
    facts.rangeBits = op.lhs.rangeBits;
  return facts;
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Groups of L & R, R being constant over them. Low bits of R that are one let
/// i pass: (g*s + i) & R = (g*s & R) + i when g - 1 is covered by R. Low bits
/// that are zero make the group constant.
static DimFacts andGroup(const Binary &op, unsigned dim) {
  int64_t lowOnes = 1;
  if (op.rhs.constant)
    lowOnes = int64_t(1) << std::min(
                  30, llvm::countr_one(uint64_t(*op.rhs.constant)));
  return {std::min({op.lhs.alignedContiguity(dim), op.rhs.dims[dim].constancy,
                    lowOnes}),
          1, alignedAgainstMultiple(op, dim)};
}

static ValueFacts andFacts(const Binary &op) {
  ValueFacts facts = forEachDim(op.type, [&](unsigned dim) -> DimFacts {
    DimFacts l = andGroup(op, dim), r = andGroup(op.swapped(), dim);
    int64_t group = std::max(l.contiguity, r.contiguity);
    return {group,
            std::max(op.lhs.divisibilityAt(dim, group),
                     op.rhs.divisibilityAt(dim, group)),
            std::max({l.constancy, r.constancy, constancyOfBoth(op, dim)})};
  });
  facts.rangeBits = std::min(op.lhs.rangeBits, op.rhs.rangeBits);
  return facts;
}

/// (g*s + i) | (g*t) = g*(s | t) + i, and the same for xor.
static ValueFacts orFacts(const Binary &op) {
  ValueFacts facts = forEachDim(op.type, [&](unsigned dim) -> DimFacts {
    int64_t group = std::max(alignedAgainstMultiple(op, dim),
                             alignedAgainstMultiple(op.swapped(), dim));
    return {group,
            std::min(op.lhs.divisibilityAt(dim, group),
                     op.rhs.divisibilityAt(dim, group)),
            constancyOfBoth(op, dim)};
  });
  facts.rangeBits = std::max(op.lhs.rangeBits, op.rhs.rangeBits);
  return facts;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// One of two values, the same over groups of `group(dim)` elements.
static ValueFacts chooseFacts(const ValueFacts &a, const ValueFacts &b,
                              Type type,
                              llvm::function_ref<int64_t(unsigned)> group) {
  ValueFacts facts = forEachDim(type, [&](unsigned dim) -> DimFacts {
    int64_t contiguity =
        std::min({a.dims[dim].contiguity, b.dims[dim].contiguity, group(dim)});
    return {
        contiguity,
        std::min(a.divisibilityAt(dim, contiguity),
                 b.divisibilityAt(dim, contiguity)),
        std::min({a.dims[dim].constancy, b.dims[dim].constancy, group(dim)})};
  });
  facts.rangeBits = std::max(a.rangeBits, b.rangeBits);
  if (a.constant == b.constant)
    facts.constant = a.constant;
  return facts;
}

/// Which operand is the smaller one is the same over a group where both are
/// constant, or both are aligned groups: g*s + i < g*t + i when s < t.
static ValueFacts minMaxFacts(Operation *operation, const Binary &op) {
  ValueFacts facts = chooseFacts(op.lhs, op.rhs, op.type, [&](unsigned dim) {
    return std::max(
        constancyOfBoth(op, dim),
        std::min(op.lhs.alignedContiguity(dim), op.rhs.alignedContiguity(dim)));
  });
  if (isa<arith::MaxSIOp>(operation) &&
      (op.lhs.isNonNegative() || op.rhs.isNonNegative()))
    facts.rangeBits = std::min(facts.rangeBits, int32_t(op.width) - 1);
  return facts;
}

static ValueFacts selectFacts(arith::SelectOp op, const ValueFacts &condition,
                              const ValueFacts &yes, const ValueFacts &no) {
  if (condition.constant)
    return *condition.constant != 0 ? yes : no;
  // A scalar condition chooses for all elements.
  if (!isa<RankedTensorType>(op.getCondition().getType())) {
    llvm::SmallVector<int64_t> shape = getFactShape(op.getType());
    return chooseFacts(yes, no, op.getType(),
                       [&](unsigned dim) { return shape[dim]; });
  }
  return chooseFacts(yes, no, op.getType(), [&](unsigned dim) {
    return condition.dims[dim].constancy;
  });
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static bool isLessOrGreaterEqual(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  return predicate == P::slt || predicate == P::ult || predicate == P::sge ||
         predicate == P::uge;
}

static bool isGreaterOrLessEqual(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  return predicate == P::sgt || predicate == P::ugt || predicate == P::sle ||
         predicate == P::ule;
}

/// The predicate p' with `L p R` = `R p' L`.
static arith::CmpIPredicate swapOperands(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
  case P::ne:
    return predicate;
  case P::slt:
    return P::sgt;
  case P::sle:
    return P::sge;
  case P::sgt:
    return P::slt;
  case P::sge:
    return P::sle;
  case P::ult:
    return P::ugt;
  case P::ule:
    return P::uge;
  case P::ugt:
    return P::ult;
  case P::uge:
    return P::ule;
  }
  llvm_unreachable("all predicates are listed");
}

/// Groups over which `L < R` or `L >= R` has one value, L being contiguous:
/// g*s + i < g*t when s < t, for every i < g, signed or not. `L <= R` has no
/// such groups: where s = t it holds for i = 0 alone; but it is `L < R + 1`
/// for a constant R. (Where R + 1 overflows, every L is at most R.)
static int64_t comparisonGroup(arith::CmpIPredicate predicate, const Binary &op,
                               unsigned dim) {
  if (isLessOrGreaterEqual(predicate))
    return alignedAgainstMultiple(op, dim);
  std::optional<int64_t> bound = op.rhs.constant;
  if (!isGreaterOrLessEqual(predicate) || !bound)
    return 1;
  int64_t next = wrap(uint64_t(*bound) + 1, op.width);
  return std::min(op.lhs.alignedContiguity(dim), getDivisibility(next));
}

/// Constancy of a comparison: where both sides are constant; where both are
/// contiguous, for `eq` and `ne` because their difference is constant, for the
/// others if they are aligned groups (g*s + i and g*t + i compare as s and t);
/// and where one is contiguous, the other constant. `eq` and `ne` have no
/// groups of the last kind: one element of a group may differ from the rest.
static ValueFacts compareFacts(arith::CmpIPredicate predicate,
                               const Binary &op) {
  using P = arith::CmpIPredicate;
  bool equality = predicate == P::eq || predicate == P::ne;
  return forEachDim(op.type, [&](unsigned dim) -> DimFacts {
    int64_t lockstep = equality ? std::min(op.lhs.dims[dim].contiguity,
                                           op.rhs.dims[dim].contiguity)
                                : std::min(op.lhs.alignedContiguity(dim),
                                           op.rhs.alignedContiguity(dim));
    int64_t left = comparisonGroup(predicate, op, dim);
    int64_t right = comparisonGroup(swapOperands(predicate), op.swapped(), dim);
    return {1, 1, std::max({constancyOfBoth(op, dim), lockstep, left, right})};
  });
}

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

ValueFacts tessera::resizeFacts(const ValueFacts &source, Type resultType,
                                unsigned fromWidth, unsigned toWidth,
                                bool isSigned) {
  if (source.constant) {
    uint64_t bits = uint64_t(*source.constant);
    if (!isSigned && fromWidth < 64)
      bits &= llvm::maskTrailingOnes<uint64_t>(fromWidth);
    return ValueFacts::ofConstant(resultType, wrap(bits, toWidth));
  }
  // Cutting bits off is a ring operation. Extension is none: groups survive if
  // they are aligned, or if all elements are in [0, 2^(w-1)), where a group
  // that wrapped would leave that range.
  bool narrows = toWidth <= fromWidth;
  ValueFacts facts = forEachDim(resultType, [&](unsigned dim) -> DimFacts {
    int64_t group = narrows || source.isNonNegative()
                        ? source.dims[dim].contiguity
                        : source.alignedContiguity(dim);
    return {group, source.divisibilityAt(dim, group),
            source.dims[dim].constancy};
  });
  if (source.rangeBits < int32_t(toWidth))
    facts.rangeBits = source.rangeBits;
  else if (!narrows && !isSigned)
    facts.rangeBits = fromWidth;
  return facts;
}

static ValueFacts resize(Operation *op, const ValueFacts &source,
                         bool isSigned) {
  return resizeFacts(source, op->getResult(0).getType(),
                     getIntegerWidth(op->getOperand(0).getType()),
                     getIntegerWidth(op->getResult(0).getType()), isSigned);
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

/// Sums and products: folds constants and follows the range.
static ValueFacts ringFacts(Operation *op, const Binary &binary,
                            ValueFacts facts) {
  const std::optional<int64_t> &l = binary.lhs.constant;
  const std::optional<int64_t> &r = binary.rhs.constant;
  bool ranged = binary.lhs.isNonNegative() && binary.rhs.isNonNegative();
  uint64_t folded = 0;
  int32_t bits = kUnknownRange;
  if (isa<arith::AddIOp>(op)) {
    folded = uint64_t(l.value_or(0)) + uint64_t(r.value_or(0));
    bits = std::max(binary.lhs.rangeBits, binary.rhs.rangeBits) + 1;
  } else if (isa<arith::SubIOp>(op)) {
    folded = uint64_t(l.value_or(0)) - uint64_t(r.value_or(0));
    ranged = false;
  } else {
    folded = uint64_t(l.value_or(0)) * uint64_t(r.value_or(0));
    bits = binary.lhs.rangeBits + binary.rhs.rangeBits;
  }
  if (l && r)
    return ValueFacts::ofConstant(binary.type, wrap(folded, binary.width));
  if (ranged)
    facts.rangeBits =
        std::min(facts.rangeBits, rangeWithoutOverflow(op, bits, binary.width));
  return facts;
}

static std::optional<ValueFacts> transferBinary(Operation *op,
                                                const Binary &binary) {
  return llvm::TypeSwitch<Operation *, std::optional<ValueFacts>>(op)
      .Case<arith::AddIOp>(
          [&](auto) { return ringFacts(op, binary, addFacts(binary)); })
      .Case<arith::SubIOp>(
          [&](auto) { return ringFacts(op, binary, subFacts(binary)); })
      .Case<arith::MulIOp>(
          [&](auto) { return ringFacts(op, binary, mulFacts(binary)); })
      .Case<arith::ShLIOp>([&](auto) { return shlFacts(binary); })
      .Case<arith::ShRSIOp, arith::ShRUIOp>(
          [&](auto) { return shrFacts(binary); })
      .Case<arith::DivSIOp>([&](auto) { return divFacts(binary, true); })
      .Case<arith::DivUIOp>([&](auto) { return divFacts(binary, false); })
      .Case<arith::RemSIOp>([&](auto) { return remFacts(binary, true); })
      .Case<arith::RemUIOp>([&](auto) { return remFacts(binary, false); })
      .Case<arith::AndIOp>([&](auto) { return andFacts(binary); })
      .Case<arith::OrIOp, arith::XOrIOp>([&](auto) { return orFacts(binary); })
      .Case<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(
          [&](auto) { return minMaxFacts(op, binary); })
      .Case<arith::CmpIOp>(
          [&](auto cmp) { return compareFacts(cmp.getPredicate(), binary); })
      .Default(std::nullopt);
}

std::optional<ValueFacts>
tessera::transferArithmetic(Operation *op,
                            ArrayRef<const ValueFacts *> operands) {
  if (isa<arith::ExtSIOp, arith::IndexCastOp, arith::TruncIOp>(op))
    return resize(op, *operands[0], /*isSigned=*/true);
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
    return resize(op, *operands[0], /*isSigned=*/false);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return selectFacts(select, *operands[0], *operands[1], *operands[2]);
  if (operands.size() != 2 || op->getNumResults() != 1)
    return std::nullopt;
  return transferBinary(op,
                        {*operands[0], *operands[1], op->getResult(0).getType(),
                         getIntegerWidth(op->getOperand(0).getType())});
}
