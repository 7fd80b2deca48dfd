//===- DumpStages.h - every stage of a compilation as a file ----*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --dump-dir=DIR: DIR/00-input.mlir, then one file after each pass, numbered in
// the order of running and named after the pass, then LLVM IR, PTX and cubin.
// A pass on functions writes one file for each function, with its name.
// index.md lists them (StageIndex.h).
//
// Files are written at once, so that those before a crash remain; the index
// comes last.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_DUMPSTAGES_H
#define TESSERA_TOOLS_TILEOPT_DUMPSTAGES_H

#include "StageIndex.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tessera {

/// The folder of dumps; does nothing when it was never opened.
class DumpFolder {
public:
  /// Makes the folder, also its parents.
  llvm::Error open(llvm::StringRef path);
  bool isOpen() const { return !folder.empty(); }

  /// Writes the next file, NN-name.extension.
  void write(llvm::StringRef name, llvm::StringRef extension,
             llvm::StringRef contents);
  /// The same for an operation, with locations left out.
  void write(llvm::StringRef name, mlir::Operation *op);
  /// The row of the file just written, for whoever knows more about it.
  StageRow &getLastRow() { return rows.back(); }
  /// Writes index.md.
  void writeIndex(llvm::ArrayRef<KernelResources> resources, bool timed);

  /// The first error of a write, or success.
  llvm::Error takeError();

private:
  /// Removes what the index in the folder names.
  llvm::Error removeEarlierRun();
  void writeFile(llvm::StringRef file, llvm::StringRef contents);

  std::string folder;
  std::vector<StageRow> rows;
  std::string firstError;
  unsigned number = 0;
};

/// Writes the IR after every pass of `manager`. The remarks that a pass has
/// added to `remarks` go into its row. Both must outlive the manager.
void dumpAfterPasses(mlir::PassManager &manager, DumpFolder &folder,
                     const RemarkList &remarks);

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_DUMPSTAGES_H
