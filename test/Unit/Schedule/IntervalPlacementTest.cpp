//===- IntervalPlacementTest.cpp - buffers in one address space -----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/IntervalPlacement.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace tessera;

using Offsets = std::vector<int64_t>;

/// Places the buffers and checks the result with verify().
static IntervalPlacement place(const IntervalProblem &problem) {
  EXPECT_EQ(problem.check(), "");
  IntervalPlacement placement = placeFirstFit(problem);
  EXPECT_EQ(problem.verify(placement), "");
  return placement;
}

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

TEST(IntervalPlacementTest, NoBuffersTakeNothing) {
  IntervalPlacement placement = place({});
  EXPECT_EQ(placement.total, 0);
  EXPECT_EQ(IntervalProblem().lowerBound(), 0);
}

TEST(IntervalPlacementTest, DeadBuffersGiveTheirBytesBack) {
  IntervalProblem problem = {{{64, 16, 0, 4}, {64, 16, 4, 8}}};
  EXPECT_EQ(place(problem).offsets, (Offsets{0, 0}));
  problem.buffers[1].begin = 3;
  EXPECT_EQ(place(problem).offsets, (Offsets{0, 64}));
}

TEST(IntervalPlacementTest, LargerBuffersGoFirst) {
  IntervalProblem problem = {
      {{32, 16, 0, 9}, {256, 128, 0, 9}, {64, 16, 0, 9}}};
  IntervalPlacement placement = place(problem);
  EXPECT_EQ(placement.offsets, (Offsets{320, 0, 256}));
  EXPECT_EQ(placement.total, 352);
  EXPECT_EQ(problem.lowerBound(), 352);
}

TEST(IntervalPlacementTest, OffsetsAreAligned) {
  // 24 bytes at 0, so that the next multiples of 16 and of 128 are 32 and 128.
  EXPECT_EQ(place({{{24, 16, 0, 9}, {8, 16, 0, 9}}}).offsets, (Offsets{0, 32}));
  EXPECT_EQ(place({{{24, 16, 0, 9}, {16, 128, 0, 9}}}).offsets,
            (Offsets{0, 128}));
}

TEST(IntervalPlacementTest, AGapTakesASmallBuffer) {
  // 100 lives through; 80 and 60 lie above it one after the other; 20 fits
  // above 60 while 80 is dead.
  IntervalProblem problem = {
      {{100, 1, 0, 9}, {80, 1, 0, 4}, {60, 1, 4, 9}, {20, 1, 5, 9}}};
  IntervalPlacement placement = place(problem);
  EXPECT_EQ(placement.offsets, (Offsets{0, 100, 100, 160}));
  EXPECT_EQ(placement.total, 180);
  EXPECT_EQ(problem.lowerBound(), 180);
}

TEST(IntervalPlacementTest, FirstFitIsAHeuristic) {
  // First fit puts both large buffers at 0; the last small one then finds 0 ..
  // 2 and 3 taken. With the second large one at 1 it fits below.
  IntervalProblem problem = {
      {{3, 1, 1, 2}, {1, 1, 1, 3}, {1, 1, 2, 4}, {3, 1, 3, 6}}};
  EXPECT_EQ(place(problem).offsets, (Offsets{0, 3, 4, 0}));
  EXPECT_EQ(place(problem).total, 5);
  EXPECT_EQ(problem.verify({{0, 3, 0, 1}, 4}), "");
  EXPECT_EQ(problem.lowerBound(), 4);
}

TEST(IntervalPlacementTest, CheckNamesWhatIsWrong) {
  auto check = [](LiveBuffer buffer) {
    return IntervalProblem{{{1, 1, 0, 1}, buffer}}.check();
  };
  EXPECT_EQ(check({0, 1, 0, 1}), "buffer 1 has a size of 0");
  EXPECT_EQ(check({kMaxPlacedBytes + 1, 1, 0, 1}),
            "buffer 1 has a size of 4294967297");
  EXPECT_EQ(check({1, 24, 0, 1}), "buffer 1 has an alignment of 24");
  EXPECT_EQ(check({1, 0, 0, 1}), "buffer 1 has an alignment of 0");
  EXPECT_EQ(check({1, 1, 2, 2}), "buffer 1 dies before it is born");
}

