//===- ProductModel.h - how long a tiled product takes ----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cycles that a grid of programs takes, each of which computes an m x n tile of
// a product in a loop over k, with operands copied ahead to shared memory. For
// comparing configurations: what they have in common is left out.
//
// **A step** of one CTA takes at each level, in cycles,
//
//   tensor   m n k / (tensor cores' rate)
//   shared   (bytes that the copies write + bytes that products read) / 128;
//            wgmma reads A and B for each instruction, mma.sync the rows and
//            columns of each warp's part
//   L2       bytes copied / (64 of the port * 0.8, what streams reach of it);
//            pieces that do not begin at a sector count 64 bytes more
//   issue    (4 instructions a 16-byte copy of a warp + products) / 4
//
// Elements of less than 4 bytes whose alignment is not known go through
// registers, one by one and never ahead: 10.5 instructions an element of a
// warp, 2 a cycle, and a latency for each 96 of a thread.
//
// and, where r CTAs of a multiprocessor share its ports and copies run d steps
// ahead,
//
//   copies   (latency + r L2) / d
//
// where latency is also memory's, if panels of A or of B are read by one or two
// of the tiles that run together, so that half of their copies miss L2.
//
// An operand whose mask or address the loop loads has no copies ahead: each
// step waits for a latency more, then for them.
//
// **A round** is r CTAs from begin to end, with s steps each. It is bound by
// the busiest level, or by what one CTA does in sequence:
//
//   busy     r * max over levels of (s * level); L2 also stores the tile
//   chain    latency + r L2 + s (max(levels, copies) + 50) + store + latency
//   round(r) = max(busy, chain)
//
// Tensor maps issue no instructions of threads for copies, run a step further
// ahead, and store twice as fast. Where a program that stays has room for its
// results beside its buffers, the next tile's copies and this tile's store hide
// behind each other, and the chain has neither latency nor r L2; both come once
// a launch. Programs of one tile each do that for one another where several are
// resident: there none stays.
//
// **Bounds.** Registers that options or the CTAs they demand do not leave a
// thread would be spilled: a run whose accumulators and what goes with them at
// least need more is none, nor is one whose CTAs do not fit in the number
// demanded.
//
// **A launch** gives each multiprocessor ceil(tiles / multiprocessors) tiles,
// in rounds of as many as are resident, the last one with what is left:
//
//   rounds of R tiles, and one of the rest; or, where it is longer,
//   bytes from memory / memory's rate:
//     each panel once where the working set of the order fits into L2, else the
//     panels of a wave (TileReuse.h) for each wave; and the result once
//
// The constants, with the measurements on an H200 (f16, 4096^3) behind them,
// are in the .cpp file. Standard C++ only.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SCHEDULE_PRODUCTMODEL_H
#define TESSERA_SCHEDULE_PRODUCTMODEL_H

#include "tessera/Schedule/Occupancy.h"
#include "tessera/Schedule/TileReuse.h"
#include "tessera/Target/DeviceRates.h"

namespace tessera {

/// Registers of a thread beside accumulators and operands, where operands are in
/// registers; ProductModel.cpp has the measurements.
inline constexpr int32_t kRegistersAsideWithOperands = 70;

/// What multiplies, and how operands get there.
enum class ProductUnit {
  /// Groups of four warps, operands read from shared memory while it runs.
  Wgmma,
  /// Warps, operands read into registers first.
  MmaSync
};

/// The product of one program.
struct ProductTile {
  /// Of one step of the loop.
  int32_t m, n, k;
  /// Bytes of the operands' elements where they are multiplied.
  int32_t elementBytes;
  /// Bytes that a step loads of A and of B.
  int64_t rowStepBytes, columnStepBytes;
  /// Bytes of all accumulators, and those that a program stores at its end.
  int64_t accumulatorBytes, storedBytes;
  ProductUnit unit;
  /// wgmma: columns of one instruction.
  int32_t instructionN;
  /// Whether tensor maps do the copies and stores (wgmma only).
  bool tensorCopies = false;
  /// Bytes of a thread's copy where they do not.
  int32_t copyBytes = 16;
  /// Operands whose address or mask is data that the loop itself loads: their
  /// copies cannot run ahead.
  bool rowsWait = false, columnsWait = false;
  /// Bytes side by side in memory that L2 is asked for at once, 128 at most, of
  /// operands whose rows in memory do not all begin at a sector; 0 for others.
  int32_t rowsPiece = 0, columnsPiece = 0;

