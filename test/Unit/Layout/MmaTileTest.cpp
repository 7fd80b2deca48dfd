//===- MmaTileTest.cpp - tests of tiles of tensor-core instructions -------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole tiles are checked by executing the product: every warp runs its
// instructions as PTX defines them on registers that the layouts filled.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/Mma.h"

#include "MmaFormulas.h"
#include "RandomLayouts.h"
#include "WhyNot.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::test;

namespace {

const Fragments &fragmentsOf(MmaShape shape, int operandBits) {
  for (const Fragments &entry : kFragments)
    if (entry.shape == shape && entry.operandBits == operandBits)
      return entry;
  ADD_FAILURE() << "no formulas for this instruction";
  return kFragments[0];
}

/// A product and its tiling.
struct Product {
  int32_t M, N, K;
  MmaTiling tiling;
  int operandBits;
};

int32_t elementA(int32_t i, int32_t k) { return (i * 7 + k * 13) % 17 - 8; }
int32_t elementB(int32_t k, int32_t j) { return (k * 5 + j * 11) % 19 - 9; }

/// Executes a product on the registers of one warp.
class WarpProduct {
public:
  WarpProduct(const Product &product, int32_t warp)
      : product(product), warp(warp),
        formulas(fragmentsOf(product.tiling.shape, product.operandBits)),
        steps(*countMmaSteps(product.M, product.N, product.K, product.tiling)),
        a(*makeMmaOperandA(product.M, product.K, product.tiling,
                           product.operandBits)),
        b(*makeMmaOperandB(product.K, product.N, product.tiling,
                           product.operandBits)),
        c(*makeMmaAccumulator(product.M, product.N, product.tiling)) {}

  void run() {
    sums.assign(32, Values(c.getInDimSize("register"), 0));
    for (int32_t mi = 0; mi < steps.m; ++mi)
      for (int32_t ni = 0; ni < steps.n; ++ni)
        for (int32_t ki = 0; ki < steps.k; ++ki)
          execute(mi, ni, ki);
  }

  /// Compares the accumulators with the product at the places that the layout
  /// names, and counts how often each element of C is held.
  void expectProduct(std::vector<int> &held) const {
    for (int32_t lane = 0; lane < 32; ++lane)
      for (int32_t reg = 0; reg < c.getInDimSize("register"); ++reg) {
        Values at = c.applyValues({reg, lane, warp});
        int32_t expected = 0;
        for (int32_t k = 0; k < product.K; ++k)
          expected += elementA(at[0], k) * elementB(k, at[1]);
        ASSERT_EQ(sums[lane][reg], expected)
            << formulas.name << " warp " << warp << " lane " << lane
            << " register " << reg;
        ++held[at[0] * product.N + at[1]];
      }
  }

private:
  /// D += A * B of one instruction, as PTX defines it: element i of a lane's
  /// operand registers is element (row, column) of the matrix.
  void execute(int32_t mi, int32_t ni, int32_t ki) {
    MmaShape shape = product.tiling.shape;
    std::vector<Values> matrixA(shape.m, Values(shape.k)),
        matrixB(shape.k, Values(shape.n));
    int32_t firstA = firstMmaRegister(shape, MmaOperand::A, steps, mi, ki);
    int32_t firstB = firstMmaRegister(shape, MmaOperand::B, steps, ni, ki);
    int32_t firstC = firstMmaRegister(shape, MmaOperand::C, steps, mi, ni);
    for (int32_t lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < formulas.countA; ++i) {
        Position to = formulas.a(lane >> 2, lane % 4, i);
        Values from = a.applyValues({firstA + i, lane, warp});
        matrixA[to.first][to.second] = elementA(from[0], from[1]);
      }
      for (int i = 0; i < formulas.countB; ++i) {
        Position to = formulas.b(lane >> 2, lane % 4, i);
        Values from = b.applyValues({firstB + i, lane, warp});
        matrixB[to.first][to.second] = elementB(from[0], from[1]);
      }
    }
    for (int32_t lane = 0; lane < 32; ++lane)
      for (int i = 0; i < formulas.countC; ++i) {
        Position at = formulas.c(lane >> 2, lane % 4, i);
        for (int k = 0; k < shape.k; ++k)
          sums[lane][firstC + i] +=
              matrixA[at.first][k] * matrixB[k][at.second];
      }
  }

  const Product &product;
  int32_t warp;
  const Fragments &formulas;
  MmaSteps steps;
  LinearLayout a, b, c;
  std::vector<Values> sums; ///< By lane and register.
};

