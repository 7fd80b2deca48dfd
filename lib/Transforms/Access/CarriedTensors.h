//===- CarriedTensors.h - loop-carried tensors as scalars -------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_ACCESS_CARRIEDTENSORS_H
#define TESSERA_LIB_TRANSFORMS_ACCESS_CARRIEDTENSORS_H

#include "tessera/Analysis/AffineAccess.h"

#include "llvm/ADT/SetVector.h"

namespace tessera {

/// Lets loops carry the advance of `arguments`, a scalar, in place of the
/// tensor, which becomes its first value plus a splat of the advance. Each
/// argument has a step (AffineAccess::getCarriedStep). Loops are rebuilt, so
/// that `analysis` ends with this call.
void scalarizeCarried(const llvm::SetVector<mlir::BlockArgument> &arguments,
                      const AffineAccess &analysis);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_ACCESS_CARRIEDTENSORS_H
