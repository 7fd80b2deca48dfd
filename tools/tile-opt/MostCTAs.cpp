//===- MostCTAs.cpp - a --min-ctas that compiles --------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MostCTAs.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tessera {

/// The passes that refuse a number of programs, and those before them.
static bool accepts(ModuleOp source, const PipelineOptions &options) {
  OwningOpRef<ModuleOp> module(cast<ModuleOp>(source->clone()));
  PassManager manager(module->getContext());
  buildTilePipeline(manager, options);
  buildTileGPUPipeline(manager, options);
  return succeeded(manager.run(*module));
}

std::optional<int32_t> findMostCTAs(ModuleOp source, PipelineOptions options) {
  MLIRContext *context = source.getContext();
  context->setRemarkEngine(nullptr);
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
  if (accepts(source, options))
    return std::nullopt;
  // What fits does so with fewer programs.
  int32_t most = 0, tooMany = options.minCTAs;
  while (most + 1 < tooMany) {
    options.minCTAs = most == 0 ? 1 : most + (tooMany - most) / 2;
    if (accepts(source, options))
      most = options.minCTAs;
    else if (options.minCTAs == 1)
      return 0;
    else
      tooMany = options.minCTAs;
  }
  return most;
}

} // namespace tessera
