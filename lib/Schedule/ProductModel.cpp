//===- ProductModel.cpp - how long a tiled product takes ------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/ProductModel.h"

#include <algorithm>
#include <cmath>

using namespace tessera;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// What streams reach of L2's port. 128x128 tiles need all 64 bytes a cycle to
/// keep wgmma busy, 128x256 tiles 48: the latter are at least 10 % faster.
static constexpr double kPortEfficiency = 0.8;
/// Bytes of the port for a piece of a row that begins within a sector. On an
/// H200 128x256x64 tiles of B by columns with K = 4104 take 1336 cycles a step,
/// 1.3 times what products do, 128x64x32 ones, whose pieces have 64 bytes, 1.9
/// times as long as with K = 4096, and 128x128x64 ones 1.23 times where A alone
/// has such rows.
static constexpr double kSplitPieceBytes = 64;
/// Cycles from the issue of a copy until its bytes are there, and of a store.
/// 3 stages of 128x256x64 without tensor maps, whose copies run one step ahead,
/// reach 488 TFLOP/s, 4 stages 639.
static constexpr double kLatency = 400;
/// How much longer it takes bytes that L2 does not have. 64x8192x8192 and
/// 128x16384x4096, whose B no two tiles share, read 2.9 TB/s on an H200 with 24
/// KB of B under way a multiprocessor, and 3.7 with 48. Large products, of
/// whose copies one in eight misses, show nothing of it.
static constexpr double kMemoryLatency = 1500;
/// Cycles of a step for waits and a barrier, which products do not overlap when
/// a CTA is alone.
static constexpr double kStepOverhead = 50;
/// Bytes that a multiprocessor stores in a cycle: from registers, and by tensor
/// maps from shared memory.
static constexpr double kStoreBytesPerCycle = 32;
static constexpr double kTensorStoreBytesPerCycle = 64;
/// Cycles of a program that stays, from one tile to the next: its place,
/// barriers and the first copies. With copies ahead such programs gain 1 to 9 %
/// over tiled ones of the same stages where a multiprocessor holds one of them.
/// Where it holds four (128x64x32), which hide each other's ends, they lose 2
/// to 7 % against tiled ones in grouped order, which is why there are none of
/// them here.
static constexpr double kTileOverhead = 200;
/// Instructions for 16 bytes a thread: address, predicate, copy.
static constexpr double kInstructionsPerCopy = 4;
/// The same for one element through registers: of the loop of matmul.mlir's
/// general variant for 64x128x64, 1044 instructions for 96 elements of a
/// thread. Their additions depend on each other: of 4 a cycle half remain.
/// 1001x1003x1005 on an H200 takes 2400 cycles a step with 64x128x64, 4430 with
/// 64x128x128 (8 warps; 4 warps, which load in two parts, 4860), 3300 with
/// 128x128x64.
static constexpr double kInstructionsPerElement = 10.5;
static constexpr double kElementInstructionsPerCycle = 2;
/// Elements of a thread whose loads are under way at a time, by registers.
static constexpr int64_t kElementsInFlight = 96;
/// Instructions for a product of mma.sync, its share of ldmatrix included.
static constexpr double kInstructionsPerProduct = 2;
/// Registers of a thread beside accumulators and operands. ptxas gives the
/// kernel of matmul.mlir, on sm_90a, 124 with 64 accumulators and 186 or 187
/// with 128 (and 90 and 154 in the variant whose copies tensor maps do); on
/// sm_80, with accumulators + operands in registers: 128 with 32 + 32, 174 with
/// 32 + 64, 183 with 64 + 48, 218 and 222 with 64 + 96; and spills with 64 +
/// 192 and 128 + 128. The variant for unaligned arguments takes up to 57 more
/// with operands: it spills with 64 + 96 in groups of tiles.
static constexpr int32_t kRegistersAside = 60;
static constexpr int32_t kMostRegistersWithOperands = 224;
/// The same with nothing in registers but accumulators: what ptxas needs beside
/// them, 90 with 64 and 154 with 128, where tensor maps do the copies.
static constexpr int32_t kLeastRegistersAside = 26;
/// Accumulators of a thread at most: no instruction has more, and 256 would be
/// all registers that there are.
static constexpr int64_t kMostAccumulators = 128;

static int64_t divideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

StageRing tessera::getStageRing(const ProductTile &tile, int32_t stages) {
  if (stages <= 1 || tile.copiesRegisters())
    return {0, 1};
  if (tile.unit == ProductUnit::MmaSync)
    return {stages - 1, stages - 1};
  if (tile.tensorCopies)
    return {stages - 1, stages};
  return {stages == 2 ? 1 : stages - 2, stages};
}

//===----------------------------------------------------------------------===//
// A step
//===----------------------------------------------------------------------===//

