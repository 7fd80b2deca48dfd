//===- AsyncTest.cpp - copies and products that are right -----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What they compute, and that nothing is found; then that nothing depends on
// the number of threads.
//
//===----------------------------------------------------------------------===//

#include "AsyncFixture.h"

using namespace tessera;
using namespace tessera::interpreter;
using namespace tessera::interpreter::async;

namespace {

/// Five tiles through three slots, two of them ahead. `copy` copies the tile at
/// element %at into %slot; the tiles are stored to %q.
std::string makeRing(const std::string &copy) {
  auto start = [&](const std::string &at, const std::string &slot,
                   const std::string &token) {
    return "{\n%at = arith.muli " + at +
           ", %c128 : i32\n%slot = tile_gpu.slot %ring[" + slot +
           "] : !ring\n" + copy + token + "\n}\n";
  };
  // Regions that run once keep the names apart.
  auto once = [&](const std::string &at, const std::string &slot) {
    return "scf.if %true -> !tile_gpu.token " +
           start(at, slot,
                 "%token = tile_gpu.async_commit\n"
                 "scf.yield %token : !tile_gpu.token") +
           "else {\n%token = tile_gpu.async_commit\n"
           "scf.yield %token : !tile_gpu.token\n}\n";
  };
  return "%true = arith.constant true\n%t0 = " + once("%c0", "%c0") +
         "%t1 = " + once("%c1", "%c1") + R"(
    %last:2 = scf.for %i = %c0 to %c5 step %c1
        iter_args(%first = %t0, %second = %t1) -> (!tile_gpu.token, !tile_gpu.token) : i32 {
      tile_gpu.async_wait %first pending = 1
      tile_gpu.barrier
      %place = arith.remsi %i, %c3 : i32
      %s = tile_gpu.slot %ring[%place] : !ring
      %y = tile_gpu.local_load %s : !b -> !t
      %begin = arith.muli %i, %c128 : i32
      %begins = tile.splat %begin : i32 -> tensor<128xi32, #l>
      %offs = arith.addi %begins, %r : tensor<128xi32, #l>
      %pq = tile.addptr %qs, %offs : !pt, tensor<128xi32, #l>
      tile.store %pq, %y : !pt
      %ahead = arith.addi %i, %c2 : i32
      %next = arith.remsi %ahead, %c3 : i32
      %new = )" +
         once("%ahead", "%next") + R"(
      scf.yield %second, %new : !tile_gpu.token, !tile_gpu.token
    }
    tile_gpu.async_wait pending = 0
  )";
}

const std::string kMaskedCopy = R"(
  %ats = tile.splat %at : i32 -> tensor<128xi32, #l>
  %here = arith.addi %ats, %r : tensor<128xi32, #l>
  %mask = arith.cmpi slt, %here, %ns : tensor<128xi32, #l>
  %from = tile.addptr %ps, %here : !pt, tensor<128xi32, #l>
  tile_gpu.async_copy %from, %slot, %mask : !pt, !b, tensor<128xi1, #l>
)";

const std::string kDescCopy = R"(
  %desc = tile.make_desc %p, [%n], [%c1] : !tile.ptr<f32>, [i32], [i32] -> !tile.desc<128xf32>
  tile_gpu.desc_copy %desc[%at], %slot layout #l : !tile.desc<128xf32>, [i32], !b
)";

} // namespace

TEST_F(Async, ARingOfCopies) {
  // The last tile is not full; what is behind it is not touched.
  constexpr int32_t kCount = 5 * 128 - 28;
  for (const std::string &copy : {kMaskedCopy, kDescCopy}) {
    EXPECT_EQ(run(makeRing(copy), kCount), std::vector<std::string>());
    for (int64_t i = 0; i < kTiles * kTile; ++i)
      ASSERT_EQ(at(i), i < kCount ? i + 1 : 0) << i;
    to->fill(0, to->size(), 0xFF);
  }
}

TEST_F(Async, ARingWithOneSlotTooFew) {
  // Three tiles ahead need a fourth slot: the one that is filled is being read.
  std::string body = makeRing(kMaskedCopy);
  size_t place = body.find("arith.addi %i, %c2");
  ASSERT_NE(place, std::string::npos);
  std::vector<std::string> texts =
      run(body.replace(place, 18, "arith.addi %i, %c3"), 5 * 128);
  ASSERT_FALSE(texts.empty());
  std::string title = "no barrier between two accesses to shared memory";
  EXPECT_EQ(texts.back().substr(0, title.size()), title);
}

