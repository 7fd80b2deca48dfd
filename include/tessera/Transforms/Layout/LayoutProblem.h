//===- LayoutProblem.h - layout assignment as a problem -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data of layout assignment, apart from the solver (LayoutSolver.cpp) and
// from the pass that applies a solution (AssignLayouts.cpp).
//
// Tensor values fall into *classes*: elementwise operations, memory accesses
// and control flow tie their operands and results to one layout. *Anchors* are
// the layouts that memory accesses would like their class to have, with the
// bytes that they move as weight. *Relations* are shape operations and
// reductions between two classes. *Dots* demand layouts of their operands, and
// their accumulators anchor a class with more weight than any access. Free
// values (FreeValues.h) belong to no class and are made again in whatever layout
// a use wants.
//
// A store is tied to its value, unless that comes from a dot: fragments make
// poor stores, so that the value is then converted to what the store wants. In
// the same way a load is not tied to its value where a dot's operand is
// computed of it in registers, in the fragments' layout.
//
// A solution gives each class a layout. Any choice is correct, since an
// operand that does not have the layout that its user needs is converted; the
// solver's task is to have few conversions and wide accesses.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TRANSFORMS_LAYOUT_LAYOUTPROBLEM_H
#define TESSERA_TRANSFORMS_LAYOUT_LAYOUTPROBLEM_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Transforms/Layout/DotLayouts.h"
#include "tessera/Transforms/Layout/FreeValues.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace tessera {

class LayoutProblem {
public:
  using ClassId = unsigned;

  /// What a memory access wants.
  struct Anchor {
    ClassId id;
    tile_gpu::LayoutAttr layout;
    /// Bytes moved in one run of the kernel, a loop counting as ten iterations.
    int64_t weight;
    mlir::Operation *access;
  };
  /// A shape operation or reduction, from its operand's class to its result's.
  /// Either may be missing: a free operand, a scalar result.
  struct Relation {
    mlir::Operation *op;
    std::optional<ClassId> operand, result;
  };

  /// What a dot demands.
  struct Dot {
    tile::DotOp op;
    DotLayouts layouts;
  };

  /// Collects the problem of a function with `numWarps` warps.
  static mlir::FailureOr<LayoutProblem> build(tile::FuncOp function,
                                              int32_t numWarps);

  /// Whether a tensor value is free (see above).
  bool isFree(mlir::Value value) const { return free.contains(value); }

  /// The layout of a store of a dot's result, or of a load for a dot's operand,
  /// in place of its value's; null for other operations.
  tile_gpu::LayoutAttr getOwnLayout(mlir::Operation *op) const;

  /// Class of a tensor value; nothing for free ones and scalars.
  std::optional<ClassId> getClass(mlir::Value value) const;
  /// A type of the class's members (they agree in shape).
  mlir::RankedTensorType getType(ClassId id) const { return types[id]; }
  unsigned getNumClasses() const { return types.size(); }
  llvm::ArrayRef<Anchor> getAnchors() const { return anchors; }
  llvm::ArrayRef<Relation> getRelations() const { return relations; }
  llvm::ArrayRef<Dot> getDots() const { return dots; }
  int32_t getNumWarps() const { return numWarps; }

  /// Checks the problem's own consistency: members of a class agree in shape,
  /// anchors and relations refer to classes, anchors fit their class.
  mlir::LogicalResult check() const;

private:
  LayoutProblem() = default;
  void tie(mlir::ValueRange values);
  void tieStores(tile::FuncOp function);
  void untieLoads(tile::DotOp dot);
  mlir::LogicalResult addDot(tile::DotOp dot);
  mlir::LogicalResult addOperation(mlir::Operation *op);
  void numberClasses(tile::FuncOp function);
  void addAnchor(mlir::Operation *op);
  void addRelation(mlir::Operation *op);

  int32_t numWarps = 0;
  FreeValues free;
  llvm::DenseMap<mlir::Operation *, tile_gpu::LayoutAttr> ownLayouts;
  llvm::EquivalenceClasses<void *> ties;
  llvm::DenseMap<mlir::Value, ClassId> classes;
  std::vector<mlir::RankedTensorType> types;
  std::vector<Anchor> anchors;
  std::vector<Relation> relations;
  std::vector<Dot> dots;
};

/// A layout for each class.
struct LayoutSolution {
  std::vector<tile_gpu::LayoutAttr> layouts;

  /// Checks that each class has a layout of its rank and number of warps that
  /// covers all elements.
  mlir::LogicalResult verify(const LayoutProblem &problem,
                             mlir::Operation *function) const;
};

/// Anchors first, by weight; then what relations give; a coalesced default for
/// the rest.
LayoutSolution solveLayouts(const LayoutProblem &problem);

/// Layout in which the CTA accesses a tensor best: `width` elements a thread
/// along `axis`, then lanes, then warps.
tile_gpu::LayoutAttr getCoalescedLayout(mlir::RankedTensorType type,
                                        int64_t axis, int64_t width,
                                        int32_t numWarps);

} // namespace tessera

#endif // TESSERA_TRANSFORMS_LAYOUT_LAYOUTPROBLEM_H
