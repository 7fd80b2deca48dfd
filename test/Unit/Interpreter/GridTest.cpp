//===- GridTest.cpp - orders of tiles and persistence change no result ----===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shipped matmul on the CPU, after level 1 with options: the same bytes as
// without, and no tile is written by two programs at one time.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/Launch.h"
#include "tessera/Pipelines/TileToCubin.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

namespace {

/// 5 x 4 tiles of 128 x 128, the last ones not full.
constexpr int64_t kM = 600, kN = 500, kK = 40;

/// Small numbers of f16 that no two places near each other share.
std::vector<uint16_t> makeMatrix(int64_t elements) {
  std::vector<uint16_t> matrix(elements);
  for (int64_t i = 0; i < elements; ++i)
    matrix[i] = encodeSmallFloat(ElementKind::F16, double(i * 37 % 101) / 64,
                                 Rounding::NearestEven);
  return matrix;
}

tessera_argument addMatrix(GlobalMemory &memory, int64_t elements) {
  std::vector<uint16_t> matrix = makeMatrix(elements);
  Buffer &buffer = memory.allocate("operand", 2 * matrix.size());
  buffer.initialize(
      {reinterpret_cast<const uint8_t *>(matrix.data()), 2 * matrix.size()});
  return tessera_pointer(buffer.getAddress());
}

/// The bytes of C, computed on a device of `numSMs` multiprocessors.
std::vector<uint8_t> run(const PipelineOptions &options, int32_t numSMs = 132) {
  DialectRegistry registry;
  registerTesseraDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto module = parseSourceFile<ModuleOp>(TESSERA_KERNELS "/matmul.mlir",
                                          ParserConfig(&context));
  PassManager manager(&context);
  buildTilePipeline(manager, options);
  EXPECT_TRUE(succeeded(manager.run(*module)));
  GlobalMemory memory;
  EntryRequest request;
  request.entry = "matmul";
  request.numSMs = numSMs;
  request.arguments = {addMatrix(memory, kM * kK), addMatrix(memory, kK * kN)};
  Buffer &c = memory.allocate("c", 2 * kM * kN);
  request.arguments.push_back(tessera_pointer(c.getAddress()));
  for (int64_t integer : {kM, kN, kK, kK, int64_t(1), kN, int64_t(1), kN,
                          int64_t(1)})
    request.arguments.push_back(tessera_integer(integer));
  Findings findings;
  EXPECT_TRUE(succeeded(
      runEntry(*module, request, memory, RunOptions(), findings)));
  for (const Finding &finding : findings.takeSorted())
    ADD_FAILURE() << getTitle(finding.kind) << ": " << finding.detail;
  return {c.data(), c.data() + 2 * kM * kN};
}

PipelineOptions withOrder(SwizzleOrder order, int32_t groupM) {
  PipelineOptions options;
  options.swizzle = order;
  options.groupM = groupM;
  return options;
}

} // namespace

TEST(Grid, OrdersOfTiles) {
  std::vector<uint8_t> plain = run(PipelineOptions());
  EXPECT_EQ(run(withOrder(SwizzleOrder::Grouped, 2)), plain);
  EXPECT_EQ(run(withOrder(SwizzleOrder::Column, 8)), plain);
  EXPECT_EQ(run(withOrder(SwizzleOrder::Hilbert, 2)), plain);
  EXPECT_EQ(run(withOrder(SwizzleOrder::Auto, 8)), plain);
}

TEST(Grid, PersistentPrograms) {
  std::vector<uint8_t> plain = run(PipelineOptions());
  PipelineOptions options;
  options.persistent = true;
  // 20 tiles over 1 and 3 programs, over 2 x 3, and over as many as there are.
  EXPECT_EQ(run(options, 1), plain);
  EXPECT_EQ(run(options, 3), plain);
  EXPECT_EQ(run(options, 132), plain);
  options.programsPerSM = 2;
  EXPECT_EQ(run(options, 3), plain);
}

TEST(Grid, Both) {
  std::vector<uint8_t> plain = run(PipelineOptions());
  for (SwizzleOrder order :
       {SwizzleOrder::Grouped, SwizzleOrder::Hilbert, SwizzleOrder::Auto}) {
    PipelineOptions options = withOrder(order, 4);
    options.persistent = true;
    EXPECT_EQ(run(options, 3), plain);
  }
}
