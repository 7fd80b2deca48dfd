//===- SymbolNames.h - names that PTX accepts -------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An MLIR symbol is any string; a PTX identifier is [a-zA-Z_][a-zA-Z0-9_$]*.
// Symbols are mapped before translation, and the manifest keeps both names.
//
// The map f has two branches:
//   f(s) = s                         if s is "plain" (see below)
//   f(s) = head(s) + "$h" + hash(s)  otherwise
// where head(s) is a readable rest of s (at most 64 characters, every foreign
// byte replaced by '_') and hash(s) is XXH3-64 of s in 16 hexadecimal digits.
// A name is plain when it is a PTX identifier of at most 200 characters, is not
// reserved by PTX, LLVM or libdevice, and does not itself end in the form
// "$h" + 16 digits. The images of the branches are therefore disjoint, and two
// names can only meet when their 64-bit hashes do; `renameSymbolsForPTX` then
// reports an error instead of merging them. f depends on nothing but s.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SYMBOLNAMES_H
#define TESSERA_TARGET_SYMBOLNAMES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tessera {

/// The PTX identifier for `symbol`: f(symbol) of the file's banner.
std::string getPTXName(llvm::StringRef symbol);

/// Original symbol → name in PTX, for every symbol defined in a module.
using SymbolNameMap = llvm::StringMap<std::string>;

/// Renames the symbols that `module` defines at its top level, and their uses,
/// to PTX names. Declarations without a body keep their names, for they name
/// something outside (an LLVM intrinsic, libdevice, `vprintf`); external
/// globals are renamed like definitions. Fails with a diagnostic when two names
/// clash.
llvm::FailureOr<SymbolNameMap> renameSymbolsForPTX(mlir::ModuleOp module);

} // namespace tessera

#endif // TESSERA_TARGET_SYMBOLNAMES_H
