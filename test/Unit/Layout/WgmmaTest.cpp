//===- WgmmaTest.cpp - operands and accumulators of wgmma -----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instruction as PTX describes it, register by register and address by
// address, finds what the layouts say.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/Wgmma.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

using Major = WgmmaOperand::Major;

void expectTiling(int32_t M, int32_t N, int32_t numWarps, int32_t groupsM,
                  int32_t groupsN, int32_t n) {
  SCOPED_TRACE(testing::Message()
               << M << "x" << N << " by " << numWarps << " warps");
  std::string error;
  auto tiling = chooseWgmmaTiling(M, N, numWarps, &error);
  ASSERT_TRUE(tiling) << error;
  EXPECT_EQ(tiling->groupsM, groupsM);
  EXPECT_EQ(tiling->groupsN, groupsN);
  EXPECT_EQ(tiling->n, n);
}

std::string whyNoTiling(int32_t M, int32_t N, int32_t numWarps) {
  std::string error;
  return chooseWgmmaTiling(M, N, numWarps, &error) ? "" : error;
}

/// PTX ISA, "Register Fragments for wgmma.mma_async.m64nNk16", matrix D: what
/// d`index` of a thread of the group is.
std::pair<int32_t, int32_t> getElement(int32_t warp, int32_t lane,
                                       int32_t index) {
  return {16 * (warp % 4) + lane / 4 + 8 * (index / 2 % 2),
          8 * (index / 4) + 2 * (lane % 4) + index % 2};
}

/// Compares all registers of all threads; instructions go along N first.
void expectAccumulators(int32_t M, int32_t N, int32_t numWarps) {
  SCOPED_TRACE(testing::Message()
               << M << "x" << N << " by " << numWarps << " warps");
  auto tiling = chooseWgmmaTiling(M, N, numWarps);
  ASSERT_TRUE(tiling);
  auto layout = makeWgmmaAccumulator(M, N, *tiling);
  ASSERT_TRUE(layout);
  EXPECT_TRUE(layout->isBijective());
  int32_t boxM = M / tiling->groupsM, boxN = N / tiling->groupsN;
  int32_t registers = M * N / (32 * numWarps), each = tiling->n / 2;
  EXPECT_EQ(layout->getInDimSize("register"), registers);
  EXPECT_EQ(layout->getInDimSize("lane"), 32);
  EXPECT_EQ(layout->getInDimSize("warp"), numWarps);
  for (int32_t warp = 0; warp < numWarps; ++warp)
    for (int32_t lane = 0; lane < 32; ++lane)
      for (int32_t reg = 0; reg < registers; ++reg) {
        int32_t part = reg / each, steps = boxN / tiling->n, group = warp / 4;
        auto [row, column] = getElement(warp, lane, reg % each);
        row += part / steps * 64 + group % tiling->groupsM * boxM;
        column += part % steps * tiling->n + group / tiling->groupsM * boxN;
        ASSERT_EQ(layout->applyValues({reg, lane, warp}),
                  (std::vector<int32_t>{row, column}))
            << "register " << reg << " lane " << lane << " warp " << warp;
      }
}

struct Operand {
  int32_t extentMN, extentK;
  Major major;
  int elementBytes;
  /// Bytes of a row of a panel, which is the swizzle too.
  int32_t rowBytes;
};

/// K-major rows of 32, 64 and 128 bytes, and several panels; then MN-major.
constexpr Operand kOperands[] = {
    {64, 16, Major::K, 2, 32},    {128, 32, Major::K, 2, 64},
    {64, 64, Major::K, 2, 128},   {8, 128, Major::K, 2, 128},
    {256, 256, Major::K, 2, 128}, {64, 32, Major::K, 1, 32},
    {16, 64, Major::K, 1, 64},    {64, 256, Major::K, 1, 128},
    {64, 8, Major::K, 4, 32},     {32, 16, Major::K, 4, 64},
    {64, 64, Major::K, 4, 128},   {16, 16, Major::MN, 2, 32},
    {32, 64, Major::MN, 2, 64},   {64, 16, Major::MN, 2, 128},
    {64, 128, Major::MN, 2, 128}, {256, 32, Major::MN, 2, 128}};

testing::Message describe(const Operand &operand) {
  return testing::Message()
         << operand.extentMN << "x" << operand.extentK << " of "
         << operand.elementBytes << " bytes, "
         << (operand.major == Major::K ? "K-major" : "MN-major");
}

/// Places of the buffer, (mn, k) -> byte.
class Places {
public:
  Places(const WgmmaOperand &operand, int axisMN, int elementBytes)
      : inverse(*operand.getBuffer(axisMN).invert()), axisMN(axisMN),
        elementBytes(elementBytes) {}
  int64_t at(int32_t mn, int32_t k) const {
    std::vector<int32_t> place =
        axisMN == 0 ? std::vector<int32_t>{mn, k} : std::vector<int32_t>{k, mn};
    return int64_t(inverse.applyValues(place)[0]) * elementBytes;
  }

private:
  LinearLayout inverse;
  int axisMN, elementBytes;
};

