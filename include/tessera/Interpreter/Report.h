//===- Report.h - findings as diagnostics -----------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a run brought to light, in the words and in the place in which its
// author reads it:
//
//   k.mlir:9:3: error: out of bounds: element [24] of %px in program (1, 0, 0)
//   of axpy_kernel: address 0x10000001000 is 'x' + 4096 bytes, which has 4096
//   bytes (24 times in all)
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_REPORT_H
#define TESSERA_INTERPRETER_REPORT_H

#include "tessera/Interpreter/Finding.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <string>

namespace tessera::interpreter {

/// Names of values with their `%`, as a source has them (Tool/NamedSource.h).
using ValueNames = llvm::DenseMap<mlir::Value, std::string>;

/// A finding in one line, without its place. Values that `names` lacks get the
/// name that MLIR prints them under.
std::string describe(const Finding &finding, const ValueNames &names);

/// Emits the findings in their order (Findings::takeSorted): errors at the
/// operations, and remarks for those of which the kernel is right all the same.
/// True when there was an error.
bool reportFindings(llvm::ArrayRef<Finding> findings, const ValueNames &names);

} // namespace tessera::interpreter

#endif // TESSERA_INTERPRETER_REPORT_H
