//===- BarrierPlacement.cpp - where the threads of a CTA meet -------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Schedule/BarrierPlacement.h"

#include <algorithm>
#include <optional>

using namespace tessera;

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

int32_t BarrierProblem::addJoin() {
  nodes.emplace_back();
  return static_cast<int32_t>(nodes.size()) - 1;
}

int32_t BarrierProblem::addAccess(ByteRange bytes, bool isWrite) {
  ByteSet set;
  if (bytes.begin < bytes.end)
    set.insert(bytes);
  return addAccess(std::move(set), isWrite);
}

int32_t BarrierProblem::addAccess(ByteSet bytes, bool isWrite) {
  int32_t number = addJoin();
  AccessNode &node = nodes.back();
  node.kind = AccessNode::Kind::Access;
  node.bytes = std::move(bytes);
  node.isWrite = isWrite;
  return number;
}

int32_t BarrierProblem::addBarrier() {
  int32_t number = addJoin();
  nodes.back().kind = AccessNode::Kind::Barrier;
  return number;
}

void BarrierProblem::addEdge(int32_t from, int32_t to) {
  nodes[from].successors.push_back(to);
  nodes[to].predecessors.push_back(from);
}

bool BarrierProblem::hasLoop() const {
  for (size_t from = 0; from < nodes.size(); ++from)
    for (int32_t to : nodes[from].successors)
      if (to <= static_cast<int32_t>(from))
        return true;
  return false;
}

std::string BarrierProblem::check() const {
  for (size_t number = 0; number < nodes.size(); ++number)
    if (nodes[number].kind == AccessNode::Kind::Access &&
        nodes[number].bytes.ranges().empty())
      return "access " + std::to_string(number) + " touches no byte";
  return "";
}

/// A node that conflicts with `from` and is reached from it without passing a
/// barrier; nothing when there is none.
static std::optional<int32_t>
findUnseparated(const std::vector<AccessNode> &nodes, int32_t from,
                const std::vector<bool> &barrierBefore) {
  std::vector<bool> seen(nodes.size());
  std::vector<int32_t> stack = nodes[from].successors;
  while (!stack.empty()) {
    int32_t number = stack.back();
    stack.pop_back();
    if (seen[number] || barrierBefore[number] ||
        nodes[number].kind == AccessNode::Kind::Barrier)
      continue;
    seen[number] = true;
    if (nodes[from].conflictsWith(nodes[number]))
      return number;
    stack.insert(stack.end(), nodes[number].successors.begin(),
                 nodes[number].successors.end());
  }
  return std::nullopt;
}

std::string BarrierProblem::verify(const BarrierPlacement &placement) const {
  std::vector<bool> barrierBefore(nodes.size());
  for (int32_t number : placement.before) {
    if (number < 0 || number >= static_cast<int32_t>(nodes.size()) ||
        nodes[number].kind != AccessNode::Kind::Access)
      return "a barrier stands before " + std::to_string(number) +
             ", which is no access";
    barrierBefore[number] = true;
  }
  for (size_t number = 0; number < nodes.size(); ++number) {
    if (nodes[number].kind != AccessNode::Kind::Access)
      continue;
    if (auto other = findUnseparated(nodes, number, barrierBefore))
      return "no barrier separates access " + std::to_string(number) +
             " from access " + std::to_string(*other);
  }
  return "";
}

//===----------------------------------------------------------------------===//
// The solver
//===----------------------------------------------------------------------===//

namespace {
/// Bytes that were accessed since the last barrier, on any path.
struct Pending {
  ByteSet reads, writes;

