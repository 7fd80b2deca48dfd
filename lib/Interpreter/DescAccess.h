//===- DescAccess.h - the elements of a tile of an array --------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access of a descriptor is one of pointers with a mask: this works them out.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_INTERPRETER_DESCACCESS_H
#define TESSERA_LIB_INTERPRETER_DESCACCESS_H

#include "Machine.h"

namespace tessera::interpreter {

/// The tile of an access.
struct DescTile {
  /// Addresses of all elements, and which of them exist.
  Tensor pointers, mask;
};

/// The tile of `shape`, of elements of `width` bytes, of the descriptor that is
/// the instruction's first operand, at the offsets that follow it.
DescTile expandTile(Program &program, const Instruction &instruction,
                    llvm::ArrayRef<int64_t> shape, unsigned width);

} // namespace tessera::interpreter

#endif // TESSERA_LIB_INTERPRETER_DESCACCESS_H
