//===- AttachTarget.cpp - name the architecture that is compiled for -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/TargetInfo.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;

namespace tessera {
#define GEN_PASS_DEF_TILEGPUATTACHTARGETPASS
#include "tessera/Transforms/Passes.h.inc"
} // namespace tessera

namespace {
struct AttachTarget : tessera::impl::TileGPUAttachTargetPassBase<AttachTarget> {
  using TileGPUAttachTargetPassBase::TileGPUAttachTargetPassBase;

  void runOnOperation() override {
    if (!TargetInfo::get(target.getValue())) {
      getOperation().emitError()
          << "unknown target '" << target.getValue() << "'; known are "
          << llvm::join(TargetInfo::names(), ", ");
      return signalPassFailure();
    }
    getOperation()->setAttr(tile_gpu::TileGPUDialect::kTarget,
                            StringAttr::get(&getContext(), target.getValue()));
  }
};
} // namespace
