//===- Remarks.h - what the passes say, kept --------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's remarks point into the IR, which is gone when a report is made: they
// are copied as they come. --remarks, --explain and --dump-dir read the same
// list, each with its own choice.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_REMARKS_H
#define TESSERA_TOOLS_TILEOPT_REMARKS_H

#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tessera {

/// A place in a source; `line` is 0 when it is not known.
struct Place {
  std::string file; ///< base name
  unsigned line = 0;
  unsigned column = 0;

  /// The first place in a file that `location` leads to; of inlined code the
  /// place in the callee.
  static Place get(mlir::Location location);

  bool operator==(const Place &other) const {
    return std::tie(file, line, column) ==
           std::tie(other.file, other.line, other.column);
  }
  bool operator<(const Place &other) const {
    return std::tie(file, line, column) <
           std::tie(other.file, other.line, other.column);
  }
};

struct CollectedRemark {
  std::string kind;     ///< passed, missed, failed or analysis
  std::string name;     ///< e.g. split-reduction
  std::string pass;     ///< its category
  std::string function; ///< the kernel or its variant; may be empty
  Place place;
  /// Numbers and texts by name, in the pass's order.
  std::vector<std::pair<std::string, std::string>> values;
  std::string reason;
  std::string suggestion;
};

using RemarkList = std::vector<CollectedRemark>;

/// Appends every remark made in `context` to `list`, which has to outlive it.
/// Those whose category matches `printed` as a whole are diagnostics, too.
llvm::LogicalResult collectRemarks(mlir::MLIRContext &context, RemarkList &list,
                                   const std::optional<std::string> &printed);

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_REMARKS_H
