//===- TMAFixture.h - kernels of tensor copies ------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs kernels of a few operations on a map of boxes of 8x64 f16 in a matrix of
// 11 x 70.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_INTERPRETER_TMAFIXTURE_H
#define TESSERA_TEST_UNIT_INTERPRETER_TMAFIXTURE_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Interpreter/Interpreter.h"
#include "tessera/Pipelines/TileToCubin.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace tessera::interpreter {

inline constexpr int64_t kRows = 11, kColumns = 70, kPitch = 72;

/// What the bodies below refer to.
inline constexpr const char *kHeader = R"(
#rows = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32],
                          [1, 8], [2, 16], [4, 32]]>
#l = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [4, 0]],
                      lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = []>
!map = !tile.tensor_map<8x64xf16, swizzle = 128>
!box = !tile_gpu.buffer<8x64xf16, #rows>
!ring = !tile_gpu.buffer<8x64xf16, #rows, slots = 2>
!full = !tile_gpu.mbarrier<2>
!t = tensor<8x64xf16, #l>
tile.func @k(%a: !map, %b: !map) attributes {tile_gpu.num_warps = 1 : i32,
                                             tile_gpu.synchronized} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c8 = arith.constant 8 : i32
  %c64 = arith.constant 64 : i32
  %one = arith.constant 1.0 : f16
  %v = tile.splat %one : f16 -> !t
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %ring = tile_gpu.alloc : !ring
  %s0 = tile_gpu.slot %ring[%c0] : !ring
  %s1 = tile_gpu.slot %ring[%c1] : !ring
)";

/// The pieces of bodies.
inline const std::string kExpect = "tile_gpu.mbarrier_expect %full[%c0], 1024 : !full\n";
inline const std::string kLoad =
    "tile_gpu.tma_load %a[%c0, %c0], %s0, %full[%c0] : !map, !box, !full\n";
inline const std::string kWait = "tile_gpu.mbarrier_wait %full[%c0], %c0 : !full\n";
inline const std::string kRead = "%x = tile_gpu.local_load %s0 : !box -> !t\n";
inline const std::string kWrite = "tile_gpu.local_store %v, %s0 : !t, !box\n";
inline const std::string kBarrier = "tile_gpu.barrier\n";
inline const std::string kFence = "tile_gpu.fence_async\n";
inline const std::string kStore =
    "tile_gpu.tma_store %s0, %b[%c0, %c0] : !box, !map\n";
inline const std::string kCommit = "tile_gpu.tma_store_commit\n";
inline const std::string kWaitStore = "tile_gpu.tma_store_wait pending = 0\n";

class TMA : public testing::Test {
protected:
  TMA() {
    registerTesseraDialects(registry);
    context.appendDialectRegistry(registry);
    auto add = [&](const char *name) -> Buffer & {
      Buffer &buffer = memory.allocate(name, 2 * kRows * kPitch);
      std::vector<uint16_t> contents(kRows * kPitch);
      for (size_t i = 0; i < contents.size(); ++i)
        contents[i] = i;
      buffer.initialize({reinterpret_cast<uint8_t *>(contents.data()),
                         2 * contents.size()});
      return buffer;
    };
    from = &add("a");
    to = &add("b");
  }

  /// Runs a kernel and returns what was found: "title: detail".
  std::vector<std::string> run(const std::string &body, int64_t rows = kRows) {
    std::string text = kHeader + body + "tile.return\n}\n";
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context));
    EXPECT_TRUE(module);
    if (!module)
      return {"no module"};
    auto makeMap = [&](Buffer *buffer) {
      return makeTensorMap(buffer->getAddress(), {rows, kColumns}, {kPitch, 1});
    };
    Findings findings;
    EXPECT_TRUE(mlir::succeeded(
        runKernel(*module->getOps<tile::FuncOp>().begin(),
                  {makeMap(from), makeMap(to)}, {1, 1, 1}, memory,
                  RunOptions(), findings)));
    std::vector<std::string> texts;
    for (const Finding &finding : findings.takeSorted())
      texts.push_back(std::string(getTitle(finding.kind)) + ": " +
                      finding.detail);
    return texts;
  }
  /// The only finding.
  std::string find(const std::string &body) {
    std::vector<std::string> texts = run(body);
    EXPECT_EQ(texts.size(), 1u) << testing::PrintToString(texts);
    return texts.empty() ? "" : texts[0];
  }
  uint16_t at(Buffer *buffer, int64_t row, int64_t column) {
    uint16_t element;
    std::memcpy(&element, buffer->data() + 2 * (row * kPitch + column), 2);
    return element;
  }

  mlir::DialectRegistry registry;
  mlir::MLIRContext context;
  GlobalMemory memory;
  Buffer *from, *to;
};

} // namespace tessera::interpreter

#endif // TESSERA_TEST_UNIT_INTERPRETER_TMAFIXTURE_H
