//===- Registration.cpp - what tile-opt knows -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialects and passes of Tessera, and those of MLIR that its pipeline and
// its users' tests need. The list is short on purpose: start-up time counts.
//
//===----------------------------------------------------------------------===//

#include "tessera/Conversion/Passes.h"
#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tessera;

void tessera::registerTesseraDialects(DialectRegistry &registry) {
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  LLVM::LLVMDialect, math::MathDialect, NVVM::NVVMDialect,
                  scf::SCFDialect, tile::TileDialect,
                  tile_gpu::TileGPUDialect, ub::UBDialect>();
}

void tessera::registerTesseraPasses() {
  registerTesseraTransformsPasses();
  registerTesseraConversionPasses();
  // Upstream passes: those of the pipeline, and the usual tools of a test.
  registerCanonicalizerPass();
  registerCSEPass();
  registerInlinerPass();
  registerSymbolDCEPass();
  registerStripDebugInfoPass();
  registerSCFToControlFlowPass();
  registerConvertToLLVMPass();
  registerConvertMathToLLVMPass();
  registerArithToLLVMConversionPass();
  registerConvertIndexToLLVMPass();
  registerConvertControlFlowToLLVMPass();
  registerReconcileUnrealizedCastsPass();
}

namespace {
/// The options of PipelineOptions for a textual pipeline.
struct TextualOptions : PassPipelineOptions<TextualOptions> {
  Option<std::string> target{*this, "target", llvm::cl::init("sm_90a"),
                             llvm::cl::desc("architecture, e.g. sm_90a")};
  Option<int32_t> numWarps{
      *this, "num-warps", llvm::cl::init(0),
      llvm::cl::desc("warps of a program; 0: the source's or a choice")};
  Option<int32_t> raiseRank{
      *this, "raise-rank", llvm::cl::init(PipelineOptions().raiseRank),
      llvm::cl::desc("most dimensions of an access that is raised to a "
                     "descriptor; 0: none are")};
  Option<int32_t> numStages{
      *this, "num-stages", llvm::cl::init(0),
      llvm::cl::desc("stages of pipelined loops; 0: the source's")};
  Option<bool> tensorMaps{
      *this, "tensor-maps", llvm::cl::init(PipelineOptions().tensorMaps),
      llvm::cl::desc("let launches make tensor maps where kernels can use them")};
};
} // namespace

void tessera::registerTesseraPipelines() {
  using Builder = void (*)(OpPassManager &, const PipelineOptions &);
  auto add = [](StringRef name, StringRef description,
                SmallVector<Builder> builders) {
    PassPipelineRegistration<TextualOptions>(
        name, description,
        [builders](OpPassManager &pm, const TextualOptions &textual) {
          PipelineOptions options;
          options.target = textual.target;
          options.numWarps = textual.numWarps;
          options.raiseRank = textual.raiseRank;
          options.numStages = textual.numStages;
          options.tensorMaps = textual.tensorMaps;
          for (Builder builder : builders)
            builder(pm, options);
        });
  };
  add("tile-pipeline", "level 1: from source to tile", {buildTilePipeline});
  add("tile-gpu-pipeline", "level 2: from tile to layouts",
      {buildTileGPUPipeline});
  add("tile-nvvm-pipeline", "level 3: from layouts to nvvm",
      {buildNVVMPipeline});
  add("tile-to-nvvm", "levels 1 to 3",
      {buildTilePipeline, buildTileGPUPipeline, buildNVVMPipeline});
}
