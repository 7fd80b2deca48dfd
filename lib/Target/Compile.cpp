//===- Compile.cpp - the back end as one function -------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/Compile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tessera/Target/Disassemble.h"
#include "tessera/Target/EditedPTX.h"
#include "tessera/Target/Manifest.h"
#include "tessera/Target/Ptxas.h"
#include "tessera/Target/ReportSpills.h"
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

static FailureOr<PtxasResult> assemble(ModuleOp module, StringRef ptx,
                                       const SymbolNameMap &names,
                                       const CompileOptions &options) {
  Location location = module.getLoc();
  llvm::Expected<std::string> path = findPtxas(options.toolkit);
  if (!path)
    return mlir::emitError(location) << llvm::toString(path.takeError());
  llvm::Expected<PtxasResult> result =
      runPtxas(*path, ptx, options.translate.target, options.ptxasArguments);
  if (!result) {
    auto report = [&](const PtxasFailure &fault) {
      if (!fault.isShortage() || !reportShortages(module, names, fault.report))
        mlir::emitError(location) << fault.message;
    };
    auto other = [&](const llvm::ErrorInfoBase &fault) {
      mlir::emitError(location) << fault.message();
    };
    llvm::handleAllErrors(result.takeError(), report, other);
    return failure();
  }
  warnOfSerialized(module, names, result->report);
  for (const std::string &warning : result->report.warnings)
    mlir::emitWarning(location) << warning;
  return std::move(*result);
}

/// Replaces `ptx` by the text that the caller has given, if any.
static LogicalResult takeEditedPTX(Location location, std::string &ptx,
                                   const CompileOptions &options) {
  if (!options.editedPTX)
    return success();
  if (llvm::Error error = checkEditedPTX(*options.editedPTX, ptx))
    return mlir::emitError(location)
           << "'" << options.editedPTXFile << "' does not fit this source: "
           << llvm::toString(std::move(error));
  ptx = fixFileDirectives(*options.editedPTX);
  return success();
}

static llvm::Expected<std::string>
disassembleCubin(StringRef cubin, const ToolkitOptions &toolkit) {
  llvm::Expected<std::string> path = findNvdisasm(toolkit);
  if (!path)
    return path.takeError();
  return disassemble(*path, cubin);
}

/// Machine code as the artifact, or only to find the lines of spills: then
/// having no disassembler is no error.
static LogicalResult finishSASS(Location location, StringRef cubin,
                                const SymbolNameMap &names,
                                const CompileOptions &options,
                                CompileResult &result) {
  llvm::Expected<std::string> text = disassembleCubin(cubin, options.toolkit);
  if (!text) {
    std::string message = llvm::toString(text.takeError());
    if (options.artifact == Artifact::SASS)
      return mlir::emitError(location) << message;
    StringRef line = StringRef(message).split('\n').first;
    result.spillsUnknown = line.split(". Searched").first.str();
    return success();
  }
  locateSpills(result.resources, names, *text);
  if (options.artifact != Artifact::SASS)
    return success();
  if (options.onStage)
    options.onStage("kernel", "sass", *text);
  result.output = std::move(*text);
  return success();
}

static std::vector<KernelResources>
collectResources(ModuleOp module, const SymbolNameMap &names,
                 const PtxasReport &report) {
  std::vector<KernelResources> resources;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    const PtxasFunction *entry =
        isKernel(function) ? report.findEntry(names.lookup(function.getName()))
                           : nullptr;
    if (!entry)
      continue;
    auto dynamic =
        function->getAttrOfType<IntegerAttr>("tile_gpu.shared_bytes");
    resources.push_back(
        {function.getName().str(), dynamic ? dynamic.getInt() : 0, *entry, {}});
  }
  return resources;
}

/// The steps from PTX on. `input` describes all but ptxas's part.
static FailureOr<CompileResult> finish(ModuleOp module, std::string ptx,
                                       ManifestInput input,
                                       const CompileOptions &options,
                                       TimingScope &timing) {
  if (options.artifact == Artifact::PTX) {
    std::string manifest = buildManifest(module, input);
    return CompileResult{std::move(ptx), std::move(manifest), {}, {}};
  }
  Location location = module.getLoc();
  TimingScope step = timing.nest("Run ptxas");
  if (failed(takeEditedPTX(location, ptx, options)))
    return failure();
  FailureOr<PtxasResult> assembled =
      assemble(module, ptx, *input.names, options);
  if (failed(assembled))
    return failure();
  if (options.onStage)
    options.onStage("kernel", "cubin", assembled->cubin);
  input.ptxas = &*assembled;
  CompileResult result;
  result.manifest = buildManifest(module, input);
  result.resources = collectResources(module, *input.names, assembled->report);
  warnOfSpills(module, result.resources);
  if (options.artifact == Artifact::SASS ||
      (options.locateSpills && anySpills(result.resources))) {
    step = timing.nest("Disassemble");
    if (failed(finishSASS(location, assembled->cubin, *input.names, options,
                          result)))
      return failure();
  }
  if (options.artifact == Artifact::Cubin)
    result.output = std::move(assembled->cubin);
  return result;
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
    return CompileResult{device->print(), {}, {}, {}};

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
  step = TimingScope();
  return finish(module, std::move(*ptx), input, options, timing);
}

} // namespace tessera
