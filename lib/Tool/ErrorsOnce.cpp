//===- ErrorsOnce.cpp - each error of a kernel once -----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Tool/ErrorsOnce.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;

static void describe(Diagnostic &diagnostic, llvm::raw_ostream &os) {
  os << diagnostic.getLocation() << ' ' << diagnostic << '\n';
}

ErrorsOnce::ErrorsOnce(MLIRContext *context)
    : ScopedDiagnosticHandler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        std::string text;
        llvm::raw_string_ostream os(text);
        describe(diagnostic, os);
        for (Diagnostic &note : diagnostic.getNotes())
          describe(note, os);
        // A failure passes it on.
        return failure(seen.insert(text).second);
      }) {}
