//===- LayoutProblem.cpp - layout assignment as a problem -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Layout/LayoutProblem.h"

#include "tessera/Analysis/LoopFrequency.h"
#include "tessera/Layout/Blocked.h"
#include "tessera/Transforms/Layout/LayoutInference.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

LayoutAttr tessera::getCoalescedLayout(RankedTensorType type, int64_t axis,
                                       int64_t width, int32_t numWarps) {
  int64_t rank = type.getRank();
  std::vector<int32_t> shape(type.getShape().begin(), type.getShape().end());
  std::vector<int32_t> order = {int32_t(axis)};
  for (int64_t d = rank - 1; d >= 0; --d)
    if (d != axis)
      order.push_back(d);
  std::optional<BlockedParams> params =
      chooseBlocked(shape, order, width, kWarpSize, numWarps);
  std::optional<LinearLayout> layout =
      params ? makeBlockedLayout(*params) : std::nullopt;
  return layout ? LayoutAttr::fromLinear(type.getContext(), *layout)
                : LayoutAttr();
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

void LayoutProblem::tie(ValueRange values) {
  void *leader = nullptr;
  for (Value value : values) {
    if (!isTensor(value) || isFree(value))
      continue;
    ties.insert(value.getAsOpaquePointer());
    if (leader)
      ties.unionSets(leader, value.getAsOpaquePointer());
    else
      leader = value.getAsOpaquePointer();
  }
}

/// Operands and results of an operation that keeps layouts.
static SmallVector<Value> getOperandsAndResults(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  return values;
}

/// Ties the values that control flow passes on, one tuple a loop-carried or
/// returned value.
static SmallVector<SmallVector<Value>> getFlow(Operation *op) {
  SmallVector<SmallVector<Value>> tuples;
  auto add = [&](unsigned index, Value value) {
    if (tuples.size() <= index)
      tuples.resize(index + 1);
    tuples[index].push_back(value);
  };
  auto addAll = [&](ValueRange values) {
    for (auto [index, value] : llvm::enumerate(values))
      add(index, value);
  };
  TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) {
        addAll(loop.getInitArgs());
        addAll(loop.getRegionIterArgs());
        addAll(loop.getYieldedValues());
        addAll(loop.getResults());
      })
      .Case([&](scf::IfOp branch) {
        addAll(branch.getResults());
        for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
          if (!region->empty())
            addAll(region->front().getTerminator()->getOperands());
      })
      .Case([&](scf::WhileOp loop) {
        addAll(loop.getConditionOp().getArgs());
        addAll(loop.getAfterArguments());
        addAll(loop.getResults());
      });
  return tuples;
}

/// Loop-carried values of a while loop: they need not be those of getFlow.
static SmallVector<SmallVector<Value>> getWhileArguments(scf::WhileOp loop) {
  SmallVector<SmallVector<Value>> tuples;
  for (auto [init, arg, next] :
       llvm::zip(loop.getInits(), loop.getBeforeArguments(),
                 loop.getYieldOp().getOperands()))
    tuples.push_back({init, arg, next});
  return tuples;
}

/// Constants have to be the same in all threads.
static LogicalResult checkConstant(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (constant && isa<ElementsAttr>(constant.getValue()) &&
      !isa<SplatElementsAttr>(constant.getValue()))
    return op->emitError("a constant tensor needs one value for all of its "
                         "elements");
  return success();
}

