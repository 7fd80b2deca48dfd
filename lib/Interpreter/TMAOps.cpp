//===- TMAOps.cpp - copies of boxes and their barriers --------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load's elements arrive when a wait ends the phase of its mbarrier: as late
// as they may. A store reads its buffer and writes to the tensor at once, and
// the buffer counts as in use until the wait for its group.
//
// All threads of a program go through an operation together, so that an arrival
// which has not come when a wait needs it never comes. On the device a thread may
// be late: if a phase ends before it has waited for the one before, it waits for
// the one after. A barrier between the wait and what ends the next phase keeps
// threads together.
//
//===----------------------------------------------------------------------===//

#include "GlobalAccess.h"
#include "SharedAccess.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;
using namespace tessera::tile_gpu;

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

static constexpr int64_t kMBarrierBytes = 8;

static Flow runMBarrierInit(Program &program, const Instruction &instruction) {
  auto op = cast<MBarrierInitOp>(instruction.op);
  int64_t bytes = op.getType().getBytes();
  MBarriers barriers;
  barriers.memory.offset = op.getOffset() ? int64_t(*op.getOffset())
                                          : program.shared.reserve(bytes);
  barriers.memory.owner = program.shared.makeOwner();
  std::vector<uint8_t> contents(bytes, 0);
  SharedOutcome outcome = program.shared.write(
      barriers.memory.offset, contents, barriers.memory.owner, op);
  reportShared(program, instruction, -1, outcome, 0, {});
  MBarrier barrier;
  barrier.arrivals = barrier.missing = op.getArrivals();
  barriers.slots.assign(op.getType().getSlots(), barrier);
  program.slot(instruction.results[0]).number = program.barriers.size();
  program.barriers.push_back(std::move(barriers));
  // It ends with a barrier.
  program.shared.barrier();
  return Flow::Next;
}

static int64_t readInteger(Program &program, const Instruction &instruction,
                           unsigned operand) {
  const Tensor &value = *program.get(instruction, operand);
  return readSigned(value.getKind(), value.at(0));
}

/// The mbarrier that operands `operand` and the next one select; null after a
/// finding.
static MBarrier *findMBarrier(Program &program, const Instruction &instruction,
                              unsigned operand) {
  MBarriers &barriers =
      program.barriers[program.slot(instruction.operands[operand]).number];
  int64_t slot = readInteger(program, instruction, operand + 1);
  int64_t count = barriers.slots.size();
  if (slot < 0 || slot >= count) {
    program.report(FindingKind::SlotOutOfRange, instruction, operand + 1, 0, {},
                   [&] {
                     return "slot " + std::to_string(slot) + " of " +
                            std::to_string(count);
                   });
    return nullptr;
  }
  // Its bytes hold what the initialisation left there.
  uint8_t bytes[kMBarrierBytes];
  SharedOutcome outcome =
      program.shared.read(barriers.memory.offset + kMBarrierBytes * slot, bytes,
                          barriers.memory.owner, instruction.op);
  reportShared(program, instruction, operand, outcome, 0, {});
  return &barriers.slots[slot];
}

static void endPhase(Program &program, const Instruction &instruction,
                     MBarrier &barrier) {
  if (barrier.waitEpoch != 0 && barrier.waitEpoch == barrier.eventEpoch)
    program.report(FindingKind::MissingBarrier, instruction, 0, 0, {}, [&] {
      return "phase " + std::to_string(barrier.phase) +
             " may end before all threads have waited for the one before";
    });
  ++barrier.phase;
  barrier.missing = barrier.arrivals;
  barrier.expectedBytes = 0;
  barrier.copies.clear();
}

static int64_t countBytes(const MBarrier &barrier) {
  int64_t bytes = 0;
  for (const AsyncState::Copy &copy : barrier.copies)
    bytes += copy.data.size();
  return bytes;
}

static Flow arrive(Program &program, const Instruction &instruction,
                   int64_t bytes) {
  MBarrier *barrier = findMBarrier(program, instruction, 0);
  if (!barrier)
    return Flow::Stop;
  if (barrier->missing == 0)
    program.report(FindingKind::RearmedInFlight, instruction, 0, 0, {}, [&] {
      return "phase " + std::to_string(barrier->phase) + " waits for " +
             std::to_string(barrier->expectedBytes) + " bytes";
    });
  else
    --barrier->missing;
  barrier->expectedBytes += bytes;
  barrier->eventEpoch = program.shared.getEpoch();
  // With bytes to come, the phase ends at a wait.
  if (barrier->missing == 0 && barrier->expectedBytes == 0 &&
      barrier->copies.empty())
    endPhase(program, instruction, *barrier);
  return Flow::Next;
}

static Flow runMBarrierArrive(Program &program,
                              const Instruction &instruction) {
  return arrive(program, instruction, /*bytes=*/0);
}

static Flow runMBarrierExpect(Program &program,
                              const Instruction &instruction) {
  return arrive(program, instruction,
                cast<MBarrierExpectOp>(instruction.op).getBytes());
}

