//===- MmaFormulas.h - tensor-core fragments as PTX states them -*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas of the PTX ISA for the fragments of mma.sync, typed in here
// section by section, not from the library.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_LAYOUT_MMAFORMULAS_H
#define TESSERA_TEST_UNIT_LAYOUT_MMAFORMULAS_H

#include "MmaShapes.h"

#include <utility>

namespace tessera::test {

/// (row, column) of element i of a fragment in a lane.
using Position = std::pair<int, int>;
/// With g = groupID = laneid >> 2 and t = threadID_in_group = laneid % 4.
using Formula = Position (*)(int g, int t, int i);

/// One instruction with the formulas of its "Matrix Fragments" section.
struct Fragments {
  const char *name;
  MmaShape shape;
  int operandBits;
  int accumulatorBits;
  int countA, countB, countC; ///< Elements in a lane.
  Formula a, b, c;
};

inline Position c16x8(int g, int t, int i) {
  return {i < 2 ? g : g + 8, t * 2 + (i & 1)};
}

inline const Fragments kFragments[] = {
    {"m8n8k4.f64", kM8N8K4, 64, 64, 1, 1, 2,
     [](int g, int t, int) -> Position {
       return {g, t};
     },
     [](int g, int t, int) -> Position {
       return {t, g};
     },
     [](int g, int t, int i) -> Position {
       return {g, t * 2 + (i & 1)};
     }},
    {"m16n8k4.tf32", kM16N8K4, 32, 32, 2, 1, 4,
     [](int g, int t, int i) -> Position {
       return {i == 0 ? g : g + 8, t};
     },
     [](int g, int t, int) -> Position {
       return {t, g};
     },
     c16x8},
    {"m16n8k4.f64", kM16N8K4, 64, 64, 2, 1, 4,
     [](int g, int t, int i) -> Position {
       return {i == 0 ? g : g + 8, t};
     },
     [](int g, int t, int) -> Position {
       return {t, g};
     },
     c16x8},
    {"m16n8k8.f16", kM16N8K8, 16, 16, 4, 2, 4,
     [](int g, int t, int i) -> Position {
       return {i < 2 ? g : g + 8, t * 2 + (i & 1)};
     },
     [](int g, int t, int i) -> Position {
       return {t * 2 + i, g};
     },
     c16x8},
    {"m16n8k8.tf32", kM16N8K8, 32, 32, 4, 2, 4,
     [](int g, int t, int i) -> Position {
       return {i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
     },
     [](int g, int t, int i) -> Position {
       return {i == 0 ? t : t + 4, g};
     },
     c16x8},
    {"m16n8k8.f64", kM16N8K8, 64, 64, 4, 2, 4,
     [](int g, int t, int i) -> Position {
       return {i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
     },
     [](int g, int t, int i) -> Position {
       return {i == 0 ? t : t + 4, g};
     },
     c16x8},
    {"m16n8k16.f16", kM16N8K16, 16, 32, 8, 4, 4,
     [](int g, int t, int i) -> Position {
       return {i < 2 || (4 <= i && i < 6) ? g : g + 8,
               i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8};
     },
     [](int g, int t, int i) -> Position {
       return {i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8, g};
     },
     c16x8},
    {"m16n8k16.s8", kM16N8K16, 8, 32, 8, 4, 4,
     [](int g, int t, int i) -> Position {
       return {i < 4 ? g : g + 8, t * 4 + (i & 3)};
     },
     [](int g, int t, int i) -> Position {
       return {t * 4 + i, g};
     },
     c16x8},
    {"m16n8k16.f64", kM16N8K16, 64, 64, 8, 4, 4,
     [](int g, int t, int i) -> Position {
       return {i % 2 == 0 ? g : g + 8, i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t};
     },
     [](int g, int t, int i) -> Position {
       return {t + i * 4, g};
     },
     c16x8},
    {"m16n8k32.s8", kM16N8K32, 8, 32, 16, 8, 4,
     [](int g, int t, int i) -> Position {
       return {i < 4 || (8 <= i && i < 12) ? g : g + 8,
               i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16};
     },
     [](int g, int t, int i) -> Position {
       return {i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16, g};
     },
     c16x8},
};

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_LAYOUT_MMAFORMULAS_H
