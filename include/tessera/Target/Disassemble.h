//===- Disassemble.h - cubin to SASS text -----------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One call of NVIDIA's disassembler, with the line table: a line
//
//   //## File "softmax.mlir", line 28
//
// stands before each group of instructions of one source line. `cuobjdump` is
// no alternative: it does not show lines.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_DISASSEMBLE_H
#define TESSERA_TARGET_DISASSEMBLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tessera {

/// The code sections of `cubin` as text, by the nvdisasm at `path`. Equal bytes
/// and nvdisasm give equal text, which names no folder. The error's text has
/// nvdisasm's own messages.
llvm::Expected<std::string> disassemble(llvm::StringRef path,
                                        llvm::StringRef cubin);

} // namespace tessera

#endif // TESSERA_TARGET_DISASSEMBLE_H
