//===- TiledKernel.h - random products of matrices --------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that compute tiles of C = op(A B + D), as wgmma and tensor maps take
// them, which random steps rarely come to: one or two products an iteration of
// a loop with stages, operands stored either way, accumulators that begin with
// something, tiles by grid, by a loop over tiles, or by nested loops. Some load
// their operands by pointers and masks, with other numbers than zeros behind the
// ends of arrays.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_TILEDKERNEL_H
#define TESSERA_TEST_FUZZ_TILEDKERNEL_H

#include <cstdint>
#include <string>

namespace tessera::fuzz {

/// The text of a module with a kernel and its launch plan. Sums are exact.
std::string makeTiledKernel(uint64_t seed);

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_TILEDKERNEL_H
