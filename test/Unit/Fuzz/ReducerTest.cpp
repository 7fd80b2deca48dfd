//===- ReducerTest.cpp - random kernels, and smaller ones -----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reducer.h"
#include "Generator.h"

#include "tessera/Pipelines/TileToCubin.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

namespace {

class Kernels : public testing::Test {
protected:
  Kernels() {
    DialectRegistry registry;
    registerTesseraDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream out(text);
    module->print(out);
    return text;
  }

  template <typename OpTy>
  static unsigned count(ModuleOp module) {
    unsigned number = 0;
    module.walk([&](OpTy) { ++number; });
    return number;
  }

  MLIRContext context;
};

} // namespace

TEST_F(Kernels, AreValidAndFollowFromTheSeed) {
  std::set<std::string> texts;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    auto module = Generator(&context, seed).generate();
    EXPECT_TRUE(succeeded(mlir::verify(*module))) << "seed " << seed;
    EXPECT_GE(count<tile::StoreOp>(*module), 1u) << "seed " << seed;
    std::string text = print(*module);
    EXPECT_EQ(text, print(*Generator(&context, seed).generate()));
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), 60u);
}

TEST_F(Kernels, HaveAllThatTheLanguageHas) {
  llvm::StringMap<unsigned> ops;
  for (uint64_t seed = 1; seed <= 100; ++seed)
    Generator(&context, seed).generate()->walk([&](Operation *op) {
      ++ops[op->getName().getStringRef()];
    });
  for (const char *name :
       {"tile.load", "tile.store", "tile.dot", "tile.reduce", "tile.trans",
        "tile.reshape", "tile.expand_dims", "tile.broadcast", "tile.convert",
        "tile.atomic_rmw", "scf.for", "scf.if", "scf.while", "arith.select",
        "arith.fptosi", "arith.shrui", "math.exp"})
    EXPECT_GT(ops.lookup(name), 0u) << name;
}

TEST_F(Kernels, ReduceToWhatFails) {
  // "Fails" while there is an atomic update in a loop.
  auto fails = [](ModuleOp module) {
    bool found = false;
    module.walk([&](tile::AtomicRMWOp op) {
      found |= bool(op->getParentOfType<scf::ForOp>());
    });
    return found;
  };
  for (uint64_t seed = 1; seed < 500; ++seed) {
    auto module = Generator(&context, seed).generate();
    if (!fails(*module))
      continue;
    auto reduced = reduceModule(*module, fails, /*maxTries=*/1000);
    EXPECT_TRUE(succeeded(mlir::verify(*reduced)));
    EXPECT_TRUE(fails(*reduced));
    EXPECT_EQ(count<tile::AtomicRMWOp>(*reduced), 1u);
    EXPECT_EQ(count<scf::ForOp>(*reduced), 1u);
    EXPECT_EQ(count<scf::IfOp>(*reduced), 0u);
    EXPECT_EQ(count<tile::DotOp>(*reduced), 0u);
    EXPECT_EQ(count<tile::StoreOp>(*reduced), 0u);
    EXPECT_EQ(count<tile::LoadOp>(*reduced), 0u);
    return;
  }
  FAIL() << "no atomic update in a loop";
}

TEST_F(Kernels, StayWhenNothingCanGo) {
  auto module = parseSourceString<ModuleOp>(R"(
    tile.func @k(%p: !tile.ptr<i32>, %n: i32) {
      tile.store %p, %n : !tile.ptr<i32>
      tile.return
    })",
                                            ParserConfig(&context));
  auto reduced = reduceModule(
      *module, [](ModuleOp m) { return count<tile::StoreOp>(m) == 1; }, 100);
  EXPECT_EQ(print(*reduced), print(*module));
}
