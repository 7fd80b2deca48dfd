//===- OptimizeDevice.cpp - LLVM passes that pay for kernels --------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list of passes of our own instead of LLVM's -O2, for three reasons. It
// takes 40 % of the time (row softmax, 32 values a thread: 1.1 ms against 2.8
// ms; 128 values: 3.6 against 8.2). It has no unrolling and no other loop
// restructuring: the pipeliner has decided that. And the same PTX comes out:
// what ptxas reports for its cubins (registers, spills, code size) is that of
// -O2.
//
// What each pass is there for:
//   inline            libdevice's functions, marked alwaysinline
//   intr-range        bounds of %tid and the like from `nvvm.reqntid`; they
//   turn
//                     additions of offsets into `or`, which breaks chains
//   SROA              stack slots of libdevice (sincos) into values
//   EarlyCSE          the lowering repeats address arithmetic for each access
//   InstCombine       vector packing and unpacking, constants
//   SimplifyCFG       branches of masks that became constant
//   LoopRotate, LICM  what does not depend on an innermost loop, once before it
//   GVN               what EarlyCSE cannot see: across blocks
//   InferAlignment    lets code generation merge accesses of shared memory
//
// Code generation adds the rest by itself: address-space inference, merging of
// loads and stores, straight-line and loop strength reduction.
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/Translate.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace mlir;

namespace tessera {

namespace {
/// What leaves a loop around other loops is live through all of them: each
/// thread's addresses of a tile's last stores cost a persistent product 40
/// registers, and a resident CTA with them. ptxas moves such code where it has
/// room.
///
/// The loop in which threads copy ahead is taken for an innermost one, though a
/// product may end in a loop inside of it, if its first copies stand elsewhere:
/// where they precede it, it shares a thread's offsets with them, and else it
/// would compute all of them in each iteration (302 instructions of a 128x128x64
/// tile for 255).
class InnermostLICM : public llvm::PassInfoMixin<InnermostLICM> {
public:
  llvm::PreservedAnalyses run(llvm::Loop &loop,
                              llvm::LoopAnalysisManager &analyses,
                              llvm::LoopStandardAnalysisResults &results,
                              llvm::LPMUpdater &updater) {
    return loop.isInnermost() || copiesAlone(loop, results.DT)
               ? licm.run(loop, analyses, results, updater)
               : llvm::PreservedAnalyses::all();
  }

private:
  static bool hasCopies(const llvm::BasicBlock *block) {
    return llvm::any_of(*block, [](const llvm::Instruction &op) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&op);
      return call && call->getIntrinsicID() ==
                         llvm::Intrinsic::nvvm_cp_async_commit_group;
    });
  }
  /// Whether the loop has copies, and neither loops inside of it nor what always
  /// runs before it.
  static bool copiesAlone(const llvm::Loop &loop,
                          const llvm::DominatorTree &dominators) {
    auto loopHasCopies = [](const llvm::Loop *loop) {
      return llvm::any_of(loop->blocks(), hasCopies);
    };
    if (!loopHasCopies(&loop) || llvm::any_of(loop.getSubLoops(), loopHasCopies))
      return false;
    for (auto *node = dominators.getNode(loop.getHeader())->getIDom(); node;
         node = node->getIDom())
      if (hasCopies(node->getBlock()))
        return false;
    return true;
  }

  llvm::LICMPass licm{llvm::LICMOptions()};
};
} // namespace

static llvm::FunctionPassManager buildFunctionPasses() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass());
  loops.addPass(InnermostLICM());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops),
                                                       /*UseMemorySSA=*/true));
  // Without PRE, which would keep what a thread computes of its number alive
  // through a loop.
  passes.addPass(llvm::GVNPass(llvm::GVNOptions().setPRE(false)));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::ADCEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InferAlignmentPass());
  return passes;
}

static llvm::ModulePassManager buildPasses(llvm::PassBuilder &builder) {
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  // NVPTX's own passes have no public header; the target registers their names.
  llvm::FunctionPassManager ranges;
  if (llvm::Error error = builder.parsePassPipeline(ranges, "nvvm-intr-range"))
    llvm::consumeError(std::move(error)); // Only a loss of speed.
  else
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(ranges)));
  passes.addPass(
      llvm::createModuleToFunctionPassAdaptor(buildFunctionPasses()));
  passes.addPass(llvm::GlobalDCEPass());
  return passes;
}

LogicalResult optimizeDevice(DeviceModule &device) {
  // In this order: the managers refer to each other when they are destroyed.
  llvm::LoopAnalysisManager loopAnalyses;
  llvm::FunctionAnalysisManager functionAnalyses;
  llvm::CGSCCAnalysisManager sccAnalyses;
  llvm::ModuleAnalysisManager moduleAnalyses;
  llvm::PassBuilder builder(device.machine.get());
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(sccAnalyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, functionAnalyses, sccAnalyses,
                               moduleAnalyses);
  buildPasses(builder).run(*device.module, moduleAnalyses);
  return success(!device.hasErrors());
}

} // namespace tessera
