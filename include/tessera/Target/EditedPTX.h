//===- EditedPTX.h - PTX that a person has changed --------------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For experiments PTX is edited by hand and assembled in place of what the
// compiler made; the manifest still comes from the source. That is right as
// long as a launch by this manifest fits the edited kernels: the same target,
// entry names, parameters and threads of a CTA. The bodies are free, and so are
// the directives of performance (.maxnreg, .minnctapersm).
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_EDITEDPTX_H
#define TESSERA_TARGET_EDITEDPTX_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tessera {

/// Succeeds when a manifest made for `generated` describes `edited`, too.
/// Comments and white space do not count.
llvm::Error checkEditedPTX(llvm::StringRef edited, llvm::StringRef generated);

} // namespace tessera

#endif // TESSERA_TARGET_EDITEDPTX_H