/// Why the phase under way cannot end; empty when it has.
static std::string describeDeadlock(const MBarrier &barrier, int64_t parity) {
  if (parity != 0 && parity != 1)
    return "parity " + std::to_string(parity) + " is neither 0 nor 1";
  std::string phase = "phase " + std::to_string(barrier.phase);
  if (barrier.missing != 0)
    return phase + " lacks " + std::to_string(barrier.missing) + " of " +
           std::to_string(barrier.arrivals) + " arrivals";
  int64_t bytes = countBytes(barrier);
  if (bytes != barrier.expectedBytes)
    return phase + " expects " + std::to_string(barrier.expectedBytes) +
           " bytes, copies bring " + std::to_string(bytes);
  return "";
}

static Flow runMBarrierWait(Program &program, const Instruction &instruction) {
  MBarrier *barrier = findMBarrier(program, instruction, 0);
  if (!barrier)
    return Flow::Stop;
  int64_t parity = readInteger(program, instruction, 2);
  if (parity == (barrier->phase + 1) % 2) {
    barrier->waitEpoch = program.shared.getEpoch();
    return Flow::Next;
  }
  std::string reason = describeDeadlock(*barrier, parity);
  if (!reason.empty()) {
    program.report(FindingKind::Deadlock, instruction, 0, 0, {},
                   [&] { return reason; });
    return Flow::Stop;
  }
  for (const AsyncState::Copy &copy : barrier->copies)
    program.shared.endAsyncWrite(copy.offset, copy.data, copy.owner,
                                 /*visible=*/true, copy.op);
  endPhase(program, instruction, *barrier);
  barrier->waitEpoch = program.shared.getEpoch();
  return Flow::Next;
}

