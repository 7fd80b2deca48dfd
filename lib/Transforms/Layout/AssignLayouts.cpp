//===- AssignLayouts.cpp - give each tensor a layout -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds, solves and verifies the layout problem, then applies the solution:
// first the types of all values, then each operand, in the layout that its
// user needs.
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Layout/LayoutInference.h"
#include "tessera/Transforms/Layout/LayoutProblem.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

namespace tessera {
#define GEN_PASS_DEF_TILEGPUASSIGNLAYOUTSPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

static RankedTensorType withLayout(Type type, LayoutAttr layout) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(),
                               layout);
}

namespace {

/// Rewrites one function after a solution.
class Applier {
public:
  Applier(tile::FuncOp function, const LayoutProblem &problem,
          const LayoutSolution &solution)
      : function(function), problem(problem), solution(solution) {}

  LogicalResult run();

  int64_t getNumConversions() const { return conversions; }
  int64_t getConvertedBytes() const { return convertedBytes; }

private:
  LayoutAttr getLayoutOf(Value value) const {
    auto id = problem.getClass(value);
    return id ? solution.layouts[*id] : LayoutAttr();
  }
  void setTypes();
  LogicalResult fixOperands(Operation *op);
  LogicalResult fixRelation(Operation *op);
  void fixDot(const LayoutProblem::Dot &dot);
  void produce(Value result, LayoutAttr layout);
  void countConversion(ConvertLayoutOp convert);
  void fixFlow(OpOperand &operand, Value target);
  LayoutAttr getOperationLayout(Operation *op);
  void require(OpOperand &operand, LayoutAttr layout);

  tile::FuncOp function;
  const LayoutProblem &problem;
  const LayoutSolution &solution;
  FreeValues free;
  int64_t conversions = 0, convertedBytes = 0;
};

} // namespace

void Applier::setTypes() {
  auto set = [&](Value value) {
    if (LayoutAttr layout = getLayoutOf(value))
      value.setType(withLayout(value.getType(), layout));
  };
  function.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), set);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), set);
  });
}

/// Makes `operand` have `layout`.
void Applier::require(OpOperand &operand, LayoutAttr layout) {
  Value value = operand.get();
  if (getLayout(value.getType()) == layout)
    return;
  if (problem.isFree(value)) {
    operand.set(free.makeIn(value, layout));
    return;
  }
  Operation *user = operand.getOwner();
  OpBuilder builder(user);
  auto type = withLayout(value.getType(), layout);
  auto convert = ConvertLayoutOp::create(builder, user->getLoc(), type, value);
  operand.set(convert);
  countConversion(convert);
}

/// The layout of an operation that has one for all operands and results. When
/// all of them are free (a store of a constant to a splat pointer), a default.
LayoutAttr Applier::getOperationLayout(Operation *op) {
  if (LayoutAttr layout = problem.getOwnLayout(op))
    return layout;
  RankedTensorType type;
  auto visit = [&](Value value) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (tensor && !type)
      type = tensor;
    return getLayoutOf(value);
  };
  for (Value result : op->getResults())
    if (LayoutAttr layout = visit(result))
      return layout;
  for (Value operand : op->getOperands())
    if (LayoutAttr layout = visit(operand))
      return layout;
  return type ? getCoalescedLayout(type, type.getRank() - 1, 1,
                                   problem.getNumWarps())
              : LayoutAttr();
}

/// The operand of a shape operation; the result of a reduction.
LogicalResult Applier::fixRelation(Operation *op) {
  auto reduce = dyn_cast<tile::ReduceOp>(op);
  if (!reduce) {
    LayoutAttr operand =
        inferOperandLayout(op, getLayout(op->getResult(0).getType()));
    if (!operand)
      return op->emitError("no layout of the operand fits the result's");
    require(op->getOpOperand(0), operand);
    return success();
  }
  LayoutAttr source = getOperationLayout(reduce);
  for (Value src : reduce.getSrcs())
    if (LayoutAttr layout = getLayoutOf(src))
      source = layout;
  auto type = cast<RankedTensorType>(reduce.getSrcs()[0].getType());
  if (int64_t(source.getRank()) != type.getRank()) // All sources are free.
    source = getCoalescedLayout(type, type.getRank() - 1, 1,
                                problem.getNumWarps());
  for (OpOperand &operand : op->getOpOperands())
    require(operand, source);
  if (LayoutAttr produced = inferResultLayout(op, source))
    for (Value result : reduce.getResults())
      produce(result, produced);
  return success();
}

