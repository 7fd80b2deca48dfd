//===- TileLoop.cpp - a loop over tiles and its first copies --------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLoop.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static bool isCopy(Operation *op, bool byTensorMaps) {
  return byTensorMaps ? isa<MBarrierExpectOp, TMALoadOp>(op)
                      : isa<AsyncCopyOp, DescCopyOp>(op);
}

bool tessera::hasCopies(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isCopy(inner, true) || isCopy(inner, false)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the operation is copies, under a condition or without.
static bool isCopies(Operation *op, bool byTensorMaps) {
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch)
    return isCopy(op, byTensorMaps);
  auto ops = branch.thenBlock()->without_terminator();
  return branch.getNumResults() == 0 && !branch.elseBlock() && !ops.empty() &&
         llvm::all_of(ops, [&](Operation &inner) {
           return isCopy(&inner, byTensorMaps);
         });
}

bool tessera::isTensorCopyBranch(Operation *op) {
  return isa<scf::IfOp>(op) && isCopies(op, /*byTensorMaps=*/true);
}

SmallVector<AsyncCommitOp> TileLoop::getCommits() const {
  SmallVector<AsyncCommitOp> commits;
  for (Operation *op : first)
    if (auto commit = dyn_cast<AsyncCommitOp>(op))
      commits.push_back(commit);
  return commits;
}

int64_t TileLoop::countIterations() const {
  return llvm::count_if(first, [&](Operation *op) {
    return usesTensorCopies ? isa<scf::IfOp, MBarrierExpectOp>(op)
                            : isa<AsyncCommitOp>(op);
  });
}

static AllocOp findRing(Value buffer) {
  if (auto slot = buffer.getDefiningOp<SlotOp>())
    buffer = slot.getBuffer();
  return buffer.getDefiningOp<AllocOp>();
}

SmallVector<AllocOp> TileLoop::getRings() const {
  llvm::SetVector<AllocOp> rings;
  auto add = [&](Operation *copy) {
    for (Value operand : copy->getOperands())
      if (AllocOp ring = findRing(operand))
        rings.insert(ring);
  };
  for (Operation *op : first)
    op->walk(add);
  return llvm::to_vector(rings);
}

SmallVector<AllocOp> TileLoop::getKept() const {
  SmallVector<AllocOp> kept, rings = getRings();
  outer.getOperation()->walk([&](AllocOp alloc) {
    if (usesTensorCopies || llvm::is_contained(rings, alloc) ||
        llvm::any_of(alloc->getUsers(), llvm::IsaPred<SlotOp, TMAStoreOp>))
      kept.push_back(alloc);
  });
  return kept;
}