static Flow runTMALoadEnd(Program &program, const Instruction &instruction) {
  const MBarriers &barriers =
      program.barriers[program.slot(instruction.operands[0]).number];
  for (auto [slot, barrier] : llvm::enumerate(barriers.slots))
    if (!barrier.copies.empty() || barrier.expectedBytes != 0)
      program.report(FindingKind::NeverWaited, instruction, 0, 0, {},
                     [slot = slot] {
                       return "copies to slot " + std::to_string(slot);
                     });
  return Flow::Next;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

namespace {
/// Where the elements of a buffer lie, in the buffer and in the box.
struct CopyPayload {
  ByteOffsets offsets;
  int rowAxis;
};

/// The elements of a buffer in the tensor of a map.
class BoxAccess {
public:
  /// `map` is the number of the map's operand, coordinates follow it.
  BoxAccess(Program &program, const Instruction &instruction, unsigned map,
            BufferType buffer, int rowAxis)
      : program(program), instruction(instruction), map(map),
        shape(buffer.getShape()), rowAxis(rowAxis),
        width(tile::getByteWidth(buffer.getElementType())),
        tensor(program.get(instruction, map)),
        rank((tensor->size() - 1) / 2),
        access(program, instruction, map, width, shape) {
    for (unsigned i = 0; i < rank; ++i)
      first.push_back(readInteger(program, instruction, map + 1 + i));
  }

  /// Whether there is a map; else a finding.
  bool check() {
    for (unsigned i = 0; i < rank; ++i)
      if (number(1 + i) == 0) {
        program.report(FindingKind::OutOfBounds, instruction, map, 0, {}, [&] {
          return "a tensor with an extent of 0 in dimension " +
                 std::to_string(i) + " has no map";
        });
        return false;
      }
    return true;
  }
  /// The address of an element; nothing outside of the tensor.
  std::optional<uint64_t> getAddress(int64_t index) const {
    llvm::SmallVector<int64_t, 5> place(first.begin(), first.end());
    Shape inside = delinearize(index, shape);
    place[rank - 1] += inside[rowAxis];
    if (inside.size() == 2)
      place[rank - 2] += inside[1 - rowAxis];
    uint64_t address = number(0);
    for (unsigned i = 0; i < rank; ++i) {
      if (place[i] < 0 || place[i] >= number(1 + i))
        return std::nullopt;
      address += uint64_t(place[i]) * number(1 + rank + i) * width;
    }
    return address;
  }

  Program &program;
  const Instruction &instruction;
  unsigned map;
  ArrayRef<int64_t> shape;
  int rowAxis;
  unsigned width;

private:
  int64_t number(unsigned index) const {
    return tensor->data<int64_t>()[index];
  }

  TensorRef tensor;
  unsigned rank;
  llvm::SmallVector<int64_t, 5> first;

public:
  GlobalAccess access;
};
} // namespace

static LogicalResult prepareCopy(Instruction &instruction,
                                 tile::TensorMapType map, BufferType buffer) {
  instruction.payload =
      CopyPayload{computeByteOffsets(buffer), getBufferCopy(map, buffer)->rowAxis};
  return success();
}

/// Reports a fault of a byte of the buffer.
static void reportByte(const BoxAccess &box, int operand,
                       const SharedOutcome &outcome, int64_t start,
                       const std::vector<int64_t> &offsets) {
  if (outcome.fault == SharedFault::None)
    return;
  int64_t offset = (outcome.offset - start) / box.width * box.width;
  int64_t index = llvm::find(offsets, offset) - offsets.begin();
  reportShared(box.program, box.instruction, operand, outcome, index,
               box.shape);
}

static LogicalResult prepareTMALoad(Instruction &instruction) {
  auto op = cast<TMALoadOp>(instruction.op);
  return prepareCopy(instruction, op.getMap().getType(),
                     op.getBuffer().getType());
}

static Flow runTMALoad(Program &program, const Instruction &instruction) {
  auto op = cast<TMALoadOp>(instruction.op);
  unsigned operand = 1 + op.getCoordinates().size();
  const auto &payload =
      std::any_cast<const CopyPayload &>(instruction.payload);
  BufferType type = op.getBuffer().getType();
  BufferValue buffer = program.slot(instruction.operands[operand]).buffer;
  MBarrier *barrier = findMBarrier(program, instruction, operand + 1);
  BoxAccess box(program, instruction, 0, type, payload.rowAxis);
  if (!barrier || !box.check())
    return Flow::Stop;
  AsyncState::Copy copy{buffer.offset,
                        std::vector<uint8_t>(type.getSlotBytes(), 0),
                        buffer.owner, op};
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    if (std::optional<uint64_t> address = box.getAddress(i))
      box.access.load(*address, i, &copy.data[(*payload.offsets)[i]]);
  int64_t bytes = copy.data.size();
  reportByte(box, operand, program.shared.checkFences(buffer.offset, bytes),
             buffer.offset, *payload.offsets);
  reportByte(box, operand,
             program.shared.beginAsync(buffer.offset, bytes, /*writes=*/true,
                                       buffer.owner, op),
             buffer.offset, *payload.offsets);
  barrier->copies.push_back(std::move(copy));
  barrier->eventEpoch = program.shared.getEpoch();
  return Flow::Next;
}

static LogicalResult prepareTMAStore(Instruction &instruction) {
  auto op = cast<TMAStoreOp>(instruction.op);
  return prepareCopy(instruction, op.getMap().getType(),
                     op.getBuffer().getType());
}

static Flow runTMAStore(Program &program, const Instruction &instruction) {
  auto op = cast<TMAStoreOp>(instruction.op);
  const auto &payload =
      std::any_cast<const CopyPayload &>(instruction.payload);
  BufferType type = op.getBuffer().getType();
  BufferValue buffer = program.slot(instruction.operands[0]).buffer;
  BoxAccess box(program, instruction, 1, type, payload.rowAxis);
  if (!box.check())
    return Flow::Stop;
  int64_t bytes = type.getSlotBytes();
  reportByte(box, 0,
             program.shared.beginAsync(buffer.offset, bytes, /*writes=*/false,
                                       buffer.owner, op),
             buffer.offset, *payload.offsets);
  std::vector<uint8_t> data(bytes);
  program.shared.peek(buffer.offset, data);
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    if (std::optional<uint64_t> address = box.getAddress(i))
      box.access.store(*address, i, &data[(*payload.offsets)[i]]);
  program.async.openStores.push_back({buffer.offset, bytes, op});
  return Flow::Next;
}

static Flow runTMAStoreCommit(Program &program, const Instruction &) {
  AsyncState &async = program.async;
  async.storeGroups.push_back(std::move(async.openStores));
  async.openStores.clear();
  return Flow::Next;
}

static Flow runTMAStoreWait(Program &program, const Instruction &instruction) {
  AsyncState &async = program.async;
  uint32_t pending = cast<TMAStoreWaitOp>(instruction.op).getPending();
  for (; async.storeGroups.size() > pending; async.storeGroups.pop_front())
    for (const AsyncState::Store &store : async.storeGroups.front())
      program.shared.endAsyncRead(store.offset, store.bytes);
  return Flow::Next;
}

static Flow runTMAPrefetch(Program &, const Instruction &) {
  return Flow::Next;
}

void interpreter::finishTensorCopies(Program &program) {
  for (const MBarriers &barriers : program.barriers)
    for (const MBarrier &barrier : barriers.slots)
      for (const AsyncState::Copy &copy : barrier.copies)
        reportNeverWaited(program, copy.op);
  for (const AsyncState::Store &store : program.async.openStores)
    reportNeverWaited(program, store.op);
  for (const auto &group : program.async.storeGroups)
    for (const AsyncState::Store &store : group)
      reportNeverWaited(program, store.op);
}

void interpreter::registerTMAOps(Registry &registry) {
  registry.add<MBarrierInitOp>(runMBarrierInit);
  registry.add<MBarrierArriveOp>(runMBarrierArrive);
  registry.add<MBarrierExpectOp>(runMBarrierExpect);
  registry.add<MBarrierWaitOp>(runMBarrierWait);
  registry.add<TMALoadEndOp>(runTMALoadEnd);
  registry.add<TMALoadOp>(runTMALoad, prepareTMALoad);
  registry.add<TMAStoreOp>(runTMAStore, prepareTMAStore);
  registry.add<TMAStoreCommitOp>(runTMAStoreCommit);
  registry.add<TMAStoreWaitOp>(runTMAStoreWait);
  registry.add<TMAPrefetchOp>(runTMAPrefetch);
}
