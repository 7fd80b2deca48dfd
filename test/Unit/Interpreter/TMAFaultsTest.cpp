//===- TMAFaultsTest.cpp - what is wrong with tensor copies --------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One kernel for each fault.
//
//===----------------------------------------------------------------------===//

#include "TMAFixture.h"

using namespace tessera::interpreter;

TEST_F(TMA, AReadBeforeTheWait) {
  std::string title = "read of an asynchronous copy before its wait";
  std::string found = find(kExpect + kLoad + kRead + kWait);
  EXPECT_EQ(found.substr(0, title.size()), title);
  EXPECT_NE(found.find("accessed by 'tile_gpu.tma_load'"), std::string::npos);
  // The wait for the other parity passes at once, in threads that come before
  // phase 0 ends: others hang.
  std::string wrong = "tile_gpu.mbarrier_wait %full[%c0], %c1 : !full\n";
  std::vector<std::string> texts =
      run(kExpect + kLoad + wrong + kRead + kBarrier + kWait);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts[0], found);
  EXPECT_EQ(texts[1], "no barrier between two accesses to shared memory: phase 0 "
                      "may end before all threads have waited for the one before");
  // Nor does a wait for another slot help.
  std::string other = "tile_gpu.mbarrier_arrive %full[%c1] : !full\n"
                      "tile_gpu.mbarrier_wait %full[%c1], %c0 : !full\n";
  EXPECT_EQ(find(kExpect + kLoad + other + kRead + kWait), found);
}

TEST_F(TMA, WaitsThatNeverEnd) {
  EXPECT_EQ(find(kWait), "wait that never ends: phase 0 lacks 1 of 1 arrivals");
  EXPECT_EQ(find(kLoad + kWait),
            "wait that never ends: phase 0 lacks 1 of 1 arrivals");
  EXPECT_EQ(find(kExpect + kWait),
            "wait that never ends: phase 0 expects 1024 bytes, copies bring 0");
  EXPECT_EQ(find(kExpect + kLoad +
                 "tile_gpu.tma_load %a[%c0, %c0], %s1, %full[%c0] : !map, !box, "
                 "!full\n" +
                 kWait),
            "wait that never ends: phase 0 expects 1024 bytes, copies bring "
            "2048");
  // Phase 1 has not begun to wait for anything.
  EXPECT_EQ(find(kExpect + kLoad + kWait +
                 "tile_gpu.mbarrier_wait %full[%c0], %c1 : !full\n"),
            "wait that never ends: phase 1 lacks 1 of 1 arrivals");
  EXPECT_EQ(find("tile_gpu.mbarrier_wait %full[%c0], %c2 : !full\n"),
            "wait that never ends: parity 2 is neither 0 nor 1");
}

TEST_F(TMA, RearmedInFlight) {
  EXPECT_EQ(find(kExpect + kLoad + kExpect +
                 "tile_gpu.tma_load %a[%c0, %c0], %s1, %full[%c0] : !map, !box, "
                 "!full\n" +
                 kWait),
            "arrival at an mbarrier that still waits for copies: phase 0 waits "
            "for 1024 bytes");
}

TEST_F(TMA, PhasesThatThreadsMiss) {
  std::string again = "tile_gpu.mbarrier_expect %full[%c0], 1024 : !full\n"
                      "tile_gpu.tma_load %a[%c0, %c0], %s1, %full[%c0] : !map, "
                      "!box, !full\n"
                      "tile_gpu.mbarrier_wait %full[%c0], %c1 : !full\n";
  EXPECT_EQ(find(kExpect + kLoad + kWait + again),
            "no barrier between two accesses to shared memory: phase 1 may end "
            "before all threads have waited for the one before");
  EXPECT_EQ(run(kExpect + kLoad + kWait + kBarrier + again),
            std::vector<std::string>());
}

