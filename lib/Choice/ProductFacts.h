//===- ProductFacts.h - the product that a kernel computes ------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the model of products (ProductModel.h) asks about a kernel, read from
// its code and its launch plan, as they are before any pass, for assumed sizes:
// one `tile.dot` in one loop, whose operands are loaded in the loop.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_CHOICE_PRODUCTFACTS_H
#define TESSERA_LIB_CHOICE_PRODUCTFACTS_H

#include "tessera/Choice/Assumptions.h"
#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Schedule/ProductModel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera {

/// A number of warps, and the tile with the instruction that it allows.
struct WarpTile {
  int32_t warps;
  ProductTile tile;
};

struct ProductFacts {
  /// Why the model has nothing to say; empty when it has.
  std::string reason;
  /// One for each number of warps asked for that has tensor-core instructions.
  std::vector<WarpTile> tiles;
  ProductGrid grid;
  /// Whether tile-cta-swizzle and tile-persistent-schedule find what they need.
  bool takesOrder = false, takesPersistence = false;

  /// Whether the model would say the same of both.
  bool operator==(const ProductFacts &other) const;
};

/// The loop around the kernel's only `tile.dot`; null, with a reason, where
/// there is none.
mlir::scf::ForOp findProductLoop(tile::FuncOp kernel, std::string &reason);

/// What copies the operands of a product.
enum class CopyPath {
  /// Single elements: the sizes assumed rule out what other variants of the
  /// kernel are for, or masks are not known to be one for several.
  Elements,
  /// 16 bytes a thread.
  Chunks,
  TensorMaps
};

/// How an operand lies in memory.
struct OperandRows {
  /// Whether rows, of which elements are side by side, do not all begin at a
  /// sector of L2.
  bool areSplit = false;
  /// Whether they run along the depth of the product.
  bool followDepth = false;
};

/// How a variant's operands get to its product.
struct ProductCopies {
  CopyPath path = CopyPath::Chunks;
  /// Operands whose address or mask is loaded in the loop.
  bool rowsWait = false, columnsWait = false;
  OperandRows a, b;
};

/// The copies in the variant of `kernel` that a launch takes for the sizes
/// assumed, as far as they say, in a module that tile-specialize, and
/// tile-tensor-maps where the target has maps, have seen.
ProductCopies findCopies(mlir::ModuleOp module, mlir::StringRef kernel,
                      const Assumptions &assumptions, const TargetInfo &target);

/// `warps` are the numbers to try.
ProductFacts findProduct(tile::FuncOp kernel, const Assumptions &assumptions,
                         const TargetInfo &target,
                         mlir::ArrayRef<int32_t> warps);

} // namespace tessera

#endif // TESSERA_LIB_CHOICE_PRODUCTFACTS_H
