//===- Interpreter.cpp - run kernels on the CPU ---------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spreads the programs of a launch over threads. Neither findings nor results
// depend on how: where programs store what others store or read, the launch
// runs again in order, on the memory as it was.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "llvm/Support/MathExtras.h"

#include <atomic>
#include <thread>

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

TensorRef interpreter::makeTensorMap(uint64_t address,
                                     ArrayRef<int64_t> extents,
                                     ArrayRef<int64_t> strides) {
  int64_t rank = extents.size();
  auto map = std::make_shared<Tensor>(ElementKind::I64, 1 + 2 * rank);
  int64_t *numbers = map->data<int64_t>();
  numbers[0] = int64_t(address);
  llvm::copy(extents, numbers + 1);
  llvm::copy(strides, numbers + 1 + rank);
  return map;
}

/// Whether `value` may be an argument of `type`.
static bool isArgument(Type type, const Tensor &value) {
  if (auto map = dyn_cast<tile::TensorMapType>(type))
    return value.getKind() == ElementKind::I64 &&
           value.getShape() == ArrayRef<int64_t>(1 + 2 * map.getRank());
  return value.getShape().empty() && value.getKind() == getElementKind(type);
}

static LogicalResult checkArguments(tile::FuncOp kernel,
                                    ArrayRef<TensorRef> arguments, Grid grid) {
  if (arguments.size() != kernel.getNumArguments())
    return kernel.emitError() << "takes " << kernel.getNumArguments()
                              << " arguments, not " << arguments.size();
  for (auto [index, type, value] :
       llvm::enumerate(kernel.getArgumentTypes(), arguments))
    if (!isArgument(type, *value))
      return kernel.emitError() << "argument #" << index << " is " << type
                                << ", not " << getName(value->getKind());
  // Writers of memory are told apart by 32 bits.
  int64_t total = 1;
  for (int64_t extent : grid)
    if (extent < 0 || llvm::MulOverflow(total, extent, total) ||
        total > std::numeric_limits<int32_t>::max())
      return kernel.emitError()
             << "a grid of " << grid[0] << "x" << grid[1] << "x" << grid[2]
             << " is not possible";
  return success();
}

namespace {

/// Checks that arguments are what their attributes say.
class FactChecker {
public:
  FactChecker(tile::FuncOp kernel, ArrayRef<TensorRef> arguments,
              GlobalMemory &memory, Findings &findings)
      : kernel(kernel), arguments(arguments), memory(memory),
        findings(findings) {}

  void check() {
    for (unsigned i = 0; i < arguments.size(); ++i)
      checkArgument(i);
  }

private:
  void checkArgument(unsigned index);
  void checkAliases(unsigned index);
  std::string getName(unsigned index) {
    auto name =
        kernel.getArgAttrOfType<StringAttr>(index, tile::TileDialect::kName);
    return name ? name.str() : "#" + std::to_string(index);
  }
  void report(unsigned index, std::string detail) {
    if (findings.countIfKnown(FindingKind::FalseFact, kernel))
      return;
    Finding finding;
    finding.kind = FindingKind::FalseFact;
    finding.op = kernel;
    finding.program = {0, 0, 0};
    finding.linearProgram = 0;
    finding.detail = getName(index) + " " + std::move(detail);
    findings.add(std::move(finding));
  }

  tile::FuncOp kernel;
  ArrayRef<TensorRef> arguments;
  GlobalMemory &memory;
  Findings &findings;
};

} // namespace

void FactChecker::checkArgument(unsigned index) {
  ElementKind kind = arguments[index]->getKind();
  if (isFloat(kind) || !arguments[index]->getShape().empty())
    return;
  int64_t value = readSigned(kind, arguments[index]->at(0));
  auto number = [&](StringRef name) {
    return kernel.getArgAttrOfType<IntegerAttr>(index, name);
  };
  if (auto divisor = number(tile::TileDialect::kDivisibleBy))
    if (value % divisor.getInt() != 0)
      report(index, "is not divisible by " + std::to_string(divisor.getInt()));
  if (auto equal = number(tile::TileDialect::kEquals))
    if (value != equal.getInt())
      report(index, "is " + std::to_string(value) + ", not " +
                        std::to_string(equal.getInt()));
  if (kind == ElementKind::Pointer)
    checkAliases(index);
}

