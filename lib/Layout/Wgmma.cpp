//===- Wgmma.cpp - operands and accumulators of wgmma ---------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Wgmma.h.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/Wgmma.h"

#include "tessera/Layout/DimNames.h"
#include "tessera/Layout/SharedMemory.h"

#include <algorithm>

using namespace tessera;

using Bases = std::vector<std::vector<int32_t>>;

/// Bytes of a line of the widest swizzle, and of k that an instruction takes.
static constexpr int64_t kLineBytes = 128;
static constexpr int64_t kStepBytes = 32;
/// Rows after which a swizzle repeats.
static constexpr int64_t kSwizzleRows = 8;

static std::nullopt_t fail(std::string *error, std::string text) {
  if (error)
    *error = std::move(text);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

std::optional<WgmmaTiling> tessera::chooseWgmmaTiling(int32_t M, int32_t N,
                                                      int32_t numWarps,
                                                      std::string *error) {
  if (numWarps % kWarpsPerGroup != 0)
    return fail(error, "wgmma needs warps in groups of 4, not " +
                           std::to_string(numWarps));
  if (M % kWgmmaM != 0 || N % 8 != 0)
    return fail(error, "a tile of " + std::to_string(M) + "x" +
                           std::to_string(N) +
                           " does not consist of wgmma's m64n8");
  int32_t groups = numWarps / kWarpsPerGroup;
  int32_t groupsM = std::min(groups, M / kWgmmaM);
  int32_t groupsN = groups / groupsM;
  if (N / groupsN < 8)
    return fail(error, std::to_string(numWarps) + " warps are too many for a " +
                           std::to_string(M) + "x" + std::to_string(N) +
                           " tile of wgmma");
  return WgmmaTiling{groupsM, groupsN, std::min(N / groupsN, 256)};
}

/// Appends the powers of two in [from, to) along `axis`.
static void appendPowers(Bases &bases, int axis, int32_t from, int32_t to) {
  for (int32_t size = from; size < to; size *= 2) {
    std::vector<int32_t> basis(2, 0);
    basis[axis] = size;
    bases.push_back(basis);
  }
}

std::optional<LinearLayout>
tessera::makeWgmmaAccumulator(int32_t M, int32_t N, const WgmmaTiling &tiling) {
  int32_t boxM = M / tiling.groupsM, boxN = N / tiling.groupsN;
  Bases registers = {{0, 1}, {8, 0}}, lanes, warps;
  appendPowers(registers, 1, 8, boxN);
  appendPowers(registers, 0, kWgmmaM, boxM);
  appendPowers(lanes, 1, 2, 8);
  appendPowers(lanes, 0, 1, 8);
  appendPowers(warps, 0, 16, kWgmmaM);
  appendPowers(warps, 0, boxM, M);
  appendPowers(warps, 1, boxN, N);
  return LinearLayout::create(
      {{kRegisterDim, registers}, {kLaneDim, lanes}, {kWarpDim, warps}},
      {{tensorDimName(0), M}, {tensorDimName(1), N}});
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

std::optional<LinearLayout>
tessera::makeWgmmaOperandA(int32_t M, int32_t K, const WgmmaTiling &tiling,
                           int elementBytes) {
  if ((elementBytes != 1 && elementBytes != 2) || K * elementBytes < kStepBytes)
    return std::nullopt;
  int32_t packed = 4 / elementBytes, boxM = M / tiling.groupsM;
  Bases registers, lanes, warps;
  appendPowers(registers, 1, 1, packed);
  appendPowers(registers, 0, 8, 16);
  appendPowers(registers, 1, 4 * packed, K);
  appendPowers(registers, 0, kWgmmaM, boxM);
  appendPowers(lanes, 1, packed, 4 * packed);
  appendPowers(lanes, 0, 1, 8);
  appendPowers(warps, 0, 16, kWgmmaM);
  appendPowers(warps, 0, boxM, M);
  for (int32_t groups = 1; groups < tiling.groupsN; groups *= 2)
    warps.push_back({0, 0});
  return LinearLayout::create(
      {{kRegisterDim, registers}, {kLaneDim, lanes}, {kWarpDim, warps}},
      {{tensorDimName(0), M}, {tensorDimName(1), K}});
}

std::optional<WgmmaOperand> WgmmaOperand::create(int32_t extentMN,
                                                 int32_t extentK, Major major,
                                                 int elementBytes,
                                                 std::string *error) {
  if (major == Major::MN && elementBytes != 2)
    return fail(error, "wgmma reads rows along m or n only of 16-bit elements");
  WgmmaOperand operand(extentMN, extentK, major, elementBytes);
  if (operand.getRowBytes() < kStepBytes)
    return fail(error, "rows of " + std::to_string(operand.getRowBytes()) +
                           " bytes are too short for wgmma's swizzles");
  if (extentK * elementBytes < kStepBytes)
    return fail(error, "a product over " + std::to_string(extentK) +
                           " elements is shorter than one wgmma");
  return operand;
}

int64_t WgmmaOperand::getRowBytes() const {
  int64_t extent = major == Major::K ? extentK : extentMN;
  return std::min(kLineBytes, extent * elementBytes);
}

int64_t WgmmaOperand::getPanelBytes() const {
  return (major == Major::K ? extentMN : extentK) * getRowBytes();
}

LinearLayout WgmmaOperand::getBuffer(int axisMN) const {
  std::vector<int32_t> shape(2);
  shape[axisMN] = extentMN;
  shape[1 - axisMN] = extentK;
  int32_t rowAxis = major == Major::MN ? axisMN : 1 - axisMN;
  return *makeSwizzledShared(shape, {rowAxis, 1 - rowAxis}, elementBytes,
                             /*vectorBytes=*/16, LongRows::Split);
}

int64_t WgmmaOperand::getStart(int32_t mn, int32_t k) const {
  int64_t along = int64_t(major == Major::K ? k : mn) * elementBytes;
  int64_t row = major == Major::K ? mn : k;
  return along / kLineBytes * getPanelBytes() + row * getRowBytes() +
         along % kLineBytes;
}

uint64_t WgmmaOperand::getDescriptor() const {
  uint64_t swizzle = getRowBytes() == 128 ? 1 : getRowBytes() == 64 ? 2 : 3;
  // Not used, but not 0 either (PTX ISA, "Strides": assumed 1).
  uint64_t leading = major == Major::K ? 1 : getPanelBytes() / 16;
  uint64_t stride = kSwizzleRows * getRowBytes() / 16;
  return swizzle << 62 | stride << 32 | leading << 16;
}
