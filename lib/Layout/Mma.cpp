//===- Mma.cpp - register layouts of tensor-core operands -----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/Mma.h"

#include "tessera/Layout/DimNames.h"
#include "tessera/Layout/F2.h"

#include <algorithm>

using namespace tessera;

namespace {

bool fail(std::string *error, std::string reason) {
  if (error)
    *error = std::move(reason);
  return false;
}

std::string nameOf(MmaShape shape) {
  return "m" + std::to_string(shape.m) + "n" + std::to_string(shape.n) + "k" +
         std::to_string(shape.k);
}

/// An instruction with the width of its A and B elements.
struct Instruction {
  MmaShape shape;
  int operandBits;
};

/// PTX ISA, "Warp Level Matrix Instructions: mma", shapes with one matrix
/// product a warp. The f64 shapes with m16 need sm_90, the others sm_80 or
/// sm_89 (fp8): a question for TargetInfo.
constexpr Instruction kInstructions[] = {
    {{16, 8, 16}, 8}, {{16, 8, 32}, 8},  {{16, 8, 8}, 16}, {{16, 8, 16}, 16},
    {{16, 8, 4}, 32}, {{16, 8, 8}, 32},  {{8, 8, 4}, 64},  {{16, 8, 4}, 64},
    {{16, 8, 8}, 64}, {{16, 8, 16}, 64},
};

bool isKnownShape(MmaShape shape) {
  return std::any_of(
      std::begin(kInstructions), std::end(kInstructions),
      [&](const Instruction &known) { return known.shape == shape; });
}

/// Whether an instruction of this width may have accumulators of `bits` bits.
bool accumulatesIn(int operandBits, int bits) {
  if (operandBits == 64)
    return bits == 64;
  return bits == 32 || (bits == 16 && operandBits <= 16);
}

bool isKnown(MmaShape shape, MmaOperand operand, int bits) {
  return std::any_of(std::begin(kInstructions), std::end(kInstructions),
                     [&](const Instruction &known) {
                       return known.shape == shape &&
                              (operand == MmaOperand::C
                                   ? accumulatesIn(known.operandBits, bits)
                                   : known.operandBits == bits);
                     });
}

using Bases = std::vector<std::vector<int32_t>>;

/// Appends the bases with coordinates from, 2 * from, ... below `end` along
/// `axis`.
void append(Bases &bases, int axis, int32_t from, int32_t end) {
  for (int32_t coordinate = from; coordinate < end; coordinate *= 2)
    bases.push_back(axis == 0 ? std::vector<int32_t>{coordinate, 0}
                              : std::vector<int32_t>{0, coordinate});
}

/// The rule of the header. Widths count for A and B only.
LinearLayout fragment(MmaShape shape, MmaOperand operand, int elementBits) {
  Bases registers, lanes;
  int32_t perRegister = std::max(1, 32 / elementBits);
  int32_t rows = shape.m, columns = shape.n;
  switch (operand) {
  case MmaOperand::A:
    columns = shape.k;
    append(registers, 1, 1, perRegister);
    append(registers, 0, 8, shape.m);
    append(registers, 1, 4 * perRegister, shape.k);
    append(lanes, 1, perRegister, 4 * perRegister);
    append(lanes, 0, 1, 8);
    break;
  case MmaOperand::B:
    rows = shape.k;
    append(registers, 0, 1, perRegister);
    append(registers, 0, 4 * perRegister, shape.k);
    append(lanes, 0, perRegister, 4 * perRegister);
    append(lanes, 1, 1, 8);
    break;
  case MmaOperand::C:
    append(registers, 1, 1, 2);
    append(registers, 0, 8, shape.m);
    append(lanes, 1, 2, 8);
    append(lanes, 0, 1, 8);
    break;
  }
  return *LinearLayout::create(
      {{kRegisterDim, std::move(registers)}, {kLaneDim, std::move(lanes)}},
      {{tensorDimName(0), rows}, {tensorDimName(1), columns}});
}

bool checkExtent(const char *axis, int32_t extent, int instruction,
                 MmaShape shape, std::string *error) {
  if (!isPowerOfTwo(extent))
    return fail(error, std::string(axis) + " is " + std::to_string(extent) +
                           ", which is no power of two");
  if (extent < instruction)
    return fail(error, std::string(axis) + " is " + std::to_string(extent) +
                           ", less than the " + std::to_string(instruction) +
                           " of one " + nameOf(shape) + " instruction");
  return true;
}

bool checkTiling(const MmaTiling &tiling, std::string *error) {
  if (!isKnownShape(tiling.shape))
    return fail(error, "there is no mma.sync of shape " + nameOf(tiling.shape));
  const std::vector<int32_t> &warps = tiling.warpsPerCTA;
  if (warps.size() != 2)
    return fail(error, "warpsPerCTA has " + std::to_string(warps.size()) +
                           " entries, not one for M and one for N");
  for (int32_t count : warps)
    if (!isPowerOfTwo(count))
      return fail(error, "warpsPerCTA has the entry " + std::to_string(count) +
                             ", which is no power of two");
  return true;
}

/// Of `warps` warps along an axis, how many have instruction tiles of their
/// own.
int32_t sharers(int32_t extent, int instruction, int32_t warps) {
  return std::min(warps, extent / instruction);
}

int32_t stepsOf(int32_t extent, int instruction, int32_t warps) {
  return extent / instruction / sharers(extent, instruction, warps);
}

/// Warps along one axis of an operand: first those that have parts of their
/// own, then copies.
LinearLayout warpsAlong(int axis, int32_t parts, int32_t warps) {
  return LinearLayout::identity1D(parts, kWarpDim, tensorDimName(axis)) *
         LinearLayout::zeros1D(warps / parts, kWarpDim, tensorDimName(axis));
}

LinearLayout repeats(int axis, int32_t count) {
  return LinearLayout::identity1D(count, kRegisterDim, tensorDimName(axis));
}

/// The product of `factors`, the first one innermost.
std::optional<LinearLayout> stack(const std::vector<LinearLayout> &factors,
                                  std::string *error) {
  std::optional<LinearLayout> result = LinearLayout::empty();
  for (const LinearLayout &factor : factors)
    if (!(result = result->product(factor))) {
      fail(error, "the tile exceeds the limits of a layout");
      return std::nullopt;
    }
  return result;
}

} // namespace

