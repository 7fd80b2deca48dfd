//===- RegisterLayouts.h - readers and writers of buffers -------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts of registers with which tests write to buffers in shared memory and
// read from them.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_LAYOUT_REGISTERLAYOUTS_H
#define TESSERA_TEST_UNIT_LAYOUT_REGISTERLAYOUTS_H

#include "MmaShapes.h"
#include "RandomLayouts.h"
#include "tessera/Layout/Blocked.h"

namespace tessera::test {

inline LinearLayout blocked(const Values &shape, const Values &order,
                            int vector, int warps = 4) {
  return *makeBlockedLayout(*chooseBlocked(shape, order, vector, 32, warps));
}

inline LinearLayout operandA(int32_t M, int32_t K, int bits = 16,
                             MmaShape shape = kM16N8K16) {
  return *makeMmaOperandA(M, K, {{2, 2}, shape}, bits);
}
inline LinearLayout operandB(int32_t K, int32_t N, int bits = 16,
                             MmaShape shape = kM16N8K16) {
  return *makeMmaOperandB(K, N, {{2, 2}, shape}, bits);
}

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_LAYOUT_REGISTERLAYOUTS_H
