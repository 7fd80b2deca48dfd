//===- AsyncFaultsTest.cpp - copies and products that are wrong -----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One mistake at a time, and the same body without it.
//
//===----------------------------------------------------------------------===//

#include "AsyncFixture.h"

using namespace tessera;
using namespace tessera::interpreter;
using namespace tessera::interpreter::async;

namespace {

const std::vector<std::string> kNothing;

bool startsWith(const std::string &text, const std::string &title) {
  return text.substr(0, title.size()) == title;
}

} // namespace

TEST_F(Async, AReadBeforeTheWait) {
  std::string title = "read of an asynchronous copy before its wait: byte 0, "
                      "accessed by 'tile_gpu.async_copy'";
  EXPECT_EQ(run(kCopy + kCommit + kWait + kBarrier + kRead), kNothing);
  EXPECT_PRED2(startsWith, find(kCopy + kCommit + kRead + kWait), title);
  // Not even committed; then a group too few is waited for.
  EXPECT_PRED2(startsWith, find(kCopy + kRead + kCommit + kWait), title);
  EXPECT_PRED2(startsWith,
               find(kCopy + kCommit + "tile_gpu.async_wait pending = 1\n" +
                    kBarrier + kRead + kWait),
               title);
}

TEST_F(Async, ReadsAheadOfWhatMayNeverCome) {
  std::string ahead = "%y = tile_gpu.local_load %s0 ahead : !b -> !t\n";
  // Of a slot that nothing has filled; used, it is any value.
  EXPECT_EQ(run(ahead), kNothing);
  EXPECT_PRED2(startsWith, find(kRead),
               "read of shared memory that was never written: byte 0");
  // What does come has to be there.
  EXPECT_PRED2(startsWith, find(kCopy + kCommit + ahead + kWait),
               "read of an asynchronous copy before its wait: byte 0");
  EXPECT_PRED2(startsWith, find(kCopy + kCommit + kWait + ahead),
               "no barrier between two accesses to shared memory: byte 0");
}

TEST_F(Async, AWaitThatLeavesItsTokenUnderWay) {
  std::string empty = "%u = tile_gpu.async_commit\n";
  EXPECT_EQ(find(kCopy + kCommit + "tile_gpu.async_wait %t pending = 1\n" +
                 "tile_gpu.async_wait pending = 0\n"),
            "read of an asynchronous copy before its wait: the wait leaves the "
            "group of its token under way");
  // A group made later may stay under way.
  EXPECT_EQ(run(kCopy + kCommit + empty +
                "tile_gpu.async_wait %t pending = 1\n" + kBarrier + kRead),
            kNothing);
  EXPECT_EQ(
      find(kCopy + kCommit + empty + "tile_gpu.async_wait %u pending = 1\n"),
      "read of an asynchronous copy before its wait: the wait leaves the "
      "group of its token under way");
}

TEST_F(Async, AReadWithoutABarrierAfterTheWait) {
  EXPECT_PRED2(startsWith, find(kCopy + kCommit + kWait + kRead),
               "no barrier between two accesses to shared memory: byte 0");
}

TEST_F(Async, WritesToACopysDestination) {
  std::string title = "write to shared memory in use by an asynchronous "
                      "operation: byte 0, accessed by 'tile_gpu.async_copy'";
  EXPECT_PRED2(startsWith, find(kCopy + kCommit + kWrite + kWait), title);
  EXPECT_PRED2(startsWith, find(kCopy + kCopy + kCommit + kWait), title);
  // Other slots are free.
  EXPECT_EQ(
      run(kCopy + kCommit + "tile_gpu.local_store %v, %s1 : !t, !b\n" + kWait),
      kNothing);
  EXPECT_EQ(run(kCopy + kCommit + kWait + kBarrier + kWrite), kNothing);
  // The copy comes while others may still read.
  EXPECT_PRED2(startsWith,
               find(kWrite + kBarrier + kRead + kCopy + kCommit + kWait),
               "no barrier between two accesses to shared memory: byte 0, "
               "accessed by 'tile_gpu.local_load'");
}

TEST_F(Async, WritesToAProductsOperands) {
  std::string ready = kOperands + kFence + kBarrier + kMultiply;
  std::string write = "tile_gpu.local_store %vb, %bb : !tb, !b16\n";
  EXPECT_PRED2(startsWith, find(ready + kBarrier + write + kWaitProduct),
               "write to shared memory in use by an asynchronous operation: "
               "byte ");
  EXPECT_PRED2(startsWith, find(ready + kBarrier + kWaitProduct + write),
               "no barrier between two accesses to shared memory: byte ");
  EXPECT_EQ(run(ready + kWaitProduct + kBarrier + write), kNothing);
  // Reads are no harm.
  EXPECT_EQ(
      run(ready + "%y = tile_gpu.local_load %a : !a16 -> !ta\n" + kWaitProduct),
      kNothing);
}

TEST_F(Async, WhatNothingWaitsFor) {
  std::string title = "asynchronous operation that nothing waits for: ";
  EXPECT_EQ(find(kCopy), title);
  EXPECT_EQ(find(kCopy + kCommit), title);
  EXPECT_EQ(find(kCopy + kCommit + "tile_gpu.async_wait pending = 1\n"), title);
  EXPECT_EQ(find(kCommit + kCopy + kWait), title);
  EXPECT_EQ(run(kCopy + kCommit + kWait), kNothing);
  EXPECT_EQ(find(kOperands + kFence + kBarrier + kMultiply), title);
  EXPECT_EQ(find(kOperands + kFence + kBarrier + kMultiply +
                 "%f = tile_gpu.wgmma_wait %d pending = 1 : !acc\n"),
            title);
}

