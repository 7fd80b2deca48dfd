//===- InputTest.cpp - inputs that nobody has described -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Verify/Execution.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <numeric>
#include <set>

using namespace mlir;
using namespace tessera;
using namespace tessera::verify;
using namespace tessera::interpreter;

namespace {

/// A parsed module and inputs for its first entry.
class Sources : public testing::Test {
protected:
  Sources() { registerTesseraDialects(registry); }

  Synthesis synthesize(const char *text, unsigned count, uint64_t seed = 1) {
    module = nullptr; // Before its context ends.
    context = std::make_unique<MLIRContext>(registry);
    module = parseSourceString<ModuleOp>(text, ParserConfig(context.get()));
    EXPECT_TRUE(bool(module));
    SynthesisOptions options;
    options.numInputs = count;
    options.seed = seed;
    return synthesizeInputs(*module, collectEntries(*module).front(), options);
  }

  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
};

/// A loop over blocks of 32 with 3 stages, and a size around 64.
const char *kLoop = R"(
  tile.func @k(%p: !tile.ptr<f32> {tile.divisible_by = 16 : i32},
               %y: !tile.ptr<f32>, %k: i32, %n: i32 {tile.divisible_by = 4 : i32},
               %one: i32 {tile.equals = 1 : i32}) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 32 : i32
    %init = arith.constant dense<0.0> : tensor<64xf32>
    %r = tile.arange : tensor<64xi32>
    %s = tile.splat %one : i32 -> tensor<64xi32>
    %o = arith.muli %r, %s : tensor<64xi32>
    %ns = tile.splat %n : i32 -> tensor<64xi32>
    %mask = arith.cmpi slt, %r, %ns : tensor<64xi32>
    %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %q = tile.addptr %ps, %o : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %init)
        -> (tensor<64xf32>) : i32 {
      %v = tile.load %q, %mask, %init : tensor<64x!tile.ptr<f32>>
      %next = arith.addf %acc, %v : tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    } {tile.num_stages = 3 : i32}
    %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %z = tile.addptr %ys, %o : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.store %z, %sum, %mask : tensor<64x!tile.ptr<f32>>
    tile.return
  })";

} // namespace

TEST_F(Sources, LoopsRunEveryNumberOfIterations) {
  Synthesis found = synthesize(kLoop, 6);
  ASSERT_EQ(found.inputs.size(), 6u) << found.problem;
  std::set<int64_t> trips;
  for (const Input &input : found.inputs)
    trips.insert((input.arguments[2].integer + 31) / 32);
  // None, one, one less than the stages, as many, one more, twice and one.
  EXPECT_EQ(trips, (std::set<int64_t>{0, 1, 2, 3, 4, 7}));
}

TEST_F(Sources, FactsHold) {
  Synthesis found = synthesize(kLoop, 9);
  ASSERT_EQ(found.inputs.size(), 9u) << found.problem;
  std::set<bool> fits;
  for (const Input &input : found.inputs) {
    EXPECT_EQ(input.arguments[3].integer % 4, 0);
    EXPECT_EQ(input.arguments[4].integer, 1);
    EXPECT_EQ(input.buffers[0].misalignment, 0);
    fits.insert(input.arguments[3].integer >= 64);
  }
  EXPECT_EQ(fits.size(), 2u); // Full blocks and others.
}

/// C = A B of one tile each, A and B with strides.
const char *kProduct = R"(
  tile.func @k(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>,
               %sam: i32, %sak: i32, %sbk: i32, %sbn: i32) {
    %init = arith.constant dense<0.0> : tensor<16x16xf32>
    %size = arith.constant dense<16> : tensor<16x16xi32>
    %r = tile.arange : tensor<16xi32>
    %i1 = tile.expand_dims %r, 1 : tensor<16xi32> -> tensor<16x1xi32>
    %j1 = tile.expand_dims %r, 0 : tensor<16xi32> -> tensor<1x16xi32>
    %i = tile.broadcast %i1 : tensor<16x1xi32> -> tensor<16x16xi32>
    %j = tile.broadcast %j1 : tensor<1x16xi32> -> tensor<16x16xi32>
    %sams = tile.splat %sam : i32 -> tensor<16x16xi32>
    %saks = tile.splat %sak : i32 -> tensor<16x16xi32>
    %sbks = tile.splat %sbk : i32 -> tensor<16x16xi32>
    %sbns = tile.splat %sbn : i32 -> tensor<16x16xi32>
    %ra = arith.muli %i, %sams : tensor<16x16xi32>
    %ca = arith.muli %j, %saks : tensor<16x16xi32>
    %rb = arith.muli %i, %sbks : tensor<16x16xi32>
    %cb = arith.muli %j, %sbns : tensor<16x16xi32>
    %rc = arith.muli %i, %size : tensor<16x16xi32>
    %oa = arith.addi %ra, %ca : tensor<16x16xi32>
    %ob = arith.addi %rb, %cb : tensor<16x16xi32>
    %oc = arith.addi %rc, %j : tensor<16x16xi32>
    %as = tile.splat %a : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
    %bs = tile.splat %b : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
    %cs = tile.splat %c : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
    %pa = tile.addptr %as, %oa : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
    %pb = tile.addptr %bs, %ob : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
    %pc = tile.addptr %cs, %oc : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
    %at = tile.load %pa : tensor<16x16x!tile.ptr<f16>>
    %bt = tile.load %pb : tensor<16x16x!tile.ptr<f16>>
    %ct = tile.dot %at, %bt, %init : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
    tile.store %pc, %ct : tensor<16x16x!tile.ptr<f32>>
    tile.return
  })";

