//===- Generator.h - random kernels -----------------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Well-typed kernels without unspecified values: masked loads have a padding,
// shifts are by less than the width, divisors are no zeros, conversions to
// integers are of clamped numbers, and programs store to places of their own.
// Sums of floats are over what was loaded, which is exact in any order, so that
// passes have no excuse.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_GENERATOR_H
#define TESSERA_TEST_FUZZ_GENERATOR_H

#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Interpreter/Random.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseSet.h"

namespace tessera::fuzz {

/// A module with one kernel, and a plan for it or none.
class Generator {
public:
  /// `approximates`: with operations whose results differ from one
  /// implementation to the next.
  Generator(mlir::MLIRContext *context, uint64_t seed, bool approximates = true)
      : builder(context), loc(builder.getUnknownLoc()), random(seed),
        approximates(approximates) {}

  mlir::OwningOpRef<mlir::ModuleOp> generate();

private:
  using Shape = llvm::SmallVector<int64_t, 3>;

  /// Places of elements, and which of them are used.
  struct Place {
    mlir::Value offsets, mask;
  };

  // Types (Generator.cpp).
  mlir::Type pickElement();
  mlir::Type pickFloat();
  mlir::Type pickInteger();
  Shape pickShape();
  mlir::Type makeType(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Type withElement(mlir::Type type, mlir::Type element) {
    return tile::withElementType(type, element);
  }

  // Values.
  mlir::Value addArgument(mlir::Type type, llvm::StringRef name);
  mlir::Value makeInt(mlir::Type type, int64_t value);
  mlir::Value makeFloat(mlir::Type type, double value);
  /// A value of the pool for which `accepts` holds, or null.
  mlir::Value findValue(llvm::function_ref<bool(mlir::Value)> accepts);
  /// A value of this type: one of the pool, or a new one.
  mlir::Value getValue(mlir::Type type);
  mlir::Value makeValue(mlir::Type type);
  void add(mlir::Value value, bool isExact = false);
  mlir::Value getSize();
  mlir::Value makeCondition();

  // Steps.
  void addSteps(unsigned count, unsigned depth);
  void addStep(unsigned depth);

  // Memory (Memory.cpp).
  mlir::Value makeIndex(llvm::ArrayRef<int64_t> shape, unsigned dim);
  mlir::Value moveIndex(mlir::Value index);
  mlir::Value makeStart(int64_t count);
  Place makePlace(llvm::ArrayRef<int64_t> shape, bool isStore);
  mlir::Value makeLoad(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  void addLoad();
  void addGather();
  void addStore();
  void addScalarLoad();
  void addAtomic();
  /// A base pointer, perhaps advanced by a product of small integers.
  mlir::Value makeBase(mlir::Type element, llvm::StringRef name);

  // Computation (Compute.cpp).
  void addFloatOp();
  void addIntegerOp();
  void addMaskOp();
  void addConversion();
  void addShapeOp();
  void addReduction();
  void addArgReduction();
  void addProduct();
  void addScalarReturn();
  mlir::Value makeOperand(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value broadcast(mlir::Value value, llvm::ArrayRef<int64_t> shape);

  // Control flow (Control.cpp).
  void addLoop(unsigned depth);
  void addPointerLoop();
  void addIf(unsigned depth);
  void addWhile(unsigned depth);

  mlir::OpBuilder builder;
  mlir::Location loc;
  interpreter::Random random;
  bool approximates;
  tile::FuncOp kernel;
  mlir::Value program;
  llvm::SmallVector<mlir::Value> pool, sizes;
  /// Values whose sums are exact.
  llvm::DenseSet<mlir::Value> exact;
  /// Induction variables around the insertion point, and whether each counts
  /// from 0 in steps of one to 4 at most.
  llvm::SmallVector<std::pair<mlir::Value, bool>> loops;
  unsigned numStores = 0, numSteps = 0;
};

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_GENERATOR_H
