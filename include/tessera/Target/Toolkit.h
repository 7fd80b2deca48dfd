//===- Toolkit.h - where ptxas and its companions are -----------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tessera needs three files of NVIDIA's toolkit, and each only at times: the
// assembler `ptxas` when a cubin is asked for, the bitcode library
// `libdevice.10.bc` when a kernel calls a function `__nv_*`, the disassembler
// `nvdisasm` when its output is asked for. They are searched for on demand,
// never at start-up, and a search that fails says where it looked.
//
// Order of the search, the same for all; the first hit wins:
//   1. the path given by the user (--ptxas-path, --libdevice, --nvdisasm-path).
//      When it is given and wrong, that is an error: nothing else is tried;
//   2. $CUDA_HOME, then $CUDA_PATH;
//   3. `ptxas` or `nvdisasm` on $PATH (libdevice: `../nvvm/libdevice` beside
//   that ptxas);
//   4. `cuda/` in the folder above the tool's own (bin/../cuda), where an
//      installation may keep a private copy;
//   5. /usr/local/cuda, /usr/lib/cuda, /opt/cuda.
// Below a toolkit's root, programs are in `bin` and libdevice is
// `nvvm/libdevice/libdevice.10.bc`.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_TOOLKIT_H
#define TESSERA_TARGET_TOOLKIT_H

#include "llvm/Support/Error.h"
#include <string>

namespace tessera {

/// What the caller knows about the toolkit. Empty strings mean "not known".
struct ToolkitOptions {
  /// The user's ptxas, libdevice and nvdisasm; override the search.
  std::string ptxasPath;
  std::string libdevicePath;
  std::string nvdisasmPath;
  /// Full path of the running program; its `../cuda` is searched.
  std::string programPath;
};

/// The path of ptxas, or an error that lists the places searched.
llvm::Expected<std::string> findPtxas(const ToolkitOptions &options);

/// The path of libdevice.10.bc, or an error that lists the places searched.
llvm::Expected<std::string> findLibdevice(const ToolkitOptions &options);

/// The path of nvdisasm, or an error that lists the places searched.
llvm::Expected<std::string> findNvdisasm(const ToolkitOptions &options);

} // namespace tessera

#endif // TESSERA_TARGET_TOOLKIT_H
