//===- Configuration.h - a kernel's configuration by a model ----*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which parameters of a source, warps, stages, order of tiles and schedule suit
// assumed sizes best, as far as the model of products tells (ProductModel.h).
//
//   search   the source is parsed once for each set of parameters that its
//            choices allow (never tiled anew), its products are read, and each
//            number of warps and stages is estimated
//   choice   the smallest estimate; of equal ones the one that copies less, then
//            the one with fewer warps, then the one that comes first in the source's
//            lists; 4 stages before others, and a program for each tile before
//            programs that stay
//   result   overrides for the parser, attributes for kernels and loops, and
//            options for the pipeline
//
// What the command line gives is fixed, and so is `tile.num_warps` of a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_CHOICE_CONFIGURATION_H
#define TESSERA_CHOICE_CONFIGURATION_H

#include "tessera/Choice/Assumptions.h"
#include "tessera/Pipelines/TileToCubin.h"
#include "tessera/Schedule/ProductModel.h"
#include "tessera/Tool/Overrides.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace tessera {

/// What is asked for, and what is not for the model to choose.
struct ConfigurationRequest {
  Assumptions assumptions;
  /// A name of TargetInfo.
  std::string target;
  Overrides overrides;
  /// 0: the model's choice.
  int32_t warps = 0, stages = 0;
  /// Whether the model may choose the order of tiles and the schedule.
  bool choosesOrder = true, choosesSchedule = true;
  /// The schedule where it may not.
  bool persistent = false;
  /// Whether launches make tensor maps.
  bool tensorMaps = true;
  /// An order that the command line gives.
  OrderRequest order;
  /// Registers and CTAs that it demands.
  ResourceBounds bounds;
};

/// The choice for one kernel.
struct KernelChoice {
  std::string kernel;
  ProductTile tile;
  ProductGrid grid;
  ProductRun run;
  ProductEstimate estimate;
  /// Whether these are the model's, and not given.
  bool choosesWarps = false, choosesStages = false;
};

/// A kernel that the model has nothing to say about.
struct DeclinedKernel {
  std::string kernel;
  std::string reason;
};

struct Configuration {
  /// Those that were open, in the order of the source.
  std::vector<std::pair<std::string, int64_t>> parameters;
  std::vector<KernelChoice> kernels;
  std::vector<DeclinedKernel> declined;
  /// Nothing where the order or the schedule is not for the model.
  std::optional<TileOrderChoice> order;
  std::optional<bool> persistent;
  /// Sum over the kernels.
  int64_t cycles = 0;
  /// Configurations that were estimated, and those that had room but for the
  /// bounds of the request.
  int64_t candidates = 0, excluded = 0;
  /// The best one with other parameters, or, where none are open, with other
  /// warps or stages, and its cycles; empty for none.
  std::string runnerUp;
  int64_t runnerUpCycles = 0;

  /// Whether there was nothing to choose from.
  bool hasOneChoice() const {
    return candidates == 1 && excluded == 0 && parameters.empty() && !order &&
           !persistent;
  }
};

/// Searches. A source that does not parse gives an empty configuration: who
/// parses it next says why. An error says what is wrong with the assumptions.
llvm::Expected<Configuration>
chooseConfiguration(llvm::MemoryBufferRef source,
                    const mlir::DialectRegistry &registry,
                    const ConfigurationRequest &request);

/// Sets the parameters in `context`, in which the source has not been parsed yet,
/// and the order and the schedule in `pipeline`.
void setConfiguration(const Configuration &configuration,
                      mlir::MLIRContext &context, PipelineOptions &pipeline);

/// Puts the choice into a module, which has been parsed with its parameters: as
/// `tile.num_warps`, `tile.num_stages` and `tile.assumed`. Remarks say what was
/// chosen, by how much, and why; or why nothing was.
void applyConfiguration(mlir::ModuleOp module,
                        const Configuration &configuration,
                        const ConfigurationRequest &request);

/// Where a value comes from.
enum class ValueOrigin {
  /// The source: a default of a parameter, or an attribute.
  Source,
  /// -D.
  Define,
  /// --num-warps, --num-stages.
  Option,
  /// The model of --assume.
  Model
};

/// A parameter of the source, or the warps of a kernel or the stages of a loop.
struct ConfiguredValue {
  std::string name, value;
  ValueOrigin origin;
  /// The kernel or the loop; null for a parameter.
  mlir::Operation *op = nullptr;
};

/// What the source, the command line and the model have set of a module that has
/// its `tile.parameters`: parameters in the order of their names, then kernels
/// and loops in that of the source. Warps that the compiler is to choose are
/// none of these.
std::vector<ConfiguredValue>
listConfiguration(mlir::ModuleOp module, const Configuration &configuration,
                  const ConfigurationRequest &request);

/// A remark for each kernel: without assumed sizes there is nothing by which to
/// choose a schedule.
void reportNoSchedule(mlir::ModuleOp module);

} // namespace tessera

#endif // TESSERA_CHOICE_CONFIGURATION_H
