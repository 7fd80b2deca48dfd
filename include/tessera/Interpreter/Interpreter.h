//===- Interpreter.h - run kernels on the CPU -------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes a kernel in the tile dialect, or in tile and tile_gpu at any stage
// before NVVM, for a whole grid, and reports what is wrong with it
// (docs/Interpreter.md). One operation on a tensor is one loop over its
// elements; programs are spread over threads.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_INTERPRETER_H
#define TESSERA_INTERPRETER_INTERPRETER_H

#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Interpreter/Finding.h"
#include "tessera/Interpreter/GlobalMemory.h"
#include "tessera/Interpreter/Observer.h"

namespace tessera::interpreter {

/// A loop of a kernel, as program 0 enters it.
struct LoopWork {
  mlir::Operation *loop;
  int64_t iterations;
  /// Of one iteration, inner loops counted once, and of all programs together
  /// if all are as this one; saturated.
  int64_t elements, allElements;
  int64_t programs;
};

struct RunOptions {
  /// Threads of the host that programs are spread over; 0 for one a core.
  unsigned numThreads = 0;
  /// Iterations of one execution of a `scf.while` after which a program counts
  /// as stuck.
  int64_t maxWhileIterations = 10'000'000;
  /// Where `tile.print` writes; null for nowhere.
  llvm::raw_ostream *printStream = nullptr;
  /// Told now and then how many programs are done; may be empty. Called from
  /// one thread at a time.
  std::function<void(int64_t done, int64_t total)> progress;
  /// Whether elements that a mask leaves out of a load, and that no `other`
  /// gives, are zeros and not the usual pattern: what differs depends on them.
  bool zeroesUnloaded = false;
  /// Told of the outermost loops whose elements, of all programs together, are
  /// this many or more; may be empty. Called once for a loop and a launch.
  std::function<void(const LoopWork &)> longLoop;
  int64_t longLoopElements = 10'000'000'000;
  /// Is told of every access, in an order that is always the same: programs
  /// then run one after another. May be null.
  Observer *observer = nullptr;
};

using Grid = std::array<int64_t, 3>;

/// A tensor map as an argument: a tensor at `address` with these extents and
/// strides, in elements.
TensorRef makeTensorMap(uint64_t address, llvm::ArrayRef<int64_t> extents,
                        llvm::ArrayRef<int64_t> strides);

/// Runs `kernel` for every program of `grid`, with one scalar an argument, in
/// the argument's type, or a tensor map; pointers are addresses in `memory`.
/// Fails, with a
/// diagnostic at the operation, when the kernel holds an operation that cannot
/// be run, or when arguments do not fit; findings are no failure. `findings`
/// gets what the run brought to light.
mlir::LogicalResult runKernel(tile::FuncOp kernel,
                              llvm::ArrayRef<TensorRef> arguments, Grid grid,
                              GlobalMemory &memory, const RunOptions &options,
                              Findings &findings);

/// The kind of a scalar type, or of a tensor's elements; none for a type that
/// the interpreter does not know.
std::optional<ElementKind> getElementKind(mlir::Type type);

} // namespace tessera::interpreter

#endif // TESSERA_INTERPRETER_INTERPRETER_H