TEST_F(Async, AccumulatorsBeforeTheirWait) {
  std::string title = "use of accumulators before the wait for their product: ";
  std::string ready = kOperands + kFence + kBarrier + kMultiply;
  EXPECT_EQ(find(ready + "%y = arith.addf %d, %d : !acc\n" + kWaitProduct),
            title);
  EXPECT_EQ(run(ready + kWaitProduct + "%y = arith.addf %f, %f : !acc\n"),
            kNothing);
  // What the wait leaves under way is not there, what it does not leave is.
  std::string second =
      "%h = tile_gpu.wgmma %a, %bb, %acc : !a16, !b16 -> !acc\n";
  std::string wait = "%i = tile_gpu.wgmma_wait %h pending = 1 : !acc\n"
                     "%f = tile_gpu.wgmma_wait %d pending = 1 : !acc\n";
  std::string end = "%j = tile_gpu.wgmma_wait %h pending = 0 : !acc\n";
  EXPECT_EQ(
      find(ready + second + wait + "%y = arith.addf %i, %i : !acc\n" + end),
      title);
  EXPECT_EQ(
      run(ready + second + wait + "%y = arith.addf %f, %f : !acc\n" + end),
      kNothing);
}

TEST_F(Async, RegistersOfAProductUnderWay) {
  std::string title =
      "iteration that ends before the wait for a product of its registers: ";
  auto loop = [](const std::string &body) {
    return kOperands + kFence + kBarrier +
           "%sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc2 = %acc) -> "
           "(!acc) : i32 {\n" +
           body + "scf.yield %f : !acc\n}\n";
  };
  std::string product =
      "%d = tile_gpu.wgmma %va, %bb, %acc2 : !ta, !b16 -> !acc\n";
  std::string leave = "%f = tile_gpu.wgmma_wait %d pending = 1 : !acc\n";
  std::string last = "%g = tile_gpu.wgmma_wait %sum pending = 0 : !acc\n";
  EXPECT_EQ(run(loop(product + kWaitProduct)), kNothing);
  EXPECT_EQ(find(loop(product + leave) + last), title);
  // Shared memory may be read until the next iteration; so may registers from
  // before the loop, by a product from before it.
  EXPECT_EQ(
      run(loop("%d = tile_gpu.wgmma %a, %bb, %acc2 : !a16, !b16 -> !acc\n" +
               leave) +
          last),
      kNothing);
  EXPECT_EQ(run(kOperands + kFence + kBarrier +
                "%d = tile_gpu.wgmma %va, %bb, %acc : !ta, !b16 -> !acc\n"
                "scf.for %i = %c0 to %c3 step %c1 : i32 {\n}\n" +
                kWaitProduct),
            kNothing);
  // A wait in the iteration for another product is not enough.
  EXPECT_EQ(
      find(loop(product +
                "%h = tile_gpu.wgmma %va, %bb, %acc : !ta, !b16 -> !acc\n" +
                leave) +
           last),
      title);
}

TEST_F(Async, ProductsOfRegisters) {
  // 1 + 16 * 2 * 3
  EXPECT_EQ(run(kOperands + kFence + kBarrier +
                "%d = tile_gpu.wgmma %va, %bb, %acc : !ta, !b16 -> !acc\n" +
                kWaitProduct + R"(
    %wanted = arith.constant dense<97.0> : !acc
    %same = arith.cmpf oeq, %f, %wanted : !acc
    tile.assert %same, "the product" : tensor<64x16xi1, #acc>
  )"),
            kNothing);
}

TEST_F(Async, ProductsOfWhatIsNotFenced) {
  std::string title =
      "no fence between a write and an asynchronous access: byte ";
  std::string rest = kMultiply + kWaitProduct;
  auto findFirst = [&](const std::string &body) {
    std::vector<std::string> texts = run(body);
    return texts.empty() ? "" : texts[0];
  };
  EXPECT_EQ(run(kOperands + kFence + kBarrier + rest), kNothing);
  EXPECT_PRED2(startsWith, findFirst(kOperands + kBarrier + rest), title);
  EXPECT_PRED2(startsWith, findFirst(kOperands + kBarrier + kFence + rest),
               title);
  EXPECT_PRED2(startsWith, findFirst(kOperands + kFence + rest), "no barrier");
}

TEST_F(Async, ProductsOfWhatIsNotThere) {
  std::string alloc =
      "%a = tile_gpu.alloc : !a16\n%bb = tile_gpu.alloc : !b16\n"
      "%acc = tile.splat %one : f32 -> !acc\n";
  EXPECT_PRED2(startsWith, find(alloc + kMultiply + kWaitProduct),
               "read of shared memory that was never written: byte ");
}

TEST_F(Async, SlotsOutOfRange) {
  EXPECT_EQ(find("%s = tile_gpu.slot %ring[%c3] : !ring\n"),
            "slot outside its buffer: slot 3 of 3");
  EXPECT_EQ(find("%m = arith.subi %c0, %c1 : i32\n"
                 "%s = tile_gpu.slot %ring[%m] : !ring\n"),
            "slot outside its buffer: slot -1 of 3");
  EXPECT_EQ(run("%s = tile_gpu.slot %ring[%c2] : !ring\n"), kNothing);
}

TEST_F(Async, CopiesOfWhatIsNotThere) {
  EXPECT_PRED2(startsWith,
               find("%o = tile.splat %c128 : i32 -> tensor<128xi32, #l>\n"
                    "%far = tile.addptr %qs, %o : !pt, tensor<128xi32, #l>\n"
                    "tile_gpu.async_copy %far, %s0 : !pt, !b\n" +
                    kCommit + kWait),
               "read of memory that was never written");
}
