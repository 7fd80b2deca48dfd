//===- TileOps.cpp - generated code of the tile operations -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations' generated definitions, and the small ones about the grid.
//
//===----------------------------------------------------------------------===//

#include "Directives.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tessera::tile;

static std::string getGridName(llvm::StringRef prefix, Axis axis) {
  return (prefix + stringifyAxis(axis)).str();
}

void ProgramIdOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getGridName("pid_", getAxis()));
}

void NumProgramsOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getGridName("programs_", getAxis()));
}

#define GET_OP_CLASSES
#include "tessera/Dialect/Tile/IR/TileOps.cpp.inc"
