//===- StageIndex.h - the table of contents of --dump-dir -------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// index.md in the folder of dumps: which pass made which file, what it changed
// and what it had to say. Times are told only when --mlir-timing asks for them:
// else equal inputs give equal files.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_STAGEINDEX_H
#define TESSERA_TOOLS_TILEOPT_STAGEINDEX_H

#include "Remarks.h"

#include "mlir/IR/Operation.h"
#include "tessera/Target/Compile.h"
#include <map>

namespace tessera {

/// How often each operation occurs, by name.
using OpCounts = std::map<std::string, int64_t>;

/// The operations below `op`, itself not counted.
OpCounts countOps(mlir::Operation *op);

/// One row of the index.
struct StageRow {
  std::string file;
  std::string stage; ///< the pass or the step of the back end
  /// Before and after the pass; empty for other stages.
  OpCounts before, after;
  bool isPass = false;
  /// What the pass said.
  RemarkList remarks;
  double seconds = 0;
};

/// The index as Markdown; `timed` adds a column of times.
std::string renderIndex(llvm::ArrayRef<StageRow> rows,
                        llvm::ArrayRef<KernelResources> resources, bool timed);

/// Whether a dumped stage may have this name: "05-cse.mlir".
bool isStageName(llvm::StringRef file);

/// The files that an index names, in its order; none when `text` is no index.
std::vector<std::string> listIndexedFiles(llvm::StringRef text);

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_STAGEINDEX_H
