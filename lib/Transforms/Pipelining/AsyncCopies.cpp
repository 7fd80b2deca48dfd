//===- AsyncCopies.cpp - tile-gpu-async-copies ----------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the loads that tile-gpu-assign-stages chose into asynchronous copies.
// The loop still does one iteration after another: it issues copies, waits for
// them, and computes. Each operation gets the stage and the place in the
// pipelined iteration that tile-gpu-expand-pipeline gives it:
//
//   order  stage     operations
//     0    distance  wait for the copies, fence, barrier
//     1    distance  reads of slots into registers, and a second barrier where
//                    slots are refilled in the iteration that reads them
//     2    0         addresses, masks, copies, commit
//     3    distance  everything else
//
// Copies come before the products: they are then under way while those run.
//
// Where products read registers that are filled ahead (PipelinePlan.h), the
// products belong to the iteration before:
//
//   order  stage         operations
//     0    distance      wait for the copies, barrier
//     1    distance + 1  everything else
//     2    distance      reads of slots into registers, a second barrier
//     3    0             addresses, masks, copies, commit
//
// Tensor copies cost one thread a few instructions, and the others none, so that
// they come last. Slots are refilled in the iteration that has read them, or whose
// product has been followed by the end of theirs, behind a barrier:
//
//   order  stage     operations
//     0    distance  wait for the slot's mbarrier
//     1    distance  reads of slots into registers
//     2    distance  everything else, a barrier
//     3    0         coordinates, copies
//
// A slot's mbarrier ends one phase for each use of the slot. Its parity goes round
// the loop with the slot, and on to the next run of a loop inside of loops.
//
//===----------------------------------------------------------------------===//

#include "MaskedReads.h"
#include "OuterLoop.h"
#include "PipelinePlan.h"

#include "tessera/Transforms/Layout/MapCoordinates.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tessera {
#define GEN_PASS_DEF_TILEGPUASYNCCOPIESPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

namespace {

/// The rewriting of one loop.
class LoopRewriter {
public:
  explicit LoopRewriter(scf::ForOp loop)
      : loop(loop), builder(loop.getContext()),
        distance(getNumber(TileGPUDialect::kDistance)),
        slots(getNumber(TileGPUDialect::kSlots)),
        usesTensorCopies(loop->hasAttr(TileGPUDialect::kTensorCopies)),
        readsAhead(loop->hasAttr(TileGPUDialect::kReadsAhead)) {}

  LogicalResult run();

private:
  int64_t getNumber(StringRef name) {
    return loop->getAttrOfType<IntegerAttr>(name).getInt();
  }
  LogicalResult collect();
  void separate();
  void guard();
  void makeRings();
  void makeMBarriers();
  SmallVector<Value, 2> carryPhase();
  SmallVector<unsigned> findMaskTensors();
  void addCounters();
  LogicalResult makeCopies();
  void makeCopy(Operation *load, Value ring, const IRMapping &mapping);
  void makeTensorCopies(const IRMapping &mapping);
  SmallVector<Value> makeCoordinates(tile::DescLoadOp load,
                                     const IRMapping &mapping);
  void makeWait();
  void makeTensorWait();
  void readRings();
  void finishProduct();
  void eraseDeadOps();
  void schedule();
  Value createConstant(int64_t value);
  Value advance(Value index);
  /// The position of a loop-carried value.
  unsigned getIndex(Value carried) {
    return cast<BlockArgument>(carried).getArgNumber() - 1;
  }

  scf::ForOp loop;
  OpBuilder builder;
  int64_t distance, slots;
  bool usesTensorCopies, readsAhead;
  SmallVector<PipelinedLoad> loads;
  /// The loops around it that hand the phase on, from the inside out.
  SmallVector<OuterLoop> carriers;
  /// The ring of each store.
  llvm::MapVector<Operation *, Value> rings;
  /// Slot to fill, slot to read, and the parity of its phase.
  Value put, get, parity;
  /// Tensors that both copies and readers compute masks of, and those that the
  /// loop carries for the copies: positions among carried values.
  SmallVector<std::pair<unsigned, unsigned>> twins;
  /// The group of the copies, or their mbarriers.
  Value token, full;
  /// The last operations of the copies, the wait and the reads: they stand in
  /// the body in this sequence, before everything else.
  Operation *lastAhead = nullptr, *lastWaiting = nullptr,
            *lastReading = nullptr;
};

} // namespace

