//===- MmaFragmentTest.cpp - tests of tensor-core fragments ---------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instruction's registers are checked against the formulas of the PTX ISA.
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

void expectFragment(const Fragments &entry, MmaOperand operand, int bits,
                    int count, Formula formula) {
  std::string error;
  auto layout = makeMmaFragment(entry.shape, operand, bits, &error);
  ASSERT_TRUE(layout) << entry.name << ": " << error;
  EXPECT_TRUE(layout->isBijective()) << entry.name;
  EXPECT_EQ(layout->getInDimSize("register"), count) << entry.name;
  EXPECT_EQ(mmaRegisters(entry.shape, operand), count) << entry.name;
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < count; ++i) {
      Position position = formula(lane >> 2, lane % 4, i);
      EXPECT_EQ(layout->applyValues({i, lane}),
                (Values{position.first, position.second}))
          << entry.name << " lane " << lane << " element " << i;
    }
}

} // namespace

TEST(MmaFragment, FollowsThePTXTables) {
  for (const Fragments &entry : kFragments) {
    expectFragment(entry, MmaOperand::A, entry.operandBits, entry.countA,
                   entry.a);
    expectFragment(entry, MmaOperand::B, entry.operandBits, entry.countB,
                   entry.b);
    expectFragment(entry, MmaOperand::C, entry.accumulatorBits, entry.countC,
                   entry.c);
  }
}

TEST(MmaFragment, ByHand) {
  EXPECT_EQ(makeMmaFragment(kM16N8K16, MmaOperand::A, 16)->str(),
            "{register = [[0, 1], [8, 0], [0, 8]], "
            "lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]} -> "
            "{dim0 = 16, dim1 = 16}");
}

TEST(MmaFragment, RegistersAsPtxasDemandsThem) {
  // What C7602 of ptxas 13.0 names as the least for one instruction.
  EXPECT_EQ(countMmaRegisters({16, 8, 16}, 16, 32), 28);
  EXPECT_EQ(countMmaRegisters({16, 8, 8}, 16, 32), 25);
  EXPECT_EQ(countMmaRegisters({16, 8, 16}, 16, 16), 26);
  EXPECT_EQ(countMmaRegisters({16, 8, 8}, 32, 32), 28);
  EXPECT_EQ(countMmaRegisters({16, 8, 4}, 32, 32), 25);
  EXPECT_EQ(countMmaRegisters({16, 8, 32}, 8, 32), 28);
  EXPECT_EQ(countMmaRegisters({16, 8, 16}, 8, 32), 25);
  EXPECT_EQ(countMmaRegisters({8, 8, 4}, 64, 64), 26);
}

TEST(MmaFragment, RefusesOtherInstructions) {
  std::string error;
  EXPECT_EQ(
      whyNot(makeMmaFragment(kM16N8K32, MmaOperand::A, 16, &error), error),
      "there is no mma.sync of shape m16n8k32 with 16-bit operands");
  EXPECT_EQ(whyNot(makeMmaFragment(kM8N8K4, MmaOperand::C, 32, &error), error),
            "there is no mma.sync of shape m8n8k4 with 32-bit accumulators");
  // tf32 does not accumulate in f16, f16 does; only f64 does in f64.
  EXPECT_FALSE(makeMmaFragment(kM16N8K4, MmaOperand::C, 16));
  EXPECT_TRUE(makeMmaFragment(kM16N8K8, MmaOperand::C, 16));
  EXPECT_TRUE(makeMmaFragment(kM16N8K8, MmaOperand::C, 64));
  EXPECT_FALSE(makeMmaFragment(kM16N8K32, MmaOperand::C, 64));
  EXPECT_FALSE(makeMmaFragment({16, 8, 64}, MmaOperand::B, 8));
  EXPECT_FALSE(makeMmaFragment(kM16N8K16, MmaOperand::B, 32));
}
