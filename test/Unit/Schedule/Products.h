//===- Products.h - products for tests of their model -----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of f16 with f16 results, and the devices that compute them.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_SCHEDULE_PRODUCTS_H
#define TESSERA_TEST_UNIT_SCHEDULE_PRODUCTS_H

#include "tessera/Schedule/ProductModel.h"

namespace tessera::test {

inline ProductDevice getDevice(const char *name) {
  return {*TargetInfo::get(name), *DeviceRates::get(name)};
}

inline ProductTile makeTile(int32_t m, int32_t n, int32_t k, ProductUnit unit,
                            int32_t instructionN) {
  return {m,         n,         k,         2,    m * k * 2,
          k * n * 2, m * n * 4, m * n * 2, unit, instructionN};
}

/// wgmma with groups of warps along M.
inline ProductTile wgmma(int32_t m, int32_t n, int32_t k) {
  return makeTile(m, n, k, ProductUnit::Wgmma, n);
}
inline ProductTile mma(int32_t m, int32_t n, int32_t k) {
  return makeTile(m, n, k, ProductUnit::MmaSync, 8);
}

inline ProductGrid makeGrid(const ProductTile &tile, int64_t m, int64_t n,
                            int64_t k) {
  return {(m + tile.m - 1) / tile.m, (n + tile.n - 1) / tile.n, 1,
          (k + tile.k - 1) / tile.k};
}

inline ProductEstimate onH200(const ProductTile &tile, ProductRun run,
                              int64_t m, int64_t n, int64_t k) {
  return estimateProduct(getDevice("sm_90a"), tile, makeGrid(tile, m, n, k),
                         run, {});
}

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_SCHEDULE_PRODUCTS_H
