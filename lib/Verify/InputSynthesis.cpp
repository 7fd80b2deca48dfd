//===- InputSynthesis.cpp - random inputs for an entry --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A candidate is run with empty buffers first; the observer sees which bytes it
// wants. It is run again with exactly those, until it wants the same: addresses
// may be computed from data. What it then read is what a pass may read.
//
//===----------------------------------------------------------------------===//

#include "Values.h"

#include "tessera/Verify/Execution.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::verify;
using namespace tessera::interpreter;

/// Candidates tried for one input, and runs in which one may ask for more.
static constexpr unsigned kMaxAttempts = 30;
static constexpr unsigned kMaxRuns = 5;

std::vector<std::string> verify::collectEntries(ModuleOp module) {
  std::vector<std::string> entries;
  llvm::StringSet<> launched;
  for (auto launch : module.getOps<tile::LaunchOp>()) {
    entries.push_back(launch.getName().str());
    launch.walk([&](tile::PlanDispatchOp dispatch) {
      launched.insert(dispatch.getKernel());
    });
  }
  for (auto kernel : module.getOps<tile::FuncOp>())
    if (kernel.isKernel() && !launched.contains(kernel.getName()))
      entries.push_back(kernel.getName().str());
  return entries;
}

namespace {

/// Learns which bytes a program touches, counted from each pointer.
class RangeObserver : public InputObserver {
public:
  struct Range {
    int64_t low = 0, high = 0;
    /// A flag for each byte from `low` on: read before it was written.
    std::vector<uint8_t> read, written;
  };

  RangeObserver(size_t numBuffers, const SynthesisOptions &options)
      : ranges(numBuffers), options(options) {}

  bool beginKernel(tile::FuncOp, Grid grid) override {
    programs += grid[0] * grid[1] * grid[2];
    return programs <= options.maxPrograms;
  }

  void access(unsigned buffer, int64_t offset,
              const AccessEvent &event) override {
    ++accesses;
    Range &range = ranges[buffer];
    if (!extend(range, offset, offset + event.bytes))
      return;
    for (int64_t i = offset - range.low; i < offset - range.low + event.bytes;
         ++i) {
      range.read[i] |= event.reads && !range.written[i];
      range.written[i] |= event.writes;
    }
  }

  /// A new run. What the last one wanted may have been computed from memory
  /// that it did not have.
  void restart() {
    programs = accesses = 0;
    isTooLarge = false;
    llvm::fill(ranges, Range());
  }

  bool isOverLimit() const {
    return programs > options.maxPrograms || accesses > options.maxAccesses;
  }

  std::vector<Range> ranges;
  int64_t programs = 0, accesses = 0;
  /// Something was accessed too far away for its buffer, which then has no
  /// range for it.
  bool isTooLarge = false;

private:
  bool extend(Range &range, int64_t low, int64_t high) {
    if (range.read.empty())
      range.low = range.high = low;
    low = std::min(low, range.low);
    high = std::max(high, range.high);
    if (high - low > options.maxBufferBytes) {
      isTooLarge = true;
      return false;
    }
    for (std::vector<uint8_t> *flags : {&range.read, &range.written}) {
      if (low < range.low) // In large steps: walks downwards are long.
        flags->insert(flags->begin(), range.low - low, 0);
      flags->resize(high - low, 0);
    }
    range.low = low;
    range.high = high;
    return true;
  }

  const SynthesisOptions &options;
};

/// Searches inputs of one entry.
class Synthesizer {
public:
  Synthesizer(ModuleOp module, FunctionOpInterface entry,
              const SynthesisOptions &options)
      : module(module), entry(entry), options(options),
        roles(findRoles(module, entry)) {}

  Synthesis run();

private:
  Input makeCandidate(Flavor flavor);
  /// Gives the candidate its memory; false when it asks for too much.
  bool fitBuffers(Input &input, Flavor flavor, Outcome &outcome);
  void fillBuffers(Input &input, const RangeObserver &observer, DataKind data,
                   uint64_t seed);
  /// Adds an input of the given number and order of operands.
  void findInput(unsigned number, ColumnOrder columns, Synthesis &result);

  ModuleOp module;
  FunctionOpInterface entry;
  const SynthesisOptions &options;
  std::vector<ArgumentRole> roles;
  std::string lastError;
};

} // namespace

