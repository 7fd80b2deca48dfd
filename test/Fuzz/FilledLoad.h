//===- FilledLoad.h - loads with something beside zeros ---------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_FILLEDLOAD_H
#define TESSERA_TEST_FUZZ_FILLEDLOAD_H

#include "tessera/Interpreter/Random.h"

#include <array>
#include <cstdint>
#include <string>

namespace tessera::fuzz {

/// A load of a tile of a row-major matrix by pointers and a mask, with another
/// number than zero where the matrix has no element. Names are those of values,
/// without '%': `zero` and `one` of i32 exist.
struct FilledLoad {
  /// The argument that points to the matrix; other values get names that begin
  /// with it.
  const char *array;
  std::string element;
  /// The loop's counter.
  const char *step;
  /// Row and column where the tile begins, the matrix's sizes, the tile's.
  std::array<const char *, 2> starts, extents;
  std::array<int64_t, 2> shape;

  /// The text of operations that give `result`.
  std::string write(const std::string &result,
                    interpreter::Random &random) const;

private:
  std::string tensor(const std::string &type) const;
  std::string writeDimension(unsigned dim) const;
  std::string writeOther(interpreter::Random &random) const;
};

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_FILLEDLOAD_H
