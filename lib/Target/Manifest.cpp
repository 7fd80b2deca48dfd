//===- Manifest.cpp - what a launcher has to know -------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Target/Manifest.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tessera/Dialect/Tile/IR/Tile.h"
#include "tessera/Schedule/Occupancy.h"
#include "tessera/Target/LaunchPlan.h"
#include "tessera/Target/TargetInfo.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
namespace json = llvm::json;

namespace tessera {

bool isKernel(Operation *op) {
  return isa<LLVM::LLVMFuncOp>(op) &&
         op->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
}

/// Value of a parameter: an integer, the name of a type, or MLIR's spelling.
static json::Value toJSON(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute);
      integer && integer.getValue().getSignificantBits() <= 64)
    return integer.getValue().getSExtValue();
  if (auto string = dyn_cast<StringAttr>(attribute))
    return string.getValue();
  std::string text;
  llvm::raw_string_ostream stream(text);
  attribute.print(stream, /*elideType=*/true);
  return text;
}

static int64_t getInteger(Operation *op, StringRef name, int64_t otherwise) {
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  return attribute ? attribute.getInt() : otherwise;
}

/// Warps of a CTA: as the compiler recorded them, or from the launch bound.
static int64_t getNumWarps(LLVM::LLVMFuncOp kernel) {
  int64_t threads = 1;
  if (auto bound = kernel->getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getReqntidAttrName()))
    for (int32_t extent : bound.asArrayRef())
      threads *= extent;
  return getInteger(kernel, "tile_gpu.num_warps", (threads + 31) / 32);
}

/// Only where there are some.
static void writeSharedBuffers(json::OStream &out, LLVM::LLVMFuncOp kernel) {
  auto buffers = kernel->getAttrOfType<ArrayAttr>("tile_gpu.shared_buffers");
  if (!buffers)
    return;
  out.attributeArray("shared_buffers", [&] {
    for (auto buffer : buffers.getAsRange<DictionaryAttr>())
      out.object([&] {
        for (StringRef member : {"kind", "offset", "slots", "slot_bytes", "line"})
          if (Attribute value = buffer.get(member))
            out.attribute(member, toJSON(value));
      });
  });
}

static void writeKernel(json::OStream &out, LLVM::LLVMFuncOp kernel,
                        const ManifestInput &input) {
  std::string symbol = input.names->lookup(kernel.getName());
  const PtxasFunction *function =
      input.ptxas ? input.ptxas->report.findEntry(symbol) : nullptr;
  auto number = [&](int64_t PtxasFunction::*member) -> json::Value {
    return function ? json::Value(function->*member) : json::Value(nullptr);
  };
  out.object([&] {
    out.attribute("name", kernel.getName());
    out.attribute("symbol", symbol);
    writeArguments(out, kernel);
    out.attribute("num_warps", getNumWarps(kernel));
    out.attribute("dynamic_shared_bytes",
                  getInteger(kernel, "tile_gpu.shared_bytes", 0));
    out.attribute("static_shared_bytes",
                  function ? function->staticSharedBytes
                           : input.staticSharedBytes->lookup(symbol));
    out.attribute("registers", number(&PtxasFunction::registers));
    out.attribute("spill_store_bytes", number(&PtxasFunction::spillStoreBytes));
    out.attribute("spill_load_bytes", number(&PtxasFunction::spillLoadBytes));
    out.attribute("stack_bytes", number(&PtxasFunction::stackBytes));
    writeSharedBuffers(out, kernel);
  });
}

/// CTAs of `kernel` that a multiprocessor holds, at least 1; without ptxas as if
/// registers were no limit.
static int64_t countResidentCTAs(LLVM::LLVMFuncOp kernel,
                                 const ManifestInput &input) {
  std::optional<TargetInfo> target = TargetInfo::get(input.target);
  if (!target)
    return 1;
  std::string symbol = input.names->lookup(kernel.getName());
  const PtxasFunction *function =
      input.ptxas ? input.ptxas->report.findEntry(symbol) : nullptr;
  CTAFootprint footprint;
  footprint.warps = getNumWarps(kernel);
  footprint.registers = function ? function->registers : 0;
  footprint.sharedBytes = getInteger(kernel, "tile_gpu.shared_bytes", 0) +
                          (function ? function->staticSharedBytes
                                    : input.staticSharedBytes->lookup(symbol));
  return std::max(computeOccupancy(*target, footprint).residentCTAs, 1);
}

/// The sizes that the configuration was chosen for; only where it was.
static void writeAssumed(json::OStream &out, ModuleOp module) {
  auto assumed =
      module->getAttrOfType<DictionaryAttr>(tile::TileDialect::kAssumed);
  if (!assumed)
    return;
  out.attributeObject("assumed", [&] {
    for (NamedAttribute size : assumed)
      out.attribute(size.getName(), toJSON(size.getValue()));
  });
}

static void writeParameters(json::OStream &out, ModuleOp module) {
  out.attributeObject("parameters", [&] {
    auto parameters =
        module->getAttrOfType<DictionaryAttr>(tile::TileDialect::kParameters);
    if (!parameters)
      return;
    for (NamedAttribute parameter : parameters)
      out.attribute(parameter.getName(), toJSON(parameter.getValue()));
  });
}

std::string buildManifest(ModuleOp module, const ManifestInput &input) {
  SymbolTable symbols(module);
  auto residentCTAs = [&](StringRef name) {
    auto kernel = symbols.lookup<LLVM::LLVMFuncOp>(name);
    return kernel ? countResidentCTAs(kernel, input) : 1;
  };
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream, /*IndentSize=*/2);
  out.object([&] {
    out.attribute("format", "tessera-manifest");
    out.attribute("version", getManifestVersion(module));
    out.attribute("target", input.target);
    out.attribute("ptxas", input.ptxas ? json::Value(input.ptxas->version)
                                       : json::Value(nullptr));
    writeParameters(out, module);
    writeAssumed(out, module);
    out.attribute("output", input.output);
    out.attributeArray("kernels", [&] {
      for (auto function : module.getOps<LLVM::LLVMFuncOp>())
        if (isKernel(function))
          writeKernel(out, function, input);
    });
    out.attributeArray("entries", [&] {
      for (auto launch : module.getOps<tile::LaunchOp>())
        writeLaunchPlan(out, launch, residentCTAs);
    });
  });
  out.flush();
  return text + "\n";
}

} // namespace tessera
