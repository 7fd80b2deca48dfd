//===- DumpStages.cpp - every stage of a compilation as a file ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DumpStages.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "tessera/Target/SymbolNames.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tessera {

Error DumpFolder::open(StringRef path) {
  if (std::error_code error = sys::fs::create_directories(path))
    return createStringError(error, "--dump-dir: cannot make folder '" + path +
                                        "': " + error.message());
  if (!sys::fs::is_directory(path))
    return createStringError("--dump-dir: '" + path + "' is not a folder");
  folder = path.str();
  return Error::success();
}

void DumpFolder::write(StringRef name, StringRef extension,
                       StringRef contents) {
  if (!isOpen())
    return;
  std::string file;
  raw_string_ostream(file) << format("%02u-", number++) << name << "."
                           << extension;
  SmallString<128> path(folder);
  sys::path::append(path, file);
  std::error_code error;
  raw_fd_ostream stream(path, error, sys::fs::OF_None);
  if (!error) {
    stream << contents;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error && firstError.empty())
    firstError =
        ("--dump-dir: cannot write '" + path + "': " + error.message()).str();
}

void DumpFolder::write(StringRef name, mlir::Operation *op) {
  if (!isOpen())
    return;
  std::string text;
  raw_string_ostream stream(text);
  op->print(stream);
  write(name, "mlir", text);
}

Error DumpFolder::takeError() {
  if (firstError.empty())
    return Error::success();
  return createStringError(firstError);
}

namespace {
struct DumpInstrumentation : mlir::PassInstrumentation {
  explicit DumpInstrumentation(DumpFolder &folder) : folder(folder) {}

  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    // Adaptors, which run a pipeline on nested operations, have no argument.
    if (pass->getArgument().empty())
      return;
    std::string name = pass->getArgument().str();
    if (auto symbol = dyn_cast<mlir::SymbolOpInterface>(op);
        symbol && symbol.getNameAttr())
      name += "-" + getPTXName(symbol.getName());
    folder.write(name, op);
  }

  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override {
    if (!pass->getArgument().empty())
      folder.write(pass->getArgument().str() + "-failed", op);
  }

  DumpFolder &folder;
};
} // namespace

void dumpAfterPasses(mlir::PassManager &manager, DumpFolder &folder) {
  if (folder.isOpen())
    manager.addInstrumentation(std::make_unique<DumpInstrumentation>(folder));
}

} // namespace tessera
