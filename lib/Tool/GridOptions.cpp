//===- GridOptions.cpp - order of tiles and persistence -------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Tool/GridOptions.h"

#include "tessera/Transforms/SwizzleOrders.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tessera {

GridFlags::GridFlags(cl::OptionCategory &category)
    : swizzle("swizzle",
              cl::desc("Order of tiles: none (the source's), auto, column, "
                       "grouped[:ROWS] or hilbert[:SIDE]"),
              cl::init("none"), cl::value_desc("order"), cl::cat(category)),
      schedule("schedule", cl::desc("What computes the tiles of a grid"),
               cl::init(ScheduleKind::Tiled), cl::cat(category),
               cl::values(clEnumValN(ScheduleKind::Tiled, "tiled",
                                     "a program for each tile"),
                          clEnumValN(ScheduleKind::Persistent, "persistent",
                                     "programs that stay"),
                          clEnumValN(ScheduleKind::Auto, "auto",
                                     "what pays for the sizes of --assume"))),
      assignment("assignment",
                 cl::desc("How persistent programs come by their tiles"),
                 cl::init(TileAssignment::Static), cl::cat(category),
                 cl::values(clEnumValN(TileAssignment::Static, "static",
                                       "every so many (default)"),
                            clEnumValN(TileAssignment::Dynamic, "dynamic",
                                       "the next one, from a counter"))),
      programsPerSM("programs-per-sm",
                    cl::desc("Persistent programs of a multiprocessor "
                             "(default: as many as it holds)"),
                    cl::value_desc("N"), cl::cat(category)) {}

/// Reads ORDER or ORDER:N. Returns what is wrong, or an empty string.
static std::string readOrder(StringRef text, PipelineOptions &options) {
  auto refuse = [&](const Twine &expected) {
    return describeBadValue("--swizzle=", text, expected);
  };
  auto [name, rows] = text.split(':');
  std::optional<SwizzleOrder> order =
      StringSwitch<std::optional<SwizzleOrder>>(name)
          .Case("none", SwizzleOrder::Row)
          .Case("auto", SwizzleOrder::Auto)
          .Case("column", SwizzleOrder::Column)
          .Case("grouped", SwizzleOrder::Grouped)
          .Case("hilbert", SwizzleOrder::Hilbert)
          .Default(std::nullopt);
  if (!order)
    return refuse("none, auto, column, grouped[:ROWS] or hilbert[:SIDE]" +
                  suggestNearest(name, {"none", "auto", "column", "grouped",
                                        "hilbert"}));
  options.swizzle = *order;
  if (!text.contains(':'))
    return {};
  if (*order != SwizzleOrder::Grouped && *order != SwizzleOrder::Hilbert)
    return refuse(name + " alone; only grouped and hilbert have a size");
  if (rows.getAsInteger(10, options.groupM) || options.groupM < 1 ||
      options.groupM > kMaxGroupRows)
    return refuse(name + ":N with N of 1 to " + Twine(kMaxGroupRows) +
                  ", the rows of tiles of a group");
  if (*order == SwizzleOrder::Hilbert &&
      (options.groupM < 2 || !isPowerOf2_32(options.groupM)))
    return refuse("hilbert:N with N of 2, 4, 8, ..., the tiles of a side");
  return {};
}

bool GridFlags::areGiven() const {
  return swizzle.getNumOccurrences() || schedule.getNumOccurrences() ||
         assignment.getNumOccurrences() || programsPerSM.getNumOccurrences();
}

std::string GridFlags::apply(PipelineOptions &options, int maxCTAs) const {
  if (std::string wrong = readOrder(swizzle.getValue(), options);
      !wrong.empty())
    return wrong;
  options.persistent = schedule == ScheduleKind::Persistent;
  options.assignment = assignment;
  if (assignment.getNumOccurrences() && !options.persistent)
    return "--assignment goes with --schedule=persistent only";
  if (!programsPerSM.getNumOccurrences())
    return {};
  if (!options.persistent)
    return "--programs-per-sm goes with --schedule=persistent only";
  options.programsPerSM = programsPerSM;
  return checkRange(programsPerSM, 1, maxCTAs,
                    "the programs that a multiprocessor of the target holds");
}

void GridFlags::applyTo(ConfigurationRequest &request,
                        const PipelineOptions &options) const {
  request.target = options.target;
  request.warps = options.numWarps;
  request.stages = options.numStages;
  // Maps are of descriptors of two dimensions.
  request.tensorMaps = options.tensorMaps && options.raiseRank >= 2;
  request.choosesOrder = !swizzle.getNumOccurrences();
  request.choosesSchedule =
      !schedule.getNumOccurrences() || schedule == ScheduleKind::Auto;
  request.persistent = options.persistent;
  request.bounds = {options.maxRegisters, options.minCTAs};
  request.order.isGiven =
      !request.choosesOrder && options.swizzle != SwizzleOrder::Auto;
  request.order.groupRows = options.groupM;
  request.order.order =
      getTileOrder(options.swizzle).value_or(TileOrder::Row);
}

} // namespace tessera
