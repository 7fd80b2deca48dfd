//===- Explain.h - what became of each source line --------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --explain: all remarks of a compilation in the order of the source, where the
// configuration comes from, the variants that launches choose from, then shared
// memory by source line, then the resources that ptxas reports and the lines of
// what spills. Equal inputs give equal text: places are base names,
// times do not occur.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_EXPLAIN_H
#define TESSERA_TOOLS_TILEOPT_EXPLAIN_H

#include "Remarks.h"
#include "SourceLines.h"
#include "Variants.h"

#include "mlir/Pass/PassManager.h"
#include "tessera/Choice/Configuration.h"
#include "tessera/Target/Compile.h"

namespace tessera {

/// One buffer of a kernel in shared memory, or its mbarriers.
struct SharedBuffer {
  std::string function;
  Place place;        ///< the operation it was made for
  std::string use;    ///< what goes through it
  int64_t offset = 0; ///< in bytes
  int64_t bytes = 0;  ///< of all slots
  int64_t slotBytes = 0, slots = 1;
  bool isMBarrier = false;
};

/// A value of the configuration.
struct ExplainedValue {
  std::string name, value, origin;
  Place place; ///< the kernel or the loop; none for a parameter
};

/// `values` for a report: without the IR, and where they come from in words.
std::vector<ExplainedValue>
explainValues(const std::vector<ConfiguredValue> &values);

/// All that a report speaks of.
struct Explanation {
  RemarkList remarks;
  std::vector<ExplainedValue> values;
  std::vector<VariantChoice> choices;
  std::vector<SharedBuffer> buffers;
  std::vector<KernelResources> resources;
  /// Why the lines of spills are not known; else empty.
  std::string spillsUnknown;
};

/// Fills `buffers` when `manager` has run tile-gpu-allocate-shared. The list
/// must outlive the manager.
void recordSharedBuffers(mlir::PassManager &manager,
                         std::vector<SharedBuffer> &buffers);

/// The report for people.
std::string explainAsText(const Explanation &explanation,
                          const SourceLines &source);

/// The same facts as a JSON array of objects with a member "kind": a kind of
/// remark (passed, missed, failed, analysis), "value", "variant", "shared",
/// "resources", "spills" or "spills-unknown".
std::string explainAsJSON(const Explanation &explanation,
                          const SourceLines &source);

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_EXPLAIN_H