LogicalResult LayoutProblem::addOperation(Operation *op) {
  bool touchesTensors = llvm::any_of(op->getOperands(), isTensor) ||
                        llvm::any_of(op->getResults(), isTensor);
  bool free = op->getNumResults() == 1 && isFree(op->getResult(0));
  if (!touchesTensors || free || relatesLayouts(op))
    return checkConstant(op);
  if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op)) {
    for (ArrayRef<Value> tuple : getFlow(op))
      tie(tuple);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      for (ArrayRef<Value> tuple : getWhileArguments(loop))
        tie(tuple);
    return success();
  }
  if (isa<scf::YieldOp, scf::ConditionOp, tile::SplatOp, tile::ArangeOp,
          tile::StoreOp, tile::DescStoreOp>(op)) // Stores are tied at the end.
    return success();
  if (auto dot = dyn_cast<tile::DotOp>(op)) {
    tie({dot.getAcc(), dot.getResult()});
    return success();
  }
  bool keepsLayout =
      op->hasTrait<OpTrait::Elementwise>() ||
      isa<tile::AddPtrOp, tile::ConvertOp, tile::LoadOp, tile::DescLoadOp,
          tile::AtomicRMWOp, tile::AtomicCASOp, tile::AssertOp, tile::PrintOp,
          tile::InlinePTXOp>(op);
  if (!keepsLayout)
    return op->emitError() << "'" << op->getName()
                           << "' of tensors is not supported in a kernel";
  tie(ownLayouts.contains(op) ? SmallVector<Value>(op->getOperands())
                              : getOperandsAndResults(op));
  return success();
}

/// The layout in which an access is coalesced; null for scalars.
static LayoutAttr getAccessLayout(Operation *op, int32_t numWarps) {
  auto access = op->getAttrOfType<AccessAttr>(TileGPUDialect::kAccess);
  RankedTensorType moved = tile::getMovedTensor(op);
  if (!moved)
    return nullptr;
  int64_t axis = access ? access.getAxis() : moved.getRank() - 1;
  int64_t width = access ? access.getWidth() : 1;
  return getCoalescedLayout(moved, axis, width, numWarps);
}

LayoutAttr LayoutProblem::getOwnLayout(Operation *op) const {
  return ownLayouts.lookup(op);
}

/// What a store writes; null for other operations.
static Value getStoredValue(Operation *op) {
  return TypeSwitch<Operation *, Value>(op)
      .Case<tile::StoreOp, tile::DescStoreOp>(
          [](auto store) { return store.getValue(); })
      .Default(Value());
}

/// Ties stores to their values, except to those of dots.
void LayoutProblem::tieStores(tile::FuncOp function) {
  llvm::SmallPtrSet<void *, 8> dotClasses;
  function.walk([&](tile::DotOp dot) {
    dotClasses.insert(ties.getLeaderValue(dot.getResult().getAsOpaquePointer()));
  });
  function.walk([&](Operation *store) {
    Value value = getStoredValue(store);
    if (!value)
      return;
    auto member = ties.findLeader(value.getAsOpaquePointer());
    bool fromDot = member != ties.member_end() && dotClasses.contains(*member);
    SmallVector<Value> values = getOperandsAndResults(store);
    if (fromDot) {
      llvm::erase(values, value);
      ownLayouts[store] = getAccessLayout(store, numWarps);
    }
    tie(values);
  });
}

/// Lets the loads that a dot's operand is computed from have layouts of their
/// own.
void LayoutProblem::untieLoads(tile::DotOp dot) {
  std::optional<WgmmaTiling> tiling;
  if (getInstruction(dot).getKind() == DotKind::Wgmma)
    tiling = getWgmmaTiling(dot, numWarps);
  if (!tiling || tiling->groupsN != 1)
    return;
  if (std::optional<ComputedOperand> computed = matchComputedA(dot))
    for (Operation *load : computed->loads)
      ownLayouts[load] = getAccessLayout(load, numWarps);
}

void LayoutProblem::numberClasses(tile::FuncOp function) {
  llvm::DenseMap<void *, ClassId> ids;
  auto number = [&](Value value) {
    if (!isTensor(value) || isFree(value))
      return;
    void *key = value.getAsOpaquePointer();
    ties.insert(key);
    auto [it, inserted] = ids.try_emplace(ties.getLeaderValue(key), types.size());
    if (inserted)
      types.push_back(cast<RankedTensorType>(value.getType()));
    classes[value] = it->second;
  };
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      number(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument arg : block.getArguments())
          number(arg);
  });
}

