//===- Execution.cpp - run an entry on an input ---------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Verify/Execution.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::verify;
using namespace tessera::interpreter;

/// Iterations after which a loop counts as endless: inputs are small.
static constexpr int64_t kMaxWhileIterations = 20'000;

bool Outcome::has(FindingKind kind) const {
  return llvm::any_of(
      findings, [&](const Finding &finding) { return finding.kind == kind; });
}

std::string Input::describe() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::ListSeparator separator;
  for (const InputArgument &argument : arguments) {
    if (argument.kind == ElementKind::Pointer)
      continue;
    out << separator << argument.name << " = ";
    if (isFloat(argument.kind))
      out << argument.floating;
    else
      out << argument.integer;
  }
  return text;
}

std::string verify::describeLocation(Operation *op) {
  auto file = op->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "an unknown place";
  return llvm::sys::path::filename(file.getFilename().getValue()).str() + ":" +
         std::to_string(file.getLine()) + ":" +
         std::to_string(file.getColumn());
}

namespace {

/// Translates addresses into places of the input's buffers.
class Watcher : public Observer {
public:
  Watcher(Outcome &outcome, InputObserver *inner)
      : outcome(outcome), inner(inner) {}

  bool beginKernel(tile::FuncOp kernel, std::array<int64_t, 3> grid) override {
    outcome.kernels.insert(kernel.getName());
    return !inner || inner->beginKernel(kernel, grid);
  }

  void access(const AccessEvent &event) override {
    ++outcome.accesses;
    if (!inner)
      return;
    // Buffers are 2^40 bytes apart (GlobalMemory.cpp).
    for (auto [index, pointer] : llvm::enumerate(pointers)) {
      int64_t offset = int64_t(event.address - pointer);
      if (std::abs(offset) < int64_t(1) << 39)
        return inner->access(index, offset, event);
    }
  }

  std::vector<uint64_t> pointers;

private:
  Outcome &outcome;
  InputObserver *inner;
};

} // namespace

/// Puts the input's buffers into memory, in order; returns their pointers.
static std::vector<uint64_t> allocateBuffers(const Input &input,
                                             GlobalMemory &memory) {
  std::vector<uint64_t> pointers;
  for (const InputBuffer &source : input.buffers) {
    // The pointer lies a multiple of 256, plus the misalignment, behind the
    // place where a buffer of its own would begin.
    int64_t room = std::max<int64_t>(
        0, llvm::alignTo(std::max<int64_t>(0, source.before), 256));
    int64_t pointer = room + source.misalignment;
    Buffer &buffer = memory.allocate(source.name, source.bytes.size(),
                                     pointer - source.before);
    buffer.restore({source.bytes, source.initialized});
    pointers.push_back(buffer.getAddress() + source.before);
  }
  return pointers;
}

/// The plan that launches a kernel, if there is one by now.
static std::string resolveEntry(ModuleOp module, StringRef name) {
  auto kernel = dyn_cast_or_null<tile::FuncOp>(module.lookupSymbol(name));
  if (!kernel)
    return name.str();
  for (auto launch : module.getOps<tile::LaunchOp>()) {
    WalkResult walk = launch.walk([&](tile::PlanDispatchOp dispatch) {
      return dispatch.getKernel() == name ? WalkResult::interrupt()
                                          : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return launch.getName().str();
  }
  return name.str();
}

EntryRequest verify::buildRequest(ModuleOp module, const Input &input,
                                  ArrayRef<uint64_t> pointers) {
  EntryRequest request;
  request.entry = resolveEntry(module, input.entry);
  auto launch =
      dyn_cast_or_null<tile::LaunchOp>(module.lookupSymbol(request.entry));
  // A plan that computes its grid refuses another one.
  bool isGiven = !launch;
  if (launch)
    launch.walk([&](tile::PlanCallerGridOp) { isGiven = true; });
  if (isGiven)
    request.grid = input.grid;
  // Few, so that programs which stay have more than one tile.
  request.numSMs = 3;
  for (const InputArgument &argument : input.arguments) {
    if (argument.kind == ElementKind::Pointer)
      request.arguments.push_back(tessera_pointer(pointers[argument.buffer]));
    else if (isFloat(argument.kind))
      request.arguments.push_back(tessera_float(argument.floating));
    else
      request.arguments.push_back(tessera_integer(argument.integer));
  }
  return request;
}

Outcome verify::execute(ModuleOp module, const Input &input,
                        InputObserver *observer, bool zeroesUnloaded) {
  Outcome outcome;
  GlobalMemory memory;
  Watcher watcher(outcome, observer);
  watcher.pointers = allocateBuffers(input, memory);
  EntryRequest request = buildRequest(module, input, watcher.pointers);
  RunOptions options;
  options.maxWhileIterations = kMaxWhileIterations;
  options.observer = &watcher;
  options.zeroesUnloaded = zeroesUnloaded;

  ScopedDiagnosticHandler diagnostics(module.getContext(),
                                      [&](Diagnostic &diagnostic) {
                                        if (outcome.error.empty())
                                          outcome.error = diagnostic.str();
                                        return success();
                                      });
  Findings findings;
  outcome.ran = succeeded(runEntry(module, request, memory, options, findings));
  for (Finding &finding : findings.takeSorted())
    if (!isNote(finding.kind))
      outcome.findings.push_back(std::move(finding));
  for (auto [buffer, source] :
       llvm::zip_first(input.buffers, memory.getBuffers())) {
    Buffer::Contents contents = source.save();
    outcome.buffers.push_back(std::move(contents.bytes));
    outcome.initialized.push_back(std::move(contents.initialized));
  }
  return outcome;
}
