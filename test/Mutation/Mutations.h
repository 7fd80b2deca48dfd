//===- Mutations.h - miscompiles made by hand -------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Faults that a pass could bring into a kernel. To add one: a row in a table,
// with the kernel it is applied to, the level, and a function that changes the
// module and says whether it found what it wanted to change.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_MUTATION_MUTATIONS_H
#define TESSERA_TEST_MUTATION_MUTATIONS_H

#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace tessera::mutation {

/// After which part of the pipeline the module is changed.
enum class Level { Tile, TileGPU };

struct Mutation {
  const char *name;
  /// A file of lib/Kernels or of test/Mutation/Inputs, without its extension.
  const char *kernel;
  Level level;
  bool (*apply)(mlir::ModuleOp);
};

/// Computation and control flow, at level 1.
std::vector<Mutation> getTileMutations();
/// Accesses to global memory, launch plans and facts.
std::vector<Mutation> getMemoryMutations();
/// Shared memory and barriers, at level 2.
std::vector<Mutation> getSharedMutations();
/// Asynchronous copies, at level 2.
std::vector<Mutation> getAsyncMutations();
/// Asynchronous products, at level 2.
std::vector<Mutation> getProductMutations();
/// Registers read while the iteration before multiplies, at level 2.
std::vector<Mutation> getReadsAheadMutations();
/// Selects of what stands where masks are false, at level 2.
std::vector<Mutation> getOtherMutations();
/// Copies by tensor maps, at level 2.
std::vector<Mutation> getTensorMutations();
/// Copies for the next tile, at level 2.
std::vector<Mutation> getPrefetchMutations();
/// Groups of threads' copies for the next tile, at level 2.
std::vector<Mutation> getGroupMutations();
/// Results stored in pieces, at level 2.
std::vector<Mutation> getPieceMutations();
/// Tiles that a counter deals out, at level 2.
std::vector<Mutation> getDealtMutations();

/// The operation number `number` of a kind in the module, or null.
template <typename OpTy>
OpTy find(mlir::ModuleOp module, unsigned number = 0) {
  OpTy found;
  module.walk([&](OpTy op) {
    if (!found && number-- == 0)
      found = op;
  });
  return found;
}

/// The first operation of a kind for which `accepts` holds.
template <typename OpTy, typename Predicate>
OpTy findIf(mlir::ModuleOp module, Predicate accepts) {
  OpTy found;
  module.walk([&](OpTy op) {
    if (!found && accepts(op))
      found = op;
  });
  return found;
}

/// The first operation of a kind inside of another; null where that is null.
template <typename OpTy>
OpTy findInside(mlir::ModuleOp module, mlir::Operation *outer) {
  return findIf<OpTy>(module, [&](OpTy op) {
    return outer && outer->isProperAncestor(op);
  });
}

/// Replaces a binary operation by another of the same operands.
template <typename NewOp>
bool replaceBinary(mlir::Operation *op) {
  if (!op)
    return false;
  mlir::OpBuilder builder(op);
  auto other = NewOp::create(builder, op->getLoc(), op->getOperand(0),
                             op->getOperand(1));
  op->getResult(0).replaceAllUsesWith(other->getResult(0));
  op->erase();
  return true;
}

/// Erases an operation, if there is one.
inline bool erase(mlir::Operation *op) {
  if (op)
    op->erase();
  return op != nullptr;
}

} // namespace tessera::mutation

#endif // TESSERA_TEST_MUTATION_MUTATIONS_H
