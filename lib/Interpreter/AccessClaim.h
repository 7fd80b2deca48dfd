//===- AccessClaim.h - what tile_gpu.access says ----------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Selection writes down what it knows of an access's addresses; the lowering
// relies on it. Here it is checked.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_INTERPRETER_ACCESSCLAIM_H
#define TESSERA_LIB_INTERPRETER_ACCESSCLAIM_H

#include "Machine.h"

namespace tessera::interpreter {

/// Reports a group of elements that is not as the instruction's
/// `tile_gpu.access` says; `width` is an element's bytes, and `mask` may be
/// null.
void checkAccessClaim(Program &program, const Instruction &instruction,
                      const Tensor &pointers, const Tensor *mask,
                      unsigned width);

} // namespace tessera::interpreter

#endif // TESSERA_LIB_INTERPRETER_ACCESSCLAIM_H
