//===- ArgumentRoles.h - what a kernel does with its arguments --*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A guess, made from the uses of each argument: a number that is compared, that
// bounds a loop or is divided by a block size is a size; one that is only
// multiplied on the way to an address is a stride. A wrong guess costs coverage
// and nothing else, for every candidate is run before it is used.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_VERIFY_ARGUMENTROLES_H
#define TESSERA_LIB_VERIFY_ARGUMENTROLES_H

#include "tessera/Verify/Input.h"

#include "llvm/ADT/SetVector.h"

namespace tessera::verify {

/// What is known of one argument of an entry.
struct ArgumentRole {
  mlir::Type type;
  std::string name;
  bool isSize = false, isStride = false;
  /// Gives an extent of the grid without a division.
  bool countsPrograms = false;
  /// Block sizes that it is divided by or compared with positions in.
  llvm::SmallSetVector<int64_t, 4> blocks;
  /// Step of the loop that it bounds, or 0, and the stages asked for there.
  int64_t step = 0, stages = 2;
  /// The argument that this step is; `step` is then 1.
  std::optional<unsigned> stepArgument;
  /// For a stride, the arguments whose addresses it is a part of.
  llvm::SmallSetVector<unsigned, 2> pointers;
  /// For a pointer, whether first or second operands of products are loaded
  /// from it.
  bool isFirstOperand = false, isSecondOperand = false;
  /// Facts: divisor (bytes for a pointer) and value.
  int64_t divisor = 1;
  std::optional<int64_t> equals;
};

/// Roles of the arguments of a `tile.launch` or a kernel.
std::vector<ArgumentRole> findRoles(mlir::ModuleOp module,
                                    mlir::FunctionOpInterface entry);

} // namespace tessera::verify

#endif // TESSERA_LIB_VERIFY_ARGUMENTROLES_H
