//===- ExpandPipeline.cpp - tile-gpu-expand-pipeline ----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Overlaps the iterations of a loop whose operations have stages, by upstream's
// scf::pipelineForLoop: a prologue that starts the first iterations, and a loop
// in which early stages are skipped near the end. What upstream would decline,
// or leave half done, is refused before anything changes.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tessera {
#define GEN_PASS_DEF_TILEGPUEXPANDPIPELINEPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

static int64_t getNumber(Operation *op, StringRef name) {
  return op->getAttrOfType<IntegerAttr>(name).getInt();
}

/// Whether the operation may run in an iteration that does not exist: it has no
/// effect, or only counts, or lets threads meet, or reads what nothing will use.
static bool isHarmless(Operation *op) {
  auto read = dyn_cast<LocalLoadOp>(op);
  return isPure(op) || isa<AsyncCommitOp, AsyncWaitOp, BarrierOp>(op) ||
         (read && read.getAhead());
}

/// Checks everything that the expansion relies on; returns the last stage.
static FailureOr<int64_t> canPipeline(scf::ForOp loop) {
  if (loop.getUnsignedCmp())
    return loop.emitError("a loop that counts unsigned cannot be pipelined");
  int64_t last = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto stage = op.getAttrOfType<IntegerAttr>(TileGPUDialect::kStage);
    if (!stage || !op.getAttrOfType<IntegerAttr>(TileGPUDialect::kOrder) ||
        stage.getInt() < 0 || stage.getInt() > kMaxSlots)
      return op.emitError() << "has no stage in a loop that has stages";
    last = std::max(last, stage.getInt());
  }
  for (Operation &op : loop.getBody()->without_terminator()) {
    int64_t stage = getNumber(&op, TileGPUDialect::kStage);
    if (stage < last && !isHarmless(&op) &&
        !isa<AsyncCopyOp, DescCopyOp, MBarrierExpectOp, TMALoadOp>(op))
      return op.emitError()
             << "cannot be skipped, and is not in the last stage";
    for (Operation *user : op.getUsers()) {
      Operation *inner = loop.getBody()->findAncestorOpInBlock(*user);
      if (inner && !isa<scf::YieldOp>(inner) &&
          getNumber(inner, TileGPUDialect::kStage) < stage)
        return op.emitError("is used by an earlier stage");
    }
  }
  // What a stage takes from the iteration before has to be there by then.
  auto yield = loop.getBody()->getTerminator();
  for (auto [argument, yielded] :
       llvm::zip(loop.getRegionIterArgs(), yield->getOperands())) {
    Operation *def = yielded.getDefiningOp();
    if (!def || def->getBlock() != loop.getBody())
      return loop.emitError("a loop that hands on a value which it does not "
                            "compute cannot be pipelined");
    for (Operation *user : argument.getUsers()) {
      Operation *inner = loop.getBody()->findAncestorOpInBlock(*user);
      if (!isa<scf::YieldOp>(inner) &&
          getNumber(inner, TileGPUDialect::kStage) <
              getNumber(def, TileGPUDialect::kStage))
        return inner->emitError("uses what a later stage of the iteration "
                                "before computes");
    }
  }
  return last;
}

/// Operations in the order of the pipelined iteration.
static void getSchedule(scf::ForOp loop,
                        std::vector<std::pair<Operation *, unsigned>> &result) {
  std::map<int64_t, std::vector<Operation *>> orders;
  for (Operation &op : loop.getBody()->without_terminator())
    orders[getNumber(&op, TileGPUDialect::kOrder)].push_back(&op);
  for (auto &[order, ops] : orders)
    for (Operation *op : ops)
      result.emplace_back(op, getNumber(op, TileGPUDialect::kStage));
}

/// Lets each wait leave as many groups under way as the pipelined loop makes
/// between the commit of an iteration and its wait: one in each iteration from
/// the commit's stage to the wait's, without the iteration of the commit, and
/// with that of the wait where the commit comes first there.
static void setPending(scf::ForOp loop) {
  int64_t commits = llvm::count_if(
      *loop.getBody(), [](Operation &op) { return isa<AsyncCommitOp>(op); });
  for (auto wait : loop.getOps<AsyncWaitOp>()) {
    auto commit = wait.getToken()
                      ? wait.getToken().getDefiningOp<AsyncCommitOp>()
                      : AsyncCommitOp();
    if (!commit || commit->getBlock() != loop.getBody() || commits != 1)
      continue;
    int64_t iterations = getNumber(wait, TileGPUDialect::kStage) -
                         getNumber(commit, TileGPUDialect::kStage);
    bool commitsFirst = getNumber(commit, TileGPUDialect::kOrder) <
                        getNumber(wait, TileGPUDialect::kOrder);
    wait.setPending(std::max<int64_t>(0, iterations - (commitsFirst ? 0 : 1)));
  }
}