TEST_F(Sources, OperandsOfProductsAreStoredByColumnsToo) {
  Synthesis found = synthesize(kProduct, 1);
  ASSERT_EQ(found.inputs.size(), 3u) << found.problem;
  // The strides that are 1, of sam, sak, sbk and sbn.
  std::vector<std::vector<unsigned>> units;
  for (const Input &input : found.inputs) {
    units.emplace_back();
    for (unsigned i = 3; i < 7; ++i)
      if (input.arguments[i].integer == 1)
        units.back().push_back(i - 3);
  }
  EXPECT_EQ(units, (std::vector<std::vector<unsigned>>{{1, 3}, {1, 2}, {0, 3}}));
}

TEST_F(Sources, TheSameSeedGivesTheSameInputs) {
  Synthesis first = synthesize(kLoop, 3);
  Synthesis second = synthesize(kLoop, 3);
  Synthesis third = synthesize(kLoop, 3, /*seed=*/2);
  bool differs = false;
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(first.inputs[i].describe(), second.inputs[i].describe());
    EXPECT_EQ(first.inputs[i].buffers[0].bytes,
              second.inputs[i].buffers[0].bytes);
    differs |=
        first.inputs[i].buffers[0].bytes != third.inputs[i].buffers[0].bytes;
  }
  EXPECT_TRUE(differs);
}

TEST_F(Sources, BuffersAreWhatTheProgramTouches) {
  // y[i] = x[i - 8] for 16 elements: x begins 8 elements in front of its
  // pointer; only x counts as written before, and all of y is overwritten.
  Synthesis found = synthesize(R"(
    tile.func @k(%x: !tile.ptr<i32>, %y: !tile.ptr<i16>) {
      %r = tile.arange : tensor<16xi32>
      %eight = arith.constant dense<8> : tensor<16xi32>
      %o = arith.subi %r, %eight : tensor<16xi32>
      %xs = tile.splat %x : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>>
      %ys = tile.splat %y : !tile.ptr<i16> -> tensor<16x!tile.ptr<i16>>
      %p = tile.addptr %xs, %o : tensor<16x!tile.ptr<i32>>, tensor<16xi32>
      %q = tile.addptr %ys, %r : tensor<16x!tile.ptr<i16>>, tensor<16xi32>
      %v = tile.load %p : tensor<16x!tile.ptr<i32>>
      %w = arith.trunci %v : tensor<16xi32> to tensor<16xi16>
      tile.store %q, %w : tensor<16x!tile.ptr<i16>>
      tile.return
    })",
                               1);
  ASSERT_EQ(found.inputs.size(), 1u) << found.problem;
  const Input &input = found.inputs[0];
  EXPECT_EQ(input.buffers[0].before, 32);
  EXPECT_EQ(input.buffers[0].bytes.size(), 64u);
  EXPECT_EQ(input.buffers[1].before, 0);
  EXPECT_EQ(input.buffers[1].bytes.size(), 32u);
  auto count = [](const std::vector<uint8_t> &flags) {
    return std::accumulate(flags.begin(), flags.end(), 0);
  };
  EXPECT_EQ(count(input.buffers[0].initialized), 64);
  EXPECT_EQ(count(input.buffers[1].initialized), 0);

  Outcome outcome = execute(*module, input);
  ASSERT_TRUE(outcome.ran);
  EXPECT_TRUE(outcome.findings.empty());
  for (unsigned i = 0; i < 16; ++i)
    EXPECT_EQ(std::memcmp(&outcome.buffers[1][2 * i],
                          &input.buffers[0].bytes[4 * i], 2),
              0);
}

