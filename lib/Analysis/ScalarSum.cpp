//===- ScalarSum.cpp - sums of products of scalars ------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Analysis/AffineForm.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;

/// Products of more terms are not worth following, nor sums of more, nor terms
/// of more factors: a chain that doubles one of these at each step has as many
/// as its length's power of two.
static constexpr size_t kMaxProductTerms = 8, kMaxTerms = 64, kMaxFactors = 8;

/// Whether two products have the same values, in any order.
static bool haveSameValues(const ScalarTerm &a, const ScalarTerm &b) {
  return a.values.size() == b.values.size() &&
         std::is_permutation(a.values.begin(), a.values.end(),
                             b.values.begin());
}

/// Adds a term to a sum, keeping its invariants. False on overflow, and where
/// that is too long.
static bool accumulate(ScalarSum &sum, const ScalarTerm &term) {
  if (term.factor == 0)
    return true;
  if (term.values.size() > kMaxFactors)
    return false;
  auto it = llvm::find_if(sum.terms, [&](const ScalarTerm &other) {
    return haveSameValues(term, other);
  });
  if (it == sum.terms.end()) {
    sum.terms.push_back(term);
    return sum.terms.size() <= kMaxTerms;
  }
  if (llvm::AddOverflow(it->factor, term.factor, it->factor))
    return false;
  if (it->factor == 0)
    sum.terms.erase(it);
  return true;
}

Value ScalarSum::getSingleValue() const {
  bool single = constant == 0 && terms.size() == 1 && terms[0].factor == 1 &&
                terms[0].values.size() == 1;
  return single ? terms[0].values[0] : Value();
}

bool ScalarSum::hasAdvance() const {
  return llvm::any_of(terms, [](const ScalarTerm &term) {
    return llvm::any_of(term.values, [](Value value) {
      return isa<RankedTensorType>(value.getType());
    });
  });
}

std::optional<ScalarSum> ScalarSum::plus(const ScalarSum &other,
                                         int64_t factor) const {
  ScalarSum sum = *this;
  int64_t scaled;
  if (llvm::MulOverflow(other.constant, factor, scaled) ||
      llvm::AddOverflow(constant, scaled, sum.constant))
    return std::nullopt;
  for (ScalarTerm term : other.terms)
    if (llvm::MulOverflow(term.factor, factor, term.factor) ||
        !accumulate(sum, term))
      return std::nullopt;
  return sum;
}

bool tessera::isNonNegative(const ScalarSum &sum, unsigned width,
                            FactsOf factsOf) {
  if (sum.constant < 0)
    return false;
  // 2^bits bounds each summand; so many summands add at most their number's
  // bits.
  int32_t most = 64 - llvm::countl_zero(uint64_t(sum.constant));
  for (const ScalarTerm &term : sum.terms) {
    if (term.factor <= 0)
      return false;
    int32_t bits = llvm::Log2_64_Ceil(uint64_t(term.factor));
    for (Value value : term.values) {
      ValueFacts facts = ValueFacts::unknown(value.getType());
      if (!isa<RankedTensorType>(value.getType())) // An advance.
        facts = factsOf(value);
      if (!facts.isNonNegative())
        return false;
      bits += facts.rangeBits;
    }
    most = std::max(most, bits);
  }
  size_t summands = sum.terms.size() + (sum.constant != 0);
  return most + int32_t(llvm::Log2_64_Ceil(std::max<size_t>(summands, 1))) <=
         int32_t(width) - 1;
}

std::optional<ScalarSum> ScalarSum::times(const ScalarSum &other) const {
  if (terms.size() * other.terms.size() > kMaxProductTerms)
    return std::nullopt;
  // constant * other, then each term times the other's constant and terms.
  std::optional<ScalarSum> sum = ScalarSum().plus(other, constant);
  for (const ScalarTerm &term : terms) {
    if (!sum)
      return std::nullopt;
    ScalarTerm scaled = term;
    if (llvm::MulOverflow(term.factor, other.constant, scaled.factor) ||
        !accumulate(*sum, scaled))
      return std::nullopt;
    for (const ScalarTerm &right : other.terms) {
      ScalarTerm product = term;
      llvm::append_range(product.values, right.values);
      if (llvm::MulOverflow(term.factor, right.factor, product.factor) ||
          !accumulate(*sum, product))
        return std::nullopt;
    }
  }
  return sum;
}