TEST(IntervalPlacementTest, VerifyFindsBadPlacements) {
  IntervalProblem problem = {{{32, 16, 0, 4}, {32, 16, 3, 8}}};
  EXPECT_EQ(problem.verify({{0, 32}, 64}), "");
  EXPECT_EQ(problem.verify({{0}, 32}), "1 offsets for 2 buffers");
  EXPECT_EQ(problem.verify({{0, 40}, 72}), "buffer 1 lies at 40");
  EXPECT_EQ(problem.verify({{-16, 32}, 64}), "buffer 0 lies at -16");
  EXPECT_EQ(problem.verify({{0, 16}, 48}), "buffers 0 and 1 overlap");
  EXPECT_EQ(problem.verify({{32, 16}, 64}), "buffers 0 and 1 overlap");
  EXPECT_EQ(problem.verify({{0, 32}, 80}), "the total is 64, not 80");
}

//===----------------------------------------------------------------------===//
// At random
//===----------------------------------------------------------------------===//

namespace {
class RandomProblems {
public:
  explicit RandomProblems(uint32_t seed) : engine(seed) {}

  int64_t below(int64_t bound) { return int64_t(engine() % bound); }

  LiveBuffer buffer(int64_t bytes, int64_t alignment) {
    int64_t begin = below(40);
    return {bytes, alignment, begin, begin + 1 + below(12)};
  }

  /// Sizes and alignments as in kernels: powers of two, and 16 or 128.
  IntervalProblem kernel() {
    IntervalProblem problem;
    for (int64_t count = 1 + below(24); count > 0; --count) {
      int64_t bytes = int64_t(16) << below(9);
      problem.buffers.push_back(buffer(bytes, bytes < 128 ? 16 : 128));
    }
    return problem;
  }

  /// Any sizes and alignments.
  IntervalProblem any() {
    IntervalProblem problem;
    for (int64_t count = 1 + below(24); count > 0; --count)
      problem.buffers.push_back(buffer(1 + below(300), int64_t(1) << below(8)));
    return problem;
  }

private:
  std::mt19937 engine;
};
} // namespace

/// The invariants once more, by drawing each buffer on a map of bytes and
/// times.
static void expectNoOverlap(const IntervalProblem &problem,
                            const IntervalPlacement &placement) {
  constexpr int64_t kTimes = 64;
  std::vector<std::vector<bool>> taken(kTimes,
                                       std::vector<bool>(placement.total));
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const LiveBuffer &buffer = problem.buffers[i];
    int64_t offset = placement.offsets[i];
    ASSERT_EQ(offset % buffer.alignment, 0);
    ASSERT_LE(offset + buffer.bytes, placement.total);
    for (int64_t time = buffer.begin; time < buffer.end; ++time)
      for (int64_t byte = offset; byte < offset + buffer.bytes; ++byte) {
        ASSERT_FALSE(taken[time][byte]) << "buffer " << i;
        taken[time][byte] = true;
      }
  }
}

TEST(IntervalPlacementTest, RandomBuffersNeverOverlap) {
  RandomProblems random(1);
  for (int round = 0; round < 300; ++round) {
    IntervalProblem problem = random.any();
    IntervalPlacement placement = place(problem);
    expectNoOverlap(problem, placement);
    ASSERT_GE(placement.total, problem.lowerBound());
  }
}

TEST(IntervalPlacementTest, KernelsComeCloseToTheLowerBound) {
  RandomProblems random(2);
  double worst = 1, sum = 0;
  constexpr int kRounds = 1000;
  for (int round = 0; round < kRounds; ++round) {
    IntervalProblem problem = random.kernel();
    IntervalPlacement placement = place(problem);
    double ratio = double(placement.total) / problem.lowerBound();
    ASSERT_GE(ratio, 1);
    worst = std::max(worst, ratio);
    sum += ratio;
  }
  RecordProperty("worst_ratio", std::to_string(worst));
  RecordProperty("mean_ratio", std::to_string(sum / kRounds));
  EXPECT_LE(worst, 1.25);
  EXPECT_LE(sum / kRounds, 1.01);
}

TEST(IntervalPlacementTest, BuffersOfOneSizeAreOptimal) {
  RandomProblems random(3);
  for (int round = 0; round < 300; ++round) {
    IntervalProblem problem;
    for (int count = 0; count < 20; ++count)
      problem.buffers.push_back(random.buffer(256, 128));
    ASSERT_EQ(place(problem).total, problem.lowerBound());
  }
}