void LayoutProblem::addAnchor(Operation *op) {
  RankedTensorType moved = tile::getMovedTensor(op);
  // The class of the values that the access moves: pointers may be free.
  std::optional<ClassId> id = getClass(op->getOperand(0));
  for (Value value : getOperandsAndResults(op))
    if (!id && isTensor(value))
      id = getClass(value);
  if (!id)
    return;
  LayoutAttr layout = getAccessLayout(op, numWarps);
  if (!layout || ownLayouts.contains(op))
    return;
  anchors.push_back({*id, layout,
                     moved.getNumElements() *
                         tile::getByteWidth(moved.getElementType()) *
                         getLoopFrequency(op),
                     op});
}

/// Accumulators outweigh accesses: they would move in each iteration.
LogicalResult LayoutProblem::addDot(tile::DotOp dot) {
  FailureOr<DotLayouts> layouts = getDotLayouts(dot, numWarps);
  if (failed(layouts))
    return failure();
  dots.push_back({dot, *layouts});
  auto anchor = [&](Value value, LayoutAttr layout) {
    auto type = cast<RankedTensorType>(value.getType());
    anchors.push_back({*getClass(value), layout,
                       type.getNumElements() * 1000 * getLoopFrequency(dot),
                       dot});
  };
  anchor(dot.getResult(), layouts->acc);
  if (getInstruction(dot).getKind() == DotKind::Wgmma && layouts->readsA)
    anchor(dot.getA(), layouts->a);
  return success();
}

void LayoutProblem::addRelation(Operation *op) {
  for (auto [operand, result] : llvm::zip(op->getOperands(), op->getResults()))
    relations.push_back({op, getClass(operand), getClass(result)});
}

FailureOr<LayoutProblem> LayoutProblem::build(tile::FuncOp function,
                                              int32_t numWarps) {
  LayoutProblem problem;
  problem.numWarps = numWarps;
  function.walk([&](tile::DotOp dot) { problem.untieLoads(dot); });
  WalkResult walk = function.walk([&](Operation *op) {
    // Sources of one reduction, and its results, have one layout each.
    if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
      problem.tie(reduce.getSrcs());
      problem.tie(reduce.getResults());
    }
    return failed(problem.addOperation(op)) ? WalkResult::interrupt()
                                            : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  problem.tieStores(function);
  problem.numberClasses(function);
  walk = function.walk([&](Operation *op) {
    if (tile::getMovedTensor(op))
      problem.addAnchor(op);
    else if (relatesLayouts(op))
      problem.addRelation(op);
    else if (auto dot = dyn_cast<tile::DotOp>(op))
      if (failed(problem.addDot(dot)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return problem;
}

std::optional<LayoutProblem::ClassId>
LayoutProblem::getClass(Value value) const {
  auto it = classes.find(value);
  if (it == classes.end())
    return std::nullopt;
  return it->second;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

LogicalResult LayoutProblem::check() const {
  for (auto [value, id] : classes)
    if (id >= types.size() ||
        cast<RankedTensorType>(value.getType()).getShape() !=
            types[id].getShape())
      return failure();
  for (const Anchor &anchor : anchors)
    if (anchor.id >= types.size() || anchor.weight <= 0 ||
        int64_t(anchor.layout.getRank()) != types[anchor.id].getRank())
      return failure();
  for (const Relation &relation : relations)
    if (relation.operand.value_or(0) >= std::max<size_t>(types.size(), 1) ||
        relation.result.value_or(0) >= std::max<size_t>(types.size(), 1))
      return failure();
  return success();
}

LogicalResult LayoutSolution::verify(const LayoutProblem &problem,
                                     Operation *function) const {
  if (layouts.size() != problem.getNumClasses())
    return function->emitError("layout assignment left classes out");
  for (auto [id, layout] : llvm::enumerate(layouts)) {
    RankedTensorType type = problem.getType(id);
    bool fits = layout && int64_t(layout.getRank()) == type.getRank() &&
                (1 << layout.getNumWarpBits()) == problem.getNumWarps() &&
                layout.toLinear(type.getShape()).isSurjective();
    if (!fits)
      return function->emitError()
             << "layout assignment found no layout for " << type;
  }
  return success();
}
