//===- GpuRun.h - compile, launch and measure on the GPU --------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILERUN_GPURUN_H
#define TESSERA_TOOLS_TILERUN_GPURUN_H

#include "Source.h"

namespace tessera {

namespace runtime {
class Device;
} // namespace runtime

/// One entry of one compiled module.
class GpuRun {
public:
  explicit GpuRun(const RunSettings &settings) : settings(settings) {}
  ~GpuRun();
  GpuRun(const GpuRun &) = delete;
  GpuRun &operator=(const GpuRun &) = delete;

  /// Compiles the source as tile-opt does; the source itself stays as it is.
  llvm::Error compile(Source &source, llvm::StringRef entry);
  /// Reads a manifest and returns what `entry`, or its only one, is called
  /// with.
  llvm::Expected<std::vector<Parameter>> load(llvm::StringRef manifest,
                                              llvm::StringRef entry);

  /// Copies the tensors to the device, launches, copies them back; then
  /// measures or repeats as the settings say.
  llvm::Error run(std::vector<Argument> &arguments);

private:
  llvm::Expected<std::vector<Parameter>> findEntry(llvm::StringRef wanted);
  llvm::Error launch();
  llvm::Error upload(runtime::Device &device, std::vector<Argument> &arguments);
  llvm::Error download(runtime::Device &device,
                       std::vector<Argument> &arguments);
  llvm::Error measure(runtime::Device &device);

  const RunSettings &settings;
  tessera_module *module = nullptr;
  std::string entry;
  std::vector<tessera_argument> values;
};

} // namespace tessera

#endif // TESSERA_TOOLS_TILERUN_GPURUN_H