  bool conflictsWith(const AccessNode &node) const {
    return writes.overlaps(node.bytes) ||
           (node.isWrite && reads.overlaps(node.bytes));
  }
  void insert(const Pending &other) {
    reads.insert(other.reads);
    writes.insert(other.writes);
  }
  bool operator==(const Pending &other) const {
    return reads == other.reads && writes == other.writes;
  }
};

/// Forward dataflow: what is pending after a node follows from what is pending
/// after its predecessors, by union, since a barrier is missing if it is on one
/// of the paths. For given barriers the equations are monotone in finite sets
/// of ranges, and their least fixpoint is exact: a byte is pending if and only
/// if some path from its access has no barrier.
class Solver {
public:
  explicit Solver(const BarrierProblem &problem)
      : nodes(problem.getNodes()), barrierBefore(nodes.size()),
        after(nodes.size()) {}

  void placeForward();
  void placeAroundLoops();
  void dropNeedless();

  BarrierPlacement getPlacement() const {
    BarrierPlacement placement;
    for (size_t number = 0; number < nodes.size(); ++number)
      if (barrierBefore[number])
        placement.before.push_back(number);
    return placement;
  }

private:
  /// Pending before the node, from those predecessors whose state is known.
  Pending enter(int32_t number) const;
  /// Pending after the node, when `pending` is before it.
  Pending leave(int32_t number, Pending pending) const;
  /// The first access in program order that conflicts with a pending one.
  std::optional<int32_t> findConflict();

  const std::vector<AccessNode> &nodes;
  std::vector<bool> barrierBefore;
  std::vector<Pending> after;
};
} // namespace

Pending Solver::enter(int32_t number) const {
  Pending pending;
  if (barrierBefore[number])
    return pending;
  for (int32_t predecessor : nodes[number].predecessors)
    pending.insert(after[predecessor]);
  return pending;
}

Pending Solver::leave(int32_t number, Pending pending) const {
  const AccessNode &node = nodes[number];
  if (node.kind == AccessNode::Kind::Barrier)
    return Pending();
  if (node.kind == AccessNode::Kind::Access)
    (node.isWrite ? pending.writes : pending.reads).insert(node.bytes);
  return pending;
}

/// As late as possible in program order, back edges not seen yet: a node's
/// predecessors through them have no state. In straight-line code this is the
/// greedy choice of points that stab all intervals (first access, second
/// access], which has the fewest points. Without loops no barrier becomes
/// needless through those made after it: they have higher numbers than all
/// nodes of the path for which it was made.
void Solver::placeForward() {
  for (size_t number = 0; number < nodes.size(); ++number) {
    Pending pending = enter(number);
    if (nodes[number].kind == AccessNode::Kind::Access &&
        pending.conflictsWith(nodes[number])) {
      barrierBefore[number] = true;
      pending = Pending();
    }
    after[number] = leave(number, std::move(pending));
  }
}

std::optional<int32_t> Solver::findConflict() {
  std::fill(after.begin(), after.end(), Pending());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t number = 0; number < nodes.size(); ++number) {
      Pending next = leave(number, enter(number));
      changed |= !(next == after[number]);
      after[number] = std::move(next);
    }
  }
  for (size_t number = 0; number < nodes.size(); ++number)
    if (nodes[number].kind == AccessNode::Kind::Access &&
        enter(number).conflictsWith(nodes[number]))
      return number;
  return std::nullopt;
}

/// What is left now are conflicts through back edges.
void Solver::placeAroundLoops() {
  while (std::optional<int32_t> number = findConflict())
    barrierBefore[*number] = true;
}

/// A barrier made for a back edge may do the work of one made before it:
///
///     read A; (1) write B; (2) write A; (3) read A, B     in a loop
///
/// needs (2) and (3) in one iteration, then (1) from one to the next, which
/// makes (2) needless. One that is needed stays needed when others are taken
/// away, so that one round is enough.
void Solver::dropNeedless() {
  for (int32_t number : getPlacement().before) {
    barrierBefore[number] = false;
    barrierBefore[number] = findConflict().has_value();
  }
}

BarrierPlacement tessera::placeBarriers(const BarrierProblem &problem) {
  Solver solver(problem);
  solver.placeForward();
  if (problem.hasLoop()) {
    solver.placeAroundLoops();
    solver.dropNeedless();
  }
  return solver.getPlacement();
}
