//===- DumpStages.cpp - every stage of a compilation as a file ------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DumpStages.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "tessera/Target/SymbolNames.h"
#include "tessera/Target/WriteFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace llvm;

namespace tessera {

Error DumpFolder::open(StringRef path) {
  if (std::error_code error = sys::fs::create_directories(path))
    return createStringError(error, "--dump-dir: cannot make folder '" + path +
                                        "': " + error.message());
  if (!sys::fs::is_directory(path))
    return createStringError("--dump-dir: '" + path + "' is not a folder");
  folder = path.str();
  return removeEarlierRun();
}

// A shorter run would leave files of a longer one beside its own. The index of
// the earlier run tells which files were its; no other file is touched.
Error DumpFolder::removeEarlierRun() {
  SmallString<128> index(folder);
  sys::path::append(index, "index.md");
  ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(index);
  if (!text)
    return Error::success();
  for (const std::string &file : listIndexedFiles((*text)->getBuffer())) {
    SmallString<128> path(folder);
    sys::path::append(path, file);
    if (std::error_code error = sys::fs::remove(path))
      return createStringError(error,
                               "--dump-dir: cannot remove '" + path +
                                   "' of an earlier run: " + error.message());
  }
  return Error::success();
}

void DumpFolder::writeFile(StringRef file, StringRef contents) {
  SmallString<128> path(folder);
  sys::path::append(path, file);
  Error error = tessera::writeFile(path, contents);
  if (!error)
    return;
  std::string text = toString(std::move(error));
  if (firstError.empty())
    firstError = "--dump-dir: " + text;
}

void DumpFolder::write(StringRef name, StringRef extension,
                       StringRef contents) {
  if (!isOpen())
    return;
  StageRow row;
  raw_string_ostream(row.file)
      << format("%02u-", number++) << name << "." << extension;
  row.stage = name.str();
  writeFile(row.file, contents);
  rows.push_back(std::move(row));
}

void DumpFolder::writeIndex(ArrayRef<KernelResources> resources, bool timed) {
  if (isOpen())
    writeFile("index.md", renderIndex(rows, resources, timed));
}

/// The text of `op`, with names for layouts: MLIR gives them only to operations
/// without a parent. A copy of a valid function has none and is printed as
/// valid, although a function belongs into a module.
static std::string print(mlir::Operation *op) {
  std::string text;
  raw_string_ostream stream(text);
  mlir::ScopedDiagnosticHandler silence(
      op->getContext(), [](mlir::Diagnostic &) { return success(); });
  if (!op->getParentOp() || failed(mlir::verify(op))) {
    op->print(stream);
    return text;
  }
  mlir::OwningOpRef<mlir::Operation *> copy = op->clone();
  copy.get()->print(stream, mlir::OpPrintingFlags().assumeVerified());
  return text;
}

void DumpFolder::write(StringRef name, mlir::Operation *op) {
  if (!isOpen())
    return;
  write(name, "mlir", print(op));
}

Error DumpFolder::takeError() {
  if (firstError.empty())
    return Error::success();
  return createStringError(firstError);
}

namespace {
/// Passes run nested in each other at times, hence the stack.
struct DumpInstrumentation : mlir::PassInstrumentation {
  using Clock = std::chrono::steady_clock;

  DumpInstrumentation(DumpFolder &folder, const RemarkList &remarks)
      : folder(folder), remarks(remarks) {}

  // Adaptors, which run a pipeline on nested operations, have no argument.
  static bool isAdaptor(mlir::Pass *pass) {
    return pass->getArgument().empty();
  }

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    if (!isAdaptor(pass))
      running.push_back({countOps(op), remarks.size(), Clock::now()});
  }

  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    std::string name = pass->getArgument().str();
    if (auto symbol = dyn_cast<mlir::SymbolOpInterface>(op);
        symbol && symbol.getNameAttr())
      name += "-" + getPTXName(symbol.getName());
    finish(pass, name, op);
  }

  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override {
    finish(pass, pass->getArgument().str() + "-failed", op);
  }

private:
  struct Running {
    OpCounts ops;
    size_t numRemarks;
    Clock::time_point start;
  };

  void finish(mlir::Pass *pass, const std::string &name, mlir::Operation *op) {
    if (isAdaptor(pass))
      return;
    Running begin = running.pop_back_val();
    std::chrono::duration<double> time = Clock::now() - begin.start;
    folder.write(name, op);
    StageRow &row = folder.getLastRow();
    row.isPass = true;
    row.seconds = time.count();
    row.before = std::move(begin.ops);
    row.after = countOps(op);
    row.remarks.assign(remarks.begin() + begin.numRemarks, remarks.end());
  }

  DumpFolder &folder;
  const RemarkList &remarks;
  SmallVector<Running> running;
};
} // namespace

void dumpAfterPasses(mlir::PassManager &manager, DumpFolder &folder,
                     const RemarkList &remarks) {
  if (folder.isOpen())
    manager.addInstrumentation(
        std::make_unique<DumpInstrumentation>(folder, remarks));
}

} // namespace tessera
