//===- ProductMutations.cpp - faults of products under way ----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Their waits, and where along k they stop.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::mutation;
using namespace tessera::tile_gpu;

static bool isInLoop(Operation *op) {
  return op->getParentOfType<scf::ForOp>() != nullptr;
}

/// The wait of the loop, or the one after it.
template <bool inLoop>
static bool dropProductWait(ModuleOp module) {
  auto wait = findIf<WgmmaWaitOp>(
      module, [](WgmmaWaitOp wait) { return isInLoop(wait) == inLoop; });
  if (!wait)
    return false;
  wait.getResult().replaceAllUsesWith(wait.getAcc());
  wait.erase();
  return true;
}

template <bool inLoop>
static bool waitForFewerProducts(ModuleOp module) {
  auto wait = findIf<WgmmaWaitOp>(
      module, [](WgmmaWaitOp wait) { return isInLoop(wait) == inLoop; });
  if (wait)
    wait.setPending(wait.getPending() + 1);
  return bool(wait);
}

/// The product stops earlier than its operands end.
template <int32_t elements>
static bool shortenDepth(ModuleOp module) {
  auto product =
      findIf<WgmmaOp>(module, [](WgmmaOp op) { return bool(op.getDepth()); });
  if (!product)
    return false;
  OpBuilder builder(product);
  Location loc = product.getLoc();
  Value fewer = arith::ConstantOp::create(builder, loc,
                                          builder.getI32IntegerAttr(elements));
  product.getDepthMutable().assign(
      arith::SubIOp::create(builder, loc, product.getDepth(), fewer)
          .getResult());
  return true;
}

std::vector<Mutation> mutation::getProductMutations() {
  const char *flight = "pipelined", *both = "pipelined_both",
             *squared = "squared";
  Level level = Level::TileGPU;
  return {
      {"no wait for the product", both, level, dropProductWait<true>},
      {"no wait for the last product", flight, level, dropProductWait<false>},
      {"wait for one product less", flight, level, waitForFewerProducts<true>},
      {"last wait for one product less", flight, level,
       waitForFewerProducts<false>},
      {"product one step too short", flight, level, shortenDepth<16>},
      {"product one element too short", "matmul", level, shortenDepth<1>},
      {"no wait for a product of registers", squared, level,
       dropProductWait<true>},
      {"registers of a product under way", squared, level,
       waitForFewerProducts<true>},
  };
}