LogicalResult LoopRewriter::collect() {
  for (Operation &load : *loop.getBody()) {
    if (!isa<tile::LoadOp, tile::DescLoadOp>(load) ||
        !load.hasAttr(TileGPUDialect::kPipelined))
      continue;
    PipelinedLoad pipelined{&load, {}};
    for (Operation *user : load.getUsers()) {
      auto store = dyn_cast<LocalStoreOp>(user);
      if (!store || !getBuffer(store))
        return load.emitError("a pipelined load is used other than by stores "
                              "to shared memory");
      if (std::string fault = checkMaskedReads(&load, store); !fault.empty())
        return load.emitError()
               << "a pipelined load cannot be copied: " << fault;
      pipelined.stores.push_back(store);
    }
    loads.push_back(pipelined);
  }
  return success();
}

/// Other buffers may take the rings' bytes before and after the loop, and
/// barriers for them are not placed by looking at rings.
void LoopRewriter::separate() {
  auto function = loop->getParentOfType<tile::FuncOp>();
  bool hasOthers = loop->getParentOfType<LoopLikeOpInterface>() != nullptr;
  function.walk([&](AllocOp alloc) {
    hasOthers |= !loop->isProperAncestor(alloc);
  });
  if (!hasOthers)
    return;
  builder.setInsertionPoint(loop);
  // Threads may have written to those.
  if (usesTensorCopies)
    FenceAsyncOp::create(builder, loop.getLoc());
  BarrierOp::create(builder, loop.getLoc());
  builder.setInsertionPointAfter(loop);
  BarrierOp::create(builder, loop.getLoc());
}

/// Puts a loop with a product in flight under the condition that it runs at all.
/// The wait after the loop then sees accumulators of the loop only: ptxas
/// serialises products (C7515) whose registers have another definition, the
/// initial values of an empty loop, on a way to the wait.
void LoopRewriter::guard() {
  if (llvm::none_of(loop.getOps<WgmmaOp>(), [](WgmmaOp product) {
        return product->hasAttr(TileGPUDialect::kInFlight);
      }))
    return;
  builder.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  Value runs =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  // No use of results that nothing uses: the expansion pays for each.
  SmallVector<Value> results, inits;
  for (auto [result, init] : llvm::zip(loop.getResults(), loop.getInitArgs()))
    if (!result.use_empty()) {
      results.push_back(result);
      inits.push_back(init);
    }
  // Without terminators, which others would come with where there is no result.
  auto branch = scf::IfOp::create(builder, loc, TypeRange(ValueRange(results)),
                                  runs, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  for (auto [result, guarded] : llvm::zip(results, branch.getResults()))
    result.replaceAllUsesWith(guarded);
  loop->moveBefore(branch.thenBlock(), branch.thenBlock()->end());
  builder.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(builder, loc, results);
  builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(builder, loc, inits);
}

void LoopRewriter::makeRings() {
  builder.setInsertionPoint(loop);
  for (const PipelinedLoad &load : loads)
    for (LocalStoreOp store : load.stores) {
      BufferType slot = store.getBuffer().getType();
      auto type =
          BufferType::get(slot.getContext(), slot.getShape(),
                          slot.getElementType(), slot.getLayout(), slots);
      rings[store] =
          AllocOp::create(builder, load.load->getLoc(), type, IntegerAttr());
    }
}

/// Outside of the loop.
Value LoopRewriter::createConstant(int64_t value) {
  OpBuilder outside(loop);
  return arith::ConstantOp::create(outside, loop.getLoc(),
                                   outside.getI32IntegerAttr(value));
}

/// (index + 1) mod slots.
Value LoopRewriter::advance(Value index) {
  Location loc = loop.getLoc();
  Value next = arith::AddIOp::create(builder, loc, index, createConstant(1));
  Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      next, createConstant(slots));
  return arith::SelectOp::create(builder, loc, wraps, createConstant(0), next);
}

