//===- PrefetchTiles.cpp - tile-gpu-prefetch-tiles ------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A persistent program begins a tile with copies that nothing can hide: they
// have to arrive before the first product. Here the first copies of the next
// tile are issued before the results of this one are stored:
//
//     before                          after
//
//                                     first copies of tile 0
//     for tile {                      for tile {
//       first copies of tile            loop
//       loop                            barrier
//       barrier                         first copies of tile + 1, if it exists
//       results of tile                 results of tile
//     }                               }
//
// Where the inner loop is known to run, its last barrier has freed the slots:
//
//     for tile, place {               for tile, place {
//       loop                            if it runs:
//       wait for its last products        loop
//       barrier                           place and first copies of tile + 1
//       first copies of tile + 1          wait for its last products
//                                       else: barrier, the same copies
//       results of tile                 results of tile
//     }                               }
//
// Where a tile lies is carried from there (TileCoordinates.h).
//
// The slots are then in use while results are stored, so that the buffers of
// those need bytes of their own. Where there are too few, results are stored in
// pieces (StorePieces.h). Where also that would cost a multiprocessor one of
// its programs, the pass leaves the loop: programs hide each other's copies. A
// store is waited for when its buffer is written again, which is one tile
// later.
//
// Where a counter deals tiles out, one thread asks it for the next tile at the
// beginning of this one. It hands the answer to the others by way of shared
// memory, and does so by the barrier that stands there anyway.
//
//===----------------------------------------------------------------------===//

#include "OuterLoop.h"
#include "PrefetchRoom.h"
#include "StorePieces.h"
#include "TileCoordinates.h"

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace tessera {
#define GEN_PASS_DEF_TILEGPUPREFETCHTILESPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

namespace {
/// A loop over tiles, and the pipelined loop in it.
struct TileLoop : TileLoopParts {
  /// The first copies, each iteration's under its condition.
  SmallVector<scf::IfOp> first;
  /// Behind it, no product reads a slot any more.
  BarrierOp barrier;
};
} // namespace

static bool isCopyBranch(scf::IfOp branch) {
  return branch.getNumResults() == 0 && !branch.elseBlock() &&
         llvm::all_of(branch.thenBlock()->without_terminator(),
                      [](Operation &op) {
                        return isa<MBarrierExpectOp, TMALoadOp>(op);
                      });
}

/// The only inner loop that tensor copies feed, and its parts; null when there
/// are none or several.
static std::optional<TileLoop> matchTileLoop(OuterLoop outer) {
  std::optional<TileLoop> found;
  for (Operation &op : outer.getBody()->without_terminator()) {
    Block *block = outer.getBody();
    if (auto guard = dyn_cast<scf::IfOp>(op))
      block = guard.thenBlock();
    else if (!isa<scf::ForOp>(op))
      continue;
    TileLoop loop{{outer, nullptr, &op}, {}, nullptr};
    for (Operation &part : *block) {
      if (auto inner = dyn_cast<scf::ForOp>(part)) {
        loop.inner = inner;
        break;
      }
      if (auto branch = dyn_cast<scf::IfOp>(part);
          branch && isCopyBranch(branch))
        loop.first.push_back(branch);
    }
    if (!loop.inner || loop.first.empty() || loop.inner->getBlock() != block)
      continue;
    if (found)
      return std::nullopt;
    found = std::move(loop);
  }
  if (found)
    for (Operation *op = found->holder->getNextNode(); op && !found->barrier;
         op = op->getNextNode())
      found->barrier = dyn_cast<BarrierOp>(op);
  return found && found->barrier ? found : std::nullopt;
}

//===----------------------------------------------------------------------===//
// The copies of another tile
//===----------------------------------------------------------------------===//

/// A copy runs only if the tile exists, whose own computations would run as
/// well, unless an assertion stops the program first: a division, say, may be
/// copied where there is none.
static bool canCopy(Operation *op, bool mayStop) {
  return isMemoryEffectFree(op) && (!mayStop || isSpeculatable(op));
}

namespace {
/// What values are computed from in an iteration of the outer loop, beside what
/// is there anyway.
struct Slice {
  using Predicate = std::function<bool(Operation *)>;
  Slice(OuterLoop outer, Predicate isThere, Predicate canMove)
      : outer(outer), mayStop(outer.mayStop()), isThere(std::move(isThere)),
        canMove(std::move(canMove)) {}

  /// Adds a value. False where it comes from an operation with an effect that
  /// cannot be moved either.
  bool add(Value value);
  /// Adds what an operation and its regions take. False as above.
  bool addOperands(Operation *op);

  /// Each after those that it uses.
  llvm::SetVector<Operation *> ops;
  /// The counter and carried values.
  llvm::SetVector<BlockArgument> arguments;

private:
  OuterLoop outer;
  bool mayStop;
  Predicate isThere, canMove;
};
} // namespace

/// The only write of the buffer that the operation reads, if nobody else reads
/// it; else null.
static LocalStoreOp findHandover(Operation *op) {
  auto read = dyn_cast<LocalLoadOp>(op);
  AllocOp buffer = read ? read.getBuffer().getDefiningOp<AllocOp>() : AllocOp();
  if (!buffer || !llvm::hasNItems(buffer->getUsers(), 2))
    return nullptr;
  for (Operation *user : buffer->getUsers())
    if (auto write = dyn_cast<LocalStoreOp>(user);
        write && write->getBlock() == read->getBlock() &&
        write->isBeforeInBlock(read))
      return write;
  return nullptr;
}

bool Slice::add(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == outer.getBody())
    arguments.insert(argument);
  Operation *def = value.getDefiningOp();
  if (!def || !outer.getOperation()->isProperAncestor(def) || isThere(def) ||
      ops.contains(def))
    return true;
  if (!canMove(def) && (!canCopy(def, mayStop) || !addOperands(def)))
    return false;
  ops.insert(def);
  return true;
}

