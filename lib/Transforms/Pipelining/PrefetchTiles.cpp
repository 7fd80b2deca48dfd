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
// Copies by threads are counted in groups, in the order in which they were
// committed. Each tile fills slots from the first on, so that it is begun when
// nothing is under way and all threads have read what they need; the groups are
// carried as tokens:
//
//                                     groups = first copies of tile 0, commits
//     for tile {                      for tile, groups {
//       first copies, commits           loop(groups)
//       loop(groups)                    wait for products, for all copies
//       wait for products, copies       barrier
//       barrier                         next = first copies of tile + 1, if it
//                                              exists, commits in any case
//       results of tile                 results of tile
//     }                               }
//                                     wait for all copies
//
// Nothing else may commit a group meanwhile, since waits count groups from the
// last one backwards (TileLoop.h).
//
// The slots are then in use while results are stored, so that the buffers of
// those need bytes of their own (PrefetchRoom.h). Where there are too few, results are stored in
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
#include "TileLoop.h"

#include "tessera/Dialect/Tile/IR/Assertions.h"
#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

namespace tessera {
#define GEN_PASS_DEF_TILEGPUPREFETCHTILESPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

//===----------------------------------------------------------------------===//
// The copies of another tile
//===----------------------------------------------------------------------===//

namespace {
/// What values are computed from in an iteration of the outer loop, beside what
/// is there anyway. A copy of it runs only if the tile exists, whose own
/// computations would run as well, unless an assertion stops the program first.
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
  if (!canMove(def) &&
      (!tile::canRunEarly(def, mayStop) || !addOperands(def)))
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
  explicit Prefetcher(TileLoop tileLoop)
      : loop(std::move(tileLoop)), builder(getLoop()->getContext()),
        hasOthers(loop.hasOtherBuffers()) {}

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
  SmallVector<Value> buildBranch(Location loc, Value condition,
                                 function_ref<SmallVector<Value>()> build);
  SmallVector<Value> cloneCopies(const OuterLoop::Iteration &tile);
  Operation *getIssuePoint();
  SmallVector<Value> prefetchFirst();
  void prefetchEarly();
  SmallVector<Value> prefetchNext();
  void handOnGroups(ValueRange first, ValueRange next);
  void separateFirst();
  void dropFirst();
  void deferStoreWaits();

  TileLoop loop;
  OpBuilder builder;
  /// Whether slots may have had other contents before the first tile.
  bool hasOthers;
  /// What decides whether a tile has copies; those, and what they take beside
  /// it.
  SmallVector<Operation *> conditions, copies;
  /// What the next tile's counter and carried values take of operations behind
  /// the barrier.
  SmallVector<Operation *> updates;
  SmallVector<BlockArgument> arguments;
};
} // namespace