bool TileLoop::hasOtherBuffers() const {
  Operation *op = outer.getOperation();
  if (op->getParentOfType<LoopLikeOpInterface>())
    return true;
  return op->getParentOfType<tile::FuncOp>()
      .walk([&](AllocOp alloc) {
        return op->isProperAncestor(alloc) ? WalkResult::advance()
                                           : WalkResult::interrupt();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Copies by threads
//===----------------------------------------------------------------------===//

namespace {
/// Whether nothing interferes with the groups and the slots of a loop whose first
/// copies are made by threads.
class GroupCheck {
public:
  explicit GroupCheck(TileLoop &loop) : loop(loop) {}
  /// What does; empty when nothing.
  std::string run();

private:
  Operation *findInBlock(Operation *op);
  bool isBehind(Operation *op);
  bool isOwn(Operation *op);
  bool hasOtherGroups();
  bool hasOtherAccesses();
  template <typename OpTy>
  bool waitsForAll();

  TileLoop &loop;
};
} // namespace

/// The operation itself, or what holds it, next to the inner loop; null where it
/// is elsewhere.
Operation *GroupCheck::findInBlock(Operation *op) {
  return loop.inner->getBlock()->findAncestorOpInBlock(*op);
}

/// Whether the operation comes after a wait that stands before the inner loop,
/// for copies that are read ahead of it.
bool GroupCheck::isBehind(Operation *op) {
  return loop.first.back()->isBeforeInBlock(op) &&
         op->isBeforeInBlock(loop.inner);
}

/// Whether an access of a slot is one of the inner loop or of what comes before.
bool GroupCheck::isOwn(Operation *op) {
  Operation *part = findInBlock(op);
  return part && (part == loop.inner || isBehind(part) ||
                  llvm::is_contained(loop.first, part));
}

bool GroupCheck::hasOtherGroups() {
  return loop.outer.getBody()
      ->walk([&](Operation *op) {
        return isa<AsyncCopyOp, DescCopyOp, AsyncCommitOp>(op) && !isOwn(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool GroupCheck::hasOtherAccesses() {
  auto isOther = [&](Operation *user) {
    return llvm::any_of(isa<SlotOp>(user) ? llvm::to_vector(user->getUsers())
                                          : SmallVector<Operation *>{user},
                        [&](Operation *access) { return !isOwn(access); });
  };
  return llvm::any_of(loop.getRings(), [&](AllocOp ring) {
    return llvm::any_of(ring->getUsers(), isOther);
  });
}

/// Whether such a wait, which leaves nothing under way, stands between the inner
/// loop and the barrier.
template <typename OpTy>
bool GroupCheck::waitsForAll() {
  auto isWait = [](Operation *op) {
    auto wait = dyn_cast<OpTy>(op);
    return wait && wait.getPending() == 0;
  };
  for (Operation *from : {loop.inner.getOperation(), loop.holder})
    for (Operation *op = from->getNextNode(); op && op != loop.barrier;
         op = op->getNextNode())
      if (isWait(op))
        return true;
  return false;
}

std::string GroupCheck::run() {
  if (!isa<AsyncCommitOp>(loop.first.back()) || loop.getRings().empty())
    return "no groups of copies stand before the loop";
  if (hasOtherGroups())
    return "a tile has other groups of copies than those of the loop, which "
           "its waits would count";
  if (hasOtherAccesses())
    return "a slot is accessed other than by the loop and its copies";
  bool leavesProducts =
      loop.inner
          ->walk([](WgmmaWaitOp wait) {
            return wait.getPending() != 0 ? WalkResult::interrupt()
                                          : WalkResult::advance();
          })
          .wasInterrupted();
  if (!waitsForAll<AsyncWaitOp>() ||
      (leavesProducts && !waitsForAll<WgmmaWaitOp>()))
    return "no wait for all copies and products stands between the loop and a "
           "barrier";
  return "";
}

//===----------------------------------------------------------------------===//
// The loops of a tile
//===----------------------------------------------------------------------===//

/// Copies of the first iterations, behind other loops; where threads copy, up to a
/// wait: what comes behind it fills a slot again.
static SmallVector<Operation *> findFirst(scf::ForOp inner, bool byTensorMaps) {
  SmallVector<Operation *> first;
  bool hasMet = false;
  for (Operation &op : *inner->getBlock()) {
    if (&op == inner)
      break;
    if (isa<LoopLikeOpInterface>(op)) {
      first.clear();
      hasMet = false;
    }
    hasMet |= !byTensorMaps && !first.empty() && isa<AsyncWaitOp>(op);
    if (!hasMet && (isCopies(&op, byTensorMaps) ||
                    (!byTensorMaps && isa<AsyncCommitOp>(op))))
      first.push_back(&op);
  }
  return first;
}

static Operation *getLoopAround(Operation *op) {
  return op->getParentOfType<LoopLikeOpInterface>();
}

/// Whether there are copies in the loop, and not in others inside of it.
static bool hasOwnCopies(scf::ForOp loop, bool byTensorMaps) {
  bool own = false, others = false;
  loop->walk([&](Operation *op) {
    if (isCopy(op, byTensorMaps))
      (getLoopAround(op) == loop ? own : others) = true;
  });
  return own && !others;
}

/// The loops in the body of `outer`, and not inside other loops, that have such
/// copies or follow them.
static SmallVector<scf::ForOp> findPipelined(OuterLoop outer,
                                             bool byTensorMaps) {
  SmallVector<scf::ForOp> loops;
  outer.getBody()->walk([&](scf::ForOp loop) {
    if (getLoopAround(loop) == outer.getOperation() &&
        (hasOwnCopies(loop, byTensorMaps) ||
         !findFirst(loop, byTensorMaps).empty()))
      loops.push_back(loop);
  });
  return loops;
}

static TileLoopMatch match(OuterLoop outer, scf::ForOp inner,
                           bool byTensorMaps) {
  Operation *holder = outer.getBody()->findAncestorOpInBlock(*inner);
  TileLoop loop{{outer, inner, holder}, byTensorMaps, {}, nullptr};
  TileLoopMatch match{std::nullopt, inner, ""};
  auto guard = dyn_cast<scf::IfOp>(holder);
  loop.first = findFirst(inner, byTensorMaps);
  for (Operation *op = holder->getNextNode(); op && !loop.barrier;
       op = op->getNextNode())
    loop.barrier = dyn_cast<BarrierOp>(op);
  if (holder != inner && (!guard || inner->getBlock() != guard.thenBlock()))
    match.reason = "whether the loop runs in a tile is not one condition";
  else if (loop.first.empty())
    match.reason = "no copies stand before the loop";
  else if (!loop.barrier)
    match.reason = "no barrier follows the loop in a tile";
  else if (!byTensorMaps)
    match.reason = GroupCheck(loop).run();
  if (match.reason.empty())
    match.loop = std::move(loop);
  return match;
}

SmallVector<TileLoopMatch, 2> tessera::matchTileLoops(OuterLoop outer) {
  SmallVector<TileLoopMatch, 2> matches;
  for (bool byTensorMaps : {true, false}) {
    SmallVector<scf::ForOp> loops = findPipelined(outer, byTensorMaps);
    if (loops.empty())
      continue;
    scf::ForOp inner = loops.front();
    if (loops.size() > 1)
      matches.push_back({std::nullopt, inner,
                         "copies run ahead of several loops of a tile"});
    else if (!matches.empty())
      matches.push_back({std::nullopt, inner,
                         "tensor maps copy for another loop of the tile"});
    else
      matches.push_back(match(outer, inner, byTensorMaps));
  }
  return matches;
}
