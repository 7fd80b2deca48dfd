//===- RaceTest.cpp - programs that meet in memory ------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is found and what is computed is that of programs in order, however
// threads take turns: each launch is repeated many times.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interpreter/Interpreter.h"

#include "tessera/Pipelines/TileToCubin.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace mlir;
using namespace tessera;
using namespace tessera::interpreter;

namespace {

constexpr int64_t kElements = 256;
constexpr unsigned kThreads = 4;
constexpr int kRepetitions = 200;

/// What one launch did.
struct Result {
  std::vector<std::string> findings;
  std::vector<int32_t> memory;
  /// Runs of all programs that it took.
  int runs = 0;

  bool operator==(const Result &other) const {
    return findings == other.findings && memory == other.memory;
  }
};

class Races : public testing::Test {
protected:
  Races() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

  /// Programs of `body` on a buffer of 0, 1, 2, ...; `%id` is a program's
  /// number and `%tile` the pointers to its own eight elements.
  Result run(const std::string &body, int64_t programs, unsigned threads);
  /// Whether many runs on several threads do what one does in order. `runs` are
  /// the most that any launch took.
  bool isRepeatable(const std::string &body, int64_t programs, int &runs) {
    Result first = run(body, programs, 1);
    for (int i = 0; i < kRepetitions; ++i) {
      Result result = run(body, programs, kThreads);
      runs = std::max(runs, result.runs);
      if (!(result == first))
        return false;
    }
    return true;
  }

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerTesseraDialects(registry);
    return registry;
  }
  MLIRContext context;
};

} // namespace

Result Races::run(const std::string &body, int64_t programs, unsigned threads) {
  auto module = parseSourceString<ModuleOp>(R"(
    tile.func @f(%p: !tile.ptr<i32>) {
      %id = tile.program_id x
      %c1 = arith.constant 1 : i32
      %c8 = arith.constant 8 : i32
      %r = tile.arange : tensor<8xi32>
      %ps = tile.splat %p : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
      %first = arith.muli %id, %c8 : i32
      %fs = tile.splat %first : i32 -> tensor<8xi32>
      %o = arith.addi %fs, %r : tensor<8xi32>
      %tile = tile.addptr %ps, %o : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
      %ids = tile.splat %id : i32 -> tensor<8xi32>
    )" + body + "\ntile.return\n}", &context);
  EXPECT_TRUE(module);
  GlobalMemory memory;
  Buffer &buffer = memory.allocate("p", 4 * kElements);
  std::vector<int32_t> numbers(kElements);
  std::iota(numbers.begin(), numbers.end(), 0);
  buffer.initialize({reinterpret_cast<const uint8_t *>(numbers.data()),
                     4 * numbers.size()});
  auto pointer = std::make_shared<Tensor>(ElementKind::Pointer,
                                          llvm::ArrayRef<int64_t>());
  writeInteger(ElementKind::Pointer, pointer->at(0), buffer.getAddress());
  Result result;
  RunOptions options;
  options.numThreads = threads;
  int64_t before = -1;
  options.progress = [&](int64_t done, int64_t) {
    result.runs += done < before || before < 0;
    before = done;
  };
  Findings findings;
  EXPECT_TRUE(succeeded(runKernel(*module->getOps<tile::FuncOp>().begin(),
                                  {pointer}, {programs, 1, 1}, memory, options,
                                  findings)));
  for (const Finding &finding : findings.takeSorted())
    result.findings.push_back(
        std::string(getTitle(finding.kind)) + " in program " +
        std::to_string(finding.linearProgram) + ", " +
        std::to_string(finding.count) + " times: " + finding.detail);
  std::memcpy(numbers.data(), buffer.data(), 4 * numbers.size());
  result.memory = numbers;
  return result;
}

TEST_F(Races, StoresOfDifferentValues) {
  // Each program stores its number to the same eight elements.
  const char *body = R"(
    %all = tile.addptr %ps, %r : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
    tile.store %all, %ids : tensor<8x!tile.ptr<i32>>)";
  Result first = run(body, 16, 1);
  ASSERT_EQ(first.findings.size(), 1u);
  EXPECT_TRUE(llvm::StringRef(first.findings[0])
                  .starts_with("two programs store different values to one "
                               "address in program 1, 120 times: "))
      << first.findings[0];
  EXPECT_EQ(first.memory[0], 15);
  int runs = 0;
  EXPECT_TRUE(isRepeatable(body, 16, runs));
}

