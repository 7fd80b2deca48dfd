//===- RandomPrograms.h - programs of accesses, and their executions ------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs of accesses, branches and loops from a seed, the graphs that
// a BarrierProblem makes of them, and all their executions, which are unrolled
// from the program without the graph.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_SCHEDULE_RANDOMPROGRAMS_H
#define TESSERA_TEST_UNIT_SCHEDULE_RANDOMPROGRAMS_H

#include "tessera/Schedule/BarrierPlacement.h"

#include <algorithm>
#include <random>

namespace tessera::test {

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
  /// Programs that access the bytes 0 .. bytes - 1.
  RandomPrograms(uint32_t seed, int64_t bytes) : engine(seed), bytes(bytes) {}

  int64_t below(int64_t bound) { return int64_t(engine() % bound); }

  /// 1 .. maxLength statements, with at most `depth` levels of blocks inside.
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

/// Appends statements to a problem and gives them their nodes. lower() takes
/// the node that control comes from and returns the one where it ends up.
struct Lowering {
  BarrierProblem problem;

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
                 last, problem.addAccess(statement.bytes,
                                         statement.kind == Statement::Write));
    bool isLoop = statement.kind != Statement::If;
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
    return exit;
  }
};

//===----------------------------------------------------------------------===//
// Executions
//===----------------------------------------------------------------------===//

inline constexpr size_t kMaxTraces = 4000;

/// All executions of a program with 0, 1 or 2 iterations of each loop; none if
/// there are more than kMaxTraces. Two iterations show every conflict: a path
/// between two accesses that visits no node twice takes each back edge once at
/// most.
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

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_SCHEDULE_RANDOMPROGRAMS_H
