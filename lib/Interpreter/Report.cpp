//===- Report.cpp - findings as diagnostics -------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/Report.h"

#include "tessera/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

/// The kernel or private function that the operation stands in, or is.
static tile::FuncOp getFunction(Operation *op) {
  auto function = dyn_cast<tile::FuncOp>(op);
  return function ? function : op->getParentOfType<tile::FuncOp>();
}

static std::string getName(Value value, const ValueNames &names) {
  auto known = names.find(value);
  if (known != names.end())
    return known->second;
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.printAsOperand(stream, OpPrintingFlags().useLocalScope());
  return text;
}

/// "element [3, 5] of %px", as much of it as there is.
static std::string getSubject(const Finding &finding, const ValueNames &names) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!finding.element.empty()) {
    stream << "element [";
    llvm::interleaveComma(finding.element, stream);
    stream << "]";
  }
  if (finding.operand >= 0)
    stream << (text.empty() ? "" : " of ")
           << getName(finding.op->getOperand(finding.operand), names);
  return text;
}

std::string interpreter::describe(const Finding &finding,
                                  const ValueNames &names) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << getTitle(finding.kind) << ": ";
  // An argument's fact is about the launch, not about one of its programs.
  if (finding.kind != FindingKind::FalseFact) {
    std::string subject = getSubject(finding, names);
    stream << subject << (subject.empty() ? "in program (" : " in program (");
    llvm::interleaveComma(finding.program, stream);
    stream << ")";
    if (tile::FuncOp function = getFunction(finding.op))
      stream << " of " << function.getName();
    stream << (finding.detail.empty() ? "" : ": ");
  }
  stream << finding.detail;
  if (finding.count > 1)
    stream << " (" << finding.count << " times in all)";
  return text;
}

bool interpreter::reportFindings(ArrayRef<Finding> findings,
                                 const ValueNames &names) {
  bool hasError = false;
  for (const Finding &finding : findings) {
    bool isRemark = isNote(finding.kind);
    hasError |= !isRemark;
    Location location = finding.op->getLoc();
    InFlightDiagnostic diagnostic =
        isRemark ? emitRemark(location) : emitError(location);
    diagnostic << describe(finding, names);
  }
  return hasError;
}
