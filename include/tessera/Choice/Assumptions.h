//===- Assumptions.h - --assume NAME=INTEGER --------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes that a kernel is expected to be launched with. They decide what is
// chosen among configurations that are all right; nothing is proved from them.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_CHOICE_ASSUMPTIONS_H
#define TESSERA_CHOICE_ASSUMPTIONS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

class Assumptions {
public:
  /// Adds one "NAME=INTEGER". False with `error` when it has another form, is
  /// not positive or contradicts an earlier one.
  bool add(llvm::StringRef text, std::string &error);

  bool empty() const { return values.empty(); }
  std::optional<int64_t> lookup(llvm::StringRef name) const;

  /// What is wrong, in one line, when some name is no integer argument of an
  /// entry of `module`, a launch plan or a kernel without one, or its value is
  /// none of the argument's type. Else an empty string.
  std::string check(mlir::ModuleOp module) const;

  /// Names and values, for the manifest.
  mlir::DictionaryAttr getAttribute(mlir::MLIRContext *context) const;
  /// "k=4096, m=4096": in the order of names.
  std::string describe() const;

private:
  /// Sorted by name.
  std::vector<std::pair<std::string, int64_t>> values;
};

} // namespace tessera

#endif // TESSERA_CHOICE_ASSUMPTIONS_H