Input Synthesizer::makeCandidate(Flavor flavor) {
  Input input;
  input.entry = entry.getName().str();
  Random random(options.seed * 1'000'003 + flavor.input * 1009 +
                flavor.attempt);
  for (const ArgumentRole &role : roles) {
    InputArgument argument;
    argument.name = role.name;
    argument.kind = getElementKind(role.type).value_or(ElementKind::I32);
    if (auto pointer = dyn_cast<tile::PointerType>(role.type)) {
      argument.buffer = input.buffers.size();
      InputBuffer buffer;
      buffer.name = role.name;
      buffer.kind =
          getElementKind(pointer.getPointee()).value_or(ElementKind::I8);
      if (!flavor.isAligned(input.arguments.size(), roles.size()) &&
          role.divisor == 1)
        buffer.misalignment = getByteWidth(buffer.kind);
      input.buffers.push_back(std::move(buffer));
    }
    input.arguments.push_back(std::move(argument));
  }
  chooseArguments(roles, flavor, random, input);
  return input;
}

void Synthesizer::fillBuffers(Input &input, const RangeObserver &observer,
                              DataKind data, uint64_t seed) {
  for (auto [i, buffer] : llvm::enumerate(input.buffers)) {
    const RangeObserver::Range &range = observer.ranges[i];
    unsigned width = getByteWidth(buffer.kind);
    buffer.before = -range.low;
    buffer.bytes.assign(range.high - range.low, 0);
    buffer.initialized.assign(buffer.bytes.size(), 1);
    // Whole elements, from the first that begins inside.
    int64_t begin = llvm::divideCeilSigned(range.low, int64_t(width)) * width;
    for (int64_t at = begin; at + width <= range.high; at += width)
      writeData(buffer.kind, data, seed + i * 7919, at / width,
                &buffer.bytes[at - range.low]);
  }
}

bool Synthesizer::fitBuffers(Input &input, Flavor flavor, Outcome &outcome) {
  static constexpr DataKind kinds[] = {DataKind::Wild, DataKind::Exact,
                                       DataKind::Small};
  unsigned turn = flavor.input / 2 + flavor.attempt;
  DataKind data = options.exactData ? kinds[1 + turn % 2] : kinds[turn % 3];
  uint64_t seed = options.seed + 31 * flavor.input;
  RangeObserver observer(input.buffers.size(), options);
  for (unsigned run = 0; run < kMaxRuns; ++run) {
    fillBuffers(input, observer, data, seed);
    std::vector<RangeObserver::Range> given = observer.ranges;
    observer.restart();
    outcome = execute(module, input, &observer);
    bool isStable = llvm::equal(observer.ranges, given,
                                [](const auto &wanted, const auto &range) {
                                  return wanted.low == range.low &&
                                         wanted.high == range.high;
                                });
    if (observer.isOverLimit() || (isStable && observer.isTooLarge)) {
      lastError = "programs are too many, or touch too much memory";
      return false;
    }
    if (!isStable)
      continue;
    if (!outcome.ran) {
      lastError = outcome.error;
      return false;
    }
    for (auto [buffer, range] : llvm::zip(input.buffers, observer.ranges))
      buffer.initialized.assign(range.read.begin(), range.read.end());
    return true;
  }
  lastError = "addresses keep growing with the data";
  return false;
}

void Synthesizer::findInput(unsigned number, ColumnOrder columns,
                            Synthesis &result) {
  std::optional<Input> fallback;
  size_t fewest = 0;
  for (unsigned attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Flavor flavor{number, attempt, columns};
    Input input = makeCandidate(flavor);
    Outcome outcome;
    if (!fitBuffers(input, flavor, outcome))
      continue;
    // Nothing was launched: of no use, unless nothing else works.
    bool isIdle = outcome.accesses == 0 && attempt + 6 < kMaxAttempts;
    if (outcome.findings.empty() && !isIdle) {
      result.inputs.push_back(std::move(input));
      return;
    }
    if (!isIdle && (!fallback || outcome.findings.size() < fewest)) {
      fewest = outcome.findings.size();
      fallback = std::move(input);
    }
  }
  // What a source cannot take but by rows is no fault of its own.
  if (columns != ColumnOrder::None)
    return;
  if (fallback) {
    result.haveFindings = true;
    result.inputs.push_back(std::move(*fallback));
  } else if (result.problem.empty()) {
    result.problem = lastError;
  }
}

Synthesis Synthesizer::run() {
  Synthesis result;
  for (unsigned number = 0; number < options.numInputs; ++number)
    findInput(number, ColumnOrder::None, result);
  // Aligned, as the first one: each order of operands may have its variant.
  for (ColumnOrder columns :
       {ColumnOrder::SecondOperands, ColumnOrder::FirstOperands})
    if (options.numInputs > 0 && hasColumns(roles, columns))
      findInput(0, columns, result);
  return result;
}

Synthesis verify::synthesizeInputs(ModuleOp module, StringRef entry,
                                   const SynthesisOptions &options) {
  auto function =
      dyn_cast_or_null<FunctionOpInterface>(module.lookupSymbol(entry));
  if (!function) {
    Synthesis none;
    none.problem = "there is no such entry";
    return none;
  }
  return Synthesizer(module, function, options).run();
}
