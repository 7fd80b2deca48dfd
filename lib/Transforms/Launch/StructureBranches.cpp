//===- StructureBranches.cpp - tile-structure-branches --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's transformation makes one block of a region. It asks for values of
// any type where none has been computed, as when a loop ends before: zeros for
// numbers. There is no address that all levels know, but whatever points to
// elements of type T has been made of an argument that does, and that argument
// is there from the beginning.
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Passes.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera {
#define GEN_PASS_DEF_TILESTRUCTUREBRANCHESPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace tessera;

/// The argument of `function` that points to elements of type `element`, of
/// which any will do; null without one.
static Value findPointer(tile::FuncOp function, Type element) {
  for (BlockArgument argument : function.getBody().front().getArguments())
    if (auto pointer = dyn_cast<tile::PointerType>(argument.getType()))
      if (pointer.getPointee() == element)
        return argument;
  return {};
}

/// The type that values of `type` are made of pointers to; null for numbers.
static Type getPointee(Type type) {
  if (auto desc = dyn_cast<tile::DescType>(type))
    return desc.getElementType();
  auto pointer = dyn_cast<tile::PointerType>(getElementTypeOrSelf(type));
  return pointer ? pointer.getPointee() : Type();
}

namespace {
class Structuring : public ControlFlowToSCFTransformation {
public:
  explicit Structuring(tile::FuncOp function) : function(function) {}

  /// A loop that never ends.
  FailureOr<Operation *> createUnreachableTerminator(Location loc,
                                                     OpBuilder &builder,
                                                     Region &region) override {
    bool whole = region.getParentOp() == function;
    TypeRange types = whole ? TypeRange(function.getResultTypes())
                            : TypeRange(region.getParentOp()->getResultTypes());
    SmallVector<Value> results;
    for (Type type : types)
      results.push_back(getUndefValue(loc, builder, type));
    if (whole)
      return tile::ReturnOp::create(builder, loc, results).getOperation();
    return scf::YieldOp::create(builder, loc, results).getOperation();
  }

  Value getUndefValue(Location loc, OpBuilder &builder, Type type) override {
    if (TypedAttr zero = builder.getZeroAttr(type))
      return arith::ConstantOp::create(builder, loc, zero);
    Value pointer = findPointer(function, getPointee(type));
    return llvm::TypeSwitch<Type, Value>(type)
        .Case([&](RankedTensorType) {
          return tile::SplatOp::create(builder, loc, type, pointer);
        })
        .Case([&](tile::DescType desc) {
          Value one = arith::ConstantIntOp::create(builder, loc, 1, 32);
          SmallVector<Value> ones(desc.getRank(), one);
          return tile::MakeDescOp::create(builder, loc, desc, pointer, ones,
                                          ones);
        })
        .Default([&](Type) { return pointer; });
  }

private:
  tile::FuncOp function;
};
} // namespace

/// Whether Structuring has a value of this type.
static bool hasSomeValue(tile::FuncOp function, Type type) {
  if (Type pointee = getPointee(type))
    return findPointer(function, pointee) != nullptr;
  return getElementTypeOrSelf(type).isIntOrIndexOrFloat();
}

/// Refuses what cannot be structured, at its line.
static LogicalResult check(tile::FuncOp function, Region &region) {
  for (Block &block : region) {
    Operation *end = block.getTerminator();
    if (!isa<tile::ReturnOp, scf::YieldOp, cf::BranchOp, cf::CondBranchOp,
             cf::SwitchOp>(end))
      return end->emitError() << "'" << end->getName()
                              << "' ends a block and cannot be structured";
    auto needsMore = [&](Type type) { return !hasSomeValue(function, type); };
    for (Operation &op : block) {
      // What the block computes, and what it hands to others.
      if (llvm::none_of(op.getResultTypes(), needsMore) &&
          (&op != end || llvm::none_of(op.getOperandTypes(), needsMore)))
        continue;
      return op.emitError() << "no argument of '" << function.getName()
                            << "' points to elements of this type; branches "
                               "between blocks need one";
    }
  }
  return success();
}

/// Regions of several blocks, the function's body and those of
/// scf.execute_region; inner ones first.
static SmallVector<Region *> findBranching(tile::FuncOp function) {
  SmallVector<Region *> branching;
  function->walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      if (region.getBlocks().size() > 1)
        branching.push_back(&region);
  });
  return branching;
}

/// Makes one block of a region that has been checked. That cannot fail: no block
/// is unreachable, branches are those of cf, whose operands are all forwarded
/// and which Structuring turns into operations of scf, there is some value of
/// each type, and a region ends in one kind of terminator.
static void structure(tile::FuncOp function, Region &region) {
  Structuring structuring(function);
  DominanceInfo dominance(function);
  [[maybe_unused]] FailureOr<bool> changed =
      transformCFGToSCF(region, structuring, dominance);
  assert(succeeded(changed) && region.hasOneBlock() &&
         "what has been checked is structured");
}

namespace {
struct TileStructureBranches
    : tessera::impl::TileStructureBranchesPassBase<TileStructureBranches> {
  void runOnOperation() override {
    tile::FuncOp function = getOperation();
    if (findBranching(function).empty())
      return;
    IRRewriter rewriter(function);
    (void)eraseUnreachableBlocks(rewriter, function->getRegions());
    SmallVector<Region *> branching = findBranching(function);
    int64_t blocks = 0;
    for (Region *region : branching) {
      blocks += region->getBlocks().size();
      if (failed(check(function, *region)))
        return signalPassFailure();
    }
    for (Region *region : branching)
      structure(function, *region);
    remark::passed(function.getLoc(),
                   remark::RemarkOpts::name("structure-branches")
                       .category("tile-structure-branches")
                       .function(function.getName()))
        << remark::metric("Blocks", blocks);
  }
};
} // namespace
