//===- Launcher.h - a launch plan as C source -------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs that are not to depend on the runtime library: a C99 source with
// the code of the kernels inside, which evaluates the plans of the manifest as
// the runtime does and launches by CUDA's driver API.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_LAUNCHER_H
#define TESSERA_RUNTIME_LAUNCHER_H

#include "tessera/Runtime/Manifest.h"

namespace tessera::runtime {

/// The two files of a launcher.
struct LauncherSources {
  std::string header;
  std::string source;
};

/// Prints the launcher of `manifest` with its cubin or PTX text `image`. `stem`
/// is the name of both files without an extension, and can stand in an #include;
/// what of it is no identifier becomes `_` in the names of functions.
LauncherSources printLauncher(const Manifest &manifest, std::string_view image,
                              const std::string &stem);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_LAUNCHER_H
