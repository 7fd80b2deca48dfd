//===- TileGPUSelect.cpp - tile-gpu-select --------------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes what the affine-access analysis proves about each access into the IR,
// before layouts are chosen: they follow from it.
//
//===----------------------------------------------------------------------===//

#include "tessera/Analysis/AffineAccess.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tessera {
#define GEN_PASS_DEF_TILEGPUSELECTPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

using namespace tessera;

/// One remark an access: its width, and what limits it.
static void remarkAccess(tile::FuncOp function, Operation *op,
                         const AccessFacts &access) {
  bool full = access.width == access.maxWidth;
  auto opts = remark::RemarkOpts::name(isa<tile::LoadOp>(op) ? "Load" : "Store")
                  .category("tile-gpu-select")
                  .function(function.getName());
  auto remark = full ? remark::passed(op->getLoc(), opts)
                     : remark::missed(op->getLoc(), opts);
  remark << remark::metric("Width", access.width)
         << remark::metric("Axis", access.axis)
         << remark::metric("MaxWidth", access.maxWidth);
  if (!full)
    remark << remark::reason("{0}", access.reason());
}

namespace {
struct TileGPUSelect : tessera::impl::TileGPUSelectPassBase<TileGPUSelect> {
  void runOnOperation() override {
    tile::FuncOp function = getOperation();
    AffineAccess analysis(function);
    for (Operation *op : getTensorAccesses(function)) {
      AccessFacts access = analysis.getAccessFacts(op);
      op->setAttr(tile_gpu::TileGPUDialect::kAccess,
                  tile_gpu::AccessAttr::get(&getContext(),
                                            tile_gpu::AccessPath::Direct,
                                            access.width, access.axis));
      remarkAccess(function, op, access);
    }
  }
};
} // namespace