/// The operation under a condition. Copies are skipped by a branch: one that is
/// only masked would write zeros to a slot, after the loop has ended.
static Operation *predicate(RewriterBase &rewriter, Operation *op,
                            Value condition) {
  if (isHarmless(op))
    return op;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto branch = scf::IfOp::create(rewriter, op->getLoc(), condition,
                                  /*withElseRegion=*/false);
  rewriter.moveOpBefore(op, branch.thenBlock(), branch.thenBlock()->begin());
  return op;
}

namespace {
/// The conditions under which stages run in iterations that may not exist.
///
/// Upstream asks `lower + k * step < upper` before the loop, and in it, for a
/// stage d iterations ahead, `i < upper - d * step`. Either side wraps where
/// steps are large or bounds are near the ends of their type, although the loop
/// itself does not. Here both ask for `counter < bound(d)`, where bound(d) is
/// upper - d * step, or the least number of the type if that is less: nothing
/// is less than that one, as nothing would be less than the difference.
class Conditions {
public:
  Conditions(scf::ForOp loop, int64_t last)
      : lower(loop.getLowerBound()), upper(loop.getUpperBound()),
        step(loop.getStep()), first(last), last(last),
        around(loop->getBlock()) {
    for (Operation &op : loop.getBody()->without_terminator())
      first = std::min(first, getNumber(&op, TileGPUDialect::kStage));
  }

  /// Takes note of the condition of an operation that upstream has made.
  void add(Operation *op, Value condition);
  /// Replaces the conditions. `loop` is the pipelined one. Fails, with a
  /// diagnostic, where upstream has made others than are expected of it.
  LogicalResult makeExact(scf::ForOp loop);

private:
  bool areExact();
  Value getBound(OpBuilder &builder, Location loc, int64_t distance);
  Value subtract(OpBuilder &builder, Location loc, Value from, Value amount);

  Value lower, upper, step;
  int64_t first, last;
  Block *around;
  /// The prologue emits steps 0 to last - 1 in order. In step i come those
  /// operations whose stage s is at most i, for iteration i - s. Iteration k is
  /// thus begun one step after iteration k - 1, and its condition is the k-th
  /// to be seen. Those in the loop come with how far ahead they look.
  llvm::SetVector<Value> before;
  llvm::MapVector<Value, int64_t> inside;
};
} // namespace

void Conditions::add(Operation *op, Value condition) {
  if (op->getBlock() == around)
    before.insert(condition);
  else
    inside[condition] = last - getNumber(op, TileGPUDialect::kStage);
}

/// Whether upstream's conditions do not wrap: in the loop, `upper` is more than
/// `lower`.
bool Conditions::areExact() {
  APInt first, stride;
  if (!matchPattern(lower, m_ConstantInt(&first)) ||
      !matchPattern(step, m_ConstantInt(&stride)))
    return false;
  bool wraps[3];
  APInt most = stride.smul_ov(APInt(stride.getBitWidth(), last), wraps[0]);
  (void)first.sadd_ov(most, wraps[1]);
  (void)first.ssub_ov(most, wraps[2]);
  return llvm::none_of(wraps, [](bool wrapped) { return wrapped; });
}

/// from - amount, or the least number: `amount` is more than 0.
Value Conditions::subtract(OpBuilder &builder, Location loc, Value from,
                           Value amount) {
  Type type = from.getType();
  APInt least = APInt::getSignedMinValue(
      type.isIndex() ? 64 : type.getIntOrFloatBitWidth());
  Value lowest = arith::ConstantOp::create(builder, loc,
                                           builder.getIntegerAttr(type, least));
  Value reach = arith::AddIOp::create(builder, loc, lowest, amount);
  Value start = arith::MaxSIOp::create(builder, loc, from, reach);
  return arith::SubIOp::create(builder, loc, start, amount);
}