/// One mbarrier a slot, from the kernel's beginning on; and the maps, which the
/// first copies are about to need.
void LoopRewriter::makeMBarriers() {
  auto function = loop->getParentOfType<tile::FuncOp>();
  builder.setInsertionPointToStart(&function.getBody().front());
  llvm::SetVector<Value> maps;
  for (const PipelinedLoad &load : loads)
    maps.insert(getMappedDesc(load.load->getOperand(0)).getMap());
  for (Value map : maps)
    TMAPrefetchOp::create(builder, loop.getLoc(), map);
  full = MBarrierInitOp::create(builder, loop.getLoc(),
                                MBarrierType::get(builder.getContext(), slots),
                                /*arrivals=*/1, /*offset=*/IntegerAttr());
}

/// Slot and parity that the loop begins with: 0, or, inside of other loops, where
/// it stopped before.
SmallVector<Value, 2> LoopRewriter::carryPhase() {
  for (auto outer = OuterLoop::getAround(loop); outer;
       outer = OuterLoop::getAround(outer->getOperation()))
    carriers.push_back(*outer);
  builder.setInsertionPoint(carriers.empty() ? loop.getOperation()
                                             : carriers.back().getOperation());
  Value zero = arith::ConstantOp::create(builder, loop.getLoc(),
                                         builder.getI32IntegerAttr(0));
  SmallVector<Value, 2> inits(2, zero);
  for (OuterLoop &carrier : llvm::reverse(carriers)) {
    carrier.addCarried(inits);
    llvm::copy(carrier.getBody()->getArguments().take_back(2), inits.begin());
  }
  return inits;
}

/// The positions of carried tensors that masks depend on which readers compute
/// once more. Copies get their own: one that moves on with the copies would have
/// to be kept for as many iterations as these run ahead.
SmallVector<unsigned> LoopRewriter::findMaskTensors() {
  SmallVector<Value> masks;
  for (const PipelinedLoad &pipelined : loads)
    if (hasNonzeroOther(pipelined.load))
      masks.push_back(cast<tile::LoadOp>(pipelined.load).getMask());
  std::string reason;
  auto slice = findAddressSlice(loop, masks, reason);
  SmallVector<unsigned> positions;
  if (masks.empty() || failed(slice)) // Which makeCopies reports.
    return positions;
  for (BlockArgument carried : loop.getRegionIterArgs())
    if (isa<RankedTensorType>(carried.getType()) &&
        (llvm::is_contained(masks, carried) ||
         llvm::any_of(carried.getUsers(),
                      [&](Operation *user) { return slice->contains(user); })))
      positions.push_back(getIndex(carried));
  return positions;
}

/// Loop-carried counters, the parity of tensor copies, and twins of tensors.
void LoopRewriter::addCounters() {
  SmallVector<Value> inits;
  if (usesTensorCopies) {
    SmallVector<Value, 2> phase = carryPhase();
    inits = {phase[0], phase[0], phase[1]};
  } else {
    inits.assign(2, createConstant(0));
    for (unsigned position : findMaskTensors()) {
      twins.emplace_back(position, loop.getNumRegionIterArgs() + inits.size());
      inits.push_back(loop.getInitArgs()[position]);
    }
  }
  OuterLoop counting = *OuterLoop::get(loop);
  counting.addCarried(inits);
  loop = cast<scf::ForOp>(counting.getOperation());
  unsigned first = loop.getNumRegionIterArgs() - inits.size();
  put = loop.getRegionIterArg(first);
  get = loop.getRegionIterArg(first + 1);
  Operation *inner = loop;
  if (usesTensorCopies)
    parity = loop.getRegionIterArg(first + 2);
  for (OuterLoop carrier : carriers) {
    carrier.setLast(inner->getResults().take_back(2));
    inner = carrier.getOperation();
  }
}

