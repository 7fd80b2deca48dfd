//===- FactTransfer.h - facts of a result from its operands' ----*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transfer functions of the affine-access analysis, apart from the solver.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_ANALYSIS_FACTTRANSFER_H
#define TESSERA_LIB_ANALYSIS_FACTTRANSFER_H

#include "tessera/Analysis/ValueFacts.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"

namespace tessera {

/// Facts of the only result of `op`, given those of its operands; unknown for
/// operations without a rule.
ValueFacts transferFacts(mlir::Operation *op,
                         llvm::ArrayRef<const ValueFacts *> operands);

/// The same for integer arithmetic on scalars and tensors; nothing for other
/// operations.
std::optional<ValueFacts>
transferArithmetic(mlir::Operation *op,
                   llvm::ArrayRef<const ValueFacts *> operands);

/// Facts of a value extended from `fromWidth` bits to `toWidth`, or cut off
/// when that is less.
ValueFacts resizeFacts(const ValueFacts &source, mlir::Type resultType,
                       unsigned fromWidth, unsigned toWidth, bool isSigned);

} // namespace tessera

#endif // TESSERA_LIB_ANALYSIS_FACTTRANSFER_H
