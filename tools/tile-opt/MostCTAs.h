//===- MostCTAs.h - a --min-ctas that compiles ------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warps, registers and shared memory limit how many programs a multiprocessor
// holds, each is known to another pass, and each kernel of a module has its
// own. Who refuses a number sees one of these limits; what fits all of them is
// found by trying.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_MOSTCTAS_H
#define TESSERA_TOOLS_TILEOPT_MOSTCTAS_H

#include "tessera/Pipelines/TileToCubin.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace tessera {

/// The largest number of programs, less than `options.minCTAs`, with which the
/// passes accept `source`, which stays as it is; 0 for none. Nothing where they
/// accept that number itself, so that later passes have refused something else.
/// Says nothing: diagnostics are dropped, and remarks of the context's engine
/// with it.
std::optional<int32_t> findMostCTAs(mlir::ModuleOp source,
                                    PipelineOptions options);

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_MOSTCTAS_H
