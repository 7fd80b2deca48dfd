//===- tile-lsp-server.cpp - kernels in an editor -------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The language server of MLIR with Tessera's dialects: diagnostics while
// typing, definitions, uses, hovers with the types that parameters give.
//
//===----------------------------------------------------------------------===//

#include "tessera/Pipelines/TileToCubin.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include <cstdlib>

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tessera::registerTesseraDialects(registry);
  return succeeded(mlir::MlirLspServerMain(argc, argv, registry))
             ? EXIT_SUCCESS
             : EXIT_FAILURE;
}
