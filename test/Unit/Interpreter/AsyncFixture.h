//===- AsyncFixture.h - kernels of copies and products ----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs kernels of a few operations on two arrays of f32, the second one never
// written, and on operands of a wgmma of m64n16k16.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_INTERPRETER_ASYNCFIXTURE_H
#define TESSERA_TEST_UNIT_INTERPRETER_ASYNCFIXTURE_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Interpreter/Interpreter.h"
#include "tessera/Pipelines/TileToCubin.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

// Apart from TMAFixture.h, which has pieces of the same names.
namespace tessera::interpreter::async {

inline constexpr int64_t kTile = 128, kTiles = 5;

/// What the bodies below refer to. The operands lie as wgmma reads rows of 32
/// bytes: rows 4 to 7 of 8 have their two chunks exchanged.
inline constexpr const char *kHeader = R"(
#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]],
                        lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
                        warp = [[16, 0], [32, 0]]>
#small = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]],
                          lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
                          warp = [[0, 0], [0, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
!b = !tile_gpu.buffer<128xf32, #rows>
!ring = !tile_gpu.buffer<128xf32, #rows, slots = 3>
!t = tensor<128xf32, #l>
!pt = tensor<128x!tile.ptr<f32>, #l>
!a16 = !tile_gpu.buffer<64x16xf16, #sa>
!b16 = !tile_gpu.buffer<16x16xf16, #sb>
!acc = tensor<64x16xf32, #acc>
!ta = tensor<64x16xf16, #acc>
!tb = tensor<16x16xf16, #small>
tile.func @k(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) attributes {
    tile_gpu.num_warps = 4 : i32, tile_gpu.synchronized} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %c128 = arith.constant 128 : i32
  %r = tile.arange : tensor<128xi32, #l>
  %ns = tile.splat %n : i32 -> tensor<128xi32, #l>
  %qs = tile.splat %q : !tile.ptr<f32> -> !pt
  %ps = tile.splat %p : !tile.ptr<f32> -> !pt
  %pp = tile.addptr %ps, %r : !pt, tensor<128xi32, #l>
  %one = arith.constant 1.0 : f32
  %v = tile.splat %one : f32 -> !t
  %ring = tile_gpu.alloc : !ring
  %s0 = tile_gpu.slot %ring[%c0] : !ring
  %s1 = tile_gpu.slot %ring[%c1] : !ring
)";

/// The pieces of bodies of copies.
inline const std::string kCopy = "tile_gpu.async_copy %pp, %s0 : !pt, !b\n";
inline const std::string kCommit = "%t = tile_gpu.async_commit\n";
inline const std::string kWait = "tile_gpu.async_wait %t pending = 0\n";
inline const std::string kBarrier = "tile_gpu.barrier\n";
inline const std::string kFence = "tile_gpu.fence_async\n";
inline const std::string kRead = "%x = tile_gpu.local_load %s0 : !b -> !t\n";
inline const std::string kWrite = "tile_gpu.local_store %v, %s0 : !t, !b\n";

/// And of products: operands of 2 and 3, and accumulators of 1.
inline const std::string kOperands = R"(
  %two = arith.constant 2.0 : f16
  %three = arith.constant 3.0 : f16
  %va = tile.splat %two : f16 -> !ta
  %vb = tile.splat %three : f16 -> !tb
  %acc = tile.splat %one : f32 -> !acc
  %a = tile_gpu.alloc : !a16
  %bb = tile_gpu.alloc : !b16
  tile_gpu.local_store %va, %a : !ta, !a16
  tile_gpu.local_store %vb, %bb : !tb, !b16
)";
inline const std::string kMultiply =
    "%d = tile_gpu.wgmma %a, %bb, %acc : !a16, !b16 -> !acc\n";
inline const std::string kMore =
    "%e = tile_gpu.wgmma %a, %bb, %d : !a16, !b16 -> !acc\n";
inline const std::string kWaitProduct =
    "%f = tile_gpu.wgmma_wait %d pending = 0 : !acc\n";

class Async : public testing::Test {
protected:
  Async() {
    registerTesseraDialects(registry);
    context.appendDialectRegistry(registry);
    std::vector<float> contents(kTiles * kTile);
    for (size_t i = 0; i < contents.size(); ++i)
      contents[i] = i + 1;
    from = &memory.allocate("p", 4 * contents.size());
    from->initialize(
        {reinterpret_cast<uint8_t *>(contents.data()), 4 * contents.size()});
    to = &memory.allocate("q", 4 * contents.size());
  }

  /// Runs a kernel and returns what was found: "title: detail"; with more than
  /// one program also which program, element, and how often.
  std::vector<std::string> run(const std::string &body, int32_t n = 0,
                               int64_t programs = 1, unsigned numThreads = 1) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        kHeader + body + "tile.return\n}\n", mlir::ParserConfig(&context));
    EXPECT_TRUE(module);
    if (!module)
      return {"no module"};
    RunOptions options;
    options.numThreads = numThreads;
    Findings findings;
    EXPECT_TRUE(mlir::succeeded(
        runKernel(*module->getOps<tile::FuncOp>().begin(),
                  {makeScalar(ElementKind::Pointer, from->getAddress()),
                   makeScalar(ElementKind::Pointer, to->getAddress()),
                   makeScalar(ElementKind::I32, n)},
                  {programs, 1, 1}, memory, options, findings)));
    std::vector<std::string> texts;
    for (const Finding &finding : findings.takeSorted()) {
      texts.push_back(std::string(getTitle(finding.kind)) + ": " +
                      finding.detail);
      if (programs > 1)
        texts.back() += "; program " + std::to_string(finding.linearProgram) +
                        " element " + testing::PrintToString(finding.element) +
                        ", " + std::to_string(finding.count) + " times";
    }
    return texts;
  }
  /// The only finding.
  std::string find(const std::string &body) {
    std::vector<std::string> texts = run(body);
    EXPECT_EQ(texts.size(), 1u) << testing::PrintToString(texts);
    return texts.empty() ? "" : texts[0];
  }
  float at(int64_t index) {
    float element;
    std::memcpy(&element, to->data() + 4 * index, 4);
    return element;
  }

  mlir::DialectRegistry registry;
  mlir::MLIRContext context;
  GlobalMemory memory;
  Buffer *from, *to;
};

} // namespace tessera::interpreter::async

#endif // TESSERA_TEST_UNIT_INTERPRETER_ASYNCFIXTURE_H
