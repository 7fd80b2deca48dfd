//===- CopyHazards.h - accesses that copies do not wait for -----*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies by a map go another way to memory than threads' accesses (PTX ISA,
// "Async proxy"), and are waited for until they have read or written shared
// memory only. A kernel may therefore do neither of these with one array:
//
//  - write it, by threads or by a copy, and then load it by a copy;
//  - store to it by a copy, and then write it or read it.
//
// Two arguments may be passed one array, unless one of them has `tile.noalias`,
// or `tile.readonly`: one of the two accesses writes.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_ACCESS_COPYHAZARDS_H
#define TESSERA_LIB_TRANSFORMS_ACCESS_COPYHAZARDS_H

#include "tessera/Dialect/Tile/IR/Tile.h"

#include <string>

namespace tessera {

/// Why copies by a map of the descriptor's array need an order with another
/// access of the kernel, which they do not have; empty when they do not.
std::string checkHazards(tile::MakeDescOp desc, tile::FuncOp kernel);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_ACCESS_COPYHAZARDS_H
