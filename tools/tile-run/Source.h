//===- Source.h - the kernels to run ----------------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILERUN_SOURCE_H
#define TESSERA_TOOLS_TILERUN_SOURCE_H

#include "Arguments.h"
#include "Options.h"

#include "tessera/Interpreter/Report.h"

#include "tessera/Choice/Configuration.h"
#include "tessera/Tool/ErrorsOnce.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace tessera {

/// A parsed source, at level 1 or 2, with its names.
class Source {
public:
  /// Parses settings.input. Failure after a diagnostic.
  mlir::LogicalResult parse(const RunSettings &settings);

  mlir::ModuleOp getModule() { return *module; }
  const interpreter::ValueNames &getNames() const { return names; }
  /// How the passes are to be run: what settings say, and what was chosen.
  const PipelineOptions &getPipeline() const { return pipeline; }

  /// Makes of the source what settings.stage says; names of values are gone
  /// then. A missed remark says where a pass leaves a grid as it is. Failure
  /// after a diagnostic.
  mlir::LogicalResult runPasses(const RunSettings &settings);

  /// The entry that settings name, or the only launch plan.
  llvm::Expected<std::string> findEntry(const RunSettings &settings);
  /// What it is called with.
  llvm::Expected<std::vector<Parameter>> getParameters(llvm::StringRef entry);

private:
  /// Chooses for the sizes assumed, before the source is parsed.
  mlir::LogicalResult choose(llvm::MemoryBufferRef buffer,
                             const mlir::DialectRegistry &registry,
                             const ConfigurationRequest &request);

  std::unique_ptr<mlir::MLIRContext> context;
  llvm::SourceMgr sources;
  std::unique_ptr<mlir::SourceMgrDiagnosticHandler> diagnostics;
  std::unique_ptr<ErrorsOnce> once;
  Configuration configuration;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  interpreter::ValueNames names;
  PipelineOptions pipeline;
};

} // namespace tessera

#endif // TESSERA_TOOLS_TILERUN_SOURCE_H
