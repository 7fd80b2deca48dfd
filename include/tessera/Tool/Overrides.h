//===- Overrides.h - -D NAME=VALUE ------------------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters are replaced by values while a source is parsed, so overrides have
// to be in the dialect's table before. They travel as an extension of the
// dialect registry, which is applied at the moment a context loads the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOL_OVERRIDES_H
#define TESSERA_TOOL_OVERRIDES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mlir {
class DialectRegistry;
}

namespace tessera {

class Overrides {
public:
  /// Adds one "NAME=VALUE". False with `error` when it has another form or
  /// contradicts an earlier one.
  bool add(llvm::StringRef text, std::string &error);

  /// Takes all "-D NAME=VALUE" and "-DNAME=VALUE" out of a command line.
  bool extractFrom(llvm::SmallVectorImpl<const char *> &arguments,
                   std::string &error);

  /// Sets the overrides in every context made from `registry`.
  void addTo(mlir::DialectRegistry &registry) const;

  /// NAME and VALUE of each, as given.
  llvm::ArrayRef<std::pair<std::string, std::string>> getValues() const {
    return values;
  }

  /// What is wrong, in one line, when some name is no parameter of any source
  /// that was parsed since addTo(); else an empty string.
  std::string describeUnknown() const;

private:
  std::vector<std::pair<std::string, std::string>> values;
  /// The parameters of the sources. Shared with the dialects' tables, which
  /// outlive neither their context nor this.
  std::shared_ptr<std::vector<std::string>> declared =
      std::make_shared<std::vector<std::string>>();
};

} // namespace tessera

#endif // TESSERA_TOOL_OVERRIDES_H
