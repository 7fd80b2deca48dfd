//===- Libdevice.cpp - link the CUDA mathematics library ------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libdevice.10.bc holds about 300 functions `__nv_*`. Only the called ones are
// read from the file (it is loaded lazily), linked and made internal.
//
// Its functions ask `__nvvm_reflect("NAME")` about the mode of compilation. The
// answers are given here, rather than by LLVM's own pass, which knows only
// __CUDA_FTZ and __CUDA_ARCH and answers 0 otherwise: an approximate square
// root and division.
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/Translate.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlir;

namespace tessera {

/// Chip number times ten, as __CUDA_ARCH__ has it: sm_90a → 900.
static unsigned getCudaArch(StringRef chip) {
  unsigned number = 0;
  chip.consume_front("sm_");
  (void)chip.consumeInteger(10, number);
  return number * 10;
}

/// Replaces each `__nvvm_reflect` call by the answer of the file's banner.
static void answerReflectCalls(llvm::Module &module, unsigned cudaArch) {
  llvm::Function *reflect = module.getFunction("__nvvm_reflect");
  if (!reflect)
    return;
  for (llvm::User *user : llvm::make_early_inc_range(reflect->users())) {
    auto *call = dyn_cast<llvm::CallInst>(user);
    if (!call || call->arg_size() != 1)
      continue;
    StringRef question;
    llvm::getConstantStringInfo(call->getArgOperand(0), question);
    unsigned answer = llvm::StringSwitch<unsigned>(question)
                          .Case("__CUDA_ARCH", cudaArch)
                          .Case("__CUDA_PREC_DIV", 1)
                          .Case("__CUDA_PREC_SQRT", 1)
                          .Default(0); // among them __CUDA_FTZ
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), answer));
    call->eraseFromParent();
  }
  if (reflect->use_empty())
    reflect->eraseFromParent();
}

bool needsLibdevice(const DeviceModule &device) {
  return llvm::any_of(*device.module, [](const llvm::Function &function) {
    return function.isDeclaration() &&
           function.getName().starts_with("__nv_") && !function.use_empty();
  });
}

LogicalResult linkLibdevice(DeviceModule &device, StringRef path) {
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> library =
      llvm::getLazyIRFileModule(path, problem, *device.context);
  if (!library)
    return mlir::emitError(device.location) << "cannot read libdevice '" << path
                                            << "': " << problem.getMessage();
  // The library is made for any NVPTX target; equal strings avoid warnings.
  library->setDataLayout(device.module->getDataLayout());
  library->setTargetTriple(device.module->getTargetTriple());

  auto internalize = [](llvm::Module &module, const llvm::StringSet<> &linked) {
    llvm::internalizeModule(module, [&](const llvm::GlobalValue &value) {
      return !value.hasName() || !linked.contains(value.getName());
    });
  };
  if (llvm::Linker::linkModules(*device.module, std::move(library),
                                llvm::Linker::Flags::LinkOnlyNeeded,
                                internalize) ||
      device.hasErrors())
    return mlir::emitError(device.location)
           << "cannot link libdevice '" << path << "'";
  answerReflectCalls(*device.module,
                     getCudaArch(device.machine->getTargetCPU()));
  return success();
}

LogicalResult checkExternalCalls(ModuleOp source, const DeviceModule &device) {
  // The CUDA driver supplies these system calls.
  static const llvm::StringSet<> supplied = {"vprintf", "malloc", "free",
                                             "__assertfail"};
  bool ok = true;
  for (const llvm::Function &function : *device.module) {
    if (!function.isDeclaration() || function.isIntrinsic() ||
        function.use_empty() || supplied.contains(function.getName()))
      continue;
    // Declarations keep their names, so that this one is found again.
    Operation *declaration = source.lookupSymbol(function.getName());
    mlir::emitError(declaration ? declaration->getLoc() : device.location)
        << "function '" << function.getName()
        << "' is called, but neither defined here nor a part of libdevice";
    ok = false;
  }
  return success(ok);
}

} // namespace tessera
