//===- NamedSource.h - parse a source and keep its names --------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR forgets how a source calls its values; what a tool says about them is
// read by people who know them by those names.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOL_NAMEDSOURCE_H
#define TESSERA_TOOL_NAMEDSOURCE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace tessera {

/// A suffix-id of MLIR's grammar: digits, or a letter or one of $._- and then
/// those and digits.
bool isIdentifierChar(char c);

/// Told each name without its `%`, and what it stands for: the results of an
/// operation (`%x:2` is one name for two) or one block argument. Names last as
/// long as the source's buffer.
using NameObserver =
    llvm::function_ref<void(llvm::StringRef name, mlir::ValueRange values)>;

/// Parses the main buffer, text or bytecode, which has no names. Null after a
/// diagnostic.
mlir::OwningOpRef<mlir::ModuleOp> parseNamed(llvm::SourceMgr &sources,
                                             mlir::MLIRContext *context,
                                             NameObserver observe);

} // namespace tessera

#endif // TESSERA_TOOL_NAMEDSOURCE_H
