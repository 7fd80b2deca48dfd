//===- SharedMemoryTest.cpp - faults of accesses to shared memory ---------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each fault alone, with the byte and the operation that it names, and what
// takes it away.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/SharedMemory.h"

#include "gtest/gtest.h"

using namespace tessera::interpreter;

namespace {

/// Operations are only handed through.
mlir::Operation *const kFirst = reinterpret_cast<mlir::Operation *>(16);
mlir::Operation *const kSecond = reinterpret_cast<mlir::Operation *>(32);

class Shared : public testing::Test {
protected:
  SharedOutcome write(int64_t offset, int64_t count, uint32_t owner,
                      mlir::Operation *by = kFirst) {
    return memory.write(offset, std::vector<uint8_t>(count, 7), owner, by);
  }
  SharedOutcome read(int64_t offset, int64_t count, uint32_t owner,
                     mlir::Operation *by = kSecond) {
    contents.assign(count, 0);
    return memory.read(offset, contents, owner, by);
  }
  SharedOutcome begin(int64_t offset, int64_t count, bool writes,
                      uint32_t owner, mlir::Operation *by = kSecond) {
    return memory.beginAsync(offset, count, writes, owner, by);
  }
  void endWrite(int64_t offset, int64_t count, uint32_t owner, bool visible) {
    memory.endAsyncWrite(offset, std::vector<uint8_t>(count, 9), owner, visible,
                         kSecond);
  }

  SharedMemory memory;
  std::vector<uint8_t> contents;
  uint32_t a = memory.makeOwner(), b = memory.makeOwner();
};

void expectNone(const SharedOutcome &outcome) {
  EXPECT_EQ(outcome.fault, SharedFault::None);
}

void expectFault(const SharedOutcome &outcome, SharedFault fault,
                 int64_t offset, mlir::Operation *other) {
  EXPECT_EQ(outcome.fault, fault);
  EXPECT_EQ(outcome.offset, offset);
  EXPECT_EQ(outcome.other, other);
}

} // namespace

TEST_F(Shared, BuffersBeginApart) {
  EXPECT_NE(a, b);
  EXPECT_EQ(memory.reserve(100), 0);
  EXPECT_EQ(memory.reserve(1), 1024);
  EXPECT_EQ(memory.reserve(1024), 2048);
  EXPECT_EQ(memory.reserve(4), 3072);
}

TEST_F(Shared, ReadsWhatWasWritten) {
  expectNone(write(8, 4, a));
  expectNone(read(8, 4, a));
  EXPECT_EQ(contents, (std::vector<uint8_t>{7, 7, 7, 7}));
}

TEST_F(Shared, Uninitialized) {
  expectFault(read(0, 4, a), SharedFault::Uninitialized, 0, nullptr);
  expectNone(write(0, 2, a));
  expectFault(read(0, 4, a), SharedFault::Uninitialized, 2, nullptr);
  memory.fenceAsync();
  expectFault(begin(0, 4, /*writes=*/false, a), SharedFault::Uninitialized, 2,
              nullptr);
}

TEST_F(Shared, Overwritten) {
  expectNone(write(0, 4, a));
  expectNone(write(3, 4, b, kSecond));
  expectNone(read(0, 3, a));
  expectFault(read(0, 4, a), SharedFault::Overwritten, 3, kSecond);
  memory.fenceAsync();
  expectFault(begin(0, 4, /*writes=*/false, a), SharedFault::Overwritten, 3,
              kSecond);
  expectNone(read(3, 4, b));
}

TEST_F(Shared, MissingBarrier) {
  memory.setChecksBarriers(true);
  expectNone(write(0, 4, a));
  // Read after write, write after write.
  expectFault(read(2, 4, a), SharedFault::MissingBarrier, 2, kFirst);
  memory.barrier();
  expectNone(write(0, 4, a));
  expectFault(write(3, 4, a), SharedFault::MissingBarrier, 3, kFirst);
  memory.barrier();
  // Write after read; a read after a read is none.
  expectNone(read(0, 4, a));
  expectNone(read(0, 4, a));
  expectFault(write(1, 1, a), SharedFault::MissingBarrier, 1, kSecond);
  memory.barrier();
  expectNone(read(0, 4, a));
  // An asynchronous write counts as one.
  expectFault(begin(0, 4, /*writes=*/true, a), SharedFault::MissingBarrier, 0,
              kSecond);
}

TEST_F(Shared, BarriersAreNotDemandedBeforeTheyAreInserted) {
  EXPECT_EQ(memory.getEpoch(), 0u);
  expectNone(write(0, 4, a));
  expectNone(read(0, 4, a));
  expectNone(write(0, 4, a));
  memory.setChecksBarriers(true);
  uint32_t epoch = memory.getEpoch();
  EXPECT_NE(epoch, 0u);
  memory.barrier();
  EXPECT_EQ(memory.getEpoch(), epoch + 1);
}

