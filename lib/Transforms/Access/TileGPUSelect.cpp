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

#include "SelectInstruction.h"

#include "tessera/Analysis/AffineAccess.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

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
  auto opts = remark::RemarkOpts::name(isLoad(op) ? "load" : "store")
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

/// Converts operands of 8 bits to f16, which is exact.
static void widenOperands(tile::DotOp dot) {
  OpBuilder builder(dot);
  for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()}) {
    auto type = cast<RankedTensorType>(operand->get().getType());
    operand->set(tile::ConvertOp::create(
        builder, dot.getLoc(),
        type.clone(builder.getF16Type()), operand->get()));
  }
}

/// Sets the instruction of a dot, with a remark.
static void selectDot(tile::FuncOp function, tile::DotOp dot,
                      const TargetInfo &target, int32_t numWarps) {
  InstructionChoice choice = selectInstruction(dot, target, numWarps);
  dot->setAttr(tile_gpu::TileGPUDialect::kInstruction, choice.instruction);
  if (choice.widens)
    widenOperands(dot);
  auto opts = remark::RemarkOpts::name("dot")
                  .category("tile-gpu-select")
                  .function(function.getName());
  tile_gpu::InstructionAttr instruction = choice.instruction;
  std::string name =
      llvm::formatv("{0} m{1}n{2}k{3}",
                    tile_gpu::stringifyDotKind(instruction.getKind()),
                    instruction.getM(), instruction.getN(), instruction.getK());
  if (choice.widens)
    name += " of operands converted to f16";
  if (choice.reason.empty()) {
    remark::passed(dot.getLoc(), opts) << remark::metric("Instruction", name);
    return;
  }
  auto missed = remark::missed(dot.getLoc(), opts);
  missed << remark::metric("Instruction", name)
         << remark::reason("{0}", choice.reason);
  if (!choice.suggestion.empty())
    missed << remark::suggest("{0}", choice.suggestion);
}

namespace {
struct TileGPUSelect : tessera::impl::TileGPUSelectPassBase<TileGPUSelect> {
  using TileGPUSelectPassBase::TileGPUSelectPassBase;

  void runOnOperation() override {
    tile::FuncOp function = getOperation();
    FailureOr<TargetInfo> target = tile_gpu::getTargetInfo(function);
    if (failed(target))
      return signalPassFailure();
    AffineAccess analysis(function);
    for (Operation *op : getTensorAccesses(function)) {
      AccessFacts access = analysis.getAccessFacts(op);
      op->setAttr(tile_gpu::TileGPUDialect::kAccess,
                  tile_gpu::AccessAttr::get(&getContext(),
                                            tile_gpu::AccessPath::Direct,
                                            access.width, access.axis));
      remarkAccess(function, op, access);
    }
    // What tile-gpu-choose-warps will take, if it is not to choose.
    int32_t warps = numWarps;
    if (auto authors =
            function->getAttrOfType<IntegerAttr>(tile::TileDialect::kNumWarps);
        authors && warps == 0)
      warps = authors.getInt();
    function.walk(
        [&](tile::DotOp dot) { selectDot(function, dot, *target, warps); });
  }
};
} // namespace