TEST_F(TMA, WritesToABufferInUse) {
  std::string title = "write to shared memory in use by an asynchronous";
  EXPECT_EQ(find(kExpect + kLoad + kWrite + kWait).substr(0, title.size()),
            title);
  // A second load of a slot under way.
  EXPECT_EQ(find(kExpect + kLoad +
                 "tile_gpu.mbarrier_expect %full[%c1], 1024 : !full\n"
                 "tile_gpu.tma_load %a[%c0, %c0], %s0, %full[%c1] : !map, !box, "
                 "!full\n" +
                 kWait + "tile_gpu.mbarrier_wait %full[%c1], %c0 : !full\n")
                .substr(0, title.size()),
            title);
  // A store still reads.
  std::string load = kExpect + kLoad + kWait, store = kStore + kCommit;
  EXPECT_EQ(find(load + store + kBarrier + kWrite + kWaitStore)
                .substr(0, title.size()),
            title);
  // Thread 0 has waited, the others have not.
  EXPECT_EQ(find(load + store + kWaitStore + kWrite).substr(0, 10),
            "no barrier");
  EXPECT_EQ(run(load + store + kWaitStore + kBarrier + kWrite),
            std::vector<std::string>());
  // Another thread still reads what the next load replaces.
  EXPECT_EQ(find(load + kRead +
                 "tile_gpu.mbarrier_expect %full[%c1], 1024 : !full\n"
                 "tile_gpu.tma_load %a[%c0, %c0], %s0, %full[%c1] : !map, !box, "
                 "!full\n"
                 "tile_gpu.mbarrier_wait %full[%c1], %c0 : !full\n")
                .substr(0, 10),
            "no barrier");
}

TEST_F(TMA, CopiesThatNothingWaitsFor) {
  std::string title = "asynchronous operation that nothing waits for: ";
  EXPECT_EQ(find(kExpect + kLoad), title);
  EXPECT_EQ(find(kExpect + kLoad + kWait + kStore), title);
  EXPECT_EQ(find(kExpect + kLoad + kWait + kStore + kCommit), title);
  EXPECT_EQ(find(kExpect + kLoad + kWait + kStore + kCommit +
                 "tile_gpu.tma_store_wait pending = 1\n"),
            title);
}

TEST_F(TMA, EndsOfCopiesUnderWay) {
  std::string end = "tile_gpu.tma_load_end %full : !full\n";
  std::string title = "asynchronous operation that nothing waits for: ";
  EXPECT_EQ(find(kExpect + kLoad + end + kWait), title + "copies to slot 0");
  // Before their copies are issued, too.
  EXPECT_EQ(find(kExpect + end + kLoad + kWait), title + "copies to slot 0");
  // Slot 1 has a copy that slot 0's wait does not end.
  std::string other = "tile_gpu.mbarrier_expect %full[%c1], 1024 : !full\n"
                      "tile_gpu.tma_load %a[%c0, %c0], %s1, %full[%c1] : !map, "
                      "!box, !full\n",
              wait = "tile_gpu.mbarrier_wait %full[%c1], %c0 : !full\n";
  EXPECT_EQ(find(kExpect + kLoad + other + kWait + end + wait),
            title + "copies to slot 1");
  EXPECT_EQ(run(kExpect + kLoad + other + kWait + wait + end + end),
            std::vector<std::string>());
  EXPECT_EQ(run(end + kExpect + kLoad + kWait), std::vector<std::string>());
  // Other mbarriers' copies are none of its business.
  EXPECT_EQ(run("%none = tile_gpu.mbarrier_init arrivals = 1 : !full\n" +
                kExpect + kLoad + "tile_gpu.tma_load_end %none : !full\n" +
                kWait),
            std::vector<std::string>());
}

TEST_F(TMA, SlotsAndEmptyTensors) {
  EXPECT_EQ(find("tile_gpu.mbarrier_arrive %full[%c2] : !full\n"),
            "slot outside its buffer: slot 2 of 2");
  EXPECT_EQ(run(kExpect + kLoad + kWait, /*rows=*/0),
            std::vector<std::string>{
                "out of bounds: a tensor with an extent of 0 in dimension 0 has "
                "no map"});
}

TEST_F(TMA, MBarriersThatABufferOverwrites) {
  std::string body = R"(
    %other = tile_gpu.mbarrier_init arrivals = 1 offset = 65536 : !full
    %over = tile_gpu.alloc offset = 65536 : !box
    tile_gpu.local_store %v, %over : !t, !box
    tile_gpu.barrier
    tile_gpu.mbarrier_arrive %other[%c1] : !full
  )";
  EXPECT_EQ(find(body).substr(0, 36), "read of a buffer that another one ha");
}