TEST_F(Async, Products) {
  // 1 + 16 * 2 * 3 = 97, and once more the products.
  std::string body = kOperands + kFence + kBarrier + kMultiply + kMore + R"(
    %g = tile_gpu.wgmma_wait %e pending = 0 : !acc
    %sum = tile.reduce %g axis 1 with arith.addf : (!acc) -> tensor<64xf32, #sum>
    %ri = tile.arange : tensor<64xi32, #sum>
    %qq = tile.splat %q : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #sum>
    %pq = tile.addptr %qq, %ri : tensor<64x!tile.ptr<f32>, #sum>, tensor<64xi32, #sum>
    tile.store %pq, %sum : tensor<64x!tile.ptr<f32>, #sum>
  )";
  const std::string layout =
      "#tile_gpu.layout<register = [[0], [8], [0]], "
      "lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]]>";
  for (size_t at; (at = body.find("#sum")) != std::string::npos;)
    body.replace(at, 4, layout);
  EXPECT_EQ(run(body), std::vector<std::string>());
  for (int64_t i = 0; i < 64; ++i)
    ASSERT_EQ(at(i), 16 * (1 + 2 * 16 * 2 * 3)) << i;
}

TEST_F(Async, AccumulatorsPassThroughALoop) {
  std::string body = kOperands + kFence + kBarrier + R"(
    %z = scf.for %i = %c0 to %c5 step %c1 iter_args(%x0 = %acc) -> (!acc) : i32 {
      %x1 = tile_gpu.wgmma %a, %bb, %x0 : !a16, !b16 -> !acc
      %x2 = tile_gpu.wgmma_wait %x1 pending = 1 : !acc
      scf.yield %x2 : !acc
    }
  )";
  std::string use = "%y = arith.addf %w, %w : !acc\n";
  EXPECT_EQ(
      run(body + "%w = tile_gpu.wgmma_wait %z pending = 0 : !acc\n" + use),
      std::vector<std::string>());
  std::vector<std::string> texts =
      run(body + "%w = tile_gpu.wgmma_wait %z pending = 1 : !acc\n" + use);
  EXPECT_EQ(texts,
            (std::vector<std::string>{
                "asynchronous operation that nothing waits for: ",
                "use of accumulators before the wait for their product: "}));
}

TEST_F(Async, FindingsDoNotDependOnThreads) {
  // Programs from 3 on read too early; from 5 on they take a slot that does not
  // exist; all store their number to one place.
  std::string body = R"(
    %id = tile.program_id x
    %late = arith.cmpi sge, %id, %c3 : i32
    tile_gpu.async_copy %pp, %s0 : !pt, !b
    %t = tile_gpu.async_commit
    scf.if %late {
      %x = tile_gpu.local_load %s0 : !b -> !t
      scf.yield
    }
    tile_gpu.async_wait %t pending = 0
    %number = arith.sitofp %id : i32 to f32
    tile.store %q, %number : !tile.ptr<f32>
    %slot = arith.subi %id, %c2 : i32
    %outside = arith.maxsi %slot, %c0 : i32
    %s = tile_gpu.slot %ring[%outside] : !ring
  )";
  // The copy is on the body's fourth line.
  int64_t line = llvm::StringRef(kHeader).count('\n') + 4;
  // 29 programs read 128 elements, 27 leave the ring.
  std::vector<std::string> expected = {
      "read of an asynchronous copy before its wait: byte 0, accessed by "
      "'tile_gpu.async_copy' of line " +
          std::to_string(line) + "; program 3 element { 0 }, 3712 times",
      "two programs store different values to one address: ",
      "slot outside its buffer: slot 3 of 3; program 5 element {}, 27 times"};
  std::vector<std::string> first = run(body, 0, /*programs=*/32, 1);
  ASSERT_EQ(first.size(), 3u) << testing::PrintToString(first);
  EXPECT_EQ(first[0], expected[0]);
  EXPECT_EQ(first[1].substr(0, expected[1].size()), expected[1]);
  EXPECT_EQ(first[2], expected[2]);
  EXPECT_EQ(at(0), 31.0f);
  for (int repetition = 0; repetition < 10; ++repetition) {
    EXPECT_EQ(run(body, 0, /*programs=*/32, /*numThreads=*/4), first);
    EXPECT_EQ(at(0), 31.0f);
  }
}
