//===- TensorStores.cpp - tile-gpu-tensor-stores --------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile that is stored goes through shared memory anyway where threads hold
// other elements than they would store. From there, one copy by way of the
// array's tensor map does what many stores would, and needs no masks.
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Layout/MapCoordinates.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

namespace tessera {
#define GEN_PASS_DEF_TILEGPUTENSORSTORESPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

/// Why threads store the tile themselves; empty when a copy does.
static std::string checkStore(tile::DescStoreOp store, tile::MakeDescOp desc,
                              BufferType buffer) {
  if (store.getCache() || store.getEvict())
    return "it has cache hints";
  if (!buffer)
    return "boxes of the tensor map do not fill a tile";
  return checkMapAccess(desc, store.getOffsets(), buffer);
}

/// The value before it was brought to the threads that would store it.
static Value getUnconverted(Value value) {
  auto conversion = value.getDefiningOp<ConvertLayoutOp>();
  return conversion ? conversion.getSrc() : value;
}

static void rewrite(tile::DescStoreOp store, tile::MakeDescOp desc,
                    BufferType type) {
  OpBuilder builder(store);
  Location loc = store.getLoc();
  Value buffer = AllocOp::create(builder, loc, type, /*offset=*/IntegerAttr());
  LocalStoreOp::create(builder, loc, getUnconverted(store.getValue()), buffer);
  FenceAsyncOp::create(builder, loc);
  TMAStoreOp::create(builder, loc, buffer, desc.getMap(),
                     buildMapCoordinates(builder, loc, desc, desc.getOrigin(),
                                         store.getOffsets()));
  TMAStoreCommitOp::create(builder, loc);
  TMAStoreWaitOp::create(builder, loc, /*pending=*/0);
  Operation *conversion = store.getValue().getDefiningOp<ConvertLayoutOp>();
  store.erase();
  if (conversion && conversion->use_empty())
    conversion->erase();
}

namespace {
struct TensorStores : tessera::impl::TileGPUTensorStoresPassBase<TensorStores> {
  void runOnOperation() override {
    SmallVector<tile::DescStoreOp> stores;
    getOperation().walk([&](tile::DescStoreOp op) { stores.push_back(op); });
    for (tile::DescStoreOp store : stores)
      if (tile::MakeDescOp desc = getMappedDesc(store.getDesc()))
        visit(store, desc);
  }

private:
  void visit(tile::DescStoreOp store, tile::MakeDescOp desc) {
    auto options = remark::RemarkOpts::name("tensor-store")
                       .category("tile-gpu-tensor-stores")
                       .function(getOperation().getName());
    BufferType buffer =
        getMapBuffer(desc.getMap().getType(), desc.getDescType().getShape(),
                     *desc.getUnitDim());
    std::string reason = checkStore(store, desc, buffer);
    if (!reason.empty()) {
      remark::missed(store.getLoc(), options)
          << remark::reason("threads store the tile themselves: {0}", reason);
      return;
    }
    remark::passed(store.getLoc(), options)
        << remark::metric("SharedBytes", buffer.getSlotBytes());
    rewrite(store, desc, buffer);
  }
};
} // namespace
