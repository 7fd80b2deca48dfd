//===- RaiseSoundnessTest.cpp - what raised accesses touch ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random loops of masked loads through pointers, run on arguments of which many
// are near the largest and the smallest integer. tile-raise-accesses turns some
// into loads of descriptors; each of them has to touch what it touched before,
// element by element and iteration by iteration.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include "tessera/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace mlir;
using namespace tessera;
using namespace tessera::test;

namespace {

/// Writes the text of one kernel. Tensors are 4x8; coordinates of rows and
/// columns are the sum of a scalar, which may be the loop's counter or carried
/// by it, and an arange.
class RandomKernel {
public:
  explicit RandomKernel(unsigned seed) : random(seed) {}

  std::string make();
  /// %p, %m, %n, %x, %y (a multiple of 8), %z (not negative), %s, %t, %u.
  SmallVector<int64_t> getArguments();

private:
  unsigned pick(unsigned count) { return random() % count; }
  const char *pickOf(ArrayRef<const char *> names) {
    return names[pick(names.size())];
  }
  std::string name() { return "%v" + std::to_string(counter++); }
  std::string emit(const std::string &op) {
    std::string result = name();
    text += "  " + result + " = " + op + "\n";
    return result;
  }
  std::string splat(const std::string &scalar, const std::string &type) {
    return emit("tile.splat " + scalar + " : i32 -> " + type);
  }
  std::string makeCoordinate(bool rows);
  std::string makeMask(bool rows, const std::string &coordinate);
  std::string broadcast(const std::string &value, bool rows, const char *type) {
    return emit("tile.broadcast " + value + " : " + line(rows, type) + " -> " +
                "tensor<4x8x" + type + ">");
  }
  static std::string line(bool rows, const std::string &type) {
    return (rows ? "tensor<4x1x" : "tensor<1x8x") + type + ">";
  }
  void makeLoad();

  std::mt19937 random;
  std::string text, sum = "%sum";
  unsigned counter = 0;
};

} // namespace

static constexpr const char *kScalars[] = {"%x", "%y", "%y", "%z", "%i", "%i",
                                           "%c0"};

/// start + arange, or what the loop carries, along one dimension.
std::string RandomKernel::makeCoordinate(bool rows) {
  if (pick(4) == 0)
    return rows ? "%cr" : "%cc";
  std::string type = line(rows, "i32");
  std::string sum = emit("arith.addi " + splat(pickOf(kScalars), type) + ", " +
                         (rows ? "%r" : "%c") + " : " + type);
  return pick(6) ? sum
                 : emit("arith.addi " + sum + ", " +
                        splat(pickOf(kScalars), type) + " : " + type);
}

/// Mostly `coordinate < bound`, sometimes with a lower bound as well, or with
/// any other predicate.
std::string RandomKernel::makeMask(bool rows, const std::string &coordinate) {
  std::string type = line(rows, "i32");
  auto compare = [&](const char *predicate, const std::string &bound) {
    return emit(std::string("arith.cmpi ") + predicate + ", " + coordinate +
                ", " + splat(bound, type) + " : " + type);
  };
  if (pick(8) == 0)
    return compare(pickOf({"eq", "ne", "sle", "sgt", "sge", "ult", "uge"}),
                   pickOf({"%m", "%n"}));
  std::string mask = compare("slt", pickOf({"%m", "%n", "%z"}));
  if (pick(3) != 0)
    return mask;
  std::string lower = compare("sge", pickOf({"%c0", "%c0", "%x"}));
  return emit("arith.andi " + mask + ", " + lower + " : " + line(rows, "i1"));
}

void RandomKernel::makeLoad() {
  std::string offsets, masks;
  for (bool rows : {true, false}) {
    std::string coordinate = makeCoordinate(rows);
    // Usually the mask is about the pointers' own coordinates.
    std::string masked = pick(6) ? coordinate : makeCoordinate(rows);
    std::string mask = broadcast(makeMask(rows, masked), rows, "i1");
    std::string type = line(rows, "i32");
    std::string scaled =
        emit("arith.muli " + coordinate + ", " +
             splat(pickOf({"%s", "%t", "%c8"}), type) + " : " + type);
    std::string wide = broadcast(scaled, rows, "i32");
    offsets = offsets.empty() ? wide
                              : emit("arith.addi " + offsets + ", " + wide +
                                     " : tensor<4x8xi32>");
    masks = masks.empty() ? mask
                          : emit("arith.andi " + masks + ", " + mask +
                                 " : tensor<4x8xi1>");
  }
  std::string base = pick(3) ? "%ps" : "%q";
  std::string pointers =
      emit("tile.addptr " + base + ", " + offsets +
           " : tensor<4x8x!tile.ptr<i32>>, tensor<4x8xi32>");
  std::string loaded = emit("tile.load " + pointers + ", " + masks +
                            ", %zeros : tensor<4x8x!tile.ptr<i32>>");
  // A use, or the load is dead.
  sum = emit("arith.addi " + sum + ", " + loaded + " : tensor<4x8xi32>");
}

