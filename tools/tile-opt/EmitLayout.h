//===- EmitLayout.h - pictures of the layouts of values ---------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --emit=layout --value=NAME: which thread holds which element of a value of
// the source, after the layouts are chosen (level 2).
//
// MLIR forgets the names of SSA values, and the passes replace the operations
// that gave them. What survives is the location. So names are collected while
// the source is parsed, each with the places of its definitions, and the values
// of level 2 are those whose location comes from one of these places. There may
// be several: a source value that is needed in two layouts, in two versions of
// a kernel, or also as a buffer in shared memory. All of them are drawn, equal
// ones once.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_EMITLAYOUT_H
#define TESSERA_TOOLS_TILEOPT_EMITLAYOUT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"
#include <string>

namespace tessera {

enum class LayoutFormat { Text, Svg };

/// What --emit=layout draws.
struct LayoutOptions {
  /// `%name` or `name`, a value of the source; LINE or LINE:COLUMN, the values
  /// whose operation (or, for a block argument, name) begins there.
  std::string value;
  /// One kernel of level 2; empty: all of them.
  std::string kernel;
  LayoutFormat format = LayoutFormat::Text;
};

/// An empty string, or what is wrong with the options by themselves.
std::string checkLayoutOptions(const LayoutOptions &options);

/// Finds the value and draws it: parse(), then the passes, then render().
class LayoutEmitter {
public:
  explicit LayoutEmitter(LayoutOptions options) : options(std::move(options)) {}

  /// Parses the main buffer, text or bytecode, and notes where names are
  /// defined. Null after a diagnostic.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::SourceMgr &sources,
                                          mlir::MLIRContext *context);

  /// An error when the source has no value of this name. Early, before passes.
  llvm::Error checkName() const;

  /// The pictures of the value in a module of level 2. An error when there is
  /// no such kernel, or nothing to draw.
  llvm::Expected<std::string> render(mlir::ModuleOp module) const;

private:
  using Places = llvm::DenseSet<mlir::Attribute>;

  bool isName() const;
  bool matches(mlir::Location location) const;

  LayoutOptions options;
  /// Names without `%`, with the file locations of their definitions.
  llvm::StringMap<Places> names;
};

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_EMITLAYOUT_H