/// The copy that does the work of `load`.
void LoopRewriter::makeCopy(Operation *load, Value ring,
                            const IRMapping &mapping) {
  Location loc = load->getLoc();
  Value slot = SlotOp::create(builder, loc, ring, put);
  SmallVector<Value> operands;
  for (Value operand : getAddressOperands(load))
    operands.push_back(mapping.lookupOrDefault(operand));
  Operation *copy;
  if (isa<tile::DescLoadOp>(load))
    copy = DescCopyOp::create(builder, loc, operands[0],
                              ValueRange(operands).drop_front(), slot,
                              getLayout(load->getResult(0).getType()));
  else
    copy = AsyncCopyOp::create(builder, loc, operands[0], slot,
                               operands.size() > 1 ? operands[1] : Value());
  if (Attribute access = load->getAttr(TileGPUDialect::kAccess))
    copy->setAttr(TileGPUDialect::kAccess, access);
}

/// The tensor copies of all loads, side by side: tile-gpu-expand-pipeline puts a
/// run of them under one condition.
void LoopRewriter::makeTensorCopies(const IRMapping &mapping) {
  struct Copy {
    tile::DescLoadOp load;
    SmallVector<Value> coordinates;
    Value slot;
  };
  SmallVector<Copy> copies;
  int64_t bytes = 0;
  for (const PipelinedLoad &pipelined : loads)
    for (LocalStoreOp store : pipelined.stores) {
      auto load = cast<tile::DescLoadOp>(pipelined.load);
      Value slot = SlotOp::create(builder, load.getLoc(), rings[store], put);
      copies.push_back({load, makeCoordinates(load, mapping), slot});
      bytes += cast<BufferType>(slot.getType()).getSlotBytes();
    }
  MBarrierExpectOp::create(builder, loop.getLoc(), full, put, bytes);
  for (const Copy &copy : copies)
    TMALoadOp::create(builder, copy.load->getLoc(),
                      getMappedDesc(copy.load->getOperand(0)).getMap(),
                      copy.coordinates, copy.slot, full, put);
}

SmallVector<Value> LoopRewriter::makeCoordinates(tile::DescLoadOp load,
                                                 const IRMapping &mapping) {
  tile::MakeDescOp desc = getMappedDesc(load.getDesc());
  SmallVector<Value> operands;
  for (Value operand : getCoordinateOperands(load))
    operands.push_back(mapping.lookupOrDefault(operand));
  size_t rank = desc.getOrigin().size();
  return buildMapCoordinates(builder, load.getLoc(), desc,
                             ValueRange(operands).take_front(rank),
                             ValueRange(operands).drop_front(rank));
}

/// Copies of this iteration's part of all loads into slot `put`, from addresses
/// that are computed for them alone.
LogicalResult LoopRewriter::makeCopies() {
  SmallVector<Value> roots;
  for (const PipelinedLoad &pipelined : loads)
    llvm::append_range(roots, usesTensorCopies
                                  ? getCoordinateOperands(pipelined.load)
                                  : getAddressOperands(pipelined.load));
  std::string reason;
  auto slice = findAddressSlice(loop, roots, reason);
  if (failed(slice))
    return loop.emitError() << "the loads of this loop cannot run ahead: "
                            << reason;
  builder.setInsertionPointToStart(loop.getBody());
  IRMapping mapping;
  for (auto [old, twin] : twins)
    mapping.map(loop.getRegionIterArg(old), loop.getRegionIterArg(twin));
  for (Operation *op : *slice)
    builder.clone(*op, mapping);
  if (usesTensorCopies) {
    makeTensorCopies(mapping);
  } else {
    for (const PipelinedLoad &pipelined : loads)
      for (LocalStoreOp store : pipelined.stores)
        makeCopy(pipelined.load, rings[store], mapping);
    token = AsyncCommitOp::create(builder, loop.getLoc(),
                                  TokenType::get(builder.getContext()));
  }
  // Loop-carried values of the addresses move on with the copies.
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  for (auto [old, twin] : twins)
    yield->setOperand(twin, mapping.lookupOrDefault(yield->getOperand(old)));
  for (unsigned i = 0; i < getIndex(put); ++i)
    if (Value moved = mapping.lookupOrNull(yield->getOperand(i));
        moved && !llvm::is_contained(llvm::make_first_range(twins), i))
      yield->setOperand(i, moved);
  Value next = advance(put);
  yield->setOperand(getIndex(put), next);
  lastAhead = next.getDefiningOp();
  return success();
}