/// `result` comes out of its operation in `layout`, and is converted to that of
/// its class.
void Applier::produce(Value result, LayoutAttr layout) {
  Type wanted = result.getType();
  if (getLayout(wanted) == layout)
    return;
  Operation *op = result.getDefiningOp();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  result.setType(withLayout(wanted, layout));
  auto convert = ConvertLayoutOp::create(builder, op->getLoc(), wanted, result);
  result.replaceAllUsesExcept(convert.getResult(), convert);
  countConversion(convert);
}

void Applier::countConversion(ConvertLayoutOp convert) {
  auto type = cast<RankedTensorType>(convert.getType());
  ++conversions;
  convertedBytes +=
      type.getNumElements() * tile::getByteWidth(type.getElementType());
}

/// Operands in the layouts that the instruction demands.
void Applier::fixDot(const LayoutProblem::Dot &dot) {
  tile::DotOp op = dot.op;
  if (dot.layouts.readsA || !getLayout(op.getA().getType()))
    require(op.getAMutable(), dot.layouts.a);
  if (dot.layouts.readsB || !getLayout(op.getB().getType()))
    require(op.getBMutable(), dot.layouts.b);
  require(op.getAccMutable(), dot.layouts.acc);
  produce(op.getResult(), dot.layouts.acc);
}

/// A value passed on by control flow takes the layout of what receives it.
void Applier::fixFlow(OpOperand &operand, Value target) {
  if (LayoutAttr layout = getLayoutOf(target))
    require(operand, layout);
}

LogicalResult Applier::fixOperands(Operation *op) {
  if (relatesLayouts(op))
    return fixRelation(op);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, result] :
         llvm::zip(loop.getInitArgsMutable(), loop.getResults()))
      fixFlow(init, result);
    return success();
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [init, arg] :
         llvm::zip(loop.getInitsMutable(), loop.getBeforeArguments()))
      fixFlow(init, arg);
    return success();
  }
  if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
    auto loop = cast<scf::WhileOp>(op->getParentOp());
    for (auto [arg, result] :
         llvm::zip(condition.getArgsMutable(), loop.getResults()))
      fixFlow(arg, result);
    return success();
  }
  if (isa<scf::YieldOp>(op)) {
    Operation *parent = op->getParentOp();
    auto loop = dyn_cast<scf::WhileOp>(parent);
    for (OpOperand &operand : op->getOpOperands())
      fixFlow(operand, loop ? Value(loop.getBeforeArguments()
                                        [operand.getOperandNumber()])
                            : Value(parent->getResult(
                                  operand.getOperandNumber())));
    return success();
  }
  if (op->getNumRegions() != 0 || isa<ConvertLayoutOp, tile::DotOp>(op))
    return success();
  LayoutAttr layout = getOperationLayout(op);
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      require(operand, layout);
  if (problem.getOwnLayout(op))
    for (Value result : op->getResults())
      produce(result, layout);
  return success();
}

LogicalResult Applier::run() {
  setTypes();
  SmallVector<Operation *> ops, freeOps;
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool free = op->getNumResults() == 1 && problem.isFree(op->getResult(0));
    (free ? freeOps : ops).push_back(op);
  });
  for (Operation *op : ops)
    if (failed(fixOperands(op)))
      return failure();
  for (const LayoutProblem::Dot &dot : problem.getDots())
    fixDot(dot);
  // Users come after what they use.
  for (Operation *op : llvm::reverse(freeOps))
    if (op->use_empty())
      op->erase();
  return success();
}

namespace {
struct AssignLayouts
    : tessera::impl::TileGPUAssignLayoutsPassBase<AssignLayouts> {
  void runOnOperation() override {
    tile::FuncOp function = getOperation();
    int32_t warps = getNumWarps(function);
    if (warps == 0) {
      function.emitError("layouts need the number of warps; run "
                         "tile-gpu-choose-warps before");
      return signalPassFailure();
    }
    FailureOr<LayoutProblem> problem = LayoutProblem::build(function, warps);
    if (failed(problem))
      return signalPassFailure();
    if (failed(problem->check())) {
      function.emitError("the layout problem contradicts itself");
      return signalPassFailure();
    }
    LayoutSolution solution = solveLayouts(*problem);
    if (failed(solution.verify(*problem, function)))
      return signalPassFailure();
    Applier applier(function, *problem, solution);
    if (failed(applier.run()))
      return signalPassFailure();
    remark::passed(function.getLoc(),
                   remark::RemarkOpts::name("assign-layouts")
                       .category("tile-gpu-assign-layouts")
                       .function(function.getName()))
        << remark::metric("Classes", int(problem->getNumClasses()))
        << remark::metric("Conversions", int(applier.getNumConversions()))
        << remark::metric("ConvertedBytes", int(applier.getConvertedBytes()));
  }
};
} // namespace
