//===- Passes.h - passes on levels 1 and 2 ---*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TRANSFORMS_PASSES_H
#define TESSERA_TRANSFORMS_PASSES_H

#include "tessera/Dialect/TileGPU/IR/TileGPU.h"

#include "mlir/Pass/Pass.h"

#include "llvm/Support/CommandLine.h"

namespace tessera {

/// What tile-cta-swizzle does; Auto leaves it to the reuse model.
enum class SwizzleOrder { Row, Column, Grouped, Hilbert, Auto };

/// How tile-persistent-schedule gives tiles to programs: every so many, or the
/// next one to whoever is ready.
enum class TileAssignment { Static, Dynamic };

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tessera/Transforms/Passes.h.inc"

} // namespace tessera

#endif // TESSERA_TRANSFORMS_PASSES_H
