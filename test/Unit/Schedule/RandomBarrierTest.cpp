//===- RandomBarrierTest.cpp - barriers against enumerated executions -----===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs of accesses, branches and loops are unrolled into all their
// executions, with 0, 1 or 2 iterations of each loop. A placement is right if
// in each execution a barrier stands between each pair of accesses that
// conflict; it is minimal if that fails without any one of its barriers. Two
// iterations suffice: a path between two accesses that visits no node twice
// takes each back edge once at most.
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/BarrierPlacement.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <optional>
#include <random>

using namespace tessera;

namespace {

struct Statement;
using Block = std::vector<Statement>;
/// Numbers of the accesses and barriers that one execution meets.
using Trace = std::vector<int32_t>;
using Traces = std::vector<Trace>;

struct Statement {
  enum Kind { Read, Write, Barrier, If, For, While };
  Kind kind;
  ByteRange bytes = {0, 1};
  /// The node of an access or barrier.
  int32_t node = -1;
  /// If: then and else. For: the body. While: before and after.
  std::vector<Block> blocks = {};
};

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

class RandomPrograms {
public:
  RandomPrograms(uint32_t seed, int64_t bytes) : engine(seed), bytes(bytes) {}

  int64_t below(int64_t bound) { return int64_t(engine() % bound); }

  Block block(int depth, int64_t maxLength) {
    Block result;
    for (int64_t count = 1 + below(maxLength); count > 0; --count)
      result.push_back(statement(depth));
    return result;
  }

private:
  Statement statement(int depth) {
    int64_t choice = below(depth > 0 ? 14 : 10);
    int64_t begin = below(bytes);
    ByteRange range = {begin, begin + 1 + below(bytes - begin)};
    if (choice < 5)
      return {Statement::Read, range};
    if (choice < 9)
      return {Statement::Write, range};
    if (choice < 10)
      return {Statement::Barrier};
    Statement result = {choice < 11   ? Statement::If
                        : choice < 13 ? Statement::For
                                      : Statement::While};
    result.blocks.push_back(block(depth - 1, 4));
    if (result.kind != Statement::For)
      result.blocks.push_back(below(3) == 0 ? Block() : block(depth - 1, 2));
    return result;
  }

  std::mt19937 engine;
  int64_t bytes;
};

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

struct Lowering {
  BarrierProblem problem;
  int32_t depth = 0;

  int32_t follow(int32_t last, int32_t next) {
    problem.addEdge(last, next);
    return next;
  }

  int32_t lower(Block &block, int32_t last) {
    for (Statement &statement : block)
      last = lower(statement, last);
    return last;
  }

  int32_t lower(Statement &statement, int32_t last) {
    if (statement.kind == Statement::Barrier)
      return statement.node = follow(last, problem.addBarrier());
    if (statement.blocks.empty())
      return statement.node = follow(
                 last,
                 problem.addAccess(statement.bytes,
                                   statement.kind == Statement::Write, depth));
    bool isLoop = statement.kind != Statement::If;
    depth += isLoop;
    int32_t firstEntry = problem.addJoin();
    int32_t firstEnd = lower(statement.blocks[0], firstEntry);
    problem.addEdge(last, firstEntry);
    int32_t exit = -1;
    if (statement.kind == Statement::For) {
      problem.addEdge(firstEnd, firstEntry);
      exit = follow(firstEnd, problem.addJoin());
      problem.addEdge(last, exit);
    } else {
      int32_t secondEntry = problem.addJoin();
      int32_t secondEnd = lower(statement.blocks[1], secondEntry);
      problem.addEdge(isLoop ? firstEnd : last, secondEntry);
      exit = follow(firstEnd, problem.addJoin());
      problem.addEdge(secondEnd, isLoop ? firstEntry : exit);
    }
    depth -= isLoop;
    return exit;
  }
};

//===----------------------------------------------------------------------===//
// Executions
//===----------------------------------------------------------------------===//

constexpr size_t kMaxTraces = 4000;

/// All executions of a program; none of a program that has too many.
class Enumerator {
public:
  Traces run(const Block &program) {
    Traces result = enumerate(program);
    return tooMany ? Traces() : result;
  }

private:
  /// Each execution of `first` followed by each of `second`.
  Traces sequence(const Traces &first, const Traces &second) {
    tooMany |= first.size() * second.size() > kMaxTraces;
    Traces result;
    if (tooMany)
      return result;
    for (const Trace &head : first)
      for (const Trace &tail : second) {
        result.push_back(head);
        result.back().insert(result.back().end(), tail.begin(), tail.end());
      }
    return result;
  }

  static Traces unite(Traces first, const Traces &second) {
    first.insert(first.end(), second.begin(), second.end());
    std::sort(first.begin(), first.end());
    first.erase(std::unique(first.begin(), first.end()), first.end());
    return first;
  }

  Traces enumerate(const Statement &statement) {
    if (statement.blocks.empty())
      return {{statement.node}};
    Traces first = enumerate(statement.blocks[0]);
    if (statement.kind == Statement::For)
      return unite({{}}, unite(first, sequence(first, first)));
    Traces second = enumerate(statement.blocks[1]);
    if (statement.kind == Statement::If)
      return unite(first, second);
    Traces again = sequence(second, first);
    return unite(first, unite(sequence(first, again),
                              sequence(first, sequence(again, again))));
  }

  Traces enumerate(const Block &block) {
    Traces result = {{}};
    for (const Statement &statement : block)
      result = sequence(result, enumerate(statement));
    return result;
  }

  bool tooMany = false;
};

/// Whether barriers separate all pairs that conflict in this execution.
bool isOrdered(const Trace &trace, const std::vector<AccessNode> &nodes,
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

bool isRight(const Traces &traces, const BarrierProblem &problem,
             const BarrierPlacement &placement) {
  return std::all_of(traces.begin(), traces.end(), [&](const Trace &trace) {
    return isOrdered(trace, problem.getNodes(), placement);
  });
}

/// The smallest number of barriers before accesses; nothing when there are too
/// many accesses to try all sets.
std::optional<int> findFewest(const BarrierProblem &problem) {
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

} // namespace

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
