//===- DotProduct.h - the product of two tensors ----------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by products of registers and of buffers.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_INTERPRETER_DOTPRODUCT_H
#define TESSERA_LIB_INTERPRETER_DOTPRODUCT_H

#include "tessera/Interpreter/Tensor.h"

namespace tessera::interpreter {

/// acc + lhs * rhs for MxK and KxN, or batches of them; DotOps.cpp gives the
/// order and the rounding. With `toTF32`, f32 operands are rounded to tf32.
std::shared_ptr<Tensor> computeDot(const Tensor &lhs, const Tensor &rhs,
                                   const Tensor &acc, bool toTF32);

} // namespace tessera::interpreter

#endif // TESSERA_LIB_INTERPRETER_DOTPRODUCT_H