Value Conditions::getBound(OpBuilder &builder, Location loc, int64_t distance) {
  APInt stride;
  bool wraps = true;
  if (matchPattern(step, m_ConstantInt(&stride)))
    stride = stride.smul_ov(APInt(stride.getBitWidth(), distance), wraps);
  if (!wraps && distance > 0)
    return subtract(
        builder, loc, upper,
        arith::ConstantOp::create(
            builder, loc, builder.getIntegerAttr(step.getType(), stride)));
  Value bound = upper;
  for (int64_t i = 0; i < distance; ++i)
    bound = subtract(builder, loc, bound, step);
  return bound;
}

LogicalResult Conditions::makeExact(scf::ForOp loop) {
  // Where all iterations of the prologue are known to exist, it has none.
  if (!before.empty() && int64_t(before.size()) != last - first)
    return loop.emitError()
           << "the loop has conditions for " << before.size()
           << " iterations before it, in place of " << last - first;
  if (areExact())
    return success();
  Location loc = loop.getLoc();
  auto replace = [&](Value condition, Value counter, Value bound) {
    OpBuilder builder(condition.getDefiningOp());
    condition.replaceAllUsesWith(arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, counter, bound));
  };
  for (auto [iteration, condition] : llvm::enumerate(before)) {
    OpBuilder builder(condition.getDefiningOp());
    replace(condition, lower, getBound(builder, loc, iteration));
  }
  OpBuilder builder(loop);
  for (auto [condition, distance] : inside)
    replace(condition, loop.getInductionVar(),
            getBound(builder, loc, distance));
  return success();
}

/// Lets copies that follow each other share a branch. What stands between them
/// has no effect, and comes before them.
static void mergeBranches(tile::FuncOp function) {
  SmallVector<scf::IfOp> branches;
  function.walk([&](scf::IfOp branch) {
    if (branch.getNumResults() == 0 && !branch.elseBlock())
      branches.push_back(branch);
  });
  IRRewriter rewriter(function.getContext());
  for (auto [first, second] : llvm::zip(branches, llvm::drop_begin(branches)))
    if (first->getBlock() == second->getBlock() &&
        first.getCondition() == second.getCondition() &&
        first->isBeforeInBlock(second)) {
      auto between = llvm::make_range(std::next(first->getIterator()),
                                      second->getIterator());
      if (!llvm::all_of(between, [](Operation &op) { return isPure(&op); }))
        continue;
      for (Operation &op : llvm::make_early_inc_range(between))
        rewriter.moveOpBefore(&op, first);
      rewriter.eraseOp(first.thenBlock()->getTerminator());
      second.thenBlock()->getOperations().splice(
          second.thenBlock()->begin(), first.thenBlock()->getOperations());
      rewriter.moveOpBefore(second, first);
      rewriter.eraseOp(first);
    }
}

namespace {
struct ExpandPipeline
    : tessera::impl::TileGPUExpandPipelinePassBase<ExpandPipeline> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (llvm::any_of(*loop.getBody(), [](Operation &op) {
            return op.hasAttr(TileGPUDialect::kStage);
          }))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      if (failed(expand(loop)))
        return signalPassFailure();
    if (!loops.empty())
      mergeBranches(getOperation());
    getOperation().walk([](Operation *op) {
      op->removeAttr(TileGPUDialect::kStage);
      op->removeAttr(TileGPUDialect::kOrder);
    });
  }

private:
  LogicalResult expand(scf::ForOp loop) {
    FailureOr<int64_t> distance = canPipeline(loop);
    if (failed(distance))
      return failure();
    Location loc = loop.getLoc();
    scf::PipeliningOption options;
    options.getScheduleFn = getSchedule;
    options.supportDynamicLoops = true;
    options.peelEpilogue = false;
    Conditions conditions(loop, *distance);
    options.predicateFn = [&](RewriterBase &rewriter, Operation *op,
                              Value condition) {
      conditions.add(op, condition);
      return predicate(rewriter, op, condition);
    };
    setPending(loop);
    IRRewriter rewriter(loop);
    FailureOr<scf::ForOp> pipelined =
        scf::pipelineForLoop(rewriter, loop, options);
    if (failed(pipelined))
      return emitError(loc, "the loop could not be pipelined");
    if (failed(conditions.makeExact(*pipelined)))
      return failure();
    remark::passed(loc, remark::RemarkOpts::name("pipeline")
                            .category("tile-gpu-expand-pipeline")
                            .function(getOperation().getName()))
        << remark::metric("Distance", *distance);
    return success();
  }
};
} // namespace
