//===- Machine.h - a kernel made ready, and a program that runs it *- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function becomes Code once: each SSA value has a slot, each operation is an
// Instruction with a handler. A Program is one point of the grid that executes
// the code with its own slots and shared memory.
//
// Handlers are registered by operation, in one file for each family.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_INTERPRETER_MACHINE_H
#define TESSERA_LIB_INTERPRETER_MACHINE_H

#include "tessera/Interpreter/Interpreter.h"
#include "tessera/Interpreter/SharedMemory.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <any>
#include <deque>

namespace tessera::interpreter {

class Program;
struct Instruction;

/// How a program ends early.
enum class Flow : uint8_t { Next, Stop };
using Handler = Flow (*)(Program &, const Instruction &);

/// A buffer of shared memory, or one slot of it.
struct BufferValue {
  /// Byte offset of the (first) slot.
  int64_t offset = 0;
  uint32_t owner = 0;
};

/// An array in global memory (tile.make_desc).
struct Descriptor {
  uint64_t base;
  Shape extents, strides;
};

/// A value in a slot.
struct Slot {
  TensorRef tensor;
  std::shared_ptr<const Descriptor> descriptor;
  BufferValue buffer;
  /// A token's number, or an index into Program::barriers.
  uint32_t number = 0;
};

/// Copies and products that have been issued and not waited for.
struct AsyncState {
  /// What one copy will have written.
  struct Copy {
    int64_t offset;
    std::vector<uint8_t> data;
    uint32_t owner;
    mlir::Operation *op;
  };
  /// Copies of the group that is not committed yet.
  std::vector<Copy> open;
  /// Groups under way, and the number of the first of them.
  std::deque<std::vector<Copy>> groups;
  uint32_t firstGroup = 0;

  /// Bytes that one product reads.
  using Ranges = std::vector<std::pair<int64_t, int64_t>>;
  std::deque<std::pair<Ranges, mlir::Operation *>> products;
  /// Number of the first product under way; they count from 1.
  uint32_t firstProduct = 1;
  bool hasIssuedProducts() const {
    return firstProduct != 1 || !products.empty();
  }

  /// Bytes that one tensor store reads.
  struct Store {
    int64_t offset, bytes;
    mlir::Operation *op;
  };
  /// Stores of the group that is not committed yet, and groups under way.
  std::vector<Store> openStores;
  std::deque<std::vector<Store>> storeGroups;
};

/// An mbarrier: what its phase under way still waits for.
struct MBarrier {
  /// Arrivals of a phase, and those that are still to come.
  int64_t arrivals = 1, missing = 1;
  int64_t expectedBytes = 0;
  /// Phases that have ended.
  int64_t phase = 0;
  /// Epochs of the last wait for an earlier phase, and of the last arrival or
  /// copy of this one (SharedMemory::getEpoch).
  uint32_t waitEpoch = 0, eventEpoch = 0;
  /// Tensor loads under way.
  std::vector<AsyncState::Copy> copies;
};

/// What one tile_gpu.mbarrier_init has made.
struct MBarriers {
  BufferValue memory;
  std::vector<MBarrier> slots;
};

/// The type of a result, looked up once.
struct ValueType {
  ElementKind kind = ElementKind::I32;
  Shape shape;
};

/// A block: its arguments' slots, instructions, and what its terminator yields.
struct Code {
  llvm::SmallVector<unsigned, 4> arguments;
  std::vector<Instruction> instructions;
  llvm::SmallVector<unsigned, 4> yields;
};

struct Instruction {
  mlir::Operation *op = nullptr;
  Handler handler = nullptr;
  llvm::SmallVector<unsigned, 4> operands;
  llvm::SmallVector<unsigned, 2> results;
  llvm::SmallVector<ValueType, 1> resultTypes;
  std::vector<Code> regions;
  /// What a handler has worked out beforehand: a constant, a permutation.
  std::any payload;
};

/// Works out an instruction's payload. Fails after a diagnostic.
using Preparer = mlir::LogicalResult (*)(Instruction &);

class Registry {
public:
  template <typename OpTy>
  void add(Handler handler, Preparer prepare = nullptr) {
    entries[mlir::TypeID::get<OpTy>()] = {handler, prepare};
  }
  /// Null for an operation that is not known.
  const std::pair<Handler, Preparer> *find(mlir::Operation *op) const;

private:
  llvm::DenseMap<mlir::TypeID, std::pair<Handler, Preparer>> entries;
};

/// All handlers.
const Registry &getRegistry();

// The families, each in its own file.
void registerIntegerOps(Registry &registry);
void registerFloatOps(Registry &registry);
void registerConversionOps(Registry &registry);
void registerShapeOps(Registry &registry);
void registerReduceOps(Registry &registry);
void registerDotOps(Registry &registry);
void registerMemoryOps(Registry &registry);
void registerDescOps(Registry &registry);
void registerAtomicOps(Registry &registry);
void registerControlFlowOps(Registry &registry);
void registerSharedOps(Registry &registry);
void registerAsyncOps(Registry &registry);
void registerTMAOps(Registry &registry);

/// Reports operands of `instruction` that are a product's own result, and not
/// what a wait for it returned.
void checkAccumulators(Program &program, const Instruction &instruction);
/// Reports products of registers that an iteration of the loop leaves under
/// way.
void checkRegistersInFlight(Program &program, const Instruction &loop);
/// Reports what asynchronous operations of a program nothing has waited for.
void finishAsynchronous(Program &program);
void finishTensorCopies(Program &program);

/// A function made ready to run.
struct CompiledFunction {
  Code body;
  unsigned numSlots = 0;
  /// Slots and values of constants, which all programs share.
  std::vector<std::pair<unsigned, TensorRef>> constants;
  bool checksBarriers = false;
  bool usesAtomics = false;
};

mlir::FailureOr<CompiledFunction> compileFunction(tile::FuncOp function);

/// What programs of one launch share.
struct Launch {
  tile::FuncOp kernel;
  const CompiledFunction &code;
  Grid grid;
  GlobalMemory &memory;
  const RunOptions &options;
  std::mutex &printMutex;
  /// Whether programs run at the same time.
  bool isConcurrent = false;
};

/// One point of the grid.
class Program {
public:
  Program(const Launch &launch, Findings &findings);

