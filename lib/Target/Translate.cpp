//===- Translate.cpp - LLVM dialect to LLVM IR to PTX ---------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first and the last step of the way to PTX; what lies between them is in
// Libdevice.cpp and OptimizeDevice.cpp.
//
// The MLIR module is copied first: launch plans stay behind, and neither the
// removal of folders from locations nor the renaming of symbols may be seen by
// whoever goes on with the module.
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/Translate.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "tessera/Target/TargetInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Pass.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

using namespace mlir;

// LLVM's TargetSelect.h initialises all targets or the host's; NVPTX's own
// entry points are exported under these names.
extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace tessera {

//===----------------------------------------------------------------------===//
// Target machine
//===----------------------------------------------------------------------===//

/// The target machine for `options`, or null with `error` set.
static std::unique_ptr<llvm::TargetMachine>
createMachine(const TranslateOptions &options, std::string &error) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  std::optional<TargetInfo> info = TargetInfo::get(options.target);
  if (!info) {
    error = "unknown target '" + options.target + "'";
    return nullptr;
  }
  llvm::Triple triple("nvptx64-nvidia-cuda");
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  llvm::TargetOptions targetOptions;
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, info->name, "+ptx" + std::to_string(info->ptxVersion),
      targetOptions, std::nullopt, std::nullopt,
      llvm::CodeGenOptLevel::Default));
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

namespace {
/// Turns what LLVM reports into MLIR diagnostics; remarks are dropped.
struct DeviceDiagnosticHandler : llvm::DiagnosticHandler {
  explicit DeviceDiagnosticHandler(Location location) : location(location) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() > llvm::DS_Warning)
      return true;
    std::string message;
    llvm::raw_string_ostream stream(message);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    if (info.getSeverity() == llvm::DS_Error) {
      HasErrors = true;
      mlir::emitError(getLocation(info)) << "LLVM: " << message;
    } else {
      mlir::emitWarning(getLocation(info)) << "LLVM: " << message;
    }
    return true;
  }

private:
  Location getLocation(const llvm::DiagnosticInfo &info) const {
    if (auto *unsupported = dyn_cast<llvm::DiagnosticInfoUnsupported>(&info))
      return convert(*unsupported);
    if (auto *limit = dyn_cast<llvm::DiagnosticInfoResourceLimit>(&info))
      return convert(*limit);
    return location;
  }

  Location convert(const llvm::DiagnosticInfoWithLocationBase &info) const {
    if (!info.isLocationAvailable())
      return location;
    StringRef file;
    unsigned line = 0, column = 0;
    info.getLocation(file, line, column);
    return FileLineColLoc::get(location.getContext(), file, line, column);
  }

  Location location;
};
} // namespace

DeviceModule::DeviceModule(Location location)
    : location(location), context(std::make_unique<llvm::LLVMContext>()) {
  context->setDiagnosticHandler(
      std::make_unique<DeviceDiagnosticHandler>(location));
}
DeviceModule::DeviceModule(DeviceModule &&) = default;
DeviceModule &DeviceModule::operator=(DeviceModule &&other) {
  // Not the default: the old module must go before the old context.
  module = std::move(other.module);
  machine = std::move(other.machine);
  context = std::move(other.context);
  location = other.location;
  names = std::move(other.names);
  return *this;
}
DeviceModule::~DeviceModule() = default;

bool DeviceModule::hasErrors() const {
  return context->getDiagHandlerPtr()->HasErrors;
}

std::string DeviceModule::print() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, nullptr);
  return text;
}

//===----------------------------------------------------------------------===//
// MLIR to LLVM IR
//===----------------------------------------------------------------------===//

/// Strips folders from all locations and debug-info files: PTX must not depend
/// on where a source lies.
static void stripFolders(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FileLineColRange range) -> Attribute {
    StringRef name = llvm::sys::path::filename(range.getFilename().getValue());
    return FileLineColRange::get(StringAttr::get(range.getContext(), name),
                                 range.getStartLine(), range.getStartColumn(),
                                 range.getEndLine(), range.getEndColumn());
  });
  replacer.addReplacement([](LLVM::DIFileAttr file) -> Attribute {
    MLIRContext *context = file.getContext();
    StringRef name = llvm::sys::path::filename(file.getName().getValue());
    return LLVM::DIFileAttr::get(context, StringAttr::get(context, name),
                                 StringAttr::get(context, ""));
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/true);
}

