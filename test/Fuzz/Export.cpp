//===- Export.cpp - a kernel, its inputs and its results as files ---------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Export.h"

#include "tessera/Target/WriteFile.h"
#include "tessera/Transforms/Passes.h"
#include "tessera/Verify/Execution.h"
#include "tessera/Verify/Unspecified.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;
using namespace tessera::interpreter;

namespace {

/// An input and what the source makes of it.
struct Run {
  verify::Input input;
  verify::Outcome outcome;
};

/// Bytes of all runs, and where they lie.
class Bytes {
public:
  /// Where in the file these are.
  int64_t add(ArrayRef<uint8_t> bytes) {
    int64_t offset = contents.size();
    contents.append(bytes.begin(), bytes.end());
    return offset;
  }
  StringRef get() const { return contents; }

private:
  std::string contents;
};

} // namespace

//===----------------------------------------------------------------------===//
// The runs
//===----------------------------------------------------------------------===//

/// Inputs on which the source has no faults. Their memory goes to another
/// machine.
static std::vector<Run> collectRuns(ModuleOp source) {
  verify::SynthesisOptions options = getInputOptions();
  options.maxBufferBytes = 1 << 18;
  std::vector<Run> runs;
  for (const std::string &entry : verify::collectEntries(source)) {
    verify::Synthesis synthesis =
        verify::synthesizeInputs(source, entry, options);
    if (synthesis.haveFindings)
      continue;
    for (verify::Input &input : synthesis.inputs) {
      Run run{std::move(input), {}};
      run.outcome = verify::execute(source, run.input);
      if (!run.outcome.ran || !run.outcome.findings.empty())
        continue;
      verify::markUnspecified(source, run.input, run.outcome);
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

/// A flag for each byte that has to be what the outcome has: all but those that
/// nobody wrote, or whose value the source leaves open.
static std::vector<uint8_t> getCompared(const verify::Outcome &outcome,
                                        size_t buffer) {
  std::vector<uint8_t> compared(outcome.buffers[buffer].size(), 1);
  if (!outcome.initialized[buffer].empty())
    compared = outcome.initialized[buffer];
  if (!outcome.unspecified.empty())
    for (auto [flag, isOpen] : llvm::zip(compared, outcome.unspecified[buffer]))
      flag &= !isOpen;
  return compared;
}

//===----------------------------------------------------------------------===//
// The files
//===----------------------------------------------------------------------===//

static void writeBuffer(llvm::json::OStream &out, const Run &run, size_t index,
                        Bytes &bytes) {
  const verify::InputBuffer &buffer = run.input.buffers[index];
  out.object([&] {
    out.attribute("name", buffer.name);
    out.attribute("type", getName(buffer.kind));
    out.attribute("misalignment", buffer.misalignment);
    out.attribute("before", buffer.before);
    out.attribute("size", int64_t(buffer.bytes.size()));
    out.attribute("initial", bytes.add(buffer.bytes));
    out.attribute("expected", bytes.add(run.outcome.buffers[index]));
    out.attribute("compared", bytes.add(getCompared(run.outcome, index)));
  });
}

static void writeArgument(llvm::json::OStream &out,
                          const verify::InputArgument &argument) {
  out.object([&] {
    if (argument.kind == ElementKind::Pointer)
      out.attribute("buffer", argument.buffer);
    else if (isFloat(argument.kind))
      out.attribute("value", argument.floating);
    else
      out.attribute("value", argument.integer);
  });
}

static void writeRun(llvm::json::OStream &out, ModuleOp source, const Run &run,
                     Bytes &bytes) {
  std::vector<uint64_t> pointers(run.input.buffers.size());
  EntryRequest request = verify::buildRequest(source, run.input, pointers);
  out.object([&] {
    out.attribute("entry", request.entry);
    out.attribute("input", run.input.describe());
    if (request.grid)
      out.attributeArray("grid", [&] {
        for (int64_t extent : *request.grid)
          out.value(extent);
      });
    out.attributeArray("arguments", [&] {
      for (const verify::InputArgument &argument : run.input.arguments)
        writeArgument(out, argument);
    });
    out.attributeArray("buffers", [&] {
      for (size_t i = 0; i < run.input.buffers.size(); ++i)
        writeBuffer(out, run, i, bytes);
    });
  });
}

static LogicalResult
writeAll(StringRef folder, StringRef stem,
         ArrayRef<std::pair<StringRef, StringRef>> contentsOfExtension) {
  for (auto [extension, contents] : contentsOfExtension) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, stem + extension);
    if (llvm::Error error = writeFile(path, contents)) {
      llvm::errs() << llvm::toString(std::move(error)) << "\n";
      return failure();
    }
  }
  return success();
}

Exported fuzz::exportModule(ModuleOp source, const CheckOptions &options,
                            StringRef folder, StringRef stem) {
  // The entries are those of the manifest.
  PassManager plans(source.getContext());
  plans.addPass(createTileDefaultLaunchPass());
  if (failed(plans.run(source)))
    return Exported::Failed;
  std::vector<Run> runs = collectRuns(source);
  if (runs.empty())
    return Exported::NoInputs;
  OwningOpRef<ModuleOp> module = source.clone();
  FailureOr<CompileResult> compiled =
      compileTo(Artifact::Cubin, *module, options, (stem + ".cubin").str());
  if (failed(compiled))
    return mayBeRefused(source, options) ? Exported::Refused : Exported::Failed;
  Bytes bytes;
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream out(stream, /*IndentSize=*/1);
  out.array([&] {
    for (const Run &run : runs)
      writeRun(out, source, run, bytes);
  });
  LogicalResult written = writeAll(folder, stem,
                                   {{".cubin", compiled->output},
                                    {".json", compiled->manifest},
                                    {".bin", bytes.get()},
                                    {".case", text}});
  return succeeded(written) ? Exported::Written : Exported::Failed;
}
