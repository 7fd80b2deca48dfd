//===- LocalMemoryTest.cpp - accesses of local memory by source line ------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/LocalMemory.h"

#include "gtest/gtest.h"

#include <array>

using namespace tessera;

namespace {
/// Stores, their bytes, loads, their bytes.
using Counts = std::array<int64_t, 4>;

Counts counts(const LocalAccesses &accesses) {
  return {accesses.stores, accesses.storeBytes, accesses.loads,
          accesses.loadBytes};
}

/// The accesses of one instruction in a kernel `k`, line 7 of `a.mlir`.
Counts countOne(const std::string &instruction) {
  auto found = findLocalAccesses("\t.section\t.text.k,\"ax\",@progbits\n"
                                 "\t//## File \"a.mlir\", line 7\n"
                                 "        /*0010*/   " +
                                 instruction + " ;\n");
  if (found.empty())
    return {};
  const std::vector<LocalAccesses> &lines = found["k"];
  EXPECT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines.front().file, "a.mlir");
  EXPECT_EQ(lines.front().line, 7u);
  return counts(lines.front());
}
} // namespace

TEST(LocalMemoryTest, BytesFollowTheWidth) {
  EXPECT_EQ(countOne("STL.U8 [R1], R2"), (Counts{1, 1, 0, 0}));
  EXPECT_EQ(countOne("STL.S16 [R1], R2"), (Counts{1, 2, 0, 0}));
  EXPECT_EQ(countOne("STL [R1+0x10], R2"), (Counts{1, 4, 0, 0}));
  EXPECT_EQ(countOne("STL.64 [R1], R2"), (Counts{1, 8, 0, 0}));
  EXPECT_EQ(countOne("STL.128 [R1], R4"), (Counts{1, 16, 0, 0}));
  EXPECT_EQ(countOne("LDL R2, [R1]"), (Counts{0, 0, 1, 4}));
  EXPECT_EQ(countOne("LDL.LU R2, [R1]"), (Counts{0, 0, 1, 4}));
  EXPECT_EQ(countOne("LDL.LU.64 R2, [R1]"), (Counts{0, 0, 1, 8}));
  EXPECT_EQ(countOne("LDL.S8 R2, [R1]"), (Counts{0, 0, 1, 1}));
}

TEST(LocalMemoryTest, PredicatesStandBefore) {
  EXPECT_EQ(countOne("@P0 STL [R1], R2"), (Counts{1, 4, 0, 0}));
  EXPECT_EQ(countOne("@!UP1 LDL.64 R2, [R1]"), (Counts{0, 0, 1, 8}));
}

TEST(LocalMemoryTest, OtherInstructionsDoNotCount) {
  EXPECT_EQ(countOne("STG.E desc[UR4][R2.64], R5"), Counts{});
  EXPECT_EQ(countOne("LDS.128 R4, [R1]"), Counts{});
  EXPECT_EQ(countOne("LDSM.16.M88.4 R4, [R1]"), Counts{});
  EXPECT_EQ(countOne("MOV R2, STL"), Counts{});
  EXPECT_EQ(countOne(""), Counts{});
}

TEST(LocalMemoryTest, LinesAreSortedAndAddedUpForEachSymbol) {
  auto found = findLocalAccesses(R"(
	.section	.text.k$fast,"ax",@progbits
        /*0000*/                   STL [R1], R2 ;
	//## File "/some/where/b.mlir", line 3
        /*0010*/                   STL [R1+0x4], R2 ;
	//## File "/some/where/a.mlir", line 12 inlined at "/some/where/b.mlir", line 9
        /*0020*/                   LDL R2, [R1] ;
	//## File "/some/where/b.mlir", line 3
        /*0030*/                   LDL.64 R2, [R1] ;
	.section	.text.k,"ax",@progbits
        /*0000*/                   STL.64 [R1], R2 ;
	.section	.rela.text.k,"",@"SHT_RELA"
        /*0000*/                   STL.64 [R1], R2 ;
)");
  ASSERT_EQ(found.size(), 2u);
  // An unknown line comes first, then files by name.
  const std::vector<LocalAccesses> &fast = found["k$fast"];
  ASSERT_EQ(fast.size(), 3u);
  EXPECT_EQ(fast[0].file, "");
  EXPECT_EQ(fast[0].line, 0u);
  EXPECT_EQ(counts(fast[0]), (Counts{1, 4, 0, 0}));
  EXPECT_EQ(fast[1].file, "a.mlir");
  EXPECT_EQ(fast[1].line, 12u);
  EXPECT_EQ(counts(fast[1]), (Counts{0, 0, 1, 4}));
  EXPECT_EQ(fast[2].file, "b.mlir");
  EXPECT_EQ(fast[2].line, 3u);
  EXPECT_EQ(counts(fast[2]), (Counts{1, 4, 1, 8}));
  // The line of one section does not go on into the next.
  const std::vector<LocalAccesses> &slow = found["k"];
  ASSERT_EQ(slow.size(), 1u);
  EXPECT_EQ(slow[0].line, 0u);
  EXPECT_EQ(counts(slow[0]), (Counts{1, 8, 0, 0}));
}

TEST(LocalMemoryTest, DirectivesWithinASectionDoNotEndIt) {
  // What follows the header of a section differs between architectures.
  auto found = findLocalAccesses(R"(
	.section	.text.k,"ax",@progbits
	.sectioninfo	@"SHI_REGISTERS=64"
	.sectionflags	@"SHF_BARRIERS=1"
	.sectionentsize	8
	//## File "a.mlir", line 7
        /*0000*/                   STL.64 [R1], R2 ;
)");
  ASSERT_EQ(found.size(), 1u);
  const std::vector<LocalAccesses> &lines = found["k"];
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].line, 7u);
  EXPECT_EQ(counts(lines[0]), (Counts{1, 8, 0, 0}));
}

TEST(LocalMemoryTest, TextOfAnotherFormHasNone) {
  EXPECT_TRUE(findLocalAccesses("").empty());
  EXPECT_TRUE(findLocalAccesses("STL [R1], R2\n/*").empty());
  EXPECT_TRUE(findLocalAccesses("\t.section\n/*0000*/\n/*0010*/ @P0").empty());
}
