//===- Unspecified.h - results that a source leaves open --------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements that a mask leaves out of a load without `other` have no value.
// Where one reaches a store, passes may change what is stored, and none is to
// blame. The source is run with two patterns in their place: results that
// differ depend on them.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_VERIFY_UNSPECIFIED_H
#define TESSERA_VERIFY_UNSPECIFIED_H

#include "tessera/Verify/Execution.h"

namespace tessera::verify {

/// The first result that depends on elements which were not loaded.
struct UnspecifiedUse {
  /// What stores it, and the loads that it is computed from and that may leave
  /// elements without a value.
  mlir::Operation *store;
  llvm::SmallVector<mlir::Operation *> loads;
  /// "element 3 of 'y'".
  std::string element;
};

/// Flags what `outcome`, that of `module` with `input`, leaves unspecified.
std::optional<UnspecifiedUse>
markUnspecified(mlir::ModuleOp module, const Input &input, Outcome &outcome);

/// A warning at the store, with a note at each of the loads.
void report(const UnspecifiedUse &use);

} // namespace tessera::verify

#endif // TESSERA_VERIFY_UNSPECIFIED_H
