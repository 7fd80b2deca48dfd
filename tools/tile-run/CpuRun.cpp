//===- CpuRun.cpp - run an entry by the interpreter -----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuRun.h"

#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Interpreter/Launch.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

#include <chrono>

using namespace mlir;

namespace tessera {

using namespace interpreter;

namespace {

/// A line on stderr that says how far a long run is.
class ProgressLine {
public:
  explicit ProgressLine(bool isDemanded)
      : isTerminal(llvm::sys::Process::StandardErrIsDisplayed()),
        isDemanded(isDemanded) {}

  void update(int64_t done, int64_t total) {
    numPrograms = total;
    auto now = std::chrono::steady_clock::now();
    if (done == total || now - last < std::chrono::seconds(1))
      return;
    last = now;
    llvm::errs() << (isTerminal ? "\r" : "") << done << " of " << total
                 << " programs" << (isTerminal ? "\x1b[K" : "\n");
    isShown = true;
  }
  /// Makes room for other lines.
  void finish() {
    if (isShown && isTerminal)
      llvm::errs() << "\r\x1b[K";
    if (isDemanded)
      llvm::errs() << numPrograms << " of " << numPrograms << " programs\n";
  }
  bool isWanted() const { return isTerminal || isDemanded; }

private:
  bool isTerminal, isDemanded;
  /// Of the kernel that ran last.
  int64_t numPrograms = 0;
  bool isShown = false;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

} // namespace

/// Copies an argument's tensor into memory, under the argument's name.
static Buffer &addBuffer(GlobalMemory &memory, const Argument &argument) {
  const HostArray &array = argument.array;
  Buffer &buffer = memory.allocate(argument.parameter.name, array.bytes.size(),
                                   argument.getStart());
  int64_t width = getByteWidth(array.kind);
  for (int64_t i = 0, e = array.written.size(); i < e; ++i)
    if (array.written[i]) {
      std::copy_n(array.at(i), width, buffer.data() + i * width);
      buffer.setInitialized(i * width, width);
    }
  if (array.written.empty())
    buffer.initialize(array.bytes);
  return buffer;
}

static void readBack(const Buffer &buffer, HostArray &array) {
  array.bytes.assign(buffer.data(), buffer.data() + buffer.size());
  array.written.clear();
  if (buffer.isInitialized(0, buffer.size()))
    return;
  int64_t width = getByteWidth(array.kind);
  for (int64_t i = 0, e = array.size(); i < e; ++i)
    array.written.push_back(buffer.isInitialized(i * width, width));
}

/// Says once for each loop of the source that running it takes long, and how
/// much there is of it.
static std::function<void(const LoopWork &)> tellOfLongLoops() {
  return [told = llvm::DenseSet<Operation *>()](const LoopWork &work) mutable {
    if (told.insert(work.loop).second)
      work.loop->emitRemark()
          << "takes long on the CPU: " << work.iterations
          << " iterations of about " << work.elements << " elements in "
          << (work.programs == 1 ? "the program"
                                 : "each of " + std::to_string(work.programs) +
                                       " programs")
          << ", about " << work.allElements
          << " in all; --progress tells how many programs are done";
  };
}

int runOnCPU(Source &source, StringRef entry, const RunSettings &settings,
             std::vector<Argument> &arguments) {
  GlobalMemory memory;
  std::vector<Buffer *> buffers;
  EntryRequest request;
  request.entry = entry.str();
  request.grid = settings.grid;
  request.numSMs = settings.numSMs;
  for (Argument &argument : arguments) {
    Buffer *buffer = nullptr;
    if (argument.isTensor) {
      buffer = argument.ownsTensor() ? &addBuffer(memory, argument)
                                     : buffers[argument.sameAs];
      argument.value = tessera_pointer(
          buffer->getAddress() +
          (argument.ownsTensor() ? argument : arguments[argument.sameAs])
              .offset);
    }
    buffers.push_back(buffer);
    request.arguments.push_back(argument.value);
  }

  ProgressLine line(settings.showsProgress);
  RunOptions options;
  options.numThreads = settings.numThreads;
  // Prints keep the programs' order, which costs threads: only where there are
  // any.
  if (source.getModule()
          ->walk([](tile::PrintOp) { return WalkResult::interrupt(); })
          .wasInterrupted())
    options.printStream = &llvm::outs();
  if (line.isWanted())
    options.progress = [&](int64_t done, int64_t total) {
      line.update(done, total);
    };
  options.longLoop = tellOfLongLoops();
  Findings findings;
  LogicalResult result =
      runEntry(source.getModule(), request, memory, options, findings);
  line.finish();
  llvm::outs().flush();
  // Also of a launch of which a later kernel could not run.
  bool hasFaults = reportFindings(findings.takeSorted(), source.getNames());
  for (auto [argument, buffer] : llvm::zip(arguments, buffers))
    if (argument.ownsTensor())
      readBack(*buffer, argument.array);
  if (failed(result))
    return kExitUsage;
  return hasFaults ? kExitFindings : 0;
}

} // namespace tessera
