//===- TileToCubin.cpp - the pipeline from kernel source to cubin -===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler's table of contents: each pass with the reason for its place.
// From level 3 on, lib/Target takes over.
//
//===----------------------------------------------------------------------===//

#include "tessera/Pipelines/TileToCubin.h"

#include "tessera/Conversion/Passes.h"
#include "tessera/Target/DeviceRates.h"
#include "tessera/Target/TargetInfo.h"
#include "tessera/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tessera;

/// The order of tiles, with the sizes of the device that stands for the target.
static void addSwizzle(OpPassManager &pm, const PipelineOptions &options) {
  if (options.swizzle == SwizzleOrder::Row)
    return;
  TileCTASwizzlePassOptions swizzle;
  swizzle.order = options.swizzle;
  swizzle.groupM = options.groupM;
  if (std::optional<TargetInfo> target = TargetInfo::get(options.target)) {
    // All multiprocessors read the panels, so that each part of L2 has them.
    if (std::optional<DeviceRates> rates = DeviceRates::get(options.target))
      swizzle.l2Bytes = target->referenceL2Bytes / rates->l2Partitions;
    swizzle.sms = target->referenceSMs;
  }
  swizzle.residentCTAs =
      options.programsPerSM ? options.programsPerSM : options.residentCTAs;
  pm.addPass(createTileCTASwizzlePass(swizzle));
}

static void addPersistence(OpPassManager &pm, const PipelineOptions &options) {
  if (!options.persistent)
    return;
  TilePersistentSchedulePassOptions persistent;
  persistent.programsPerSM = options.programsPerSM;
  persistent.assignment = options.assignment;
  pm.addPass(createTilePersistentSchedulePass(persistent));
  // Divisors are outside the loop now.
  pm.addPass(createCSEPass());
  pm.addNestedPass<tile::FuncOp>(createTileCarryDivisionsPass());
}

void tessera::buildTilePipeline(OpPassManager &pm,
                                const PipelineOptions &options) {
  // Before any pass changes a grid: the plan is the caller's view of it.
  pm.addPass(createTileDefaultLaunchPass());
  // Nothing else looks at branches; a function of one block can be inlined.
  pm.addNestedPass<tile::FuncOp>(createTileStructureBranchesPass());
  // Everything after this works on whole kernels.
  pm.addPass(createTileInlineCallsPass());
  // While the split of a tile's number is as the author wrote it.
  addSwizzle(pm, options);
  // Before anything folds: constants of 32 bits that are multiplied or added at
  // compile time would wrap, and offsets must not. The analysis of addresses
  // then sees no wrapping either.
  pm.addNestedPass<tile::FuncOp>(createTileWidenOffsetsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Clones are the same kernels under more facts.
  pm.addPass(createTileSpecializePass());
  // Each clone has another number of resident programs.
  addPersistence(pm, options);
  // Last: with a clone's facts, more strides are known numbers; and descriptors
  // are made outside of all loops that they do not depend on.
  TileRaiseAccessesPassOptions raise;
  raise.maxRank = options.raiseRank;
  pm.addNestedPass<tile::FuncOp>(createTileRaiseAccessesPass(raise));
}

void tessera::buildTileGPUPipeline(OpPassManager &pm,
                                   const PipelineOptions &options) {
  TileGPUAttachTargetPassOptions target;
  target.target = options.target;
  pm.addPass(createTileGPUAttachTargetPass(target));
  // Asks the target; the descriptors are all there. Without pipelining nothing
  // would use the maps.
  if (options.tensorMaps && options.numStages != 1)
    pm.addPass(createTileTensorMapsPass());
  OpPassManager &kernel = pm.nest<tile::FuncOp>();
  // Before anything looks at tensors.
  kernel.addPass(createTileGPUTensorizeAtomicsPass());
  // Widths first: layouts follow from them.
  TileGPUSelectPassOptions select;
  select.numWarps = options.numWarps;
  kernel.addPass(createTileGPUSelectPass(select));
  TileGPUChooseWarpsPassOptions warps;
  warps.numWarps = options.numWarps;
  warps.modelKernels.assign(options.modelKernels.begin(),
                            options.modelKernels.end());
  warps.maxRegisters = options.maxRegisters;
  warps.minCTAs = std::max(options.minCTAs, 1);
  kernel.addPass(createTileGPUChooseWarpsPass(warps));
  kernel.addPass(createTileGPUAssignLayoutsPass());
  // Needs layouts, makes conversions.
  kernel.addPass(createTileGPUSplitReductionsPass());
  // Conversions of splats and chains of conversions fold.
  kernel.addPass(createCanonicalizerPass());
  kernel.addPass(createCSEPass());
  // Before conversions: what goes to shared memory needs none.
  kernel.addPass(createTileGPUStageOperandsPass());
  kernel.addPass(createTileGPUTensorStoresPass());
  // After the last pass that makes conversions.
  kernel.addPass(createTileGPUStageConversionsPass());
  // All shared memory that a loop reads has its buffers now.
  TileGPUAssignStagesPassOptions stages;
  stages.numStages = options.numStages;
  kernel.addPass(createTileGPUAssignStagesPass(stages));
  kernel.addPass(createTileGPUAsyncCopiesPass());
  kernel.addPass(createTileGPUExpandPipelinePass());
  kernel.addPass(createTileGPUPrefetchTilesPass());
  // Slices of addresses that were copied for the loads, and constants.
  kernel.addPass(createCanonicalizerPass());
  kernel.addPass(createCSEPass());
  // Offsets before barriers, which are about bytes.
  TileGPUAllocateSharedPassOptions shared;
  shared.minCTAs = warps.minCTAs;
  kernel.addPass(createTileGPUAllocateSharedPass(shared));
  kernel.addPass(createTileGPUInsertBarriersPass());
}

void tessera::buildNVVMPipeline(OpPassManager &pm, const PipelineOptions &) {
  pm.addPass(createConvertTileGPUToNVVMPass());
  // Before the upstream conversion, which would make intrinsics of functions
  // that NVPTX cannot select.
  pm.addPass(createConvertMathToNVVMPass());
  pm.addPass(createSCFToControlFlowPass());
  // One pass for all that is left: each would go through all code again.
  ConvertToLLVMPassOptions llvm;
  llvm.filterDialects = {"math", "arith", "cf"};
  pm.addPass(createConvertToLLVMPass(llvm));
  pm.addPass(createReconcileUnrealizedCastsPass());
  // The patterns repeat thread indices and constants at each use.
  pm.addPass(createCSEPass());
}
