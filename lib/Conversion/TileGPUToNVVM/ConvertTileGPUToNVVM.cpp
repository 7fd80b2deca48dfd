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
  if (isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return IntegerType::get(type.getContext(), 8);
  return type;
}

TileGPUTypeConverter::TileGPUTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](tile::PointerType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(), kGlobalSpace);
  });
  addConversion([](FloatType type) -> Type {
    if (isa<Float8E4M3FNType, Float8E5M2Type>(type))
      return IntegerType::get(type.getContext(), 8);
    return type;
  });
  addConversion([](BufferType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(), kSharedSpace);
  });
  addConversion([this](RankedTensorType type) -> std::optional<Type> {
    LayoutAttr layout = getLayout(type);
    if (!layout)
      return Type();
    return VectorType::get({layout.getNumRegisters()},
                           convertElement(type.getElementType()));
  });
}

namespace {
struct ConvertTileGPUToNVVM
    : tessera::impl::ConvertTileGPUToNVVMPassBase<ConvertTileGPUToNVVM> {
  void runOnOperation() override {
    TileGPUTypeConverter converter;
    ConversionTarget target(getContext());
    target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
    target.addLegalOp<ModuleOp, tile::LaunchOp>();
    target.markOpRecursivelyLegal<tile::LaunchOp>();
    target.addIllegalDialect<tile::TileDialect, TileGPUDialect>();
    target.addLegalOp<tile::LaunchOp>();
    target.addDynamicallyLegalDialect<arith::ArithDialect, math::MathDialect>(
        [&](Operation *op) { return converter.isLegal(op); });

    RewritePatternSet patterns(&getContext());
    populateElementwisePatterns(converter, patterns);
    populateShapePatterns(converter, patterns);
    populateMemoryPatterns(converter, patterns);
    populateSharedPatterns(converter, patterns);
    populateReducePatterns(converter, patterns);
    populateFuncPatterns(converter, patterns);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    if (failed(applyFullConversion(getOperation(), target,
                                   std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
