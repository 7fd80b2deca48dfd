//===- ProductOrders.h - other orders of products' operands -----*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product reads tiles of rows and tiles of columns alike, so a caller may
// store either operand either way: x W^T is a product whose second operand has
// its columns in a row. Other accesses have the order that their source gives
// them: a kernel of rows is one of rows.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_ACCESS_PRODUCTORDERS_H
#define TESSERA_LIB_TRANSFORMS_ACCESS_PRODUCTORDERS_H

#include "tessera/Analysis/AffineAccess.h"

#include <set>

namespace tessera {

/// Strides that `facts` assume to be 1 and that operands of products have: each
/// set is one to assume otherwise, the most usual first. They are those of all
/// second operands of `tile.dot`s, of each of them, of all first operands, of
/// each of them, and of all operands; none twice.
llvm::SmallVector<std::set<unsigned>>
findOtherOrders(tile::FuncOp kernel, const FactOverrides &facts);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_ACCESS_PRODUCTORDERS_H
