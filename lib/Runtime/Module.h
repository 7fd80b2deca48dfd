//===- Module.h - a manifest with its code in each context ------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state behind a tessera_module. The manifest never changes after loading.
// Code is loaded per CUDA context, on first use, and a kernel's handle is
// looked up and prepared once; afterwards both are found without a lock.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_RUNTIME_MODULE_H
#define TESSERA_LIB_RUNTIME_MODULE_H

#include "Driver.h"
#include "TensorMapCache.h"
#include "tessera/Runtime/Plan.h"

#include <atomic>
#include <mutex>

namespace tessera::runtime {

/// A module's code in one context. Elements of a list that only grows; members
/// other than `code` and `functions` never change.
struct ContextCode {
  CurrentContext context;
  CurrentDevice device;
  ContextCode *next = nullptr;
  /// Guarded by Module::mutex; null until a kernel is first asked for.
  CuModule code = nullptr;
  /// Per kernel of the manifest; null until prepared, then final.
  std::unique_ptr<std::atomic<CuFunction>[]> functions;
};

class Module {
public:
  /// Takes the code from the file at `imagePath`, read on first use, or from
  /// `image`. With neither, nothing can be launched.
  Module(Manifest manifest, std::string imagePath, std::string image)
      : manifest(std::move(manifest)), imagePath(std::move(imagePath)),
        image(std::move(image)) {}
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  const Manifest &getManifest() const { return manifest; }

  /// The state for the calling thread's context (see getContext).
  Result<ContextCode *> getContextCode(const DriverApi &driver,
                                       CuStream stream);

  /// A kernel ready to launch in the current context, which is `state`'s: the
  /// code is loaded and, if need be, large shared memory is opted into.
  Result<CuFunction> getFunction(const DriverApi &driver, ContextCode &state,
                                 size_t kernel);

  TensorMapCache &getTensorMaps() { return tensorMaps; }

  /// Does what an evaluated plan says, in the current context.
  Failure execute(const DriverApi &driver, ContextCode &state, Plan &plan,
                  CuStream stream);

private:
  Result<CuFunction> prepareFunction(const DriverApi &driver,
                                     ContextCode &state, size_t kernel);
  Failure loadCode(const DriverApi &driver, ContextCode &state);
  Failure loadImage(const DriverApi &driver, ContextCode &state,
                    const std::string &bytes);

  const Manifest manifest;
  const std::string imagePath;
  const std::string image;

  /// Serialises loading; launching does not take it.
  std::mutex mutex;
  std::atomic<ContextCode *> contexts = {nullptr};
  TensorMapCache tensorMaps;
};

/// The whole file at `path`, or TESSERA_IO_ERROR.
Result<std::string> readFile(const std::string &path);

} // namespace tessera::runtime

#endif // TESSERA_LIB_RUNTIME_MODULE_H
