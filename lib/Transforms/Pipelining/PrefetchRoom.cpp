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

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

static int64_t getAlignedBytes(BufferType type, bool isAsync) {
  return llvm::alignTo(type.getBytes(),
                       getSharedAlignment(type.getBytes(), isAsync));
}

static bool isAsync(AllocOp alloc) {
  return !llvm::all_of(alloc->getUsers(),
                       llvm::IsaPred<LocalLoadOp, LocalStoreOp>);
}

SharedBytes SharedBytes::count(tile::FuncOp function) {
  SharedBytes bytes;
  function.walk([&](Operation *op) {
    if (auto alloc = dyn_cast<AllocOp>(op)) {
      BufferType type = alloc.getType();
      int64_t &kind = type.getSlots() > 1 ? bytes.slots : bytes.others;
      kind += getAlignedBytes(type, isAsync(alloc));
    } else if (auto barriers = dyn_cast<MBarrierInitOp>(op)) {
      bytes.barriers +=
          llvm::alignTo(barriers.getType().getBytes(), kMBarrierAlignment);
    }
  });
  return bytes;
}

int32_t tessera::countPrograms(const TargetInfo &target, scf::ForOp inner,
                               int64_t bytes) {
  CTAFootprint program;
  program.warps = getNumWarps(inner);
  program.sharedBytes = bytes;
  for (Type type : inner.getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      program.registers += countRegisters(tensor);
  return computeOccupancy(target, program).residentCTAs;
}

std::string tessera::checkRoom(const TargetInfo &target, scf::ForOp inner,
                               const SharedBytes &shared, int32_t before) {
  int64_t bytes = shared.sideBySide();
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
  return StorePieces::kNumBuffers *
             getAlignedBytes(pieces.getPieceBuffer(), /*isAsync=*/true) -
         getAlignedBytes(pieces.getWhole().getType(), /*isAsync=*/true);
}