void expectComputes(const Product &product, int replication) {
  int32_t warps = product.tiling.warpsPerCTA[0] * product.tiling.warpsPerCTA[1];
  std::vector<int> held(product.M * product.N, 0);
  for (int32_t warp = 0; warp < warps; ++warp) {
    WarpProduct one(product, warp);
    one.run();
    one.expectProduct(held);
  }
  EXPECT_EQ(held, std::vector<int>(held.size(), replication));
}

} // namespace

TEST(MmaTile, ComputesTheProduct) {
  expectComputes({64, 64, 32, {{2, 2}, kM16N8K16}, 16}, 1);
  expectComputes({32, 64, 32, {{1, 4}, kM16N8K8}, 16}, 1);
  expectComputes({64, 16, 64, {{4, 1}, kM16N8K32}, 8}, 1);
  expectComputes({32, 32, 32, {{2, 1}, kM16N8K16}, 8}, 1);
  expectComputes({32, 32, 16, {{1, 2}, kM16N8K8}, 32}, 1);
  expectComputes({16, 32, 8, {{1, 1}, kM16N8K4}, 32}, 1);
  expectComputes({32, 16, 16, {{2, 2}, kM8N8K4}, 64}, 1);
  expectComputes({32, 16, 32, {{1, 2}, kM16N8K16}, 64}, 1);
}

TEST(MmaTile, SmallTilesAreReplicated) {
  // One instruction tile, four warps; then two tiles along N for four warps.
  expectComputes({16, 8, 16, {{2, 2}, kM16N8K16}, 16}, 4);
  expectComputes({32, 16, 32, {{2, 4}, kM16N8K16}, 16}, 2);
  EXPECT_EQ(makeMmaAccumulator(32, 16, {{2, 4}, kM16N8K16})->str(),
            "{register = [[0, 1], [8, 0]], "
            "lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], "
            "warp = [[16, 0], [0, 8], [0, 0]]} -> {dim0 = 32, dim1 = 16}");
}

TEST(MmaTile, WarpsOwnContiguousBoxes) {
  // 128 x 64 for 2 x 2 warps: 64 x 32 each, 4 x 4 instructions.
  MmaTiling tiling = {{2, 2}, kM16N8K16};
  auto layout = makeMmaAccumulator(128, 64, tiling);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->getInDimSize("register"), 64);
  for (const Values &in : allValues(layout->inDims())) {
    Values at = layout->applyValues(in);
    EXPECT_EQ(at[0] / 64, in[2] % 2);
    EXPECT_EQ(at[1] / 32, in[2] / 2);
    // Instruction (mi, ni): N first.
    EXPECT_EQ(at[1] % 32 / 8, in[0] / 4 % 4);
    EXPECT_EQ(at[0] % 64 / 16, in[0] / 16);
  }
}

TEST(MmaTile, OperandsAreReplicatedOverTheOtherWarps) {
  MmaTiling tiling = {{2, 4}, kM16N8K16};
  auto a = makeMmaOperandA(64, 32, tiling, 16);
  auto b = makeMmaOperandB(32, 64, tiling, 16);
  ASSERT_TRUE(a && b);
  EXPECT_TRUE(a->isSurjective() && b->isSurjective());
  EXPECT_EQ(a->getBasis("warp", 0), (Values{32, 0}));
  EXPECT_EQ(a->getBasis("warp", 1), (Values{0, 0}));
  EXPECT_EQ(a->getBasis("warp", 2), (Values{0, 0}));
  EXPECT_EQ(b->getBasis("warp", 0), (Values{0, 0}));
  EXPECT_EQ(b->getBasis("warp", 1), (Values{0, 16}));
  EXPECT_EQ(b->getBasis("warp", 2), (Values{0, 32}));
  // (mi, ki) = (1, 0) begins after the two K steps of mi = 0.
  MmaSteps steps = *countMmaSteps(64, 64, 32, tiling);
  EXPECT_EQ(firstMmaRegister(kM16N8K16, MmaOperand::A, steps, 1, 0), 16);
  EXPECT_EQ(a->applyValues({16, 0, 0}), (Values{16, 0}));
  EXPECT_EQ(firstMmaRegister(kM16N8K16, MmaOperand::B, steps, 1, 1), 12);
  EXPECT_EQ(b->applyValues({12, 0, 0}), (Values{16, 8}));
}

