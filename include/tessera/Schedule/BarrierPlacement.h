//===- BarrierPlacement.h - where the threads of a CTA meet -----*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All threads of a CTA run one program of accesses to shared memory, each at
// its own pace, lanes of one warp included. Two accesses *conflict* when their
// bytes overlap and one of them writes. A barrier has to lie on every path
// through the program from an access to one that conflicts with it, itself in a
// later iteration included. The problem is to choose the accesses that a
// barrier goes right before.
//
// The program is a graph:
//
//     join ----> write A --> join <---------+       a loop that may run zero
//                              |            |       times; the edge back goes
//                              +--> read A -+       to a lower number
//                              |
//                              +--> join
//
// The problem, with the test that a placement is right, stands apart from the
// solver. The two have nothing in common: the test follows paths, the solver
// propagates sets of bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SCHEDULE_BARRIERPLACEMENT_H
#define TESSERA_SCHEDULE_BARRIERPLACEMENT_H

#include "tessera/Schedule/ByteSet.h"

#include <string>

namespace tessera {

/// A step of the program.
struct AccessNode {
  enum class Kind {
    /// Nothing; where paths meet or part.
    Join,
    /// A read or write of shared memory by all threads.
    Access,
    /// A barrier that is already there.
    Barrier
  };

  Kind kind = Kind::Join;
  /// The bytes of an access, and whether it writes them. What one operation
  /// accesses is one node: no barrier can stand between its parts.
  ByteSet bytes;
  bool isWrite = false;
  std::vector<int32_t> predecessors, successors;

  bool conflictsWith(const AccessNode &other) const {
    return kind == Kind::Access && other.kind == Kind::Access &&
           (isWrite || other.isWrite) && bytes.overlaps(other.bytes);
  }
};

/// Nodes before which barriers are put, in ascending order.
struct BarrierPlacement {
  std::vector<int32_t> before;
};

/// The program. Nodes are numbered in program order: an edge to a lower number
/// or to the node itself is the back edge of a loop.
class BarrierProblem {
public:
  /// Append a node and return its number.
  int32_t addJoin();
  int32_t addAccess(ByteSet bytes, bool isWrite);
  int32_t addAccess(ByteRange bytes, bool isWrite);
  int32_t addBarrier();
  /// Execution may go on from `from` to `to`; both exist.
  void addEdge(int32_t from, int32_t to);

  const std::vector<AccessNode> &getNodes() const { return nodes; }
  bool hasLoop() const;

  /// What is wrong with the program: an access to no byte. Empty when nothing
  /// is.
  std::string check() const;

  /// What is wrong with a placement: a barrier before something that is no
  /// access, or a path without a barrier between two accesses that conflict.
  /// Empty when nothing is. Takes nodes times edges.
  std::string verify(const BarrierPlacement &placement) const;

private:
  std::vector<AccessNode> nodes;
};

/// Places barriers, each before the second access of a conflict, such that
/// verify() holds and that it holds no more when any of them is taken away.
/// A program without branches and loops gets the smallest number possible.
BarrierPlacement placeBarriers(const BarrierProblem &problem);

} // namespace tessera

#endif // TESSERA_SCHEDULE_BARRIERPLACEMENT_H