int32_t tessera::mmaRegisters(MmaShape shape, MmaOperand operand) {
  switch (operand) {
  case MmaOperand::A:
    return shape.m * shape.k / 32;
  case MmaOperand::B:
    return shape.k * shape.n / 32;
  case MmaOperand::C:
    break;
  }
  return shape.m * shape.n / 32;
}

int32_t tessera::countMmaRegisters(MmaShape shape, int operandBits,
                                   int accumulatorBits) {
  constexpr int32_t kBeside = 18;
  auto count = [&](MmaOperand operand, int bits) {
    return mmaRegisters(shape, operand) * bits / 32;
  };
  return kBeside + count(MmaOperand::A, operandBits) +
         count(MmaOperand::B, operandBits) +
         count(MmaOperand::C, accumulatorBits);
}

std::optional<LinearLayout> tessera::makeMmaFragment(MmaShape shape,
                                                     MmaOperand operand,
                                                     int elementBits,
                                                     std::string *error) {
  if (!isKnown(shape, operand, elementBits)) {
    fail(error, "there is no mma.sync of shape " + nameOf(shape) + " with " +
                    std::to_string(elementBits) + "-bit " +
                    (operand == MmaOperand::C ? "accumulators" : "operands"));
    return std::nullopt;
  }
  return fragment(shape, operand, elementBits);
}

//===----------------------------------------------------------------------===//
// Whole tiles
//===----------------------------------------------------------------------===//

std::optional<MmaSteps> tessera::countMmaSteps(int32_t M, int32_t N, int32_t K,
                                               const MmaTiling &tiling,
                                               std::string *error) {
  MmaShape shape = tiling.shape;
  if (!checkTiling(tiling, error) ||
      !checkExtent("M", M, shape.m, shape, error) ||
      !checkExtent("N", N, shape.n, shape, error) ||
      !checkExtent("K", K, shape.k, shape, error))
    return std::nullopt;
  return MmaSteps{stepsOf(M, shape.m, tiling.warpsPerCTA[0]),
                  stepsOf(N, shape.n, tiling.warpsPerCTA[1]), K / shape.k};
}