TEST(MmaTile, ResultIsOperandOfTheNextProduct) {
  MmaTiling tiling = {{4, 1}, kM16N8K16};
  EXPECT_EQ(*makeMmaAccumulator(128, 64, tiling),
            *makeMmaOperandA(128, 64, tiling, 16));
}

TEST(MmaTile, RefusesTilesBelowOneInstruction) {
  std::string error;
  MmaTiling tiling = {{2, 2}, kM16N8K16};
  EXPECT_EQ(whyNot(makeMmaAccumulator(8, 64, tiling, &error), error),
            "M is 8, less than the 16 of one m16n8k16 instruction");
  EXPECT_EQ(whyNot(makeMmaOperandB(32, 4, tiling, 16, &error), error),
            "N is 4, less than the 8 of one m16n8k16 instruction");
  EXPECT_EQ(whyNot(makeMmaOperandA(64, 8, tiling, 16, &error), error),
            "K is 8, less than the 16 of one m16n8k16 instruction");
  EXPECT_EQ(whyNot(makeMmaOperandA(48, 16, tiling, 16, &error), error),
            "M is 48, which is no power of two");
}

TEST(MmaTile, RefusesBadTilings) {
  std::string error;
  EXPECT_EQ(whyNot(makeMmaAccumulator(64, 64, {{4}, kM16N8K16}, &error), error),
            "warpsPerCTA has 1 entries, not one for M and one for N");
  EXPECT_EQ(
      whyNot(makeMmaAccumulator(64, 64, {{3, 1}, kM16N8K16}, &error), error),
      "warpsPerCTA has the entry 3, which is no power of two");
  EXPECT_EQ(
      whyNot(makeMmaAccumulator(64, 64, {{1, 1}, {16, 16, 16}}, &error), error),
      "there is no mma.sync of shape m16n16k16");
  EXPECT_EQ(
      whyNot(makeMmaOperandA(64, 32, {{1, 1}, kM16N8K16}, 32, &error), error),
      "there is no mma.sync of shape m16n8k16 with 32-bit operands");
  EXPECT_EQ(
      whyNot(makeMmaAccumulator(1 << 30, 1 << 30, {{1, 1}, kM16N8K16}, &error),
             error),
      "the tile exceeds the limits of a layout");
}

//===----------------------------------------------------------------------===//
// Choice of warps
//===----------------------------------------------------------------------===//

TEST(ChooseWarps, LeastTraffic) {
  auto choose = [](int32_t M, int32_t N, int32_t warps) {
    return *chooseWarps(M, N, warps, kM16N8K16);
  };
  EXPECT_EQ(choose(128, 128, 4), (Values{2, 2})); // 64 + 64
  EXPECT_EQ(choose(128, 128, 8), (Values{4, 2})); // 32 + 64, as [2, 4] has
  EXPECT_EQ(choose(128, 256, 8), (Values{2, 4})); // 64 + 64
  EXPECT_EQ(choose(64, 256, 4), (Values{1, 4}));  // 64 + 64
  EXPECT_EQ(choose(256, 32, 4), (Values{4, 1}));  // 64 + 32
  EXPECT_EQ(choose(128, 128, 1), (Values{1, 1}));
}

TEST(ChooseWarps, CopiesOnlyIfUnavoidable) {
  auto choose = [](int32_t M, int32_t N, int32_t warps) {
    return *chooseWarps(M, N, warps, kM16N8K16);
  };
  EXPECT_EQ(choose(16, 64, 4), (Values{1, 4})); // M has one tile only.
  EXPECT_EQ(choose(16, 64, 8), (Values{1, 8}));
  EXPECT_EQ(choose(64, 8, 4), (Values{4, 1}));
  EXPECT_EQ(choose(32, 32, 8), (Values{2, 4})); // Two tiles times four.
  EXPECT_EQ(choose(16, 8, 4), (Values{4, 1}));  // Copies whatever one does.
  EXPECT_EQ(choose(32, 16, 8), (Values{4, 2}));
}

TEST(ChooseWarps, Refuses) {
  std::string error;
  EXPECT_FALSE(chooseWarps(8, 64, 4, kM16N8K16, &error));
  EXPECT_EQ(error, "M is 8, less than the 16 of one m16n8k16 instruction");
  EXPECT_FALSE(chooseWarps(64, 64, 6, kM16N8K16, &error));
  EXPECT_EQ(error, "the number of warps is 6, which is no power of two");
}