/// Emits what `build` does, which returns groups, under a condition; where it is
/// false, as many groups of nothing.
SmallVector<Value>
Prefetcher::buildBranch(Location loc, Value condition,
                        function_ref<SmallVector<Value>()> build) {
  SmallVector<AsyncCommitOp> commits = loop.getCommits();
  SmallVector<Type> groups(commits.size(),
                           TokenType::get(builder.getContext()));
  OpBuilder::InsertionGuard restore(builder);
  auto branch = scf::IfOp::create(builder, loc, groups, condition,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/!groups.empty());
  builder.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(builder, loc, build());
  if (groups.empty())
    return {};
  builder.setInsertionPointToEnd(branch.elseBlock());
  SmallVector<Value> empty;
  for (AsyncCommitOp commit : commits)
    empty.push_back(builder.clone(*commit)->getResult(0));
  scf::YieldOp::create(builder, loc, empty);
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Emits the first copies of a tile, if it exists; returns their groups.
SmallVector<Value> Prefetcher::cloneCopies(const OuterLoop::Iteration &tile) {
  IRMapping mapping;
  for (BlockArgument argument : arguments)
    mapping.map(argument, tile.arguments[argument.getArgNumber()]);
  auto cloneFirst = [&] {
    for (Operation *op : copies)
      builder.clone(*op, mapping);
    return llvm::map_to_vector(loop.getCommits(), [&](AsyncCommitOp commit) {
      return mapping.lookup(commit.getToken());
    });
  };
  return buildBranch(getLoop()->getLoc(), tile.exists, [&] {
    for (Operation *op : conditions)
      builder.clone(*op, mapping);
    auto guard = dyn_cast<scf::IfOp>(loop.holder);
    if (!guard)
      return cloneFirst();
    return buildBranch(guard.getLoc(),
                       mapping.lookupOrDefault(guard.getCondition()),
                       cloneFirst);
  });
}

bool Prefetcher::canPrefetch() {
  if (!loop.outer.canBuild())
    return false;
  // Maps know where their arrays end; what threads copy, assertions may be about.
  if (!loop.usesTensorCopies && loop.outer.mayStop())
    return false;
  // Buffers are hoisted.
  Slice tile(
      loop.outer, [](Operation *op) { return isa<AllocOp>(op); },
      [](Operation *) { return false; });
  if (auto guard = dyn_cast<scf::IfOp>(loop.holder);
      guard && !tile.add(guard.getCondition()))
    return false;
  conditions = llvm::to_vector(tile.ops);
  for (Operation *op : loop.first) {
    if (!tile.addOperands(op))
      return false;
    tile.ops.insert(op);
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
  for (AllocOp alloc : loop.getKept())
    alloc->moveBefore(outer);
  SmallVector<TMALoadEndOp> ends;
  outer->walk([&](TMALoadEndOp end) { ends.push_back(end); });
  for (TMALoadEndOp end : ends)
    end->moveAfter(outer);
}

SmallVector<Value> Prefetcher::prefetchFirst() {
  builder.setInsertionPoint(loop.outer.getOperation());
  return cloneCopies(loop.outer.buildFirst(builder));
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
    hasMet |= isa<BarrierOp>(op);
    copies |= hasMet && isTensorCopyBranch(&op);
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
SmallVector<Value> Prefetcher::prefetchNext() {
  for (Operation *op : updates)
    if (LocalStoreOp write = findHandover(op)) {
      Operation *buffer = write.getBuffer().getDefiningOp();
      if (getLoop()->isProperAncestor(buffer))
        buffer->moveBefore(loop.barrier);
      write->moveBefore(loop.barrier);
    }
  builder.setInsertionPointAfter(loop.barrier);
  IRMapping current;
  for (Operation *op : updates) {
    if (!findHandover(op)) {
      builder.clone(*op, current);
      continue;
    }
    // It may stand there already.
    op->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
    builder.setInsertionPointAfter(op);
  }
  return cloneCopies(loop.outer.buildNext(builder, current));
}

/// Tiles carry the groups of their first copies. What is left of those behind the
/// last tile is nothing, and no later wait is to count it.
void Prefetcher::handOnGroups(ValueRange first, ValueRange next) {
  loop.outer.addCarried(first);
  auto carried =
      loop.outer.getBody()->getArguments().take_back(first.size());
  for (auto [commit, group] : llvm::zip(loop.getCommits(), carried))
    commit.getToken().replaceAllUsesWith(group);
  loop.outer.setLast(next);
  builder.setInsertionPointAfter(loop.outer.getOperation());
  AsyncWaitOp::create(builder, loop.inner.getLoc(), Value(), /*pending=*/0);
}

/// The fence and the barrier that let the first copies have the bytes of other
/// buffers are needed once, where there are others, before all tiles. Another
/// fence is that of a product's operand, which all threads write: once a tile,
/// and not in each iteration, do they meet for it.
void Prefetcher::separateFirst() {
  Operation *copies =
      loop.outer.getBody()->findAncestorOpInBlock(*loop.first.front());
  auto barrier = findBefore<BarrierOp>(copies);
  bool keepsBarrier = false;
  auto leave = [&](Operation *op, bool isKept) {
    if (hasOthers)
      OpBuilder(getLoop()).clone(*op);
    if (!isKept)
      op->erase();
  };
  if (loop.usesTensorCopies) {
    auto fence = barrier ? findBefore<FenceAsyncOp>(barrier) : FenceAsyncOp();
    if (!fence)
      return;
    keepsBarrier = findBefore<FenceAsyncOp>(fence) != nullptr;
    leave(fence, /*isKept=*/false);
  }
  if (barrier)
    leave(barrier, keepsBarrier);
}

void Prefetcher::dropFirst() {
  for (Operation *op : loop.first)
    op->erase();
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
  separateFirst();
  hoistBuffers();
  SmallVector<Value> groups = prefetchFirst();
  if (early)
    prefetchEarly();
  else if (SmallVector<Value> next = prefetchNext(); !next.empty())
    handOnGroups(groups, next);
  dropFirst();
  deferStoreWaits();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct PrefetchTiles
    : tessera::impl::TileGPUPrefetchTilesPassBase<PrefetchTiles> {
  void runOnOperation() override {
    SmallVector<TileLoop> loops;
    getOperation().walk([&](Operation *op) {
      if (std::optional<OuterLoop> outer = OuterLoop::get(op))
        collect(*outer, loops);
    });
    for (TileLoop &loop : loops)
      if (failed(visit(loop)))
        return signalPassFailure();
  }

private:
  void collect(OuterLoop outer, SmallVectorImpl<TileLoop> &loops);
  LogicalResult visit(TileLoop &loop);
  std::string decide(const TargetInfo &target, TileLoop &loop,
                     SharedBytes &shared, std::optional<StorePieces> &pieces);
  void decline(Operation *op, const Twine &reason) {
    remark::missed(op->getLoc(), getRemarkOpts())
        << remark::reason("{0}", reason.str());
  }
  remark::RemarkOpts getRemarkOpts() {
    return remark::RemarkOpts::name("prefetch")
        .category("tile-gpu-prefetch-tiles")
        .function(getOperation().getName());
  }
};
} // namespace

/// Whether a tile may begin before the one before it has stored its results.
static bool isIndependent(Operation *loop) {
  auto kind =
      loop->getAttrOfType<tile::TileLoopAttr>(tile::TileDialect::kTileLoop);
  return kind && kind.getValue() == tile::TileLoop::Independent;
}

/// Appends what copies may begin early in; says of others why not.
void PrefetchTiles::collect(OuterLoop outer,
                            SmallVectorImpl<TileLoop> &loops) {
  Operation *op = outer.getOperation();
  SmallVector<TileLoopMatch, 2> matches = matchTileLoops(outer);
  for (TileLoopMatch &match : matches) {
    if (!isIndependent(op))
      decline(match.at, "the loop around it is not one over independent tiles");
    else if (!match.loop)
      decline(match.at, match.reason);
    else
      loops.push_back(std::move(*match.loop));
  }
  if (matches.empty() && op->hasAttr(tile::TileDialect::kTileLoop) &&
      !hasCopies(op))
    decline(op, "no copies of a tile run ahead");
}

/// How results are to be stored beside slots in use; why not, if they cannot be.
std::string PrefetchTiles::decide(const TargetInfo &target, TileLoop &loop,
                                  SharedBytes &shared,
                                  std::optional<StorePieces> &pieces) {
  int32_t before = countPrograms(target, loop.inner, shared.inTurn);
  std::string reason = checkRoom(target, loop.inner, shared, before);
  if (reason.empty())
    return "";
  pieces = StorePieces::get(loop.outer.getBody());
  if (!pieces)
    return reason;
  shared.sideBySide += getBytesMore(*pieces);
  return checkRoom(target, loop.inner, shared, before);
}

/// Why copies of the next tile cannot be made in this one.
static StringRef sayUnknown(const TileLoop &loop) {
  if (!loop.outer.mayStop())
    return "where the next tile's copies read is not known before this tile's "
           "results";
  return loop.usesTensorCopies
             ? "an assertion may stop a program before it computes where copies "
               "read"
             : "an assertion may stop a program before its copies read";
}

LogicalResult PrefetchTiles::visit(TileLoop &loop) {
  FailureOr<TargetInfo> target = getTargetInfo(getOperation());
  if (failed(target))
    return failure();
  SharedBytes shared = SharedBytes::count(getOperation(), loop.getKept());
  std::optional<StorePieces> pieces;
  std::string reason = decide(*target, loop, shared, pieces);
  Location loc = loop.inner.getLoc();
  if (!reason.empty()) {
    remark::missed(loc, getRemarkOpts())
        << remark::reason("{0}", reason)
        << remark::suggest("fewer stages or a smaller tile");
    return success();
  }
  Prefetcher prefetcher(loop);
  if (!prefetcher.canPrefetch()) {
    decline(loop.inner, sayUnknown(loop));
    return success();
  }
  int64_t carried = prefetcher.carry();
  int64_t numPieces = pieces ? pieces->getNumPieces() : 1;
  if (pieces)
    pieces->build(prefetcher.getLoop());
  bool early = prefetcher.canBeginEarly();
  remark::passed(loc, getRemarkOpts())
      << remark::metric("Copies", loop.countIterations())
      << remark::metric("SharedBytes", shared.sideBySide)
      << remark::metric("StorePieces", numPieces)
      << remark::metric("Carried", carried)
      << remark::metric("Early", early);
  prefetcher.run(early);
  return success();
}