void FactChecker::checkAliases(unsigned index) {
  Buffer *buffer = memory.find(readUnsigned(ElementKind::Pointer,
                                            arguments[index]->at(0)));
  bool isReadOnly = bool(kernel.getArgAttr(index, tile::TileDialect::kReadOnly));
  if (buffer)
    buffer->readOnly |= isReadOnly;
  if (!kernel.getArgAttr(index, tile::TileDialect::kNoAlias))
    return;
  for (unsigned other = 0; other < arguments.size(); ++other) {
    if (other == index || arguments[other]->getKind() != ElementKind::Pointer ||
        std::memcmp(arguments[other]->at(0), arguments[index]->at(0), 8) != 0)
      continue;
    if (!isReadOnly || !kernel.getArgAttr(other, tile::TileDialect::kReadOnly))
      report(index, "aliases " + getName(other));
  }
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {

/// One run of all programs.
class Dispatcher {
public:
  Dispatcher(const Launch &launch, ArrayRef<TensorRef> arguments)
      : launch(launch), arguments(arguments),
        total(launch.grid[0] * launch.grid[1] * launch.grid[2]) {}

  void run(unsigned numThreads, Findings &findings);
  /// After a run: whether what programs computed, or what was found, may depend
  /// on their order.
  bool dependedOnOrder() const;

private:
  void work(Findings &findings, bool reportsProgress);

  const Launch &launch;
  ArrayRef<TensorRef> arguments;
  int64_t total;
  std::atomic<int64_t> next{0}, claimedBytes{0};
};

} // namespace

void Dispatcher::work(Findings &findings, bool reportsProgress) {
  Program program(launch, findings);
  for (int64_t linear; (linear = next++) < total;) {
    Grid id = {linear % launch.grid[0],
               linear / launch.grid[0] % launch.grid[1],
               linear / launch.grid[0] / launch.grid[1]};
    program.run(id, linear, arguments);
    if (reportsProgress && launch.options.progress)
      launch.options.progress(std::min(next.load(), total), total);
  }
  claimedBytes += program.claimedBytes;
}

void Dispatcher::run(unsigned numThreads, Findings &findings) {
  std::vector<Findings> parts(numThreads);
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < numThreads; ++i)
    threads.emplace_back([&, i] { work(parts[i], /*reportsProgress=*/false); });
  work(parts[0], /*reportsProgress=*/true);
  for (std::thread &thread : threads)
    thread.join();
  // This thread may have found no program left.
  if (launch.options.progress)
    launch.options.progress(total, total);
  for (Findings &part : parts)
    findings.merge(std::move(part));
}

bool Dispatcher::dependedOnOrder() const {
  int64_t stored = 0;
  for (const Buffer &buffer : launch.memory.getBuffers()) {
    if (buffer.isReadByOthers())
      return true;
    stored += buffer.countStored();
  }
  return stored != claimedBytes;
}

static void beginLaunch(Launch &launch, bool isConcurrent) {
  launch.isConcurrent = isConcurrent;
  for (Buffer &buffer : launch.memory.getBuffers())
    buffer.beginLaunch(isConcurrent);
}

static Findings runInOrder(Launch &launch, ArrayRef<TensorRef> arguments) {
  Findings found;
  beginLaunch(launch, /*isConcurrent=*/false);
  Dispatcher(launch, arguments).run(/*numThreads=*/1, found);
  return found;
}

/// Runs programs at the same time, and then once more in order if that may have
/// made a difference.
static Findings runConcurrently(Launch &launch, ArrayRef<TensorRef> arguments,
                                unsigned numThreads) {
  GlobalMemory &memory = launch.memory;
  std::vector<Buffer::Contents> saved;
  for (Buffer &buffer : memory.getBuffers())
    saved.push_back(buffer.save());
  Findings found;
  beginLaunch(launch, /*isConcurrent=*/true);
  Dispatcher dispatcher(launch, arguments);
  dispatcher.run(numThreads, found);
  if (!dispatcher.dependedOnOrder())
    return found;
  for (auto [buffer, contents] : llvm::zip(memory.getBuffers(), saved))
    buffer.restore(std::move(contents));
  return runInOrder(launch, arguments);
}

LogicalResult interpreter::runKernel(tile::FuncOp kernel,
                                     ArrayRef<TensorRef> arguments, Grid grid,
                                     GlobalMemory &memory,
                                     const RunOptions &options,
                                     Findings &findings) {
  if (failed(checkArguments(kernel, arguments, grid)))
    return failure();
  auto code = compileFunction(kernel);
  if (failed(code))
    return failure();
  if (options.observer && !options.observer->beginKernel(kernel, grid))
    return success();
  for (Buffer &buffer : memory.getBuffers())
    buffer.readOnly = false;
  FactChecker(kernel, arguments, memory, findings).check();

  std::mutex printMutex;
  Launch launch{kernel, *code, grid, memory, options, printMutex};
  int64_t total = grid[0] * grid[1] * grid[2];
  unsigned numThreads = options.numThreads ? options.numThreads
                                           : std::thread::hardware_concurrency();
  // The order of prints and of atomic updates of floats is then the programs'.
  if (code->usesAtomics || options.printStream || options.observer)
    numThreads = 1;
  numThreads = std::max<int64_t>(1, std::min<int64_t>(numThreads, total));

  findings.merge(numThreads > 1
                     ? runConcurrently(launch, arguments, numThreads)
                     : runInOrder(launch, arguments));
  return success();
}
