//===- BarrierPlacementTest.cpp - programs by hand ------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each expected placement was found by hand.
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/BarrierPlacement.h"

#include "gtest/gtest.h"

using namespace tessera;

using Nodes = std::vector<int32_t>;

static constexpr ByteRange kA = {0, 128};
static constexpr ByteRange kB = {128, 256};

namespace {
/// A program that is written from the first step to the last.
struct Program : BarrierProblem {
  int32_t last = addJoin();

  int32_t after(int32_t next) {
    addEdge(last, next);
    return last = next;
  }
  int32_t join() { return after(addJoin()); }
  int32_t barrier() { return after(addBarrier()); }
  int32_t read(ByteRange bytes) {
    return after(addAccess(bytes, /*isWrite=*/false));
  }
  int32_t write(ByteRange bytes) {
    return after(addAccess(bytes, /*isWrite=*/true));
  }
};
} // namespace

/// Places barriers; checks them with verify().
static Nodes place(const BarrierProblem &problem) {
  EXPECT_EQ(problem.check(), "");
  BarrierPlacement placement = placeBarriers(problem);
  EXPECT_EQ(problem.verify(placement), "");
  return placement.before;
}

//===----------------------------------------------------------------------===//
// Straight-line programs
//===----------------------------------------------------------------------===//

TEST(BarrierPlacementTest, WhatConflicts) {
  for (bool first : {false, true})
    for (bool second : {false, true}) {
      Program program;
      program.after(program.addAccess(kA, first));
      int32_t next = program.after(program.addAccess(kA, second));
      EXPECT_EQ(place(program), first || second ? Nodes{next} : Nodes());
    }
}

TEST(BarrierPlacementTest, OneByteInCommonIsEnough) {
  for (int64_t begin : {127, 128}) {
    Program program;
    program.write(kA);
    int32_t next = program.read({begin, 256});
    EXPECT_EQ(place(program), begin == 127 ? Nodes{next} : Nodes());
  }
}

// A barrier between the parts of one access would stand before all of it: after
// what the loop's first iteration needs, the write of A still has to wait for the
// read of A and B before it.
TEST(BarrierPlacementTest, AnAccessOfTwoBuffersIsOne) {
  ByteSet both;
  both.insert(kA);
  both.insert(kB);
  Program program;
  program.read(kB);
  int32_t loop = program.join();
  int32_t writeA = program.write(kA);
  program.write(kB);
  int32_t multiply =
      program.after(program.addAccess(both, /*isWrite=*/false));
  program.addEdge(program.last, loop);
  EXPECT_EQ(place(program), (Nodes{writeA, multiply}));
}

TEST(BarrierPlacementTest, OneBarrierServesTwoBuffers) {
  Program program;
  program.write(kA);
  program.write(kB);
  int32_t second = program.read(kA);
  program.read(kB);
  EXPECT_EQ(place(program), Nodes{second});
}

TEST(BarrierPlacementTest, ABarrierThatIsThereServes) {
  Program program;
  program.write(kA);
  program.barrier();
  program.read(kA);
  int32_t third = program.write(kA);
  EXPECT_EQ(place(program), Nodes{third});
}

TEST(BarrierPlacementTest, AWideAccessMeetsAllOfItsParts) {
  Program program;
  program.write(kA);
  int32_t second = program.write(kA); // Before this one A only.
  program.write(kB);
  int32_t wide = program.read({64, 192});
  EXPECT_EQ(place(program), (Nodes{second, wide}));
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

TEST(BarrierPlacementTest, OneBranchIsEnough) {
  for (bool inThen : {false, true}) {
    Program program;
    int32_t start = program.join();
    if (inThen)
      program.write(kA);
    else
      program.write(kB);
    int32_t thenEnd = program.last;
    program.last = start;
    int32_t elseEnd = program.join();
    int32_t exit = program.addJoin();
    program.addEdge(thenEnd, exit);
    program.addEdge(elseEnd, exit);
    program.last = exit;
    int32_t next = program.read(kA);
    EXPECT_EQ(place(program), inThen ? Nodes{next} : Nodes());
  }
}

/// A loop whose body `body` writes; returns its placement. Zero iterations are
/// possible.
template <typename Body>
static Nodes placeLoop(Program &program, const Body &body) {
  int32_t before = program.last;
  int32_t entry = program.join();
  body();
  program.addEdge(program.last, entry);
  int32_t exit = program.addJoin();
  program.addEdge(program.last, exit);
  program.addEdge(before, exit);
  program.last = exit;
  return place(program);
}

TEST(BarrierPlacementTest, ALoopConflictsWithItself) {
  Program program;
  int32_t write = -1;
  EXPECT_EQ(placeLoop(program, [&] { write = program.write(kA); }),
            Nodes{write});
  Program reads;
  EXPECT_EQ(placeLoop(reads, [&] { reads.read(kA); }), Nodes());
}

TEST(BarrierPlacementTest, OneBufferInALoopNeedsTwo) {
  Program program;
  int32_t write = -1, read = -1;
  EXPECT_EQ(placeLoop(program,
                      [&] {
                        write = program.write(kA);
                        read = program.read(kA);
                      }),
            (Nodes{write, read}));
}

/// write A, read A, write B, read B: the barrier between write and read of one
/// buffer separates the iterations of the other.
TEST(BarrierPlacementTest, TwoBuffersInALoopNeedTwo) {
  Program program;
  int32_t readA = -1, readB = -1;
  EXPECT_EQ(placeLoop(program,
                      [&] {
                        program.write(kA);
                        readA = program.read(kA);
                        program.write(kB);
                        readB = program.read(kB);
                      }),
            (Nodes{readA, readB}));
}

TEST(BarrierPlacementTest, WriteReadWriteAcrossTheBackEdge) {
  Program program;
  program.write(kA);
  int32_t read = -1, write = -1;
  EXPECT_EQ(placeLoop(program,
                      [&] {
                        read = program.read(kA);
                        write = program.write(kA);
                      }),
            (Nodes{read, write}));
}

TEST(BarrierPlacementTest, ALoopMayRunZeroTimes) {
  Program program;
  program.write(kA);
  placeLoop(program, [&] { program.barrier(); });
  int32_t next = program.read(kA);
  EXPECT_EQ(place(program), Nodes{next});
}

/// The example at Solver::dropNeedless.
TEST(BarrierPlacementTest, ABarrierForTheBackEdgeMakesAnotherNeedless) {
  Program program;
  int32_t writeB = -1, lastReads = -1;
  EXPECT_EQ(placeLoop(program,
                      [&] {
                        program.read(kA);
                        writeB = program.write(kB);
                        program.write(kA);
                        lastReads = program.read(kA);
                        program.read(kB);
                      }),
            (Nodes{writeB, lastReads}));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

TEST(BarrierPlacementTest, CheckNamesWhatIsWrong) {
  Program program;
  program.write({16, 16});
  EXPECT_EQ(program.check(), "access 1 touches no byte");
}

TEST(BarrierPlacementTest, VerifyFindsBadPlacements) {
  Program program;
  program.write(kA);
  program.read(kA);
  program.write(kA);
  EXPECT_EQ(program.verify({{2, 3}}), "");
  EXPECT_EQ(program.verify({{2}}),
            "no barrier separates access 2 from access 3");
  EXPECT_EQ(program.verify({{3}}),
            "no barrier separates access 1 from access 2");
  EXPECT_EQ(program.verify({{0, 2, 3}}),
            "a barrier stands before 0, which is no access");
  EXPECT_EQ(program.verify({{2, 3, 4}}),
            "a barrier stands before 4, which is no access");
}