TEST_F(Races, LoadsOfWhatAnEarlierProgramStores) {
  // Program i loads the tile of program i - 1, behind its own store.
  const char *body = R"(
    tile.store %tile, %ids : tensor<8x!tile.ptr<i32>>
    %zero = arith.constant 0 : i32
    %has = arith.cmpi sgt, %id, %zero : i32
    scf.if %has {
      %minus = arith.constant dense<-8> : tensor<8xi32>
      %other = tile.addptr %tile, %minus : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
      %x = tile.load %other : tensor<8x!tile.ptr<i32>>
    })";
  Result first = run(body, 16, 1);
  ASSERT_EQ(first.findings.size(), 1u);
  EXPECT_TRUE(llvm::StringRef(first.findings[0])
                  .starts_with("read of what another program stored in program "
                               "1, 120 times: "))
      << first.findings[0];
  int runs = 0;
  EXPECT_TRUE(isRepeatable(body, 16, runs));
}

TEST_F(Races, LoadsOfWhatALaterProgramStores) {
  // In order nothing is found, and each program gets what was there before.
  const char *body = R"(
    %eights = tile.splat %c8 : i32 -> tensor<8xi32>
    %other = tile.addptr %tile, %eights : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
    %x = tile.load %other : tensor<8x!tile.ptr<i32>>
    %y = arith.addi %x, %ids : tensor<8xi32>
    tile.store %tile, %y : tensor<8x!tile.ptr<i32>>)";
  Result first = run(body, 16, 1);
  EXPECT_TRUE(first.findings.empty());
  for (int32_t i = 0; i < kElements; ++i)
    ASSERT_EQ(first.memory[i], i < 128 ? i + 8 + i / 8 : i);
  int runs = 0;
  EXPECT_TRUE(isRepeatable(body, 16, runs));
  EXPECT_EQ(runs, 2);
}

TEST_F(Races, UpdatesInPlaceTakeOneRun) {
  const char *body = R"(
    %x = tile.load %tile : tensor<8x!tile.ptr<i32>>
    %y = arith.addi %x, %ids : tensor<8xi32>
    tile.store %tile, %y : tensor<8x!tile.ptr<i32>>)";
  Result first = run(body, 16, 1);
  EXPECT_TRUE(first.findings.empty());
  for (int32_t i = 0; i < kElements; ++i)
    ASSERT_EQ(first.memory[i], i < 128 ? i + i / 8 : i);
  int runs = 0;
  EXPECT_TRUE(isRepeatable(body, 16, runs));
  EXPECT_EQ(runs, 1);
}

TEST_F(Races, SharedInputsTakeOneRun) {
  // All programs read the second half, each stores eight elements of the first.
  const char *body = R"(
    %half = arith.constant dense<128> : tensor<8xi32>
    %input = tile.addptr %ps, %half : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
    %x = tile.load %input : tensor<8x!tile.ptr<i32>>
    tile.store %tile, %x : tensor<8x!tile.ptr<i32>>)";
  Result first = run(body, 16, 1);
  EXPECT_TRUE(first.findings.empty());
  EXPECT_EQ(first.memory[9], 128);
  int runs = 0;
  EXPECT_TRUE(isRepeatable(body, 16, runs));
  EXPECT_EQ(runs, 1);
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

TEST(BufferMarks, BytesAreClaimedByEachWriter) {
  GlobalMemory memory;
  Buffer &buffer = memory.allocate("b", 64);
  buffer.beginLaunch(/*isConcurrent=*/true);
  EXPECT_EQ(buffer.setWriter(0, 8, 1), 8);
  EXPECT_EQ(buffer.setWriter(0, 8, 1), 0);
  EXPECT_EQ(buffer.setWriter(8, 8, 2), 8);
  EXPECT_EQ(buffer.countStored(), 16);
  // Four bytes of program 1 once more: 20 claims of 16 bytes.
  EXPECT_EQ(buffer.setWriter(4, 4, 3), 4);
  EXPECT_EQ(buffer.countStored(), 16);
  buffer.beginLaunch(/*isConcurrent=*/true);
  EXPECT_EQ(buffer.countStored(), 0);
}

TEST(BufferMarks, ReadersAndWritersOfAGroup) {
  struct {
    std::vector<std::pair<int64_t, uint32_t>> readers;
    bool isReadByOthers;
  } cases[] = {{{{0, 1}, {20, 2}}, false}, // Each its own.
               {{{16, 1}}, true},          // Program 2's group.
               {{{0, 1}, {0, 2}}, true},   // The writer, and another one.
               {{{0, 2}, {0, 1}}, true},
               {{{32, 1}, {32, 2}, {32, 3}}, false}}; // Nobody stores there.
  for (auto &[readers, isReadByOthers] : cases) {
    GlobalMemory memory;
    Buffer &buffer = memory.allocate("b", 64);
    buffer.beginLaunch(/*isConcurrent=*/true);
    buffer.setWriter(0, 16, 1);
    buffer.setWriter(16, 16, 2);
    for (auto [offset, reader] : readers)
      buffer.addReader(offset, 4, reader);
    EXPECT_EQ(buffer.isReadByOthers(), isReadByOthers);
  }
}
