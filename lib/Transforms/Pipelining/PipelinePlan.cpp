//===- PipelinePlan.cpp - which loads of a loop run ahead -----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load may run ahead when its address and mask do not depend on what the loop
// computes in between, when nothing that the loop writes may be what it reads,
// and when an asynchronous copy can do its work: at least 4 bytes a copy, and
// where the mask is false zero, or a value that readers can put there
// (MaskedReads.h).
//
//===----------------------------------------------------------------------===//

#include "PipelinePlan.h"

#include "MaskedReads.h"
#include "OuterLoop.h"

#include "tessera/Dialect/TileGPU/IR/MemoryAccess.h"
#include "tessera/Layout/DimNames.h"
#include "tessera/Schedule/ProductModel.h"
#include "tessera/Transforms/Layout/DotLayouts.h"
#include "tessera/Transforms/Layout/MapCoordinates.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

/// Loads that threads would copy are few beside those of tensor maps where
/// these have so many times their bytes.
static constexpr int64_t kSmallLoads = 16;

AllocOp tessera::getBuffer(LocalStoreOp store) {
  return store.getBuffer().getDefiningOp<AllocOp>();
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

FailureOr<SetVector<Operation *>>
tessera::findAddressSlice(scf::ForOp loop, ValueRange values,
                          std::string &reason) {
  SetVector<Operation *> slice;
  SmallVector<Value> work(values);
  llvm::SmallDenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      // A loop-carried value is as good as its update.
      if (argument.getOwner() == loop.getBody() && argument.getArgNumber() > 0)
        work.push_back(loop.getYieldedValues()[argument.getArgNumber() - 1]);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!loop->isProperAncestor(op))
      continue;
    Operation *outermost = loop.getBody()->findAncestorOpInBlock(*op);
    if (isa<RegionBranchOpInterface>(outermost)) {
      reason = isa<LoopLikeOpInterface>(outermost)
                   ? "its address or mask is computed in an inner loop"
                   : "its address or mask is computed under a condition";
      return failure();
    }
    if (!isPure(op) || op->getNumRegions() != 0) {
      reason = isa<tile::LoadOp, tile::DescLoadOp, LocalLoadOp>(op)
                   ? "its address or mask comes from a load"
                   : ("its address or mask comes from '" +
                      op->getName().getStringRef() + "'")
                         .str();
      return failure();
    }
    slice.insert(op);
    llvm::append_range(work, op->getOperands());
  }
  SmallVector<Operation *> ordered = slice.takeVector();
  llvm::sort(ordered, [](Operation *a, Operation *b) {
    return a->isBeforeInBlock(b);
  });
  return SetVector<Operation *>(ordered.begin(), ordered.end());
}

/// Whether memory behind `pointer` is written by nothing but accesses through
/// the same argument, or by nothing at all.
static bool hasFact(Value pointer, StringRef fact) {
  BlockArgument base = findPointerArgument(pointer);
  if (!base)
    return false;
  auto function = cast<tile::FuncOp>(base.getOwner()->getParentOp());
  return bool(function.getArgAttr(base.getArgNumber(), fact));
}

/// Whether reads after the atomic see what other programs wrote before theirs.
static bool acquires(Operation *op) {
  tile::MemorySemantic semantic = getMemorySemantic(op);
  return semantic == tile::MemorySemantic::Acquire ||
         semantic == tile::MemorySemantic::AcqRel;
}