/// Removes the argument attributes that speak to the manifest, such as
/// `tile.name`: the translation warns of attributes that it does not know.
static void stripForeignArgumentAttributes(LLVM::LLVMFuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    SmallVector<NamedAttribute> kept;
    if (DictionaryAttr attributes = function.getArgAttrDict(i))
      llvm::copy_if(
          attributes, std::back_inserter(kept), [](NamedAttribute attribute) {
            StringRef name = attribute.getName();
            return name.starts_with("llvm.") || name.starts_with("nvvm.");
          });
    function.setArgAttrs(i, kept);
  }
}

/// A module with copies of the `llvm.*` operations of `module`.
static OwningOpRef<ModuleOp> copyDeviceCode(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = ModuleOp::create(module.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(copy->getBody());
  for (Operation &op : *module.getBody())
    if (isa_and_nonnull<LLVM::LLVMDialect>(op.getDialect()))
      builder.clone(op);
  for (auto function : copy->getOps<LLVM::LLVMFuncOp>())
    stripForeignArgumentAttributes(function);
  return copy;
}

/// Gives every function a debug scope, from which `.loc` directives come.
static LogicalResult addLineInfo(ModuleOp module) {
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  // Anything richer makes `.target …, debug`, under which ptxas ignores
  // setmaxnreg.
  options.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  PassManager manager(module.getContext());
  manager.enableVerifier(false);
  manager.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  return manager.run(module);
}

FailureOr<DeviceModule> translateToLLVMIR(ModuleOp module,
                                          const TranslateOptions &options) {
  DeviceModule device(module.getLoc());
  std::string error;
  device.machine = createMachine(options, error);
  if (!device.machine)
    return module.emitError(error);

  MLIRContext &context = *module.getContext();
  registerBuiltinDialectTranslation(context);
  registerLLVMDialectTranslation(context);
  registerNVVMDialectTranslation(context);

  OwningOpRef<ModuleOp> copy = copyDeviceCode(module);
  FailureOr<SymbolNameMap> names = renameSymbolsForPTX(*copy);
  if (failed(names))
    return failure();
  device.names = std::move(*names);
  stripFolders(*copy);
  if (options.lineInfo && failed(addLineInfo(*copy)))
    return failure();

  // The translation asks the data layout for alignments: set it before.
  Builder builder(&context);
  (*copy)->setAttr(
      LLVM::LLVMDialect::getDataLayoutAttrName(),
      builder.getStringAttr(
          device.machine->createDataLayout().getStringRepresentation()));
  (*copy)->setAttr(
      LLVM::LLVMDialect::getTargetTripleAttrName(),
      builder.getStringAttr(device.machine->getTargetTriple().str()));
  device.module = translateModuleToLLVMIR(*copy, *device.context, "tessera");
  if (!device.module || device.hasErrors())
    return failure();
  return device;
}

//===----------------------------------------------------------------------===//
// LLVM IR to PTX
//===----------------------------------------------------------------------===//

// A stamp of 0 counts as absent: it is 1.
std::string fixFileDirectives(StringRef ptx) {
  std::string result;
  result.reserve(ptx.size() + 64);
  for (StringRef rest = ptx; !rest.empty();) {
    auto [line, tail] = rest.split('\n');
    result += line;
    if (line.starts_with("\t.file\t") && line.ends_with("\""))
      result += ", 1, 0";
    if (line.size() < rest.size())
      result += '\n';
    rest = tail;
  }
  return result;
}

namespace {
/// Leaves out straight-line strength reduction, which NVPTX adds at every level
/// of optimisation: its time grows with the square of a block's additions, and
/// ptxas makes the same machine code without it. Passes of code generation have
/// no switch; a changed name would cost time only.
class CodeGenPasses : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass *pass) override {
    if (pass->getPassName() == "Straight line strength reduction")
      delete pass;
    else
      llvm::legacy::PassManager::add(pass);
  }
};
} // namespace

FailureOr<std::string> emitPTX(DeviceModule &device) {
  llvm::SmallString<0> text;
  {
    llvm::raw_svector_ostream stream(text);
    CodeGenPasses passes;
    if (device.machine->addPassesToEmitFile(
            passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
      return mlir::emitError(device.location)
             << "LLVM's NVPTX target cannot emit text";
    passes.run(*device.module);
  }
  if (device.hasErrors())
    return failure();
  return fixFileDirectives(text);
}

} // namespace tessera
