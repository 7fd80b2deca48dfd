//===- ConvertTileGPUToNVVM.cpp - lower kernels to one thread's program -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "tessera/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tile_gpu;

namespace tessera {
#define GEN_PASS_DEF_CONVERTTILEGPUTONVVMPASS
#include "tessera/Conversion/Passes.h.inc"
} // namespace tessera

Type TileGPUTypeConverter::convertElement(Type type) const {
  if (isa<tile::PointerType>(type))
    return IntegerType::get(type.getContext(), 64);
  if (tile::isFloat8(type))
    return IntegerType::get(type.getContext(), 8);
  return type;
}

TileGPUTypeConverter::TileGPUTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](tile::PointerType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(), kGlobalSpace);
  });
  addConversion([this](FloatType type) { return convertElement(type); });
  addConversion([](BufferType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(), kSharedSpace);
  });
  addConversion([](tile::DescType type) -> Type {
    Type i64 = IntegerType::get(type.getContext(), 64);
    return LLVM::LLVMStructType::getLiteral(
        type.getContext(), SmallVector<Type>(1 + 2 * type.getRank(), i64));
  });
  // Nothing at run time; an integer, since control flow passes it on.
  addConversion([](TokenType type) -> Type {
    return IntegerType::get(type.getContext(), 32);
  });
  addConversion([](MBarrierType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(), kSharedSpace);
  });
  addConversion([](tile::TensorMapType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  addConversion([this](RankedTensorType type) -> std::optional<Type> {
    LayoutAttr layout = getLayout(type);
    if (!layout)
      return Type();
    return VectorType::get({layout.getNumRegisters()},
                           convertElement(type.getElementType()));
  });
}

/// Whether `op` computes with 8-bit floats, which are integers in registers.
static bool computesWithFloat8(Operation *op) {
  if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
      isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op))
    return false;
  auto isFloat8 = [](Type type) {
    return tile::isFloat8(getElementTypeOrSelf(type));
  };
  return llvm::any_of(op->getOperandTypes(), isFloat8) ||
         llvm::any_of(op->getResultTypes(), isFloat8);
}

/// Whether `op` adds bf16 atomically on a target that cannot.
static bool needsBF16Atomics(Operation *op, const TargetInfo &target) {
  return isa<tile::AtomicRMWOp>(op) && !target.hasBF16AtomicAdd() &&
         getElementTypeOrSelf(op->getResult(0).getType()).isBF16();
}

/// Checks what the patterns take for granted: a known target, kernels only, a
/// layout on each tensor, no arithmetic in 8-bit floats, instructions that the
/// target has.
static LogicalResult checkPreconditions(ModuleOp module) {
  FailureOr<TargetInfo> target = getTargetInfo(module);
  if (failed(target))
    return failure();
  auto hasLayouts = [](ValueRange values) {
    return llvm::all_of(values.getTypes(), [](Type type) {
      return !isa<TensorType>(type) || hasLayout(type);
    });
  };
  WalkResult walk = module.walk([&](Operation *op) {
    auto function = dyn_cast<tile::FuncOp>(op);
    if (function && !function.isKernel()) {
      op->emitError("a private function cannot be lowered; run "
                    "tile-inline-calls before");
      return WalkResult::interrupt();
    }
    if (needsBF16Atomics(op, *target)) {
      op->emitError() << target->name << " has no atomic add of bf16";
      return WalkResult::interrupt();
    }
    if (computesWithFloat8(op)) {
      op->emitError() << "'" << op->getName()
                      << "' of 8-bit floats is not supported";
      return WalkResult::interrupt();
    }
    bool complete = hasLayouts(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        complete &= hasLayouts(block.getArguments());
    if (complete)
      return WalkResult::advance();
    op->emitError("a tensor has no layout; run tile-gpu-assign-layouts before");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

namespace {
struct ConvertTileGPUToNVVM
    : tessera::impl::ConvertTileGPUToNVVMPassBase<ConvertTileGPUToNVVM> {
  void runOnOperation() override {
    if (failed(checkPreconditions(getOperation())) ||
        failed(checkAccumulators(getOperation())))
      return signalPassFailure();
    TileGPUTypeConverter converter;
    ConversionTarget target(getContext());
    target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
    target.addIllegalDialect<tile::TileDialect, TileGPUDialect>();
    target.addLegalOp<ModuleOp, tile::LaunchOp>();
    target.markOpRecursivelyLegal<tile::LaunchOp>();
    target.addDynamicallyLegalDialect<arith::ArithDialect, math::MathDialect>(
        [&](Operation *op) { return converter.isLegal(op); });

    RewritePatternSet patterns(&getContext());
    populateElementwisePatterns(converter, patterns);
    populateConvertPatterns(converter, patterns);
    populateShapePatterns(converter, patterns);
    populateMemoryPatterns(converter, patterns);
    populateDescPatterns(converter, patterns);
    populateSharedPatterns(converter, patterns);
    populateAsyncPatterns(converter, patterns);
    populateTMAPatterns(converter, patterns);
    populateReducePatterns(converter, patterns);
    populateDotPatterns(converter, patterns);
    populateAtomicPatterns(converter, patterns);
    populateDiagnosticPatterns(converter, patterns);
    populateFuncPatterns(converter, patterns);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    if (failed(applyFullConversion(getOperation(), target,
                                   std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