/// Bytes of the operands' parts that all warps read into registers in a step:
/// the warps share the tile so that their parts are near square.
static int64_t getFragmentBytes(const ProductTile &tile, int32_t warps) {
  int32_t warpsM = 1, warpsN = 1;
  while (warpsM * warpsN < warps)
    (tile.m / warpsM >= tile.n / warpsN ? warpsM : warpsN) *= 2;
  return (int64_t(tile.m) * warpsN + int64_t(tile.n) * warpsM) * tile.k *
         tile.elementBytes;
}

/// Bytes that the products of a step read from shared memory.
static int64_t getSharedReads(const ProductTile &tile, int32_t warps) {
  if (tile.unit == ProductUnit::MmaSync)
    return getFragmentBytes(tile, warps);
  constexpr int32_t instructionM = 64;
  int64_t instructions =
      int64_t(tile.m) / instructionM * (int64_t(tile.n) / tile.instructionN);
  return instructions * (instructionM + tile.instructionN) * tile.k *
         tile.elementBytes;
}

/// What copies of `bytes` keep L2's port from doing else, in bytes.
static double getPortBytes(int64_t bytes, int32_t splitPiece) {
  return splitPiece ? bytes * (1 + kSplitPieceBytes / splitPiece) : bytes;
}

/// Fills in the levels of a step.
static void estimateStep(const DeviceRates &rates, const ProductTile &tile,
                         const ProductRun &run, ProductEstimate &result) {
  double products = double(tile.m) * tile.n * tile.k;
  int64_t copied = tile.rowStepBytes + tile.columnStepBytes;
  // Elements of half the size are multiplied twice as fast.
  result.tensor =
      products * tile.elementBytes / (2.0 * rates.tensorFMAsPerCycle);
  result.shared = double(copied + getSharedReads(tile, run.warps)) /
                  rates.sharedBytesPerCycle;
  result.l2 = (getPortBytes(tile.rowStepBytes, tile.rowsPiece) +
               getPortBytes(tile.columnStepBytes, tile.columnsPiece)) /
              (rates.l2BytesPerCycle * kPortEfficiency);
  double copies = tile.tensorCopies ? 0.0 : copied / (tile.copyBytes * 32.0);
  double instructions = copies * kInstructionsPerCopy;
  if (tile.copiesRegisters())
    instructions = copies * kInstructionsPerElement *
                   rates.instructionsPerCycle / kElementInstructionsPerCycle;
  // m16n8 with 32 bytes of k.
  double mmas = tile.unit == ProductUnit::MmaSync
                    ? products * tile.elementBytes / (16.0 * 8.0 * 32.0)
                    : 0.0;
  result.issue = (instructions + mmas * kInstructionsPerProduct) /
                 rates.instructionsPerCycle;
}

/// Times that a thread waits for elements on their way through its registers.
static int64_t countLoadRounds(const ProductTile &tile, int32_t warps) {
  int64_t elements =
      (tile.rowStepBytes + tile.columnStepBytes) / tile.copyBytes;
  return divideUp(divideUp(elements, 32 * int64_t(warps)), kElementsInFlight);
}

/// Cycles until the copies of a step are there.
static double getArrival(int64_t residents, bool missesL2, double l2) {
  return kLatency + (missesL2 ? kMemoryLatency : 0) + residents * l2;
}

/// Cycles of `residents` CTAs from begin to end, of one tile each where they
/// stay; the step of the last call is what the estimate keeps.
static double estimateRound(const ProductTile &tile, const ProductGrid &grid,
                            const ProductRun &run, int64_t residents,
                            bool missesL2, ProductEstimate &result) {
  StageRing ring = getStageRing(tile, run.stages);
  double steps = double(grid.steps);
  double arrival = getArrival(residents, missesL2, result.l2);
  if (tile.copiesRegisters())
    arrival = kLatency * countLoadRounds(tile, run.warps) + result.issue;
  // The data comes first, then what it decides about.
  bool waits = tile.rowsWait || tile.columnsWait;
  if (waits)
    arrival += kLatency;
  // Without copies ahead each step waits for its own.
  bool areAhead = ring.distance && !waits;
  result.copies = areAhead ? arrival / ring.distance : arrival;
  struct Level {
    double cycles;
    const char *name;
  };
  Level slowest{result.tensor, "tensor cores"};
  for (Level level : {Level{result.shared, "shared memory"},
                      Level{result.l2, "L2"}, Level{result.issue, "issue"}})
    if (level.cycles > slowest.cycles)
      slowest = level;
  double store =
      tile.storedBytes /
      (tile.tensorCopies ? kTensorStoreBytesPerCycle : kStoreBytesPerCycle);
  double busy =
      residents * std::max(steps * slowest.cycles, steps * result.l2 + store);
  Level alone = slowest;
  if (result.copies > alone.cycles)
    alone = {result.copies, "copies"};
  // Loads into registers and products of the step before overlap.
  if (!areAhead && !tile.copiesRegisters())
    alone.cycles = result.copies + result.tensor;
  result.step = alone.cycles + kStepOverhead;
  result.epilogue = store + (run.stays ? kTileOverhead : kLatency);
  double chain = steps * result.step + result.epilogue;
  if (!run.stays && areAhead)
    chain += arrival;
  result.limit = busy < chain ? alone.name : slowest.name;
  return std::max(busy, chain);
}