  /// Whether copies go through registers: asynchronous ones move 4 bytes or
  /// more (PTX ISA, "cp.async").
  bool copiesRegisters() const { return !tensorCopies && copyBytes < 4; }
};

/// The grid, for the sizes assumed.
struct ProductGrid {
  /// Tiles of one matrix, and matrices; positive. `rows` is 0 where the kernel
  /// orders its tiles itself, so that only `columns`, then the number of tiles,
  /// is known.
  int64_t rows, columns, batches;
  /// Iterations of the loop over k, at least 1.
  int64_t steps;
  /// CTAs that are launched for all tiles, when they are fewer; else 0.
  int64_t programs = 0;

  int64_t getTiles() const { return (rows ? rows : 1) * columns * batches; }
};

/// What options demand of a multiprocessor's registers and shared memory.
struct ResourceBounds {
  /// Registers of a thread at most; 0: as many as the target has.
  int32_t maxRegisters = 0;
  /// CTAs that a multiprocessor has to hold; 0 or 1: one.
  int32_t minCTAs = 0;

  bool areGiven() const { return maxRegisters != 0 || minCTAs > 1; }
  /// "--maxnreg=96, --min-ctas=2".
  std::string describe() const;
};

/// How a program runs.
struct ProductRun {
  int32_t warps;
  /// As of tile.num_stages; 1: nothing runs ahead.
  int32_t stages;
  /// Whether programs stay, and start a tile's copies before the last one's
  /// results. That takes tensor copies.
  bool stays = false;
  ResourceBounds bounds = {};
};

/// A device, as the model needs it.
struct ProductDevice {
  TargetInfo target;
  DeviceRates rates;

  /// L2 for what all multiprocessors read.
  int64_t getSharedL2Bytes() const {
    return target.referenceL2Bytes / rates.l2Partitions;
  }
};

/// The order of tiles to reckon with: one that is given, or the model's choice.
struct OrderRequest {
  bool isGiven = false;
  TileOrder order = TileOrder::Row;
  int32_t groupRows = 1;
};

/// What the model says. Times in cycles.
struct ProductEstimate {
  /// Empty, or why the configuration cannot run; all else is then undefined.
  std::string obstacle;
  CTAFootprint footprint;
  int32_t residentCTAs;
  LaunchWaves waves;
  /// Of one step; the last one is that of a CTA in its chain.
  double tensor, shared, l2, issue, copies, step;
  /// What a full round waits for: one of the levels, or "copies".
  const char *limit;
  /// Of one CTA, after its last step.
  double epilogue;
  /// Of the busiest multiprocessor, and of memory.
  int64_t processorCycles, memoryCycles;
  /// The larger of them.
  int64_t cycles;
  /// What all CTAs together copy from L2.
  double copiedBytes;
  TileOrderChoice order;
};

/// How far copies run ahead and how many buffers they have, as
/// tile-gpu-assign-stages decides for a product in flight (wgmma), and where
/// operands are read into registers.
struct StageRing {
  int32_t distance, slots;
};
StageRing getStageRing(const ProductTile &tile, int32_t stages);

/// `grid` has at most 2^31 - 1 tiles a matrix.
ProductEstimate estimateProduct(const ProductDevice &device,
                                const ProductTile &tile,
                                const ProductGrid &grid, const ProductRun &run,
                                const OrderRequest &order);

} // namespace tessera

#endif // TESSERA_SCHEDULE_PRODUCTMODEL_H
