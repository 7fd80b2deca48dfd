//===- Translate.h - LLVM dialect to LLVM IR to PTX -------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps from a level-3 module (`llvm` and `nvvm` dialects) to PTX text:
//
//   translateToLLVMIR   a copy of the module, cleaned of paths, as LLVM IR
//   linkLibdevice       the functions `__nv_*` that it calls (when it does)
//   optimizeDevice      a short list of LLVM passes
//   emitPTX             NVPTX code generation
//
// Numerics that this stage fixes for the language:
//   - f32 and f64 denormals are kept (no .ftz), in libdevice as well;
//   - a*b + c may be contracted to one fma with one rounding, whatever the
//   flags
//     of the operations say (FPOpFusion::Fast, the default of CUDA C++, too);
//   - division and square root are IEEE-rounded, in libdevice as well.
//
// Determinism: PTX depends on the module, the options and the LLVM version. It
// holds base names of source files, no folders, no times, no addresses.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_TRANSLATE_H
#define TESSERA_TARGET_TRANSLATE_H

#include "mlir/IR/BuiltinOps.h"
#include "tessera/Target/SymbolNames.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace tessera {

/// What the NVPTX code generator is asked to make.
struct TranslateOptions {
  /// A name of TargetInfo, which gives the version of PTX, too.
  std::string target = "sm_90a";
  /// Emit `.loc` directives, so that profilers show the kernel's source lines.
  bool lineInfo = true;
};

/// An LLVM module together with everything that has to outlive it. Its
/// diagnostics are reported at `location` of the MLIR module, or at the source
/// line where LLVM knows it.
class DeviceModule {
public:
  DeviceModule(mlir::Location location);
  DeviceModule(DeviceModule &&);
  DeviceModule &operator=(DeviceModule &&);
  ~DeviceModule();

  mlir::Location location;
  // Destroyed from the last to the first: the module before its context.
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
  /// Names of the MLIR module's symbols in PTX.
  SymbolNameMap names;

  /// True when LLVM has reported an error since the translation began.
  bool hasErrors() const;
  /// The module as text.
  std::string print() const;
};

/// Translates the `llvm.*` operations at the top level of `module`; all others
/// (launch plans) are left out. `module` is not changed.
llvm::FailureOr<DeviceModule>
translateToLLVMIR(mlir::ModuleOp module, const TranslateOptions &options);

/// True when the module calls functions of libdevice.
bool needsLibdevice(const DeviceModule &device);

/// Links the functions that are called from the bitcode library at `path`, as
/// internal ones, and fixes the library's switches: no flush to zero, IEEE
/// division and square root.
llvm::LogicalResult linkLibdevice(DeviceModule &device, llvm::StringRef path);

/// Fails with a diagnostic when the module still calls a function that neither
/// it nor the CUDA driver defines. `source` is the MLIR module it comes from.
llvm::LogicalResult checkExternalCalls(mlir::ModuleOp source,
                                       const DeviceModule &device);

/// Runs the LLVM passes that pay for kernels. No loop is unrolled.
llvm::LogicalResult optimizeDevice(DeviceModule &device);

/// The module as PTX text. Consumes the module: LLVM's code generation changes
/// it.
llvm::FailureOr<std::string> emitPTX(DeviceModule &device);

/// PTX whose `.file` directives carry a constant time stamp and size, as PTX
/// ISA "Debugging Directives: .file" allows. Without them ptxas looks for the
/// source file in its working directory and stores *its* time and size: the
/// cubin would depend on where it is made. emitPTX has done this.
std::string fixFileDirectives(llvm::StringRef ptx);

} // namespace tessera

#endif // TESSERA_TARGET_TRANSLATE_H