/// The copies have arrived, for all threads and for products.
void LoopRewriter::makeWait() {
  Location loc = loop.getLoc();
  // Here, nothing is under way after it; tile-gpu-expand-pipeline changes that.
  AsyncWaitOp::create(builder, loc, token, /*pending=*/0);
  if (areReadBy<WgmmaOp>(loads))
    FenceAsyncOp::create(builder, loc);
  lastWaiting = BarrierOp::create(builder, loc);
  builder.setInsertionPointAfter(loop);
  AsyncWaitOp::create(builder, loc, Value(), 0);
  builder.setInsertionPointAfter(lastWaiting);
}

/// Each thread waits until the slot has been filled.
void LoopRewriter::makeTensorWait() {
  Location loc = loop.getLoc();
  lastWaiting = MBarrierWaitOp::create(builder, loc, full, get, parity);
  OpBuilder end(loop.getBody()->getTerminator());
  BarrierOp::create(end, loc);
  builder.setInsertionPointAfter(loop);
  TMALoadEndOp::create(builder, loc, full);
  builder.setInsertionPointAfter(lastWaiting);
}

/// Readers take slot `get`, those into registers at once. What they do with it
/// stays, behind what masks are computed from.
void LoopRewriter::readRings() {
  bool readsRegisters = false;
  FreeValues free;
  for (const PipelinedLoad &load : loads)
    for (LocalStoreOp store : load.stores) {
      AllocOp buffer = getBuffer(store);
      Value slot = SlotOp::create(builder, buffer.getLoc(), rings[store], get);
      store.erase();
      for (Operation *reader : llvm::to_vector(buffer->getUsers()))
        if (auto read = dyn_cast<LocalLoadOp>(reader)) {
          selectOther(load.load, read, free);
          read->moveBefore(builder.getInsertionBlock(),
                           builder.getInsertionPoint());
          read.setAhead(readsAhead);
          readsRegisters = true;
        }
      buffer.getResult().replaceAllUsesWith(slot);
      buffer.erase();
    }
  if (readsRegisters && slots == distance && !usesTensorCopies)
    BarrierOp::create(builder, loop.getLoc());
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  Value next = advance(get);
  yield->setOperand(getIndex(get), next);
  if (usesTensorCopies) {
    Value zero = createConstant(0);
    Value wraps = arith::CmpIOp::create(
        builder, loop.getLoc(), arith::CmpIPredicate::eq, next, zero);
    Value flip = arith::ExtUIOp::create(builder, loop.getLoc(),
                                        builder.getI32Type(), wraps);
    next = arith::XOrIOp::create(builder, loop.getLoc(), parity, flip);
    yield->setOperand(getIndex(parity), next);
  }
  lastReading = next.getDefiningOp();
}

/// The product that is left in flight is waited for one iteration later, and
/// once more after the loop.
void LoopRewriter::finishProduct() {
  for (auto product : loop.getOps<WgmmaOp>()) {
    if (!product->hasAttr(TileGPUDialect::kInFlight))
      continue;
    product->removeAttr(TileGPUDialect::kInFlight);
    auto wait = cast<WgmmaWaitOp>(*product->user_begin());
    wait.setPending(1);
    Value result =
        loop.getResult(wait->use_begin()->getOperandNumber());
    builder.setInsertionPointAfter(loop);
    auto last = WgmmaWaitOp::create(builder, wait.getLoc(), result.getType(),
                                    result, /*pending=*/0);
    result.replaceAllUsesExcept(last, last);
    return;
  }
}

