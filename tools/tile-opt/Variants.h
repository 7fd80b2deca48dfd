//===- Variants.h - which kernel a launch takes -----------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choices of launch plans, read off the plans themselves: what the runtime
// asks of a launch's arguments, by their names in the source.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_VARIANTS_H
#define TESSERA_TOOLS_TILEOPT_VARIANTS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace tessera {

/// What a launch does where all conditions hold, and those of no earlier
/// variant.
struct Variant {
  /// "n, k divisible by 8"; none where nothing is asked.
  std::vector<std::string> conditions;
  /// Launched one after another.
  std::vector<std::string> kernels;
  /// The error that the launch ends with in their place; else empty.
  std::string refusal;
  /// Whether it launches what no earlier variant does: an `else` of the plan.
  bool isGeneral = false;
  /// Whether several choices follow in place of kernels.
  bool choosesAgain = false;
};

/// One choice of an entry: the first variant whose conditions hold is taken.
struct VariantChoice {
  std::string entry;
  std::vector<Variant> variants;
};

/// The choices between kernels, in the order of the plans. What only checks the
/// arguments, and launches nothing, is none.
std::vector<VariantChoice> listVariants(mlir::ModuleOp module);

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_VARIANTS_H
