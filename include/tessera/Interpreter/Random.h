//===- Random.h - random numbers that are the same everywhere ---*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_RANDOM_H
#define TESSERA_INTERPRETER_RANDOM_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace tessera::interpreter {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same numbers on every
/// machine, which the distributions of <random> do not promise.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// A number from 0 to `count` - 1.
  int64_t below(int64_t count) { return int64_t(next() % uint64_t(count)); }
  bool chance(unsigned one, unsigned in) { return below(in) < int64_t(one); }
  template <typename T>
  T pick(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }

private:
  uint64_t state;
};

} // namespace tessera::interpreter

#endif // TESSERA_INTERPRETER_RANDOM_H
