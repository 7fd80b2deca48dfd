//===- Extension.cpp - integers behind their extensions -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Analysis/Extension.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

Value tessera::stripAllExtensions(Value value) {
  while (auto extension = value.getDefiningOp<arith::ExtSIOp>())
    value = extension.getIn();
  return value;
}

Value tessera::stripExtension(Value value) {
  while (auto extension = value.getDefiningOp<arith::ExtSIOp>()) {
    if (!extension.getIn().getType().isInteger(32))
      break;
    value = extension.getIn();
  }
  return value;
}
