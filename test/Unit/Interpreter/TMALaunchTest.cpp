//===- TMALaunchTest.cpp - tensor maps from a launch plan -----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan makes maps of its arguments and of scratch memory; a transposed buffer
// has the box's rows as its columns.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"
#include "tessera/Interpreter/Launch.h"
#include "tessera/Pipelines/TileToCubin.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

namespace {

/// Copies an m x n matrix of i16 through scratch memory, in boxes of 16x8; the
/// second time by way of registers and a buffer that holds the box transposed.
constexpr const char *kSource = R"(
#plain = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
#turned = #tile_gpu.shared<[[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [0, 8]]>
!map = !tile.tensor_map<16x8xi16>
!box = !tile_gpu.buffer<16x8xi16, #plain>
!xob = !tile_gpu.buffer<8x16xi16, #turned>
!bar = !tile_gpu.mbarrier<1>
tile.func @copy_kernel(%a: !map, %b: !map) attributes {tile_gpu.num_warps = 1 : i32,
                                                       tile_gpu.synchronized} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c16 : i32
  %column = arith.muli %y, %c8 : i32
  %bar = tile_gpu.mbarrier_init arrivals = 1 : !bar
  %t = tile_gpu.alloc : !box
  tile_gpu.mbarrier_expect %bar[%c0], 256 : !bar
  tile_gpu.tma_load %a[%row, %column], %t, %bar[%c0] : !map, !box, !bar
  tile_gpu.mbarrier_wait %bar[%c0], %c0 : !bar
  tile_gpu.tma_store %t, %b[%row, %column] : !box, !map
  tile_gpu.tma_store_commit
  tile_gpu.tma_store_wait pending = 0
  tile.return
}
#l = #tile_gpu.layout<register = [[1, 0], [2, 0]], lane = [[4, 0], [0, 1], [0, 2], [0, 4], [0, 8]], warp = []>
#r = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [0], [0], [0], [0]], warp = []>
tile.func @turn_kernel(%a: !map, %b: !tile.ptr<i16>, %n: i32) attributes {
    tile_gpu.num_warps = 1 : i32, tile_gpu.synchronized} {
  %c0 = arith.constant 0 : i32
  %bar = tile_gpu.mbarrier_init arrivals = 1 : !bar
  %t = tile_gpu.alloc : !xob
  tile_gpu.mbarrier_expect %bar[%c0], 256 : !bar
  tile_gpu.tma_load %a[%c0, %c0], %t, %bar[%c0] : !map, !xob, !bar
  tile_gpu.mbarrier_wait %bar[%c0], %c0 : !bar
  %v = tile_gpu.local_load %t : !xob -> tensor<8x16xi16, #l>
  %sum = tile.reduce %v axis 1 with arith.addi : (tensor<8x16xi16, #l>) -> tensor<8xi16, #r>
  %offs = tile.arange : tensor<8xi32, #r>
  %ps = tile.splat %b : !tile.ptr<i16> -> tensor<8x!tile.ptr<i16>, #r>
  %p = tile.addptr %ps, %offs : tensor<8x!tile.ptr<i16>, #r>, tensor<8xi32, #r>
  tile.store %p, %sum : tensor<8x!tile.ptr<i16>, #r>
  tile.return
}
tile.launch @copy(%p: !tile.ptr<i16>, %q: !tile.ptr<i16>, %sums: !tile.ptr<i16>,
                  %m: i64, %n: i64, %stride: i64) {
  %one = tile.plan.constant 1
  %x = tile.plan.cdiv %m, 16 : i64
  %y = tile.plan.cdiv %n, 8 : i64
  %pitch = tile.plan.mul %y, 8 : i64
  %elements = tile.plan.mul %m, %pitch : i64, i64
  %bytes = tile.plan.mul %elements, 2 : i64
  %s = tile.plan.scratch %bytes zero : i64 -> !tile.ptr<i16>
  %a = tile.plan.tensor_map %p[%m, %n] strides[%stride, %one] : !tile.ptr<i16> -> !map
  %b = tile.plan.tensor_map %s[%m, %n] strides[%pitch, %one] : !tile.ptr<i16> -> !map
  %c = tile.plan.tensor_map %q[%m, %n] strides[%stride, %one] : !tile.ptr<i16> -> !map
  tile.plan.dispatch @copy_kernel grid(%x, %y) args(%a, %b) : !map, !map
  tile.plan.dispatch @copy_kernel grid(%x, %y) args(%b, %c) : !map, !map
  tile.plan.dispatch @turn_kernel grid(%one) args(%b, %sums, %one) : !map, !tile.ptr<i16>, i64
}
)";

struct Matrix {
  int64_t rows, columns, stride;
};

/// Runs @copy; returns the message of an error, and "" when the result is right.
std::string runCopy(Matrix size) {
  DialectRegistry registry;
  registerTesseraDialects(registry);
  MLIRContext context(registry);
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
  });
  auto module = parseSourceString<ModuleOp>(kSource, ParserConfig(&context));
  if (!module)
    return message;
  std::vector<uint16_t> contents(size.rows * size.stride);
  for (size_t i = 0; i < contents.size(); ++i)
    contents[i] = 3 * i + 1;
  ArrayRef<uint8_t> bytes(reinterpret_cast<uint8_t *>(contents.data()),
                          2 * contents.size());
  GlobalMemory memory;
  Buffer &p = memory.allocate("p", bytes.size());
  Buffer &q = memory.allocate("q", bytes.size());
  Buffer &sums = memory.allocate("sums", 16);
  p.initialize(bytes);
  EntryRequest request;
  request.entry = "copy";
  for (Buffer *buffer : {&p, &q, &sums})
    request.arguments.push_back(tessera_pointer(buffer->getAddress()));
  for (int64_t number : {size.rows, size.columns, size.stride})
    request.arguments.push_back(tessera_integer(number));
  Findings findings;
  if (failed(runEntry(*module, request, memory, RunOptions(), findings)))
    return message;
  for (const Finding &finding : findings.takeSorted())
    message += std::string(getTitle(finding.kind)) + ": " + finding.detail;
  for (int64_t row = 0; row < size.rows; ++row)
    for (int64_t column = 0; column < size.stride; ++column) {
      int64_t index = row * size.stride + column;
      bool isInside = column < size.columns;
      if (q.isInitialized(2 * index, 2) != isInside ||
          (isInside && std::memcmp(q.data() + 2 * index, &contents[index], 2)))
        message += "wrong at " + std::to_string(row) + ", " +
                   std::to_string(column) + "; ";
    }
  for (int64_t column = 0; column < 8; ++column) {
    uint16_t expected = 0, found;
    for (int64_t row = 0; row < std::min<int64_t>(16, size.rows); ++row)
      if (column < size.columns)
        expected += contents[row * size.stride + column];
    std::memcpy(&found, sums.data() + 2 * column, 2);
    if (found != expected)
      message += "wrong sum " + std::to_string(column) + "; ";
  }
  return message;
}

} // namespace

TEST(TMALaunch, CopiesByWayOfScratchMemory) {
  EXPECT_EQ(runCopy({37, 19, 24}), "");
  EXPECT_EQ(runCopy({16, 8, 8}), "");
  EXPECT_EQ(runCopy({1, 5, 8}), "");
}

TEST(TMALaunch, ThePlanRefusesTensorsWithoutAMap) {
  EXPECT_EQ(runCopy({16, 8, 9}),
            "copy: kernel \"copy_kernel\": the tensor of argument \"a\" has the "
            "stride 9 in dimension 0, which is no positive multiple of 16 bytes "
            "below 2^40");
}
