//===- KernelArguments.cpp - what launches pass to kernels ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelArguments.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tessera;

llvm::StringMap<SmallVector<tile::PlanDispatchOp>>
tessera::collectDispatches(ModuleOp module) {
  llvm::StringMap<SmallVector<tile::PlanDispatchOp>> dispatches;
  module.walk([&](tile::PlanDispatchOp op) {
    dispatches[op.getKernel()].push_back(op);
  });
  return dispatches;
}

Value tessera::addKernelArgument(tile::FuncOp kernel, StringRef name,
                                 Type type) {
  llvm::StringSet<> taken;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (auto other =
            kernel.getArgAttrOfType<StringAttr>(i, tile::TileDialect::kName))
      taken.insert(other.getValue());
  std::string unique = name.str();
  for (int number = 2; taken.contains(unique); ++number)
    unique = (name + "_" + Twine(number)).str();
  Builder builder(kernel.getContext());
  unsigned index = kernel.getNumArguments();
  auto attributes = builder.getDictionaryAttr(builder.getNamedAttr(
      tile::TileDialect::kName, builder.getStringAttr(unique)));
  // It fails for types that do not list their inputs, which tile.func's does.
  (void)kernel.insertArgument(index, type, attributes,
                              kernel.getLoc());
  return kernel.getArgument(index);
}