TEST_F(Sources, AStrideThatIsOneIsInnermost) {
  Synthesis found = synthesize(R"(
    tile.func @k(%p: !tile.ptr<f32>, %n: i32, %rows: i32 {tile.equals = 1 : i32},
                 %columns: i32) {
      %zero = arith.constant 0.0 : f32
      %r = tile.arange : tensor<8xi32>
      %row = tile.expand_dims %r, 1 : tensor<8xi32> -> tensor<8x1xi32>
      %column = tile.expand_dims %r, 0 : tensor<8xi32> -> tensor<1x8xi32>
      %s = tile.splat %rows : i32 -> tensor<8x1xi32>
      %t = tile.splat %columns : i32 -> tensor<1x8xi32>
      %x = arith.muli %row, %s : tensor<8x1xi32>
      %y = arith.muli %column, %t : tensor<1x8xi32>
      %u = tile.broadcast %x : tensor<8x1xi32> -> tensor<8x8xi32>
      %v = tile.broadcast %y : tensor<1x8xi32> -> tensor<8x8xi32>
      %o = arith.addi %u, %v : tensor<8x8xi32>
      %ns = tile.splat %n : i32 -> tensor<8x1xi32>
      %c = arith.cmpi slt, %row, %ns : tensor<8x1xi32>
      %m = tile.broadcast %c : tensor<8x1xi1> -> tensor<8x8xi1>
      %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x8x!tile.ptr<f32>>
      %q = tile.addptr %ps, %o : tensor<8x8x!tile.ptr<f32>>, tensor<8x8xi32>
      %z = tile.splat %zero : f32 -> tensor<8x8xf32>
      tile.store %q, %z, %m : tensor<8x8x!tile.ptr<f32>>
      tile.return
    })", 6);
  ASSERT_EQ(found.inputs.size(), 6u) << found.problem;
  EXPECT_FALSE(found.haveFindings);
  // Columns, of up to 8 elements, do not overlap.
  for (const Input &input : found.inputs)
    EXPECT_GE(input.arguments[3].integer,
              std::min<int64_t>(8, input.arguments[1].integer));
}

TEST_F(Sources, AStepMayBeAnArgument) {
  std::string text = kLoop;
  text.replace(text.find("%k: i32"), 7, "%k: i32, %by: i32");
  text.replace(text.find("step %step"), 10, "step %by");
  Synthesis found = synthesize(text.c_str(), 12);
  ASSERT_EQ(found.inputs.size(), 12u) << found.problem;
  std::set<int64_t> trips;
  for (const Input &input : found.inputs) {
    int64_t step = input.arguments[3].integer;
    ASSERT_GE(step, 1);
    trips.insert((input.arguments[2].integer + step - 1) / step);
  }
  EXPECT_EQ(trips, (std::set<int64_t>{0, 1, 2, 3, 4, 7}));
}

TEST_F(Sources, AddressesComeFromMemory) {
  Synthesis found = synthesize(R"(
    tile.func @k(%i: !tile.ptr<i32>, %x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
      %r = tile.arange : tensor<8xi32>
      %is = tile.splat %i : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
      %at = tile.addptr %is, %r : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
      %o = tile.load %at : tensor<8x!tile.ptr<i32>>
      %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
      %p = tile.addptr %xs, %o : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
      %v = tile.load %p : tensor<8x!tile.ptr<f32>>
      %ys = tile.splat %y : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
      %q = tile.addptr %ys, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
      tile.store %q, %v : tensor<8x!tile.ptr<f32>>
      tile.return
    })", 3);
  ASSERT_EQ(found.inputs.size(), 3u) << found.problem;
  EXPECT_FALSE(found.haveFindings);
  // Indices from -8 to 8 or from 0 to 3, of elements of 4 bytes.
  for (const Input &input : found.inputs) {
    EXPECT_GE(input.buffers[1].bytes.size(), 4u);
    EXPECT_LE(input.buffers[1].bytes.size(), 17u * 4);
  }
}

TEST_F(Sources, FaultsOfTheSourceAreSaid) {
  // Every program stores its number to one address.
  Synthesis found = synthesize(R"(
    tile.func @k(%y: !tile.ptr<i32>) {
      %p = tile.program_id x
      tile.store %y, %p : !tile.ptr<i32>
      tile.return
    }
    tile.launch @l(%y: !tile.ptr<i32>) {
      %g = tile.plan.constant 3
      tile.plan.dispatch @k grid(%g) args(%y) : !tile.ptr<i32>
    })",
                               1);
  EXPECT_EQ(found.inputs.size(), 1u);
  EXPECT_TRUE(found.haveFindings);
}
