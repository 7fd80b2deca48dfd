//===- FloatEncoding.h - doubles as narrower float bits ---------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_FLOATENCODING_H
#define TESSERA_RUNTIME_FLOATENCODING_H

#include "tessera/Runtime/Manifest.h"

namespace tessera::runtime {

/// The bits of `value` rounded once, from double, to `kind` (a float type): to
/// nearest, ties to even, whatever rounding mode the host program has set. Too
/// large a value becomes infinity, a NaN the quiet NaN of its sign; subnormals
/// are kept.
uint64_t encodeFloat(TypeKind kind, double value);

/// The value that those bits stand for, exactly.
double decodeFloat(TypeKind kind, uint64_t bits);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_FLOATENCODING_H
