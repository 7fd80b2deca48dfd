//===- Observer.h - look on while kernels run -------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which bytes does a kernel touch, and which operation stored this element?
// Answers to questions that are asked about a run, not about its result.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_OBSERVER_H
#define TESSERA_INTERPRETER_OBSERVER_H

#include "tessera/Dialect/Tile/IR/Tile.h"

#include <array>

namespace tessera::interpreter {

/// One element of an operation on global memory, or the fill of a plan.
struct AccessEvent {
  mlir::Operation *op;
  /// Number of the program in the order x, y, z; -1 for a fill.
  int64_t program;
  /// Row-major index of the element in the operation's tensor.
  int64_t element;
  /// The address need not lie in a buffer.
  uint64_t address;
  int64_t bytes;
  bool reads, writes;
};

class Observer {
public:
  virtual ~Observer() = default;
  /// A kernel is about to run; false leaves it out.
  virtual bool beginKernel(tile::FuncOp, std::array<int64_t, 3>) {
    return true;
  }
  /// Before it happens, and before it is checked.
  virtual void access(const AccessEvent &) {}
};

} // namespace tessera::interpreter

#endif // TESSERA_INTERPRETER_OBSERVER_H