/// Where an element lies, from panels of rows and chunks of 16 bytes alone.
int64_t getByte(const Operand &operand, int32_t mn, int32_t k) {
  bool isKMajor = operand.major == Major::K;
  int64_t along = int64_t(isKMajor ? k : mn) * operand.elementBytes;
  int64_t row = isKMajor ? mn : k,
          rows = isKMajor ? operand.extentMN : operand.extentK;
  int64_t chunk = along % operand.rowBytes / 16;
  int64_t turn = operand.rowBytes == 128  ? row % 8
                 : operand.rowBytes == 64 ? row / 2 % 4
                                          : row / 4 % 2;
  return along / operand.rowBytes * rows * operand.rowBytes +
         row * operand.rowBytes + ((chunk ^ turn) * 16) + along % 16;
}

/// PTX ISA, "Strides" and "Matrix Descriptor Format": the address of an element
/// of one instruction's part, which the swizzle turns at last.
int64_t readThrough(uint64_t descriptor, const Operand &operand, int32_t mn,
                    int32_t k) {
  auto field = [&](int bit) {
    return int64_t(descriptor >> bit & 0x3FFF) * 16;
  };
  static constexpr int64_t kRowBytes[] = {0, 128, 64, 32};
  int64_t rowBytes = kRowBytes[descriptor >> 62];
  bool isKMajor = operand.major == Major::K;
  int64_t along = int64_t(isKMajor ? k : mn) * operand.elementBytes;
  int64_t row = isKMajor ? mn : k;
  int64_t address = field(0) + row / 8 * field(32) + row % 8 * rowBytes +
                    along / rowBytes * field(16) + along % rowBytes;
  return address ^ ((address >> 7 & (rowBytes / 16 - 1)) << 4);
}

/// One instruction's part at (mn, k): `extent` by 32 bytes of k.
void expectPart(const WgmmaOperand &made, const Operand &operand,
                const Places &places, int32_t mn, int32_t k, int32_t extent) {
  uint64_t descriptor = made.getDescriptor() + made.getStart(mn, k) / 16;
  for (int32_t i = 0; i < extent; ++i)
    for (int32_t j = 0; j < 32 / operand.elementBytes; ++j)
      ASSERT_EQ(readThrough(descriptor, operand, i, j),
                places.at(mn + i, k + j))
          << "part " << mn << ", " << k << " element " << i << ", " << j;
}

uint64_t getDescriptor(int32_t extentMN, int32_t extentK, Major major,
                       int elementBytes) {
  auto operand = WgmmaOperand::create(extentMN, extentK, major, elementBytes);
  return operand ? operand->getDescriptor() : 0;
}

std::string whyNoOperand(int32_t extentMN, int32_t extentK, Major major,
                         int elementBytes) {
  std::string error;
  return WgmmaOperand::create(extentMN, extentK, major, elementBytes, &error)
             ? ""
             : error;
}

} // namespace

TEST(Wgmma, GroupsGoAlongMFirst) {
  expectTiling(64, 64, 4, 1, 1, 64);
  expectTiling(64, 8, 4, 1, 1, 8);
  expectTiling(128, 128, 4, 1, 1, 128);
  expectTiling(128, 128, 8, 2, 1, 128);
  expectTiling(64, 256, 8, 1, 2, 128);
  expectTiling(128, 256, 16, 2, 2, 128);
  expectTiling(64, 16, 8, 1, 2, 8);
  expectTiling(256, 512, 8, 2, 1, 256);
  expectTiling(64, 1024, 8, 1, 2, 256);
}

TEST(Wgmma, RefusesOtherTiles) {
  EXPECT_EQ(whyNoTiling(64, 64, 2), "wgmma needs warps in groups of 4, not 2");
  EXPECT_EQ(whyNoTiling(64, 64, 1), "wgmma needs warps in groups of 4, not 1");
  EXPECT_EQ(whyNoTiling(32, 64, 4),
            "a tile of 32x64 does not consist of wgmma's m64n8");
  EXPECT_EQ(whyNoTiling(64, 4, 4),
            "a tile of 64x4 does not consist of wgmma's m64n8");
  EXPECT_EQ(whyNoTiling(64, 8, 8),
            "8 warps are too many for a 64x8 tile of wgmma");
  EXPECT_EQ(whyNoTiling(128, 16, 32),
            "32 warps are too many for a 128x16 tile of wgmma");
  EXPECT_FALSE(chooseWgmmaTiling(32, 64, 4));
}

TEST(Wgmma, AccumulatorsFollowThePTXTable) {
  for (int32_t numWarps : {4, 8, 16})
    for (int32_t M : {64, 128, 256})
      for (int32_t N : {16, 64, 256, 512})
        if (chooseWgmmaTiling(M, N, numWarps))
          expectAccumulators(M, N, numWarps);
  expectAccumulators(64, 8, 4);
}

