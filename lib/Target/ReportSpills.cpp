//===- ReportSpills.cpp - say which kernels spill, and where --------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/ReportSpills.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tessera {

static bool spills(const KernelResources &kernel) {
  return kernel.ptxas.spillStoreBytes || kernel.ptxas.spillLoadBytes;
}

bool anySpills(ArrayRef<KernelResources> resources) {
  return llvm::any_of(resources, spills);
}

/// The value of an integer attribute, or 0.
static int64_t getInteger(Operation *op, StringRef name) {
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  return attribute ? attribute.getInt() : 0;
}

/// What may give a thread more registers or fewer values to keep in them.
static std::string suggest(LLVM::LLVMFuncOp function) {
  if (int64_t limit =
          getInteger(function, NVVM::NVVMDialect::getMaxnregAttrName()))
    return llvm::formatv("more registers than --maxnreg={0}", limit);
  if (int64_t CTAs =
          getInteger(function, NVVM::NVVMDialect::getMinctasmAttrName());
      CTAs > 1)
    return llvm::formatv("fewer resident programs than --min-ctas={0}", CTAs);
  auto threads = function->getAttrOfType<DenseI32ArrayAttr>(
      NVVM::NVVMDialect::getReqntidAttrName());
  int64_t warps = threads && !threads.empty() ? threads[0] / 32 : 0;
  // 8 warps of 255 registers are all that a multiprocessor has: more warps have
  // no more together.
  if (warps == 0 || warps >= 8)
    return "a smaller tile (-D)";
  return llvm::formatv("a smaller tile (-D), or more warps than {0} "
                       "(--num-warps={1})",
                       warps, 2 * warps);
}

void warnOfSpills(ModuleOp module, ArrayRef<KernelResources> resources) {
  for (const KernelResources &kernel : resources) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel.name);
    if (!function || !spills(kernel))
      continue;
    const PtxasFunction &ptxas = kernel.ptxas;
    std::string suggestion = suggest(function);
    mlir::emitWarning(function.getLoc())
        << "'" << kernel.name << "' spills registers: a thread stores "
        << ptxas.spillStoreBytes << " and loads " << ptxas.spillLoadBytes
        << " bytes beside its " << ptxas.registers
        << " registers; what may help: " << suggestion;
    remark::missed(
        function.getLoc(),
        remark::RemarkOpts::name("spills").category("ptxas").function(
            kernel.name))
        << remark::metric("StoreBytes", ptxas.spillStoreBytes)
        << remark::metric("LoadBytes", ptxas.spillLoadBytes)
        << remark::metric("Registers", ptxas.registers)
        << remark::reason("a thread needs more registers than it has")
        << remark::suggest("{0}", suggestion);
  }
}

/// The kernel that ptxas calls `symbol`; null for none.
static LLVM::LLVMFuncOp findKernel(ModuleOp module, const SymbolNameMap &names,
                                   StringRef symbol) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (names.lookup(function.getName()) == symbol)
      return function;
  return nullptr;
}

bool reportShortages(ModuleOp module, const SymbolNameMap &names,
                     const PtxasReport &report) {
  bool all = llvm::all_of(report.shortages, [&](const PtxasShortage &shortage) {
    return findKernel(module, names, shortage.symbol);
  });
  if (!all)
    return false;
  for (const PtxasShortage &shortage : report.shortages) {
    LLVM::LLVMFuncOp function = findKernel(module, names, shortage.symbol);
    bool isOption =
        getInteger(function, NVVM::NVVMDialect::getMaxnregAttrName()) ==
        shortage.limit;
    mlir::emitError(function.getLoc())
        << "'" << function.getName() << "' has an instruction that takes "
        << shortage.needed << " registers of a thread at once, but "
        << (isOption ? "the limit (--maxnreg) is " : "the limit is ")
        << shortage.limit
        << "; what may help: " << (isOption ? "--maxnreg=" : "a limit of ")
        << shortage.needed << " or more";
  }
  return true;
}

/// In the words of the compiler, where it is known what ptxas means.
static void warnOfSerialized(LLVM::LLVMFuncOp function,
                             const PtxasSerialized &serialized) {
  InFlightDiagnostic warning = mlir::emitWarning(function.getLoc());
  warning << "'" << function.getName()
          << "' waits for each wgmma before the next one: ";
  if (serialized.lacksRegisters)
    warning << "its accumulators and what it computes beside them need more "
               "registers than a thread has; what may help: "
            << suggest(function);
  else
    warning << serialized.cause;
}

void warnOfSerialized(ModuleOp module, const SymbolNameMap &names,
                      const PtxasReport &report) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    for (const PtxasSerialized &serialized : report.serialized)
      if (names.lookup(function.getName()) == serialized.symbol)
        warnOfSerialized(function, serialized);
  for (const PtxasSerialized &serialized : report.serialized)
    if (!findKernel(module, names, serialized.symbol))
      mlir::emitWarning(module.getLoc())
          << "'" << serialized.symbol
          << "' waits for each wgmma before the next one: " << serialized.cause;
}

void locateSpills(std::vector<KernelResources> &resources,
                  const SymbolNameMap &names, StringRef sass) {
  llvm::StringMap<std::vector<LocalAccesses>> found = findLocalAccesses(sass);
  for (KernelResources &kernel : resources)
    if (spills(kernel))
      kernel.localAccesses = found.lookup(names.lookup(kernel.name));
}

} // namespace tessera
