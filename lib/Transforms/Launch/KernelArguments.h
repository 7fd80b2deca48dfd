//===- KernelArguments.h - what launches pass to kernels --------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_LAUNCH_KERNELARGUMENTS_H
#define TESSERA_LIB_TRANSFORMS_LAUNCH_KERNELARGUMENTS_H

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace tessera {

/// The dispatches of each kernel, by name, in the order of the module.
llvm::StringMap<llvm::SmallVector<tile::PlanDispatchOp>>
collectDispatches(mlir::ModuleOp module);

/// Adds an argument at the kernel's end; its name in the source becomes `name`,
/// or `name` and a number where that is taken.
mlir::Value addKernelArgument(tile::FuncOp kernel, mlir::StringRef name,
                              mlir::Type type);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_LAUNCH_KERNELARGUMENTS_H
