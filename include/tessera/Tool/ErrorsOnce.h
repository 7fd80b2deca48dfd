//===- ErrorsOnce.h - each error of a kernel once ---------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is compiled in several variants, and what is wrong with its source
// is wrong with each of them.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOL_ERRORSONCE_H
#define TESSERA_TOOL_ERRORSONCE_H

#include "mlir/IR/Diagnostics.h"

#include <set>
#include <string>

namespace tessera {

/// Lets the handlers that were there before it see each error once: another one
/// of the same place, text and notes is dropped. Remarks count what happened,
/// and stay.
class ErrorsOnce : public mlir::ScopedDiagnosticHandler {
public:
  explicit ErrorsOnce(mlir::MLIRContext *context);

private:
  std::set<std::string> seen;
};

} // namespace tessera

#endif // TESSERA_TOOL_ERRORSONCE_H