std::string RandomKernel::make() {
  for (int i = 0; i < 3; ++i)
    makeLoad();
  const char *step = pickOf({"8", "8", "4", "3"});
  return std::string(R"(tile.func @f(%p: !tile.ptr<i32>, %m: i32, %n: i32, %x: i32,
    %y: i32 {tile.divisible_by = 8 : i32}, %k: i32, %s: i32, %t: i32, %u: i64) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %end = arith.constant 40 : i32
  %step = arith.constant )") +
         step + R"( : i32
  %z = arith.maxsi %k, %c0 : i32
  %zeros = arith.constant dense<0> : tensor<4x8xi32>
  %rs = tile.arange : tensor<4xi32>
  %cs = tile.arange : tensor<8xi32>
  %r = tile.expand_dims %rs, 1 : tensor<4xi32> -> tensor<4x1xi32>
  %c = tile.expand_dims %cs, 0 : tensor<8xi32> -> tensor<1x8xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<4x8x!tile.ptr<i32>>
  %us = tile.splat %u : i64 -> tensor<4x8xi64>
  %steps_r = tile.splat %y : i32 -> tensor<4x1xi32>
  %steps_c = tile.splat %step : i32 -> tensor<1x8xi32>
  %l:4 = scf.for %i = %c0 to %end step %step
      iter_args(%q = %ps, %cr = %r, %cc = %c, %sum = %zeros)
      -> (tensor<4x8x!tile.ptr<i32>>, tensor<4x1xi32>, tensor<1x8xi32>, tensor<4x8xi32>) : i32 {
)" + text + R"(
    %q2 = tile.addptr %q, %us : tensor<4x8x!tile.ptr<i32>>, tensor<4x8xi64>
    %cr2 = arith.addi %cr, %steps_r : tensor<4x1xi32>
    %cc2 = arith.addi %cc, %steps_c : tensor<1x8xi32>
    scf.yield %q2, %cr2, %cc2, )" + sum + R"( : tensor<4x8x!tile.ptr<i32>>, tensor<4x1xi32>,
      tensor<1x8xi32>, tensor<4x8xi32>
  }
  tile.return
})";
}

SmallVector<int64_t> RandomKernel::getArguments() {
  const int64_t centers[] = {0, 0, 0, INT32_MIN, INT32_MAX, int64_t(1) << 30};
  auto near = [&](int64_t divisor) {
    int64_t value = centers[pick(6)] + int64_t(pick(96)) - 48;
    return std::clamp<int64_t>(value, INT32_MIN, INT32_MAX) / divisor * divisor;
  };
  return {int64_t(random()), near(1),  near(1), near(1), near(8),
          near(1),           near(1),  near(1), near(1) << pick(32)};
}

namespace {
/// What the loads of one run touch, in the order in which they run.
std::vector<Touched> getTrace(tile::FuncOp function,
                              ArrayRef<int64_t> arguments) {
  std::vector<Touched> trace;
  observe(function, arguments, [&](Value value, const Environment &values) {
    Operation *op = value.getDefiningOp();
    if (op && isa<tile::LoadOp, tile::DescLoadOp>(op))
      trace.push_back(getTouched(op, values));
  });
  return trace;
}

LogicalResult runPass(ModuleOp module, std::unique_ptr<Pass> pass) {
  PassManager manager(module.getContext());
  manager.addNestedPass<tile::FuncOp>(std::move(pass));
  return manager.run(module);
}
} // namespace

TEST(Soundness, RaisedAccessesTouchTheSameMemory) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect, arith::ArithDialect, scf::SCFDialect>();
  int64_t raised = 0, kept = 0, partial = 0;
  for (unsigned seed = 0; seed < 300 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    RandomKernel random(seed);
    std::string text = random.make();
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    ASSERT_TRUE(succeeded(runPass(*module, createTileWidenOffsetsPass())));
    OwningOpRef<ModuleOp> after = module->clone();
    ASSERT_TRUE(succeeded(runPass(*after, createTileRaiseAccessesPass())));
    after->walk([&](tile::DescLoadOp) { ++raised; });
    after->walk([&](tile::LoadOp) { ++kept; });
    for (int run = 0; run < 4; ++run) {
      SmallVector<int64_t> arguments = random.getArguments();
      std::vector<Touched> old =
          getTrace(*module->getOps<tile::FuncOp>().begin(), arguments);
      ASSERT_EQ(old, getTrace(*after->getOps<tile::FuncOp>().begin(), arguments))
          << text;
      for (const Touched &touched : old)
        partial += llvm::is_contained(touched, std::nullopt) &&
                   !llvm::all_of(touched, [](auto t) { return !t; });
    }
  }
  // Loads of all kinds took part, and masks that let some elements through.
  EXPECT_GT(raised, 250);
  EXPECT_GT(kept, 250);
  EXPECT_GT(partial, 500);
}
