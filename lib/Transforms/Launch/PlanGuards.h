//===- PlanGuards.h - argument facts as guards of a plan --------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fact about a kernel's argument becomes an operation of the launch plan that
// tests it, unless the plan itself decides it.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_LAUNCH_PLANGUARDS_H
#define TESSERA_LIB_TRANSFORMS_LAUNCH_PLANGUARDS_H

#include "tessera/Analysis/AffineAccess.h"

#include "mlir/IR/Builders.h"

#include <string>

namespace tessera {

/// Whether a plan value is known to satisfy `facts` (true) or to break them
/// (false): it is a constant, or memory from `tile.plan.scratch`, which is
/// aligned to 256 bytes. Nothing when the launch decides.
std::optional<bool> evaluateFacts(mlir::Value value,
                                  const ArgumentFacts &facts);

/// Builds an i1 plan value that says whether `value` satisfies `facts`: null
/// when that is known to hold; nothing, and no operation, when it is known not
/// to.
std::optional<mlir::Value> buildFactGuard(mlir::OpBuilder &builder,
                                          mlir::Location loc, mlir::Value value,
                                          const ArgumentFacts &facts);

/// A `tile.plan.variant` under `guard`, or an `else` if that is null, with the
/// actions that `body` builds.
void buildVariant(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value guard,
                  llvm::function_ref<void(mlir::OpBuilder &)> body);

/// The argument's name in the source, or its number: `n`, `#3`.
std::string getArgumentName(mlir::FunctionOpInterface function, unsigned index);

/// The facts in words, for an argument of `type`: "1", "a multiple of 4",
/// "aligned to 16 bytes".
std::string describeFacts(const ArgumentFacts &facts, mlir::Type type);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_LAUNCH_PLANGUARDS_H