//===----------------------------------------------------------------------===//
// A launch
//===----------------------------------------------------------------------===//

static CTAFootprint getFootprint(const ProductTile &tile,
                                 const ProductRun &run) {
  CTAFootprint footprint;
  footprint.warps = run.warps;
  int64_t threads = run.warps * int64_t(32);
  int64_t bytes = tile.accumulatorBytes;
  footprint.registers = kRegistersAside;
  if (tile.unit == ProductUnit::MmaSync) {
    bytes += getFragmentBytes(tile, run.warps);
    footprint.registers = kRegistersAsideWithOperands;
  }
  footprint.registers += int32_t(bytes / 4 / threads);
  int32_t slots = getStageRing(tile, run.stages).slots;
  footprint.sharedBytes = (tile.rowsWait ? 1 : slots) * tile.rowStepBytes +
                          (tile.columnsWait ? 1 : slots) * tile.columnStepBytes;
  return footprint;
}

/// Bytes that results take beside `ring`, for the next tile's copies are on
/// their way while they are stored. tile-gpu-prefetch-tiles stores them through
/// two boxes of 128 bytes a row where the whole tile would cost a program.
static int64_t getResultBytes(const TargetInfo &target, const ProductTile &tile,
                              const CTAFootprint &ring) {
  constexpr int64_t boxRowBytes = 128, boxes = 2;
  int64_t pieces = boxes * boxRowBytes * tile.m;
  auto countPrograms = [&](int64_t bytes) {
    CTAFootprint program = ring;
    program.sharedBytes = bytes;
    return computeOccupancy(target, program).residentCTAs;
  };
  int64_t inTurn = std::max(ring.sharedBytes, tile.storedBytes);
  if (pieces >= tile.storedBytes ||
      countPrograms(ring.sharedBytes + tile.storedBytes) >=
          countPrograms(inTurn))
    return tile.storedBytes;
  return pieces;
}

std::string ResourceBounds::describe() const {
  std::string text;
  if (maxRegisters)
    text = "--maxnreg=" + std::to_string(maxRegisters);
  if (minCTAs > 1)
    text +=
        (text.empty() ? "" : ", ") + ("--min-ctas=" + std::to_string(minCTAs));
  return text;
}

/// Takes the registers that bounds leave a thread for those that it would have.
/// False where it cannot do with them.
static bool boundRegisters(const TargetInfo &target, const ProductTile &tile,
                           const ProductRun &run, CTAFootprint &footprint) {
  if (!run.bounds.areGiven())
    return true;
  int32_t limit =
      getRegisterLimit(target, run.warps, std::max(run.bounds.minCTAs, 1));
  if (run.bounds.maxRegisters)
    limit = std::min(limit, run.bounds.maxRegisters);
  int32_t spare =
      tile.tensorCopies ? kRegistersAside - kLeastRegistersAside : 0;
  if (footprint.registers - spare > limit)
    return false;
  footprint.registers = std::min(footprint.registers, limit);
  return true;
}

namespace {
/// What L2 does not have.
struct Traffic {
  /// Bytes that one matrix' tiles read from memory.
  double bytes;
  /// Whether half of the copies of A, or of B, wait for it.
  bool missesL2;
};
} // namespace

/// Whether a panel of A, or of B, is that of two tiles at most.
static bool sharesLittle(const TileWave &wave) {
  return 2 * std::max(wave.rows, wave.columns) >= wave.tiles;
}

