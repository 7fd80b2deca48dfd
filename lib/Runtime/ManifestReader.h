//===- ManifestReader.h - the parts of reading a manifest -------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Manifest.cpp reads the document and the kernels, ExpressionReader.cpp an
// entry's nodes, ActionReader.cpp its body. Each returns false after a
// complaint.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_RUNTIME_MANIFESTREADER_H
#define TESSERA_LIB_RUNTIME_MANIFESTREADER_H

#include "JsonCursor.h"
#include "tessera/Runtime/Manifest.h"

namespace tessera::runtime {

/// Reads `nodes` (an array) into entry.nodes, entry.operands and
/// entry.usesCallerGrid. Expects entry.arguments.
bool readExpressions(const JsonCursor &nodes, Entry &entry);

/// Reads `body` (an array) into entry.body and the bounds that follow from it.
/// Expects entry.arguments and entry.nodes, and all kernels.
bool readActions(const JsonCursor &body, const Manifest &manifest,
                 Entry &entry);

} // namespace tessera::runtime

#endif // TESSERA_LIB_RUNTIME_MANIFESTREADER_H
