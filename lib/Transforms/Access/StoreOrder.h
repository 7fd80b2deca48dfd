//===- StoreOrder.h - stores that copies may do in any order ----*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy from shared memory to an array is under way until its writes have been
// done, and a program waits only for its reads of shared memory. What holds
// (PTX ISA, cp.async.bulk, cp.async.bulk.wait_group):
//
//  - Copies of one group, and of different groups, are not ordered.
//  - wait_group.read says that copies have read their source. Only wait_group,
//    without .read, says that their writes are done and seen by the thread that
//    waits; the end of the kernel says so for all that come after it.
//
// So a store may be a copy where the program stores no element twice, and
// neither loads nor updates one later. Other operations are looked at in
// CopyHazards.h; here are the iterations of one store.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_ACCESS_STOREORDER_H
#define TESSERA_LIB_TRANSFORMS_ACCESS_STOREORDER_H

#include "MappedArray.h"

#include <string>

namespace tessera {

/// Why stores of `array`, which `desc` describes, need an order that copies do
/// not have; empty when they do not.
///
/// Iterations of a tile loop are to each other what programs are. Those of
/// other loops have to store different elements: the offset along one dimension
/// grows by a tile or more, or two dimensions take the quotient and the
/// remainder of the loop's counter, or of an odd multiple of it, in tiles.
std::string checkStoreOrder(tile::MakeDescOp desc, const MappedArray &array);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_ACCESS_STOREORDER_H
