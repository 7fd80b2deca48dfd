//===- OuterLoop.h - the loop around a pipelined one ------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Persistent programs have a loop over tiles: scf.for, or, where the next tile
// is known only when a tile has begun, scf.while. Both are seen here as
//
//     arguments = first
//     while exists(arguments) {
//       body(arguments)
//       arguments = next
//     }
//
// The body of scf.while is its `do` region, and exists() and the arguments that
// it gets are computed by the region before, from what the last iteration
// yields. The counter of scf.for is argument 0.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_PIPELINING_OUTERLOOP_H
#define TESSERA_LIB_TRANSFORMS_PIPELINING_OUTERLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tessera {

class OuterLoop {
public:
  /// Null for other operations.
  static std::optional<OuterLoop> get(mlir::Operation *op);
  /// The loop in whose body an operation stands, not deeper inside; null for
  /// none.
  static std::optional<OuterLoop> getAround(mlir::Operation *op);

  mlir::Operation *getOperation() const { return op; }
  mlir::Block *getBody() const;

  /// Lets the loop carry more values, which are its last results and the body's
  /// last arguments then. They stay as they are until setLast() says otherwise.
  void addCarried(mlir::ValueRange inits);
  /// What an iteration hands on for the last values that are carried.
  void setLast(mlir::ValueRange values);

  /// An iteration: whether there is one, and the body's arguments.
  struct Iteration {
    mlir::Value exists;
    llvm::SmallVector<mlir::Value> arguments;
  };
  Iteration buildFirst(mlir::OpBuilder &builder) const;
  /// Within an iteration, where getUpdates() are there already: themselves, or
  /// what `current` has for them.
  Iteration buildNext(mlir::OpBuilder &builder,
                      const mlir::IRMapping &current) const;
  /// Whether these can be built: nothing has an effect on the way to them.
  bool canBuild() const;
  /// Whether an assertion may stop a program within an iteration.
  bool mayStop() const;
  /// What an iteration computes for `arguments` of the next one, and for
  /// whether there is one.
  llvm::SmallVector<mlir::Value>
  getUpdates(llvm::ArrayRef<mlir::BlockArgument> arguments) const;

private:
  explicit OuterLoop(mlir::Operation *op) : op(op) {}
  Iteration buildFrom(mlir::OpBuilder &builder, mlir::ValueRange carried) const;

  mlir::Operation *op;
};

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_PIPELINING_OUTERLOOP_H
