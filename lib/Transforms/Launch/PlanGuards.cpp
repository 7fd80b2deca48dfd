//===- PlanGuards.cpp - argument facts as guards of a plan ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanGuards.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;

/// What `tile.plan.scratch` guarantees.
static constexpr int64_t kScratchAlignment = 256;

std::optional<bool> tessera::evaluateFacts(Value value,
                                           const ArgumentFacts &facts) {
  if (facts.divisibleBy <= 1 && !facts.equals)
    return true;
  if (value.getDefiningOp<tile::PlanScratchOp>() &&
      facts.divisibleBy <= kScratchAlignment)
    return true;
  auto constant = value.getDefiningOp<tile::PlanConstantOp>();
  if (!constant)
    return std::nullopt;
  int64_t number = constant.getValue();
  return number % facts.divisibleBy == 0 &&
         (!facts.equals || *facts.equals == number);
}

std::optional<Value> tessera::buildFactGuard(OpBuilder &builder, Location loc,
                                             Value value,
                                             const ArgumentFacts &facts) {
  if (std::optional<bool> known = evaluateFacts(value, facts))
    return *known ? std::optional(Value()) : std::nullopt;
  Type boolean = builder.getI1Type();
  IntegerAttr by = builder.getI64IntegerAttr(facts.divisibleBy);
  if (isa<tile::PointerType>(value.getType()))
    return tile::PlanAlignedOp::create(builder, loc, boolean, value, by)
        .getResult();
  SmallVector<Value> guards;
  if (facts.equals)
    guards.push_back(tile::PlanCmpOp::create(
        builder, loc, boolean,
        tile::PlanPredicateAttr::get(builder.getContext(),
                                     tile::PlanPredicate::EQ),
        value, /*rhs=*/Value(), builder.getI64IntegerAttr(*facts.equals)));
  if (facts.divisibleBy > 1)
    guards.push_back(
        tile::PlanDivisibleOp::create(builder, loc, boolean, value, by));
  if (guards.size() == 1)
    return guards[0];
  return tile::PlanAllOp::create(builder, loc, boolean, guards).getResult();
}

void tessera::buildVariant(OpBuilder &builder, Location loc, Value guard,
                           llvm::function_ref<void(OpBuilder &)> body) {
  auto variant = tile::PlanVariantOp::create(builder, loc, guard);
  OpBuilder::InsertionGuard restore(builder);
  builder.createBlock(&variant.getBody());
  body(builder);
}

std::string tessera::getArgumentName(FunctionOpInterface function,
                                     unsigned index) {
  if (auto name = function.getArgAttrOfType<StringAttr>(
          index, tile::TileDialect::kName))
    return name.str();
  return llvm::formatv("#{0}", index);
}

std::string tessera::describeFacts(const ArgumentFacts &facts, Type type) {
  std::string text;
  if (facts.equals)
    text = std::to_string(*facts.equals);
  if (facts.divisibleBy <= 1)
    return text;
  if (!text.empty())
    text += " and ";
  if (isa<tile::PointerType>(type))
    return text +
           llvm::formatv("aligned to {0} bytes", facts.divisibleBy).str();
  return text + llvm::formatv("a multiple of {0}", facts.divisibleBy).str();
}
