//===- MatmulTest.cpp - the shipped matmul on the CPU ---------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A whole entry through the library's interface, compared with f64.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/Launch.h"
#include "tessera/Pipelines/TileToCubin.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <chrono>
#include <random>

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

namespace {

/// rows x columns random numbers of f16 in [-1, 1].
std::vector<uint16_t> makeMatrix(int64_t elements, std::mt19937 &generator) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<uint16_t> matrix(elements);
  for (uint16_t &element : matrix)
    element = encodeSmallFloat(ElementKind::F16, uniform(generator),
                               Rounding::NearestEven);
  return matrix;
}

Buffer &addMatrix(GlobalMemory &memory, std::string name,
                  const std::vector<uint16_t> &matrix) {
  Buffer &buffer = memory.allocate(std::move(name), 2 * matrix.size());
  buffer.initialize(
      {reinterpret_cast<const uint8_t *>(matrix.data()), 2 * matrix.size()});
  return buffer;
}

/// Multiplies m x k by k x n and returns the largest error against f64.
double runMatmul(int64_t m, int64_t n, int64_t k) {
  DialectRegistry registry;
  registerTesseraDialects(registry);
  MLIRContext context(registry);
  auto module = parseSourceFile<ModuleOp>(TESSERA_KERNELS "/matmul.mlir",
                                          ParserConfig(&context));
  std::mt19937 generator(1);
  auto a = makeMatrix(m * k, generator), b = makeMatrix(k * n, generator);
  GlobalMemory memory;
  EntryRequest request;
  request.entry = "matmul";
  request.arguments.push_back(
      tessera_pointer(addMatrix(memory, "a", a).getAddress()));
  request.arguments.push_back(
      tessera_pointer(addMatrix(memory, "b", b).getAddress()));
  Buffer &c = memory.allocate("c", 2 * m * n);
  request.arguments.push_back(tessera_pointer(c.getAddress()));
  for (int64_t integer : {m, n, k, k, int64_t(1), n, int64_t(1), n, int64_t(1)})
    request.arguments.push_back(tessera_integer(integer));

  Findings findings;
  EXPECT_TRUE(succeeded(
      runEntry(*module, request, memory, RunOptions(), findings)));
  for (const Finding &finding : findings.takeSorted())
    ADD_FAILURE() << getTitle(finding.kind) << ": " << finding.detail;

  double largest = 0;
  for (int64_t row = 0; row < m; ++row)
    for (int64_t column = 0; column < n; ++column) {
      double sum = 0;
      for (int64_t i = 0; i < k; ++i)
        sum += double(decodeSmallFloat(ElementKind::F16, a[row * k + i])) *
               decodeSmallFloat(ElementKind::F16, b[i * n + column]);
      double value =
          readFloat(ElementKind::F16, c.data() + 2 * (row * n + column));
      largest = std::max(largest, std::abs(value - sum));
    }
  return largest;
}

} // namespace

TEST(Matmul, RaggedSizesAgreeWithDoubles) {
  // f16 keeps 11 bits of sums below 16.
  EXPECT_LT(runMatmul(130, 67, 45), 0.01);
  EXPECT_LT(runMatmul(1, 1, 1), 0.001);
}

TEST(Matmul, LargeSizeIsQuick) {
  auto start = std::chrono::steady_clock::now();
  EXPECT_LT(runMatmul(512, 512, 512), 0.05);
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  RecordProperty("seconds", std::to_string(elapsed.count()));
  EXPECT_LT(elapsed.count(), 30);
}