/// Fills in the order that traffic depends on.
static Traffic estimateTraffic(const ProductDevice &device,
                               const ProductTile &tile, const ProductGrid &grid,
                               const OrderRequest &request,
                               ProductEstimate &result) {
  TileReuseProblem problem{int32_t(grid.rows ? grid.rows : 1),
                           int32_t(grid.columns),
                           tile.rowStepBytes * grid.steps,
                           tile.columnStepBytes * grid.steps,
                           device.getSharedL2Bytes(),
                           device.target.referenceSMs * result.residentCTAs};
  int64_t count = int64_t(problem.rows) * problem.columns;
  double waves = std::max(1.0, double(count) / problem.waveTiles);
  int64_t running = std::min<int64_t>(problem.waveTiles, count);
  if (!grid.rows) {
    // An order of the kernel's own: taken to be as good as groups can be.
    int32_t rows = chooseGroupRows(problem.rowPanelBytes,
                                   problem.columnPanelBytes, problem.waveTiles);
    int64_t columns = divideUp(running, rows);
    result.order = {TileOrder::Row, 1, 0, 0,
                    std::min<int64_t>(rows, running) * problem.rowPanelBytes +
                        columns * problem.columnPanelBytes};
    return {waves * result.order.waveBytes,
            sharesLittle({std::min<int64_t>(rows, running), columns, running})};
  }
  result.order = chooseTileOrder(problem);
  if (request.isGiven) {
    result.order.order = request.order;
    result.order.groupRows = request.groupRows;
    result.order.workingSetBytes =
        problem.getWorkingSet(request.order, request.groupRows);
    result.order.waveBytes =
        problem.getWaveBytes(request.order, request.groupRows);
  }
  // A single row reads each column once in any order.
  if (grid.rows == 1 ||
      (result.order.order == TileOrder::Row &&
       result.order.workingSetBytes <= problem.cacheBytes))
    return {double(problem.rows) * problem.rowPanelBytes +
                double(problem.columns) * problem.columnPanelBytes,
            sharesLittle({problem.rows, problem.columns, count})};
  return {waves * result.order.waveBytes,
          sharesLittle(
              problem.getWave(result.order.order, result.order.groupRows))};
}

/// Fills in what a program takes and how many of them are resident. Returns
/// what stands against the run.
static std::string findRoom(const ProductDevice &device,
                            const ProductTile &tile, const ProductRun &run,
                            ProductEstimate &result) {
  CTAFootprint &footprint = result.footprint;
  if (run.stays && !tile.tensorCopies)
    return "programs that stay need tensor copies";
  footprint = getFootprint(tile, run);
  if (tile.accumulatorBytes / 4 > kMostAccumulators * run.warps * 32)
    return "too many accumulators";
  if (tile.unit == ProductUnit::MmaSync &&
      footprint.registers > kMostRegistersWithOperands)
    return "too little room: registers";
  if (!boundRegisters(device.target, tile, run, footprint))
    return "too few registers: " + run.bounds.describe();
  if (run.stays) {
    if (computeOccupancy(device.target, footprint).residentCTAs > 1)
      return "programs that stay need a multiprocessor of their own";
    footprint.sharedBytes += getResultBytes(device.target, tile, footprint);
  }
  Occupancy occupancy = computeOccupancy(device.target, footprint);
  if (occupancy.residentCTAs < std::max(run.bounds.minCTAs, 1))
    return "too little room: " + occupancy.describeLimits();
  result.residentCTAs = occupancy.residentCTAs;
  return {};
}

ProductEstimate tessera::estimateProduct(const ProductDevice &device,
                                         const ProductTile &tile,
                                         const ProductGrid &grid,
                                         const ProductRun &run,
                                         const OrderRequest &request) {
  ProductEstimate result;
  result.obstacle = findRoom(device, tile, run, result);
  if (!result.obstacle.empty())
    return result;
  int64_t processors = device.target.referenceSMs;
  int64_t tiles = grid.getTiles();
  if (grid.programs)
    result.residentCTAs = int32_t(std::min<int64_t>(
        result.residentCTAs, divideUp(grid.programs, processors)));
  result.waves = computeWaves(tiles, processors, result.residentCTAs);

  estimateStep(device.rates, tile, run, result);
  Traffic traffic = estimateTraffic(device, tile, grid, request, result);
  int64_t perProcessor = divideUp(tiles, processors);
  int64_t full = perProcessor / result.residentCTAs;
  int64_t rest = perProcessor % result.residentCTAs;
  auto round = [&](int64_t residents) {
    return estimateRound(tile, grid, run, residents, traffic.missesL2, result);
  };
  double cycles = rest ? round(rest) : 0;
  if (full)
    cycles += full * round(result.residentCTAs);
  if (run.stays)
    cycles +=
        getArrival(result.residentCTAs, traffic.missesL2, result.l2) + kLatency;

  double bytes =
      traffic.bytes * double(grid.batches) + double(tiles) * tile.storedBytes;
  result.processorCycles = std::llround(cycles);
  result.memoryCycles =
      std::llround(bytes / device.rates.getMemoryBytesPerCycle());
  result.cycles = std::max(result.processorCycles, result.memoryCycles);
  result.copiedBytes = double(tiles) * double(grid.steps) *
                       double(tile.rowStepBytes + tile.columnStepBytes);
  return result;
}
