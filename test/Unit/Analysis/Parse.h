//===- Parse.h - functions under test, from their text ----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_ANALYSIS_PARSE_H
#define TESSERA_TEST_UNIT_ANALYSIS_PARSE_H

#include "tessera/Analysis/AffineAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <string>

namespace tessera::test {

/// A kernel `@f(arguments) { body }` and its analysis.
class Kernel {
public:
  Kernel(const std::string &arguments, const std::string &body,
         FactOverrides overrides = {}) {
    context.loadDialect<tile::TileDialect, mlir::arith::ArithDialect,
                        mlir::scf::SCFDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "tile.func @f(" + arguments + ") {\n" + body + "\ntile.return\n}",
        &context);
    if (module)
      analysis.emplace(getFunction(), std::move(overrides));
  }

  /// Whether the text is valid; the rest relies on it.
  bool isValid() const { return analysis.has_value(); }
  tile::FuncOp getFunction() { return *module->getOps<tile::FuncOp>().begin(); }
  mlir::Value getArgument(unsigned index) {
    return getFunction().getBody().getArgument(index);
  }
  /// The result of the last operation before the return.
  mlir::Value getLast() {
    mlir::Block &block = getFunction().getBody().front();
    return std::prev(block.end(), 2)->getResult(0);
  }
  const AffineAccess &getAnalysis() const { return *analysis; }
  ValueFacts getFacts() { return analysis->getFacts(getLast()); }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<AffineAccess> analysis;
};

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_ANALYSIS_PARSE_H