TEST(Wgmma, RegistersAsPtxasDemandsThem) {
  // What C7602 of ptxas 13.0 names as the least for one instruction.
  for (auto [columns, registers] : {std::pair(16, 34), std::pair(32, 42),
                                    std::pair(64, 58), std::pair(128, 90),
                                    std::pair(256, 154)})
    EXPECT_EQ(countWgmmaRegisters(columns), registers);
}

TEST(Wgmma, OperandsLieWhereTheCanonicalLayoutHasThem) {
  for (const Operand &operand : kOperands)
    for (int axisMN : {0, 1}) {
      SCOPED_TRACE(describe(operand) << ", axis " << axisMN);
      auto made = WgmmaOperand::create(operand.extentMN, operand.extentK,
                                       operand.major, operand.elementBytes);
      ASSERT_TRUE(made);
      EXPECT_EQ(made->getMajor(), operand.major);
      Places places(*made, axisMN, operand.elementBytes);
      for (int32_t mn = 0; mn < operand.extentMN; ++mn)
        for (int32_t k = 0; k < operand.extentK; ++k)
          ASSERT_EQ(places.at(mn, k), getByte(operand, mn, k))
              << mn << ", " << k;
    }
}

TEST(Wgmma, InstructionsReadTheirParts) {
  for (const Operand &operand : kOperands) {
    SCOPED_TRACE(describe(operand));
    auto made = WgmmaOperand::create(operand.extentMN, operand.extentK,
                                     operand.major, operand.elementBytes);
    ASSERT_TRUE(made);
    Places places(*made, 0, operand.elementBytes);
    for (int32_t extent = 8; extent <= operand.extentMN; extent *= 2)
      for (int32_t mn = 0; mn < operand.extentMN; mn += extent)
        for (int32_t k = 0; k < operand.extentK; k += 32 / operand.elementBytes)
          expectPart(*made, operand, places, mn, k, extent);
  }
}

TEST(Wgmma, StartsAreSums) {
  // The offsets of a group's box, of an instruction in it, and of a step in k
  // are added to one address.
  for (const Operand &operand : kOperands) {
    SCOPED_TRACE(describe(operand));
    auto made = WgmmaOperand::create(operand.extentMN, operand.extentK,
                                     operand.major, operand.elementBytes);
    ASSERT_TRUE(made);
    for (int32_t first = 8; first < operand.extentMN; first *= 2)
      for (int32_t mn = 0; mn < first; mn += 8)
        for (int32_t k = 0; k < operand.extentK; k += 32 / operand.elementBytes)
          EXPECT_EQ(made->getStart(first + mn, k), made->getStart(first, 0) +
                                                       made->getStart(mn, 0) +
                                                       made->getStart(0, k));
  }
  auto operand = WgmmaOperand::create(128, 128, Major::K, 2);
  // Row 8 after 8 x 128 bytes; k = 16 after 32; k = 64 in the second panel of
  // 128 x 128 bytes.
  EXPECT_EQ(operand->getStart(8, 0), 1024);
  EXPECT_EQ(operand->getStart(0, 16), 32);
  EXPECT_EQ(operand->getStart(64, 80), 16384 + 8192 + 32);
}

TEST(Wgmma, Descriptors) {
  // Swizzle << 62 | 8 rows / 16 << 32 | panel / 16 << 16; K-major: 1 << 16.
  EXPECT_EQ(getDescriptor(64, 64, Major::K, 2), 0x4000004000010000u);
  EXPECT_EQ(getDescriptor(64, 32, Major::K, 2), 0x8000002000010000u);
  EXPECT_EQ(getDescriptor(64, 16, Major::K, 2), 0xC000001000010000u);
  EXPECT_EQ(getDescriptor(128, 256, Major::K, 1), 0x4000004000010000u);
  // Panels of 64 x 128, 32 x 64 and 16 x 32 bytes.
  EXPECT_EQ(getDescriptor(128, 64, Major::MN, 2), 0x4000004002000000u);
  EXPECT_EQ(getDescriptor(32, 32, Major::MN, 2), 0x8000002000800000u);
  EXPECT_EQ(getDescriptor(16, 16, Major::MN, 2), 0xC000001000200000u);
}

TEST(Wgmma, RefusesOtherOperands) {
  EXPECT_EQ(whyNoOperand(64, 8, Major::K, 2),
            "rows of 16 bytes are too short for wgmma's swizzles");
  EXPECT_EQ(whyNoOperand(8, 64, Major::MN, 2),
            "rows of 16 bytes are too short for wgmma's swizzles");
  EXPECT_EQ(whyNoOperand(64, 8, Major::MN, 2),
            "a product over 8 elements is shorter than one wgmma");
  for (int bytes : {1, 4, 8})
    EXPECT_EQ(whyNoOperand(64, 64, Major::MN, bytes),
              "wgmma reads rows along m or n only of 16-bit elements");
  EXPECT_EQ(whyNoOperand(64, 16, Major::K, 2), "");
}