TEST_F(Shared, MissingFence) {
  expectNone(write(0, 4, a));
  expectFault(memory.checkFences(0, 4), SharedFault::MissingFence, 0, kFirst);
  expectFault(begin(0, 4, /*writes=*/false, a), SharedFault::MissingFence, 0,
              kFirst);
  memory.endAsyncRead(0, 4);
  memory.fenceAsync();
  expectNone(memory.checkFences(0, 4));
  expectNone(begin(0, 4, /*writes=*/false, a));
  memory.endAsyncRead(0, 4);
  // The fence has to follow the last write.
  expectNone(write(2, 1, a));
  expectFault(begin(0, 4, /*writes=*/false, a), SharedFault::MissingFence, 2,
              kFirst);
}

TEST_F(Shared, FencesAreFollowedByABarrier) {
  memory.setChecksBarriers(true);
  expectNone(write(0, 4, a));
  memory.fenceAsync();
  expectFault(begin(0, 4, /*writes=*/false, a), SharedFault::MissingBarrier, 0,
              kFirst);
  memory.endAsyncRead(0, 4);
  memory.barrier();
  expectNone(begin(0, 4, /*writes=*/false, a));
  memory.endAsyncRead(0, 4);
  memory.barrier();
  // The other way round late threads may not have fenced yet.
  expectNone(write(0, 4, a));
  memory.barrier();
  memory.fenceAsync();
  expectFault(begin(0, 4, /*writes=*/false, a), SharedFault::MissingFence, 0,
              kFirst);
}

TEST_F(Shared, ReadBeforeWait) {
  expectNone(begin(0, 8, /*writes=*/true, a));
  expectFault(read(4, 8, a), SharedFault::ReadBeforeWait, 4, kSecond);
  expectFault(begin(4, 4, /*writes=*/false, a), SharedFault::ReadBeforeWait, 4,
              kSecond);
  memory.endAsyncRead(4, 4);
  endWrite(0, 8, a, /*visible=*/true);
  expectNone(read(0, 8, a));
  EXPECT_EQ(contents, std::vector<uint8_t>(8, 9));
}

TEST_F(Shared, WriteInFlight) {
  expectNone(begin(0, 8, /*writes=*/true, a, kFirst));
  expectFault(write(7, 4, a), SharedFault::WriteInFlight, 7, kFirst);
  expectFault(begin(0, 4, /*writes=*/true, a), SharedFault::WriteInFlight, 0,
              kFirst);
  endWrite(0, 8, a, /*visible=*/true);
  expectNone(write(0, 8, a));
  memory.fenceAsync();
  // Two reads are under way: both have to end.
  expectNone(begin(0, 4, /*writes=*/false, a, kFirst));
  expectNone(begin(0, 4, /*writes=*/false, a, kSecond));
  expectFault(write(3, 4, a), SharedFault::WriteInFlight, 3, kSecond);
  memory.endAsyncRead(0, 4);
  expectFault(write(0, 1, a), SharedFault::WriteInFlight, 0, kSecond);
  memory.endAsyncRead(0, 4);
  expectNone(write(0, 4, a));
}

TEST_F(Shared, OwnCopiesNeedABarrierAndAFence) {
  memory.setChecksBarriers(true);
  expectNone(begin(0, 4, /*writes=*/true, a));
  endWrite(0, 4, a, /*visible=*/false);
  expectFault(read(0, 4, a), SharedFault::MissingBarrier, 0, kSecond);
  memory.barrier();
  expectNone(read(0, 4, a));
  expectFault(begin(0, 4, /*writes=*/false, a), SharedFault::MissingFence, 0,
              kSecond);
  memory.endAsyncRead(0, 4);
  memory.barrier();
  // What an mbarrier brought needs neither.
  expectNone(begin(0, 4, /*writes=*/true, a));
  endWrite(0, 4, a, /*visible=*/true);
  expectNone(read(0, 4, a));
  expectNone(begin(0, 4, /*writes=*/false, a));
}

TEST_F(Shared, TheEndOfAnAsynchronousReadIsARead) {
  memory.setChecksBarriers(true);
  expectNone(begin(0, 4, /*writes=*/true, a));
  endWrite(0, 4, a, /*visible=*/true);
  expectNone(begin(0, 4, /*writes=*/false, a));
  memory.barrier();
  memory.endAsyncRead(0, 4);
  // Other threads have not waited.
  EXPECT_EQ(write(0, 4, a).fault, SharedFault::MissingBarrier);
  memory.barrier();
  expectNone(write(0, 4, a));
}

TEST_F(Shared, PeekChecksNothing) {
  expectNone(begin(0, 4, /*writes=*/true, a));
  contents.assign(4, 1);
  memory.peek(0, contents);
  EXPECT_EQ(contents, std::vector<uint8_t>(4, 0));
}
