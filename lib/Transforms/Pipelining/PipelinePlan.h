//===- PipelinePlan.h - which loads of a loop run ahead ---------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop with N stages loads what iteration i + distance needs while it computes
// iteration i. What it loads goes to a ring of slots in shared memory:
//
//   read by             distance   slots   slot refilled in iteration i
//   wgmma, in flight    N - 2      N       that of i - 2, whose product has ended
//   wgmma, waited for   N - 1      N       that of i - 1
//   registers           N - 1      N - 1   that of i, after a second barrier
//
// mma.sync reads registers. With N of 4 or more an iteration first multiplies,
// and reads the next one's slot into registers while it does; the copies
// follow, behind a barrier. They are then distance iterations ahead of the
// reads, and one more of the products, with an iteration less to arrive in: 3
// stages would miss it. ptxas puts a read where the registers' last use has
// been, if it can; the plan wants room for a second set of them.
//
// Where products and registers read, the whole loop goes by the products: one
// reads its slot after the copies of its iteration have been issued, too late for
// a second barrier.
//
// A product is left in flight over the end of its iteration where it is the only
// one of the loop and nothing but the loop reads its accumulators; N is then 3
// or more, with tensor copies 2.
//
// Tensor copies are issued by one thread, behind a barrier after the products of
// the iteration; nothing else waits for them to be issued:
//
//   read by             distance   slots   slot refilled in iteration i
//   wgmma, in flight    N - 1      N       that of i - 1, whose product has ended
//   wgmma, waited for   N          N       that of i
//
// All pipelined loads of a loop are copied in the same way. A few bytes that tensor
// maps cannot copy are loaded in their own iteration, so that the others keep maps.
//
// With one barrier an iteration, after the wait for the copies, a slot's last
// readers are known to be done: in flight, the product of i - 2 has been waited
// for at the end of iteration i - 1, before that barrier.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_TRANSFORMS_PIPELINING_PIPELINEPLAN_H
#define TESSERA_LIB_TRANSFORMS_PIPELINING_PIPELINEPLAN_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tessera {

/// A load, and what it is written to shared memory by.
struct PipelinedLoad {
  /// A `tile.load` or `tile.desc_load`.
  mlir::Operation *load;
  /// Each to a buffer of its own, made in the loop.
  llvm::SmallVector<tile_gpu::LocalStoreOp> stores;
};

/// A load that stays where it is.
struct DeclinedLoad {
  mlir::Operation *load = nullptr;
  std::string reason;
};

struct PipelinePlan {
  llvm::SmallVector<PipelinedLoad> loads;
  llvm::SmallVector<DeclinedLoad> declined;
  int64_t distance = 0, slots = 0;
  /// The product left in flight; null for none.
  tile_gpu::WgmmaOp inFlight;
  /// Whether registers are filled one iteration before they are multiplied, and
  /// if not, why, where there are stages for it.
  bool readsAhead = false;
  std::string noReadsAhead;
  /// Whether tensor maps do the copies, and if not, why, where some load has
  /// one; with the load, or the loop where none is to blame.
  bool usesTensorCopies = false;
  DeclinedLoad noTensorCopies;

  /// Bytes of shared memory that the rings take.
  int64_t getRingBytes() const;
  /// Whether the numbers fit each other, as the table above demands.
  mlir::LogicalResult check() const;
};

/// What `loop` can do with `numStages` stages, 2 or more. The loop is as
/// tile-gpu-stage-conversions leaves it.
PipelinePlan planPipeline(mlir::scf::ForOp loop, int64_t numStages);

/// The operations of the loop's body that `values` are computed from, loop-
/// carried values and their updates included, in program order. Fails, with the
/// reason, when one of them has an effect or reads memory, or is inside another
/// region.
mlir::FailureOr<llvm::SetVector<mlir::Operation *>>
findAddressSlice(mlir::scf::ForOp loop, mlir::ValueRange values,
                 std::string &reason);

/// Whether a declined load could run ahead if its value went through shared
/// memory.
bool canStageThroughShared(mlir::scf::ForOp loop, mlir::Operation *load);

/// What a load's addresses and masks are computed from.
llvm::SmallVector<mlir::Value> getAddressOperands(mlir::Operation *load);

/// What a load's coordinates in its tensor map are computed from: the array's
/// origin, then the offsets.
llvm::SmallVector<mlir::Value> getCoordinateOperands(mlir::Operation *load);

/// The buffer that a store of the loop fills; null for one made elsewhere.
tile_gpu::AllocOp getBuffer(tile_gpu::LocalStoreOp store);

/// 32-bit registers of a thread that hold a tensor, which has a layout.
int64_t countRegisters(mlir::RankedTensorType tensor);

/// Whether a reader of the pipelined buffers is of this kind.
template <typename OpTy>
bool areReadBy(llvm::ArrayRef<PipelinedLoad> loads) {
  return llvm::any_of(loads, [](const PipelinedLoad &load) {
    return llvm::any_of(load.stores, [](tile_gpu::LocalStoreOp store) {
      return llvm::any_of(
          getBuffer(store)->getUsers(),
          [](mlir::Operation *user) { return mlir::isa<OpTy>(user); });
    });
  });
}

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_PIPELINING_PIPELINEPLAN_H
