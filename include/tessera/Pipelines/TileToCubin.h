//===- TileToCubin.h - the pipeline from kernel source to cubin ---*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One builder a level; lib/Pipelines/TileToCubin.cpp is the table of contents
// of the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_PIPELINES_TILETOCUBIN_H
#define TESSERA_PIPELINES_TILETOCUBIN_H

#include "tessera/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"

#include <string>
#include <vector>

namespace tessera {

/// Stages of a loop at most: no ring of buffers has more slots.
inline constexpr int32_t kMaxStages = 64;

struct PipelineOptions {
  /// Architecture, a name of TargetInfo.
  std::string target = "sm_90a";
  /// Warps of each program; 0 leaves it to the source and the compiler.
  int32_t numWarps = 0;
  /// Kernels whose `tile.num_warps` a model has set, for remarks.
  std::vector<std::string> modelKernels;
  /// Order of tiles, and the rows of its groups.
  SwizzleOrder swizzle = SwizzleOrder::Row;
  int32_t groupM = 8;
  /// Whether programs stay and compute several tiles.
  bool persistent = false;
  /// How persistent programs come by their tiles.
  TileAssignment assignment = TileAssignment::Static;
  /// Persistent programs of a multiprocessor; 0: as many as are resident.
  int32_t programsPerSM = 0;
  /// Programs that a multiprocessor runs at one time, as a model counts them;
  /// 0: it is not known before registers are assigned.
  int32_t residentCTAs = 0;
  /// Most dimensions of an access that is raised to a descriptor; 0: none are.
  int32_t raiseRank = 5;
  /// Stages of loops that have any; 0 for the source's.
  int32_t numStages = 0;
  /// Whether launches make tensor maps for kernels that can use them.
  bool tensorMaps = true;
  /// Registers of a thread at most; 0: as many as the target has.
  int32_t maxRegisters = 0;
  /// Programs that a multiprocessor is to hold at least; 0 or 1: one.
  int32_t minCTAs = 0;
};

/// Level 1: `tile` to `tile`. Launch plans, calls, offsets, specialisation.
void buildTilePipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Level 1 to level 2: layouts, shared memory, barriers.
void buildTileGPUPipeline(mlir::OpPassManager &pm,
                          const PipelineOptions &options);

/// Level 2 to level 3: the llvm and nvvm dialects only, and launch plans.
void buildNVVMPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Registers Tessera's passes, and the upstream ones that the pipeline uses.
void registerTesseraPasses();
/// Registers `tile-to-nvvm`, all of the above.
void registerTesseraPipelines();

/// Adds the dialects, and the extensions that lowering needs, to `registry`.
void registerTesseraDialects(mlir::DialectRegistry &registry);

} // namespace tessera

#endif // TESSERA_PIPELINES_TILETOCUBIN_H
