//===- MmaShapes.h - shapes of tensor-core instructions ---------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_LAYOUT_MMASHAPES_H
#define TESSERA_TEST_UNIT_LAYOUT_MMASHAPES_H

#include "tessera/Layout/Mma.h"

namespace tessera::test {

inline constexpr MmaShape kM16N8K4 = {16, 8, 4}, kM16N8K8 = {16, 8, 8},
                          kM16N8K16 = {16, 8, 16}, kM16N8K32 = {16, 8, 32},
                          kM8N8K4 = {8, 8, 4};

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_LAYOUT_MMASHAPES_H