int32_t tessera::firstMmaRegister(MmaShape shape, MmaOperand operand,
                                  const MmaSteps &steps, int32_t outer,
                                  int32_t inner) {
  int32_t innerSteps = operand == MmaOperand::C ? steps.n : steps.k;
  return (outer * innerSteps + inner) * mmaRegisters(shape, operand);
}

std::optional<LinearLayout> tessera::makeMmaAccumulator(int32_t M, int32_t N,
                                                        const MmaTiling &tiling,
                                                        std::string *error) {
  MmaShape shape = tiling.shape;
  std::optional<MmaSteps> steps = countMmaSteps(M, N, shape.k, tiling, error);
  if (!steps)
    return std::nullopt;
  int32_t warpsM = tiling.warpsPerCTA[0], warpsN = tiling.warpsPerCTA[1];
  return stack({fragment(shape, MmaOperand::C, /*elementBits=*/32),
                repeats(1, steps->n), repeats(0, steps->m),
                warpsAlong(0, sharers(M, shape.m, warpsM), warpsM),
                warpsAlong(1, sharers(N, shape.n, warpsN), warpsN)},
               error);
}

std::optional<LinearLayout> tessera::makeMmaOperandA(int32_t M, int32_t K,
                                                     const MmaTiling &tiling,
                                                     int elementBits,
                                                     std::string *error) {
  MmaShape shape = tiling.shape;
  std::optional<LinearLayout> one =
      makeMmaFragment(shape, MmaOperand::A, elementBits, error);
  if (!one)
    return std::nullopt;
  std::optional<MmaSteps> steps = countMmaSteps(M, shape.n, K, tiling, error);
  if (!steps)
    return std::nullopt;
  int32_t warpsM = tiling.warpsPerCTA[0], warpsN = tiling.warpsPerCTA[1];
  return stack({*one, repeats(1, steps->k), repeats(0, steps->m),
                warpsAlong(0, sharers(M, shape.m, warpsM), warpsM),
                warpsAlong(1, /*parts=*/1, warpsN)},
               error);
}

std::optional<LinearLayout> tessera::makeMmaOperandB(int32_t K, int32_t N,
                                                     const MmaTiling &tiling,
                                                     int elementBits,
                                                     std::string *error) {
  MmaShape shape = tiling.shape;
  std::optional<LinearLayout> one =
      makeMmaFragment(shape, MmaOperand::B, elementBits, error);
  if (!one)
    return std::nullopt;
  std::optional<MmaSteps> steps = countMmaSteps(shape.m, N, K, tiling, error);
  if (!steps)
    return std::nullopt;
  int32_t warpsM = tiling.warpsPerCTA[0], warpsN = tiling.warpsPerCTA[1];
  return stack({*one, repeats(0, steps->k), repeats(1, steps->n),
                warpsAlong(0, /*parts=*/1, warpsM),
                warpsAlong(1, sharers(N, shape.n, warpsN), warpsN)},
               error);
}

std::optional<std::vector<int32_t>> tessera::chooseWarps(int32_t M, int32_t N,
                                                         int32_t numWarps,
                                                         MmaShape shape,
                                                         std::string *error) {
  MmaTiling oneWarp = {{1, 1}, shape};
  if (!countMmaSteps(M, N, shape.k, oneWarp, error))
    return std::nullopt;
  if (!isPowerOfTwo(numWarps)) {
    fail(error, "the number of warps is " + std::to_string(numWarps) +
                    ", which is no power of two");
    return std::nullopt;
  }
  // Most warps along M first, so that the first of several equals is kept.
  // Copies need no count of their own: a warp without a part along one axis
  // lowers the traffic as soon as the other axis gives it one.
  std::vector<int32_t> best;
  int64_t bestTraffic = 0;
  for (int32_t warpsM = numWarps; warpsM >= 1; warpsM /= 2) {
    int32_t warpsN = numWarps / warpsM;
    int64_t traffic = int64_t(M / sharers(M, shape.m, warpsM)) +
                      N / sharers(N, shape.n, warpsN);
    if (!best.empty() && traffic >= bestTraffic)
      continue;
    best = {warpsM, warpsN};
    bestTraffic = traffic;
  }
  return best;
}