  void run(std::array<int64_t, 3> id, int64_t linear,
           llvm::ArrayRef<TensorRef> arguments);

  /// Executes a block whose arguments have been set.
  Flow execute(const Code &code);

  const TensorRef &get(const Instruction &instruction, unsigned operand) const {
    return slots[instruction.operands[operand]].tensor;
  }
  Slot &slot(unsigned index) { return slots[index]; }
  void set(const Instruction &instruction, TensorRef value,
           unsigned result = 0) {
    slots[instruction.results[result]].tensor = std::move(value);
  }
  /// An uninitialised tensor of a result's type.
  std::shared_ptr<Tensor> make(const Instruction &instruction,
                               unsigned result = 0) const {
    const ValueType &type = instruction.resultTypes[result];
    return std::make_shared<Tensor>(type.kind, type.shape);
  }

  /// Reports a finding at element `index` of a tensor of `shape`; `detail` is
  /// asked for only when it is the first of its kind there.
  void report(FindingKind kind, const Instruction &instruction, int operand,
              int64_t index, llvm::ArrayRef<int64_t> shape,
              llvm::function_ref<std::string()> detail);

  /// Tells RunOptions::longLoop of a loop that is about to run, if it is long.
  void tellOfLoop(mlir::Operation *loop, __int128 iterations);

  const Launch &launch;
  std::array<int64_t, 3> id = {0, 0, 0};
  int64_t linear = 0;
  SharedMemory shared;
  /// Asynchronous operations under way.
  AsyncState async;
  std::vector<MBarriers> barriers;
  /// Bytes of global memory that programs of this thread were not yet known to
  /// have stored when they did (Buffer::setWriter).
  int64_t claimedBytes = 0;

private:
  std::vector<Slot> slots;
  Findings &findings;
  /// Loops that RunOptions::longLoop has been told of, and elements of an
  /// iteration of each that program 0 has entered.
  llvm::SmallPtrSet<mlir::Operation *, 4> longLoops;
  llvm::DenseMap<mlir::Operation *, int64_t> loopElements;
};

} // namespace tessera::interpreter

#endif // TESSERA_LIB_INTERPRETER_MACHINE_H