/// An operation of the loop that may write what the load reads, or after which
/// the load may read something else; null for none.
static Operation *findConflictingStore(scf::ForOp loop, Operation *load) {
  Value pointer = load->getOperand(0);
  if (hasFact(pointer, tile::TileDialect::kReadOnly))
    return nullptr;
  BlockArgument base = findPointerArgument(pointer);
  bool isAlone = hasFact(pointer, tile::TileDialect::kNoAlias);
  Operation *conflict = nullptr;
  loop.walk([&](Operation *op) {
    if (!isa<tile::StoreOp, tile::DescStoreOp, tile::AtomicRMWOp,
             tile::AtomicCASOp>(op))
      return;
    BlockArgument other = findPointerArgument(op->getOperand(0));
    if (!isAlone || !other || other == base || acquires(op))
      conflict = op;
  });
  return conflict;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// Least bytes of a copy (PTX ISA, "cp.async").
static constexpr int64_t kLeastCopyBytes = 4;

/// Bytes that a load's addresses allow to move at once.
static int64_t getAccessBytes(Operation *load) {
  auto access = load->getAttrOfType<AccessAttr>(TileGPUDialect::kAccess);
  return access ? access.getWidth() *
                      tile::getByteWidth(
                          getElementTypeOrSelf(load->getResult(0).getType()))
                : 0;
}

/// Why a copy would be too short; empty when it is not.
static std::string checkAccessBytes(Operation *load) {
  int64_t bytes = getAccessBytes(load);
  return bytes >= kLeastCopyBytes
             ? ""
             : "an asynchronous copy moves 4 bytes or more at once, these "
               "addresses allow " +
                   std::to_string(bytes);
}

/// Elements in successive registers of a thread that are side by side in the
/// buffer.
static int64_t countSideBySide(RankedTensorType type, BufferType buffer) {
  auto inverse = buffer.getLayout().toLinear(buffer.getShape()).invert();
  auto places =
      inverse ? getLinearLayout(type).compose(*inverse) : std::nullopt;
  return places ? places->contiguity(kRegisterDim, kOffsetDim) : 0;
}

/// The same for the store's buffer, which elements side by side in memory may
/// lie apart in.
static std::string checkCopyBytes(Operation *load, LocalStoreOp store) {
  if (std::string fault = checkAccessBytes(load); !fault.empty())
    return fault;
  auto access = load->getAttrOfType<AccessAttr>(TileGPUDialect::kAccess);
  auto type = cast<RankedTensorType>(load->getResult(0).getType());
  BufferType buffer = store.getBuffer().getType();
  int64_t width = std::min<int64_t>(
      {access.getWidth(), countSideBySide(type, buffer),
       getLinearLayout(type).contiguity(kRegisterDim,
                                        tensorDimName(access.getAxis()))});
  int64_t bytes = width * tile::getByteWidth(type.getElementType());
  return bytes >= kLeastCopyBytes
             ? ""
             : "an asynchronous copy moves 4 bytes or more at once, the order "
               "of elements in the buffer allows " +
                   std::to_string(bytes);
}

/// Why the load's value cannot arrive in shared memory; empty when it can.
static std::string checkUses(scf::ForOp loop, Operation *load,
                             SmallVectorImpl<LocalStoreOp> &stores) {
  if (!isa<RankedTensorType>(load->getResult(0).getType()))
    return "it loads a scalar";
  for (Operation *user : load->getUsers()) {
    auto store = dyn_cast<LocalStoreOp>(user);
    AllocOp alloc = store ? getBuffer(store) : AllocOp();
    if (!alloc || alloc->getBlock() != loop.getBody() ||
        user->getBlock() != loop.getBody()) {
      std::string fault = checkAccessBytes(load);
      return fault.empty() ? "its value is used in registers" : fault;
    }
    for (Operation *reader : alloc->getUsers())
      if (reader != user && (!isa<LocalLoadOp, WgmmaOp>(reader) ||
                             reader->getBlock() != loop.getBody()))
        return "its buffer is used in other ways";
    if (std::string fault = checkCopyBytes(load, store); !fault.empty())
      return fault;
    if (std::string fault = checkMaskedReads(load, store); !fault.empty())
      return fault;
    stores.push_back(store);
  }
  return stores.empty() ? "its value is not used" : "";
}

/// Why a copy could not do the load's work; empty when it can.
static std::string checkAccess(scf::ForOp loop, Operation *op) {
  if (op->getBlock() != loop.getBody())
    return "it is under a condition or in an inner loop";
  auto load = dyn_cast<tile::LoadOp>(op);
  if (load && load.getIsVolatile())
    return "it is volatile";
  if (Operation *store = findConflictingStore(loop, op))
    return "'" + store->getName().getStringRef().str() +
           "' in the loop may change what it reads";
  std::string reason;
  if (failed(findAddressSlice(loop, getAddressOperands(op), reason)))
    return reason;
  return "";
}

/// Why the loop's iterations cannot overlap; empty when they can.
static std::string checkLoop(scf::ForOp loop) {
  if (loop.getUnsignedCmp())
    return "the loop counts unsigned";
  // scf::pipelineForLoop asks for this.
  for (Value yielded : loop.getYieldedValues()) {
    Operation *def = yielded.getDefiningOp();
    if (!def || def->getBlock() != loop.getBody())
      return "the loop carries on a value that it does not compute";
  }
  // Expanding that one makes operations which no stage was chosen for.
  WalkResult walk = loop.getBody()->walk([](scf::ForOp inner) {
    return inner->hasAttr(TileGPUDialect::kDistance) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
  });
  return walk.wasInterrupted() ? "an inner loop is pipelined" : "";
}

/// Why the load cannot run ahead; empty when it can.
static std::string checkLoad(scf::ForOp loop, Operation *load,
                             SmallVectorImpl<LocalStoreOp> &stores) {
  std::string reason = checkLoop(loop);
  if (reason.empty())
    reason = checkAccess(loop, load);
  return reason.empty() ? checkUses(loop, load, stores) : reason;
}

SmallVector<Value> tessera::getAddressOperands(Operation *op) {
  auto load = dyn_cast<tile::LoadOp>(op);
  if (!load) // A descriptor and its offsets.
    return SmallVector<Value>(op->getOperands());
  SmallVector<Value> operands = {load.getPtr()};
  if (load.getMask())
    operands.push_back(load.getMask());
  return operands;
}

SmallVector<Value> tessera::getCoordinateOperands(Operation *op) {
  auto load = cast<tile::DescLoadOp>(op);
  SmallVector<Value> operands(getMappedDesc(load.getDesc()).getOrigin());
  llvm::append_range(operands, load.getOffsets());
  return operands;
}

/// Whether a product reads shared memory that the load's value is written to.
static bool feedsWgmma(Operation *load) {
  return llvm::any_of(load->getUsers(), [](Operation *user) {
    auto store = dyn_cast<LocalStoreOp>(user);
    return store && llvm::any_of(store.getBuffer().getUsers(),
                                 llvm::IsaPred<WgmmaOp>);
  });
}

bool tessera::canStageThroughShared(scf::ForOp loop, Operation *load) {
  // It would go through shared memory twice.
  if (hasNonzeroOther(load) && feedsWgmma(load))
    return false;
  return isa<RankedTensorType>(load->getResult(0).getType()) &&
         !load->use_empty() && getAccessBytes(load) >= kLeastCopyBytes &&
         checkLoop(loop).empty() && checkAccess(loop, load).empty();
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// The loop's only product, if its accumulators go round the loop untouched.
static WgmmaOp findProductInFlight(scf::ForOp loop) {
  SmallVector<WgmmaOp> products;
  loop.walk([&](WgmmaOp op) { products.push_back(op); });
  if (products.size() != 1 || products[0]->getBlock() != loop.getBody())
    return nullptr;
  WgmmaOp product = products[0];
  auto acc = dyn_cast<BlockArgument>(product.getAcc());
  if (!acc || acc.getOwner() != loop.getBody() || !acc.hasOneUse() ||
      !product->hasOneUse())
    return nullptr;
  auto wait = dyn_cast<WgmmaWaitOp>(*product->user_begin());
  if (!wait || wait->getBlock() != loop.getBody() || !wait->hasOneUse())
    return nullptr;
  OpOperand &use = *wait->use_begin();
  bool yields = use.getOwner() == loop.getBody()->getTerminator() &&
                use.getOperandNumber() == acc.getArgNumber() - 1;
  return yields ? product : nullptr;
}

/// Whether every operand of the product is pipelined.
static bool readsRingsOnly(WgmmaOp product, ArrayRef<PipelinedLoad> loads) {
  auto isRing = [&](Value buffer) {
    return llvm::any_of(loads, [&](const PipelinedLoad &load) {
      return llvm::any_of(load.stores, [&](LocalStoreOp store) {
        return store.getBuffer() == buffer;
      });
    });
  };
  return isRing(product.getA()) && isRing(product.getB());
}

/// Whether loops around this one can carry its mbarriers' phase: each holds it
/// directly.
static bool canCarryPhase(scf::ForOp loop) {
  if (!loop->getParentOfType<LoopLikeOpInterface>())
    return true;
  Operation *outermost = loop;
  while (std::optional<OuterLoop> outer = OuterLoop::getAround(outermost))
    outermost = outer->getOperation();
  return isa<tile::FuncOp>(outermost->getParentOp());
}

/// The descriptor of a load that has a tensor map; null for another.
static tile::MakeDescOp findMappedDesc(const PipelinedLoad &pipelined) {
  auto load = dyn_cast<tile::DescLoadOp>(pipelined.load);
  return load ? getMappedDesc(load.getDesc()) : tile::MakeDescOp();
}

/// Why a tensor map cannot do a load's copies; empty when it can.
static std::string checkTensorCopy(const PipelinedLoad &pipelined) {
  tile::MakeDescOp desc = findMappedDesc(pipelined);
  if (!desc)
    return "its array has no tensor map";
  auto load = cast<tile::DescLoadOp>(pipelined.load);
  for (LocalStoreOp store : pipelined.stores) {
    std::string reason =
        checkMapAccess(desc, load.getOffsets(), store.getBuffer().getType());
    if (!reason.empty())
      return reason;
  }
  return "";
}

/// Why threads do the copies, and the load that makes them; no reason when
/// tensor maps do.
static DeclinedLoad checkTensorCopies(scf::ForOp loop,
                                      ArrayRef<PipelinedLoad> loads) {
  if (!areReadBy<WgmmaOp>(loads))
    return {loop, "products read registers"};
  if (!canCarryPhase(loop))
    return {loop, "the loop is under a condition inside of another loop"};
  for (const PipelinedLoad &load : loads)
    if (std::string reason = checkTensorCopy(load); !reason.empty())
      return {load.load, reason};
  return {loop, ""};
}

/// Bytes that an iteration copies.
static int64_t getSlotBytes(ArrayRef<PipelinedLoad> loads) {
  int64_t bytes = 0;
  for (const PipelinedLoad &load : loads)
    for (LocalStoreOp store : load.stores)
      bytes += store.getBuffer().getType().getSlotBytes();
  return bytes;
}

/// Lets loads that tensor maps cannot do stay where they are, if that gives the
/// others theirs: loads into registers, whose bytes are few beside those of the
/// others.
static void setSmallLoadsAside(scf::ForOp loop, PipelinePlan &plan) {
  SmallVector<PipelinedLoad> mapped, others;
  for (const PipelinedLoad &load : plan.loads)
    (checkTensorCopy(load).empty() ? mapped : others).push_back(load);
  if (others.empty() || mapped.empty() || areReadBy<WgmmaOp>(others) ||
      getSlotBytes(others) * kSmallLoads > getSlotBytes(mapped) ||
      !checkTensorCopies(loop, mapped).reason.empty())
    return;
  for (const PipelinedLoad &load : others)
    plan.declined.push_back(
        {load.load, checkTensorCopy(load) +
                        ", and threads' copies of so few bytes would keep "
                        "tensor maps from the loop's other loads"});
  plan.loads = std::move(mapped);
}

int64_t tessera::countRegisters(RankedTensorType tensor) {
  return llvm::divideCeil(getLayout(tensor).getNumRegisters() *
                              tile::getByteWidth(tensor.getElementType()),
                          4);
}

/// Whether the loop multiplies by mma.sync what it reads from the rings.
static bool multipliesRegisters(scf::ForOp loop,
                                ArrayRef<PipelinedLoad> loads) {
  return !areReadBy<WgmmaOp>(loads) && areReadBy<LocalLoadOp>(loads) &&
         llvm::any_of(loop.getOps<tile::DotOp>(), [](tile::DotOp dot) {
           return getInstruction(dot).getKind() == DotKind::MmaSync;
         });
}

/// Why such a loop has no registers for as much again; empty when it has. ptxas
/// reuses those of operands for the next ones, but not all of them everywhere.
/// Bytes that are read one by one are put together in as many again: on sm_90a,
/// matmul.mlir takes, of i8, 207 and 234 registers with 32 accumulators + 32 of
/// operands and with 64 + 24, and spills 12 to 256 bytes with 64 + 48.
static std::string checkReadsAhead(scf::ForOp loop,
                                   ArrayRef<PipelinedLoad> loads) {
  int64_t registers = kRegistersAsideWithOperands;
  for (auto dot : loop.getOps<tile::DotOp>())
    if (getInstruction(dot).getKind() == DotKind::MmaSync)
      registers += countRegisters(cast<RankedTensorType>(dot.getType()));
  for (const PipelinedLoad &load : loads)
    for (LocalStoreOp store : load.stores)
      for (Operation *reader : getBuffer(store)->getUsers())
        if (auto read = dyn_cast<LocalLoadOp>(reader)) {
          auto type = cast<RankedTensorType>(read.getType());
          bool oneByOne =
              countSideBySide(type, read.getBuffer().getType()) *
                  tile::getByteWidth(type.getElementType()) ==
              1;
          registers += (oneByOne ? 3 : 2) * countRegisters(type);
        }
  FailureOr<TargetInfo> target = getTargetInfo(loop);
  if (failed(target))
    return "the target is not known";
  if (registers <= target->maxRegistersPerThread)
    return "";
  return "with a second set of operands a thread would need about " +
         std::to_string(registers) + " registers, it has " +
         std::to_string(target->maxRegistersPerThread);
}

PipelinePlan tessera::planPipeline(scf::ForOp loop, int64_t numStages) {
  PipelinePlan plan;
  std::string fault = checkLoop(loop);
  loop.walk([&](Operation *load) {
    if (!isa<tile::LoadOp, tile::DescLoadOp>(load) ||
        load->getParentOfType<scf::ForOp>() != loop)
      return;
    PipelinedLoad candidate{load, {}};
    std::string reason = fault.empty()
                             ? checkLoad(loop, load, candidate.stores)
                             : fault;
    if (reason.empty())
      plan.loads.push_back(std::move(candidate));
    else
      plan.declined.push_back({load, std::move(reason)});
  });
  if (plan.loads.empty())
    return plan;
  if (llvm::any_of(plan.loads, findMappedDesc)) {
    setSmallLoadsAside(loop, plan);
    plan.noTensorCopies = checkTensorCopies(loop, plan.loads);
    plan.usesTensorCopies = plan.noTensorCopies.reason.empty();
  }
  plan.slots = areReadBy<WgmmaOp>(plan.loads) ? numStages : numStages - 1;
  plan.distance = plan.usesTensorCopies ? numStages : numStages - 1;
  WgmmaOp product = findProductInFlight(loop);
  int64_t least = plan.usesTensorCopies ? 2 : 3;
  if (product && numStages >= least && !areReadBy<LocalLoadOp>(plan.loads) &&
      readsRingsOnly(product, plan.loads)) {
    plan.inFlight = product;
    --plan.distance;
  }
  if (numStages >= 4 && multipliesRegisters(loop, plan.loads)) {
    plan.noReadsAhead = checkReadsAhead(loop, plan.loads);
    plan.readsAhead = plan.noReadsAhead.empty();
  }
  return plan;
}

int64_t PipelinePlan::getRingBytes() const {
  return slots * getSlotBytes(loads);
}

LogicalResult PipelinePlan::check() const {
  if (loads.empty())
    return success(distance == 0 && slots == 0 && !inFlight);
  int64_t least = distance + (inFlight ? 2 : areReadBy<WgmmaOp>(loads) ? 1 : 0);
  // They are issued at the end of an iteration.
  if (usesTensorCopies)
    --least;
  return success(distance >= 1 && slots >= least && slots <= kMaxSlots &&
                 !(readsAhead && (usesTensorCopies || inFlight)) &&
                 (!inFlight || !areReadBy<LocalLoadOp>(loads)));
}
