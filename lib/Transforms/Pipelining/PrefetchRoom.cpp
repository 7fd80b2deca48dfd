//===- PrefetchRoom.cpp - shared memory of a loop over tiles --------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrefetchRoom.h"

#include "PipelinePlan.h"
#include "StorePieces.h"

#include "tessera/Dialect/TileGPU/IR/SharedAlignment.h"
#include "tessera/Schedule/Occupancy.h"
#include "tessera/Transforms/Memory/Lifetimes.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

SharedBytes SharedBytes::count(tile::FuncOp function,
                               ArrayRef<AllocOp> kept) {
  Lifetimes lifetimes = computeLifetimes(function);
  SharedBytes bytes;
  bytes.inTurn = placeFirstFit(lifetimes.problem).total;
  for (auto [op, buffer] :
       llvm::zip(lifetimes.allocs, lifetimes.problem.buffers))
    if (llvm::is_contained(kept, op)) {
      buffer.begin = 0;
      buffer.end = std::numeric_limits<int64_t>::max();
    }
  bytes.sideBySide = placeFirstFit(lifetimes.problem).total;
  return bytes;
}

/// Whether a barrier stands between a read and a use of it: all threads hold the
/// whole of it there. What is read for the next iteration is a result.
static bool isHeld(LocalLoadOp read, scf::ForOp loop) {
  auto isUsedBehind = [&](Operation &barrier) {
    return llvm::any_of(read->getUsers(), [&](Operation *user) {
      return barrier.isBeforeInBlock(
          loop.getBody()->findAncestorOpInBlock(*user));
    });
  };
  auto rest = llvm::make_range(std::next(read->getIterator()),
                               loop.getBody()->end());
  return !read.getAhead() && llvm::any_of(rest, [&](Operation &op) {
    return isa<BarrierOp>(op) && isUsedBehind(op);
  });
}

int32_t tessera::countPrograms(const TargetInfo &target, scf::ForOp inner,
                               int64_t bytes) {
  CTAFootprint program;
  program.warps = getNumWarps(inner);
  program.sharedBytes = bytes;
  for (Type type : inner.getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      program.registers += countRegisters(tensor);
  for (auto read : inner.getOps<LocalLoadOp>())
    if (isHeld(read, inner))
      program.registers += countRegisters(read.getType());
  return computeOccupancy(target, program).residentCTAs;
}

std::string tessera::checkRoom(const TargetInfo &target, scf::ForOp inner,
                               const SharedBytes &shared, int32_t before) {
  int64_t bytes = shared.sideBySide;
  if (bytes > target.maxSharedBytesPerCTA)
    return llvm::formatv(
        "slots and the buffers of results would take {0} bytes "
        "of shared memory, a program has at most {1}",
        bytes, target.maxSharedBytesPerCTA);
  int32_t programs = countPrograms(target, inner, bytes);
  if (programs < before)
    return llvm::formatv(
        "slots and the buffers of results would take {0} bytes "
        "of shared memory, and a multiprocessor {1} programs "
        "in place of {2}, which hide each other's copies",
        bytes, programs, before);
  return "";
}

int64_t tessera::getBytesMore(StorePieces &pieces) {
  auto getBytes = [](BufferType type) {
    return int64_t(llvm::alignTo(
        type.getBytes(), getSharedAlignment(type.getBytes(), /*isAsync=*/true)));
  };
  return StorePieces::kNumBuffers * getBytes(pieces.getPieceBuffer()) -
         getBytes(pieces.getWhole().getType());
}