bool Slice::addOperands(Operation *op) {
  WalkResult walk = op->walk([&](Operation *inner) {
    bool added = llvm::all_of(inner->getOperands(), [&](Value operand) {
      Operation *def = operand.getDefiningOp();
      return (def && op->isProperAncestor(def)) || add(operand);
    });
    return added ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

namespace {
class Prefetcher {
public:
  explicit Prefetcher(TileLoop loop)
      : loop(std::move(loop)),
        builder(this->loop.outer.getOperation()->getContext()) {}

  /// Whether the next tile's copies depend on scalars alone, which are known
  /// before this tile's results. Finds out what `run` repeats.
  bool canPrefetch();
  /// Lets tiles carry their coordinates; returns how many.
  int64_t carry();
  /// Whether the next tile's copies can stand right behind the inner loop.
  bool canBeginEarly();
  /// `early` as canBeginEarly() says.
  void run(bool early);
  Operation *getLoop() const { return loop.outer.getOperation(); }

private:
  void hoistBuffers();
  void cloneCopies(const OuterLoop::Iteration &tile);
  Operation *getIssuePoint();
  void prefetchFirst();
  void prefetchEarly();
  void prefetchNext();
  void dropFirst();
  void deferStoreWaits();

  TileLoop loop;
  OpBuilder builder;
  /// What decides whether a tile has copies; those, and what they take beside
  /// it.
  SmallVector<Operation *> conditions, copies;
  /// What the next tile's counter and carried values take of operations behind
  /// the barrier.
  SmallVector<Operation *> updates;
  SmallVector<BlockArgument> arguments;
};
} // namespace

/// Emits the first copies of a tile, if it exists.
void Prefetcher::cloneCopies(const OuterLoop::Iteration &tile) {
  IRMapping mapping;
  for (BlockArgument argument : arguments)
    mapping.map(argument, tile.arguments[argument.getArgNumber()]);
  OpBuilder::InsertionGuard restore(builder);
  auto branch = scf::IfOp::create(builder, loop.outer.getOperation()->getLoc(),
                                  tile.exists, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
  for (Operation *op : conditions)
    builder.clone(*op, mapping);
  if (auto guard = dyn_cast<scf::IfOp>(loop.holder)) {
    Value runs = mapping.lookupOrDefault(guard.getCondition());
    auto branch = scf::IfOp::create(builder, guard.getLoc(), runs,
                                    /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  for (Operation *op : copies)
    builder.clone(*op, mapping);
}

bool Prefetcher::canPrefetch() {
  if (!loop.outer.canBuild())
    return false;
  // Buffers are hoisted.
  Slice tile(
      loop.outer, [](Operation *op) { return isa<AllocOp>(op); },
      [](Operation *) { return false; });
  if (auto guard = dyn_cast<scf::IfOp>(loop.holder);
      guard && !tile.add(guard.getCondition()))
    return false;
  conditions = llvm::to_vector(tile.ops);
  for (scf::IfOp branch : loop.first) {
    if (!tile.addOperands(branch))
      return false;
    tile.ops.insert(branch);
  }
  copies = llvm::to_vector(llvm::drop_begin(tile.ops, conditions.size()));
  arguments = tile.arguments.takeVector();

  auto isThere = [&](Operation *op) {
    Operation *part = loop.outer.getBody()->findAncestorOpInBlock(*op);
    return !part || isa<AllocOp>(op) || part->isBeforeInBlock(loop.barrier);
  };
  Slice next(loop.outer, isThere, [&](Operation *op) {
    LocalStoreOp write = findHandover(op);
    Operation *source = write ? write.getValue().getDefiningOp() : nullptr;
    return source && isThere(source);
  });
  for (Value update : loop.outer.getUpdates(arguments))
    if (!next.add(update))
      return false;
  updates = llvm::to_vector(next.ops);
  return true;
}

int64_t Prefetcher::carry() {
  SmallVector<Operation *> slice = llvm::to_vector(
      llvm::concat<Operation *>(conditions, copies));
  int64_t count = carryCoordinates(loop, slice);
  // They are computed from others now. Carried values are there at the end of
  // an iteration, so that nothing stands against the copies that did not before.
  if (count != 0) {
    [[maybe_unused]] bool can = canPrefetch();
    assert(can && "carried coordinates are known early");
  }
  return count;
}

/// Buffers are in use from one tile to the next.
void Prefetcher::hoistBuffers() {
  Operation *outer = loop.outer.getOperation();
  outer->walk([&](AllocOp alloc) { alloc->moveBefore(outer); });
  SmallVector<TMALoadEndOp> ends;
  outer->walk([&](TMALoadEndOp end) { ends.push_back(end); });
  for (TMALoadEndOp end : ends)
    end->moveAfter(outer);
}

void Prefetcher::prefetchFirst() {
  builder.setInsertionPoint(loop.outer.getOperation());
  cloneCopies(loop.outer.buildFirst(builder));
}

/// Whether the condition is that the loop has an iteration.
static bool saysThatRuns(Value condition, scf::ForOp loop) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return false;
  Value less = compare.getLhs(), more = compare.getRhs();
  if (compare.getPredicate() == arith::CmpIPredicate::sgt)
    std::swap(less, more);
  else if (compare.getPredicate() != arith::CmpIPredicate::slt)
    return false;
  return !loop.getUnsignedCmp() &&
         isEqualConstantIntOrValue(less, loop.getLowerBound()) &&
         isEqualConstantIntOrValue(more, loop.getUpperBound());
}

/// Whether an iteration ends with copies that a barrier precedes: the slots of
/// as many iterations as copies run ahead are then free.
static bool endsWithCopies(scf::ForOp loop) {
  bool hasMet = false, copies = false;
  for (Operation &op : *loop.getBody()) {
    auto branch = dyn_cast<scf::IfOp>(op);
    hasMet |= isa<BarrierOp>(op);
    copies |= hasMet && branch && isCopyBranch(branch);
    WalkResult reads = op.walk([](Operation *inner) {
      return isa<WgmmaOp, LocalLoadOp>(inner) ? WalkResult::interrupt()
                                              : WalkResult::advance();
    });
    if (hasMet && reads.wasInterrupted())
      return false;
  }
  return copies;
}

// The inner loop runs wherever it stands and frees slots, and what the next
// tile's copies take is known right behind it.
bool Prefetcher::canBeginEarly() {
  auto guard = dyn_cast<scf::IfOp>(loop.holder);
  if (!guard || !guard.elseBlock() || !updates.empty() ||
      !isa<scf::ForOp>(getLoop()) ||
      !saysThatRuns(guard.getCondition(), loop.inner) ||
      !endsWithCopies(loop.inner))
    return false;
  return llvm::all_of(loop.outer.getUpdates(arguments), [&](Value update) {
    auto result = dyn_cast<OpResult>(update);
    if (result && result.getOwner() == guard)
      update = guard.thenYield().getOperand(result.getResultNumber());
    Operation *def = update.getDefiningOp();
    Operation *part = def ? loop.outer.getBody()->findAncestorOpInBlock(*def)
                          : nullptr;
    return !part || part->isBeforeInBlock(guard) ||
           (def->getBlock() == guard.thenBlock() &&
            def->isBeforeInBlock(getIssuePoint()));
  });
}

/// Where the products of the inner loop are waited for.
Operation *Prefetcher::getIssuePoint() {
  Operation *op = loop.inner->getNextNode();
  while (!isa<WgmmaWaitOp>(op) && op->getNextNode())
    op = op->getNextNode();
  return op;
}

/// Behind the inner loop, whose last barrier has freed the slots that its own
/// copies would have filled next. A loop that does not run has no barrier.
void Prefetcher::prefetchEarly() {
  auto guard = cast<scf::IfOp>(loop.holder);
  auto issue = [&](scf::YieldOp yield) {
    IRMapping current;
    current.map(guard.getResults(), yield.getOperands());
    cloneCopies(loop.outer.buildNext(builder, current));
  };
  builder.setInsertionPoint(getIssuePoint());
  issue(guard.thenYield());
  builder.setInsertionPoint(guard.elseYield());
  BarrierOp::create(builder, loop.barrier.getLoc());
  issue(guard.elseYield());
  loop.barrier.erase();
}

/// Behind the barrier. What is handed over is written before it.
void Prefetcher::prefetchNext() {
  builder.setInsertionPointAfter(loop.barrier);
  IRMapping current;
  for (Operation *op : updates) {
    if (LocalStoreOp write = findHandover(op)) {
      write->moveBefore(loop.barrier);
      op->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
    } else {
      builder.clone(*op, current);
    }
  }
  cloneCopies(loop.outer.buildNext(builder, current));
}

/// The operation of a kind that comes last before `op`, with nothing but
/// computations between; null for none.
template <typename OpTy>
static OpTy findBefore(Operation *op) {
  for (op = op->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto found = dyn_cast<OpTy>(op))
      return found;
    if (!isMemoryEffectFree(op) && !isa<AllocOp>(op))
      return nullptr;
  }
  return nullptr;
}

/// The first copies, and the fence and the barrier that let them have the bytes
/// of other buffers. Another fence is that of a product's operand, which all
/// threads write: once a tile, and not in each iteration, do they meet for it.
void Prefetcher::dropFirst() {
  for (scf::IfOp copies : loop.first)
    copies.erase();
  auto barrier = findBefore<BarrierOp>(loop.holder);
  auto fence = barrier ? findBefore<FenceAsyncOp>(barrier) : FenceAsyncOp();
  if (!fence)
    return;
  if (!findBefore<FenceAsyncOp>(fence))
    barrier.erase();
  fence.erase();
}

/// The only copy that the wait waits for, if it stands beside it; else null.
static TMAStoreOp findStore(TMAStoreWaitOp wait) {
  TMAStoreOp found;
  for (Operation *op = wait->getPrevNode(); op && !isa<TMAStoreWaitOp>(op);
       op = op->getPrevNode()) {
    bool stores = op->walk([](TMAStoreOp) { return WalkResult::interrupt(); })
                      .wasInterrupted();
    if (!stores)
      continue;
    auto store = dyn_cast<TMAStoreOp>(op);
    if (found || !store)
      return nullptr;
    found = store;
  }
  return found;
}

/// The only write of the buffer that is stored, before the store; null where
/// another operation may be the first to write it in an iteration.
static LocalStoreOp findWrite(TMAStoreOp store) {
  auto buffer = store.getBuffer().getDefiningOp<AllocOp>();
  if (!buffer)
    return nullptr;
  LocalStoreOp write;
  for (Operation *user : buffer->getUsers()) {
    if (isa<TMAStoreOp, LocalLoadOp>(user))
      continue;
    if (write || !isa<LocalStoreOp>(user))
      return nullptr;
    write = cast<LocalStoreOp>(user);
  }
  bool isBefore = write && write->getBlock() == store->getBlock() &&
                  write->isBeforeInBlock(store);
  return isBefore ? write : LocalStoreOp();
}

/// A store's buffer is next written one tile later.
void Prefetcher::deferStoreWaits() {
  Block *body = loop.outer.getBody();
  for (auto wait : llvm::make_early_inc_range(body->getOps<TMAStoreWaitOp>())) {
    TMAStoreOp store = findStore(wait);
    LocalStoreOp write = store ? findWrite(store) : LocalStoreOp();
    if (!write || wait.getPending() != 0)
      continue;
    builder.setInsertionPointAfter(loop.outer.getOperation());
    builder.clone(*wait);
    wait->moveBefore(write);
  }
}

void Prefetcher::run(bool early) {
  hoistBuffers();
  prefetchFirst();
  if (early)
    prefetchEarly();
  else
    prefetchNext();
  dropFirst();
  deferStoreWaits();
}

namespace {
struct PrefetchTiles
    : tessera::impl::TileGPUPrefetchTilesPassBase<PrefetchTiles> {
  void runOnOperation() override {
    SmallVector<TileLoop> loops;
    getOperation().walk([&](Operation *op) {
      std::optional<OuterLoop> outer = OuterLoop::get(op);
      std::optional<TileLoop> loop =
          outer ? matchTileLoop(*outer) : std::nullopt;
      if (loop)
        loops.push_back(std::move(*loop));
    });
    for (TileLoop &loop : loops)
      if (failed(visit(loop)))
        return signalPassFailure();
  }

private:
  remark::RemarkOpts getRemarkOpts() {
    return remark::RemarkOpts::name("prefetch")
        .category("tile-gpu-prefetch-tiles")
        .function(getOperation().getName());
  }
  LogicalResult visit(TileLoop &loop);
};
} // namespace

/// Whether a tile may begin before the one before it has stored its results.
static bool isIndependent(Operation *loop) {
  auto kind =
      loop->getAttrOfType<tile::TileLoopAttr>(tile::TileDialect::kTileLoop);
  return kind && kind.getValue() == tile::TileLoop::Independent;
}

LogicalResult PrefetchTiles::visit(TileLoop &loop) {
  FailureOr<TargetInfo> target = getTargetInfo(getOperation());
  if (failed(target))
    return failure();
  Location loc = loop.inner.getLoc();
  if (!isIndependent(loop.outer.getOperation())) {
    remark::missed(loc, getRemarkOpts()) << remark::reason(
        "the loop around it is not one over independent tiles");
    return success();
  }
  SharedBytes shared = SharedBytes::count(getOperation());
  int32_t before = countPrograms(*target, loop.inner, shared.inTurn());
  std::string reason = checkRoom(*target, loop.inner, shared, before);
  std::optional<StorePieces> pieces;
  if (!reason.empty())
    pieces = StorePieces::get(loop.outer.getBody());
  if (pieces) {
    shared.others += getBytesMore(*pieces);
    reason = checkRoom(*target, loop.inner, shared, before);
  }
  if (!reason.empty()) {
    remark::missed(loc, getRemarkOpts())
        << remark::reason("{0}", reason)
        << remark::suggest("fewer stages or a smaller tile");
    return success();
  }
  Prefetcher prefetcher(loop);
  if (!prefetcher.canPrefetch()) {
    remark::missed(loc, getRemarkOpts()) << remark::reason(
        "{0}", loop.outer.mayStop()
                   ? "an assertion may stop a program before it computes where "
                     "copies read"
                   : "where the next tile's copies read is not known before "
                     "this tile's results");
    return success();
  }
  int64_t carried = prefetcher.carry();
  int64_t numPieces = pieces ? pieces->getNumPieces() : 1;
  if (pieces)
    pieces->build(prefetcher.getLoop());
  bool early = prefetcher.canBeginEarly();
  remark::passed(loc, getRemarkOpts())
      << remark::metric("Copies", loop.first.size())
      << remark::metric("SharedBytes", shared.sideBySide())
      << remark::metric("StorePieces", numPieces)
      << remark::metric("Carried", carried)
      << remark::metric("Early", early);
  prefetcher.run(early);
  return success();
}