/// Whether the tensor memory accelerator or a product of wgmma, both of which
/// see threads' writes only behind a fence, reads the buffer.
static bool isReadAsynchronously(Value buffer) {
  return llvm::any_of(buffer.getUsers(), llvm::IsaPred<WgmmaOp, TMAStoreOp>);
}

/// The next fence after a write in the loop, round the loop; null for none.
static Operation *findFence(LocalStoreOp store, scf::ForOp loop) {
  for (Operation *op = store; op != loop; op = op->getParentOp())
    for (Operation *next = op; next; next = next->getNextNode())
      if (isa<FenceAsyncOp>(next))
        return next;
  auto fences = loop.getOps<FenceAsyncOp>();
  return fences.empty() ? nullptr : (*fences.begin()).getOperation();
}

/// The fences that writes in the loop need. What is written before the loop has
/// one there.
static llvm::SmallPtrSet<Operation *, 4> findNeededFences(scf::ForOp loop) {
  llvm::SmallPtrSet<Operation *, 4> fences;
  loop->walk([&](LocalStoreOp store) {
    if (isReadAsynchronously(store.getBuffer()))
      fences.insert(findFence(store, loop));
  });
  return fences;
}

/// Addresses that only the loads used, and fences of writes that copies now do.
void LoopRewriter::eraseDeadOps() {
  for (const PipelinedLoad &load : loads)
    load.load->erase();
  llvm::SmallPtrSet<Operation *, 4> needed = findNeededFences(loop);
  SmallVector<Operation *> ops;
  for (Operation &op : loop.getBody()->without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op) ||
        (isa<FenceAsyncOp>(op) && !needed.contains(op) &&
         lastReading->isBeforeInBlock(op)))
      op->erase();
}

void LoopRewriter::schedule() {
  struct Place {
    int64_t stage, order;
  };
  Place copies{0, usesTensorCopies || readsAhead ? 3 : 2};
  Place wait{distance, 0};
  Place reads{distance, readsAhead ? 2 : 1};
  Place rest{distance, usesTensorCopies ? 2 : 3};
  if (readsAhead)
    rest = {distance + 1, 1};
  Place place = copies;
  for (Operation &op : loop.getBody()->without_terminator()) {
    op.setAttr(TileGPUDialect::kStage, builder.getI32IntegerAttr(place.stage));
    op.setAttr(TileGPUDialect::kOrder, builder.getI32IntegerAttr(place.order));
    place = &op == lastAhead     ? wait
            : &op == lastWaiting ? reads
            : &op == lastReading ? rest
                                 : place;
  }
  loop->removeAttr(TileGPUDialect::kDistance);
  loop->removeAttr(TileGPUDialect::kSlots);
  loop->removeAttr(TileGPUDialect::kTensorCopies);
  loop->removeAttr(TileGPUDialect::kReadsAhead);
  loop->removeAttr(tile::TileDialect::kNumStages);
}

LogicalResult LoopRewriter::run() {
  if (failed(collect()))
    return failure();
  separate();
  if (usesTensorCopies) {
    makeMBarriers();
    // While loops hold each other directly.
    addCounters();
    guard();
    makeRings();
  } else {
    guard();
    makeRings();
    addCounters();
  }
  if (failed(makeCopies()))
    return failure();
  if (usesTensorCopies)
    makeTensorWait();
  else
    makeWait();
  readRings();
  finishProduct();
  eraseDeadOps();
  schedule();
  return success();
}

namespace {
struct AsyncCopies : tessera::impl::TileGPUAsyncCopiesPassBase<AsyncCopies> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->hasAttr(TileGPUDialect::kDistance) &&
          loop->hasAttr(TileGPUDialect::kSlots))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      if (failed(LoopRewriter(loop).run()))
        return signalPassFailure();
  }
};
} // namespace
