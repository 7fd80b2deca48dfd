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

void locateSpills(std::vector<KernelResources> &resources,
                  const SymbolNameMap &names, StringRef sass) {
  llvm::StringMap<std::vector<LocalAccesses>> found = findLocalAccesses(sass);
  for (KernelResources &kernel : resources)
    if (spills(kernel))
      kernel.localAccesses = found.lookup(names.lookup(kernel.name));
}

} // namespace tessera
