//===- LaunchPlan.h - a launch plan as JSON ---------------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `tile.launch` becomes one entry of the manifest: its arguments, a list of
// expression nodes in which operands stand before their users, and a tree of
// actions. docs/Manifest.md defines the format.
//
// Equal values make one node: each SSA value has at most one, and so has each
// constant. Nodes exist for what an action uses; dead plan arithmetic is left
// out.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_LAUNCHPLAN_H
#define TESSERA_TARGET_LAUNCHPLAN_H

#include "tessera/Dialect/Tile/IR/Tile.h"
#include "llvm/Support/JSON.h"

namespace tessera {

/// A type as manifests spell it: "f32", "i64", "ptr<f16>",
/// "tensor_map<128x64xf16, swizzle = 128>".
std::string spellType(mlir::Type type);

/// The version of the manifest's format that the module needs
/// (docs/Manifest.md): 2 with tensor maps, else 1.
int64_t getManifestVersion(mlir::ModuleOp module);

/// The number that `tile.plan.resident_ctas` stands for, by the kernel's name.
using ResidentCTAs = llvm::function_ref<int64_t(llvm::StringRef)>;

/// Writes `launch` as a JSON object. Where nothing is known of a device, one CTA
/// is resident.
void writeLaunchPlan(
    llvm::json::OStream &json, tile::LaunchOp launch,
    ResidentCTAs residentCTAs = [](llvm::StringRef) { return int64_t(1); });

/// Writes the attribute "arguments" of a kernel or an entry: names and types.
/// The type of a lowered argument is what `tile.type` says.
void writeArguments(llvm::json::OStream &json,
                    mlir::FunctionOpInterface function);

} // namespace tessera

#endif // TESSERA_TARGET_LAUNCHPLAN_H
