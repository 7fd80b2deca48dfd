//===- RandomBarrierTest.cpp - barriers against enumerated executions -----===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A placement is right if in each execution a barrier stands between each pair
// of accesses that conflict; it is minimal if that fails without any one of its
// barriers.
//
//===----------------------------------------------------------------------===//

#include "RandomPrograms.h"

#include "gtest/gtest.h"

#include <optional>

using namespace tessera;
using namespace tessera::test;

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

/// Whether barriers separate all pairs that conflict in this execution.
static bool isOrdered(const Trace &trace, const std::vector<AccessNode> &nodes,
                      const BarrierPlacement &placement) {
  Trace pending;
  for (int32_t number : trace) {
    if (nodes[number].kind == AccessNode::Kind::Barrier ||
        std::count(placement.before.begin(), placement.before.end(), number))
      pending.clear();
    for (int32_t earlier : pending)
      if (nodes[earlier].conflictsWith(nodes[number]))
        return false;
    pending.push_back(number);
  }
  return true;
}

static bool isRight(const Traces &traces, const BarrierProblem &problem,
                    const BarrierPlacement &placement) {
  return std::all_of(traces.begin(), traces.end(), [&](const Trace &trace) {
    return isOrdered(trace, problem.getNodes(), placement);
  });
}

/// The smallest number of barriers before accesses; nothing when there are too
/// many accesses to try all sets.
static std::optional<int> findFewest(const BarrierProblem &problem) {
  std::vector<int32_t> accesses;
  for (size_t number = 0; number < problem.getNodes().size(); ++number)
    if (problem.getNodes()[number].kind == AccessNode::Kind::Access)
      accesses.push_back(number);
  if (accesses.size() > 9)
    return std::nullopt;
  int fewest = accesses.size();
  for (uint32_t set = 0; set < 1u << accesses.size(); ++set) {
    BarrierPlacement placement;
    for (size_t i = 0; i < accesses.size(); ++i)
      if (set >> i & 1)
        placement.before.push_back(accesses[i]);
    int count = placement.before.size();
    if (count < fewest && problem.verify(placement).empty())
      fewest = count;
  }
  return fewest;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// Right, and minimal; verify() agrees with the executions on both.
static void expectRightAndMinimal(const Traces &traces,
                                  const BarrierProblem &problem) {
  BarrierPlacement placement = placeBarriers(problem);
  ASSERT_EQ(problem.verify(placement), "");
  ASSERT_TRUE(isRight(traces, problem, placement));
  for (size_t i = 0; i < placement.before.size(); ++i) {
    BarrierPlacement fewer = placement;
    fewer.before.erase(fewer.before.begin() + i);
    ASSERT_NE(problem.verify(fewer), "");
    ASSERT_FALSE(isRight(traces, problem, fewer))
        << "the barrier before " << placement.before[i] << " is needless";
  }
}

TEST(RandomBarrierTest, EveryBarrierIsNeededAndNoneIsMissing) {
  RandomPrograms random(11, 5);
  int tried = 0, withLoops = 0;
  while (tried < 1500) {
    Block program = random.block(3, 5);
    Lowering lowering;
    lowering.lower(program, lowering.problem.addJoin());
    Traces traces = Enumerator().run(program);
    if (traces.empty())
      continue;
    ++tried;
    withLoops += lowering.problem.hasLoop();
    expectRightAndMinimal(traces, lowering.problem);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(withLoops, 500);
}

TEST(RandomBarrierTest, StraightLineProgramsGetTheFewest) {
  RandomPrograms random(12, 4);
  for (int round = 0; round < 300; ++round) {
    Block program = random.block(0, 9);
    Lowering lowering;
    lowering.lower(program, lowering.problem.addJoin());
    size_t count = placeBarriers(lowering.problem).before.size();
    ASSERT_EQ(count, size_t(*findFewest(lowering.problem)));
  }
}

/// With loops the solver is a heuristic.
TEST(RandomBarrierTest, OtherProgramsGetFew) {
  RandomPrograms random(13, 4);
  int rounds = 0, surplus = 0;
  while (rounds < 500) {
    Block program = random.block(2, 4);
    Lowering lowering;
    lowering.lower(program, lowering.problem.addJoin());
    std::optional<int> fewest = findFewest(lowering.problem);
    if (!fewest || !lowering.problem.hasLoop())
      continue;
    ++rounds;
    int more = int(placeBarriers(lowering.problem).before.size()) - *fewest;
    ASSERT_GE(more, 0);
    ASSERT_LE(more, 2);
    surplus += more;
  }
  EXPECT_LE(surplus, rounds / 20);
}
