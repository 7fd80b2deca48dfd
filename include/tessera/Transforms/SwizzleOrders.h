//===- SwizzleOrders.h - orders of tiles, with names ------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TRANSFORMS_SWIZZLEORDERS_H
#define TESSERA_TRANSFORMS_SWIZZLEORDERS_H

#include "tessera/Schedule/TileOrder.h"
#include "tessera/Transforms/Passes.h"

#include <optional>

namespace tessera {

/// The order itself; nothing for Auto, which leaves it open.
std::optional<TileOrder> getTileOrder(SwizzleOrder order);
SwizzleOrder getSwizzleOrder(TileOrder order);

/// "row", "column", "grouped", "hilbert" or "auto".
llvm::StringRef getOrderName(SwizzleOrder order);

} // namespace tessera

#endif // TESSERA_TRANSFORMS_SWIZZLEORDERS_H
