//===- SwizzleOrders.cpp - orders of tiles, with names --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/SwizzleOrders.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

namespace {
struct NamedOrder {
  SwizzleOrder swizzle;
  TileOrder tile;
  llvm::StringLiteral name;
};
} // namespace

static constexpr NamedOrder kOrders[] = {
    {SwizzleOrder::Row, TileOrder::Row, "row"},
    {SwizzleOrder::Column, TileOrder::Column, "column"},
    {SwizzleOrder::Grouped, TileOrder::Grouped, "grouped"},
    {SwizzleOrder::Hilbert, TileOrder::Hilbert, "hilbert"},
};

static const NamedOrder *find(SwizzleOrder order) {
  const NamedOrder *found = llvm::find_if(
      kOrders, [&](const NamedOrder &named) { return named.swizzle == order; });
  return found == std::end(kOrders) ? nullptr : found;
}

std::optional<TileOrder> tessera::getTileOrder(SwizzleOrder order) {
  const NamedOrder *named = find(order);
  return named ? std::optional(named->tile) : std::nullopt;
}

SwizzleOrder tessera::getSwizzleOrder(TileOrder order) {
  return llvm::find_if(kOrders, [&](const NamedOrder &named) {
           return named.tile == order;
         })->swizzle;
}

llvm::StringRef tessera::getOrderName(SwizzleOrder order) {
  const NamedOrder *named = find(order);
  return named ? llvm::StringRef(named->name) : "auto";
}
