//===- Compile.cpp - the back end as one function -------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/Compile.h"

#include "tessera/Target/Manifest.h"
#include "tessera/Target/Ptxas.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace tessera {

/// Adds the functions whose instructions use `value`, directly or in constant
/// expressions, to `functions`.
static void
findUsingFunctions(const llvm::Value *value,
                   llvm::SetVector<const llvm::Function *> &functions) {
  for (const llvm::User *user : value->users()) {
    if (auto *instruction = dyn_cast<llvm::Instruction>(user))
      functions.insert(instruction->getFunction());
    else if (isa<llvm::Constant>(user))
      findUsingFunctions(user, functions);
  }
}

/// Bytes of shared memory that each function names and the module defines.
/// External arrays have no size: they stand for dynamic shared memory.
static llvm::StringMap<int64_t> countStaticShared(const llvm::Module &module) {
  constexpr unsigned sharedSpace = 3;
  llvm::StringMap<int64_t> bytes;
  for (const llvm::GlobalVariable &global : module.globals()) {
    if (global.getAddressSpace() != sharedSpace || global.isDeclaration())
      continue;
    int64_t size =
        module.getDataLayout().getTypeAllocSize(global.getValueType());
    llvm::SetVector<const llvm::Function *> functions;
    findUsingFunctions(&global, functions);
    for (const llvm::Function *function : functions)
      bytes[function->getName()] += size;
  }
  return bytes;
}

/// Links libdevice where the module needs it.
static LogicalResult resolveCalls(ModuleOp module, DeviceModule &device,
                                  const ToolkitOptions &toolkit) {
  if (needsLibdevice(device)) {
    llvm::Expected<std::string> path = findLibdevice(toolkit);
    if (!path)
      return mlir::emitError(device.location)
             << llvm::toString(path.takeError());
    if (failed(linkLibdevice(device, *path)))
      return failure();
  }
  return checkExternalCalls(module, device);
}

static FailureOr<PtxasResult> assemble(Location location, StringRef ptx,
                                       const CompileOptions &options) {
  llvm::Expected<std::string> path = findPtxas(options.toolkit);
  if (!path)
    return mlir::emitError(location) << llvm::toString(path.takeError());
  llvm::Expected<PtxasResult> result =
      runPtxas(*path, ptx, options.translate.target);
  if (!result)
    return mlir::emitError(location) << llvm::toString(result.takeError());
  for (const std::string &warning : result->report.warnings)
    mlir::emitWarning(location) << warning;
  return std::move(*result);
}

FailureOr<CompileResult> compileModule(ModuleOp module,
                                       const CompileOptions &options,
                                       TimingScope &timing) {
  auto stage = [&](StringRef name, StringRef extension, StringRef contents) {
    if (options.onStage)
      options.onStage(name, extension, contents);
  };
  if (llvm::none_of(*module.getBody(),
                    [](Operation &op) { return isKernel(&op); }))
    return module.emitError("there is no kernel to compile");

  TimingScope step = timing.nest("Translate to LLVM IR");
  FailureOr<DeviceModule> device = translateToLLVMIR(module, options.translate);
  if (failed(device) || failed(resolveCalls(module, *device, options.toolkit)))
    return failure();
  if (options.onStage)
    stage("llvm", "ll", device->print());

  step = timing.nest("Optimize LLVM IR");
  if (failed(optimizeDevice(*device)))
    return failure();
  if (options.onStage)
    stage("llvm-optimized", "ll", device->print());
  if (options.artifact == Artifact::LLVMIR)
    return CompileResult{device->print(), {}};

  step = timing.nest("Emit PTX");
  llvm::StringMap<int64_t> staticShared = countStaticShared(*device->module);
  FailureOr<std::string> ptx = emitPTX(*device);
  if (failed(ptx))
    return failure();
  stage("kernel", "ptx", *ptx);

  ManifestInput input;
  input.target = options.translate.target;
  input.output = options.outputName;
  input.names = &device->names;
  input.staticSharedBytes = &staticShared;
  if (options.artifact == Artifact::PTX)
    return CompileResult{std::move(*ptx), buildManifest(module, input)};

  step = timing.nest("Run ptxas");
  FailureOr<PtxasResult> assembled = assemble(module.getLoc(), *ptx, options);
  if (failed(assembled))
    return failure();
  stage("kernel", "cubin", assembled->cubin);
  input.ptxas = &*assembled;
  return CompileResult{assembled->cubin, buildManifest(module, input)};
}

} // namespace tessera
