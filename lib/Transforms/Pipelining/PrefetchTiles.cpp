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
// The slots are then in use while results are stored, so that the buffers of
// those need bytes of their own. Where these would cost a multiprocessor one of
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
#include "PipelinePlan.h"

#include "tessera/Dialect/TileGPU/IR/SharedAlignment.h"
#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Schedule/Occupancy.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

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
struct TileLoop {
  OuterLoop outer;
  scf::ForOp inner;
  /// The operation of the outer loop's body that holds the inner loop: the loop
  /// itself, or the condition that it runs at all.
  Operation *holder = nullptr;
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
    TileLoop loop{outer, nullptr, &op, {}, nullptr};
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

namespace {
/// Bytes of shared memory.
struct SharedBytes {
  int64_t slots = 0, others = 0, barriers = 0;

  int64_t sideBySide() const { return slots + others + barriers; }
  /// Of a program whose slots are free when it stores its results.
  int64_t inTurn() const { return std::max(slots, others) + barriers; }
};
} // namespace

static SharedBytes countSharedBytes(tile::FuncOp function) {
  SharedBytes bytes;
  function.walk([&](Operation *op) {
    if (auto alloc = dyn_cast<AllocOp>(op)) {
      BufferType type = alloc.getType();
      int64_t &kind = type.getSlots() > 1 ? bytes.slots : bytes.others;
      bool isAsync = !llvm::all_of(alloc->getUsers(),
                                   llvm::IsaPred<LocalLoadOp, LocalStoreOp>);
      kind += llvm::alignTo(type.getBytes(),
                            getSharedAlignment(type.getBytes(), isAsync));
    } else if (auto barriers = dyn_cast<MBarrierInitOp>(op)) {
      bytes.barriers +=
          llvm::alignTo(barriers.getType().getBytes(), kMBarrierAlignment);
    }
  });
  return bytes;
}

/// Programs on a multiprocessor, of `bytes` of shared memory. Of the registers
/// only those are known that hold the tensors of the inner loop.
static int32_t countPrograms(const TargetInfo &target, scf::ForOp inner,
                             int64_t bytes) {
  CTAFootprint program;
  program.warps = getNumWarps(inner);
  program.sharedBytes = bytes;
  for (Type type : inner.getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      program.registers += countRegisters(tensor);
  return computeOccupancy(target, program).residentCTAs;
}

//===----------------------------------------------------------------------===//
// The copies of another tile
//===----------------------------------------------------------------------===//

/// A copy runs only if the tile exists, whose own computations would run as
/// well: a division, say, may be copied.
static bool canCopy(Operation *op) { return isMemoryEffectFree(op); }

namespace {
/// What values are computed from in an iteration of the outer loop, beside what
/// is there anyway.
struct Slice {
  using Predicate = std::function<bool(Operation *)>;
  Slice(OuterLoop outer, Predicate isThere, Predicate canMove)
      : outer(outer), isThere(std::move(isThere)), canMove(std::move(canMove)) {
  }

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
  if (!canMove(def) && (!canCopy(def) || !addOperands(def)))
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
  void run();

private:
  void hoistBuffers();
  void cloneCopies(const OuterLoop::Iteration &tile);
  void prefetchFirst();
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

void Prefetcher::run() {
  hoistBuffers();
  prefetchFirst();
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
  SharedBytes shared = countSharedBytes(getOperation());
  int64_t bytes = shared.sideBySide();
  if (bytes > target->maxSharedBytesPerCTA) {
    remark::missed(loc, getRemarkOpts())
        << remark::reason(
               "slots and the buffers of results would take {0} bytes "
               "of shared memory, a program has at most {1}",
               bytes, target->maxSharedBytesPerCTA)
        << remark::suggest("fewer stages or a smaller tile");
    return success();
  }
  int32_t programs = countPrograms(*target, loop.inner, bytes);
  int32_t before = countPrograms(*target, loop.inner, shared.inTurn());
  if (programs < before) {
    remark::missed(loc, getRemarkOpts())
        << remark::reason("slots and the buffers of results would take {0} "
                          "bytes of shared memory, and a multiprocessor {1} "
                          "programs in place of {2}, which hide each other's "
                          "copies",
                          bytes, programs, before)
        << remark::suggest("fewer stages or a smaller tile");
    return success();
  }
  Prefetcher prefetcher(loop);
  if (!prefetcher.canPrefetch()) {
    remark::missed(loc, getRemarkOpts()) << remark::reason(
        "where the next tile's copies read is not known before this tile's "
        "results");
    return success();
  }
  remark::passed(loc, getRemarkOpts())
      << remark::metric("Copies", loop.first.size())
      << remark::metric("SharedBytes", bytes);
  prefetcher.run();
  return success();
}
