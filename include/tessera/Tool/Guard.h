//===- Guard.h - run a program so that it ends in order ---------*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Deeply nested input must not overflow a stack, and a fault inside LLVM, whose
// code generator aborts at times, must end in a message and an exit code.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOL_GUARD_H
#define TESSERA_TOOL_GUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tessera {

/// Exit code after a fault of the compiler itself (EX_SOFTWARE of sysexits.h).
inline constexpr int kInternalFault = 70;

/// Calls `work` on a thread with a large stack, since deeply nested input must
/// not overflow it, and ends the process with the exit code that it returns. A
/// fatal signal, or LLVM's report of a fatal error, ends it with kInternalFault:
/// temporary files are removed, and a message, completed by `hint`, says what it
/// is.
///
/// After a fault the heap may be broken and its locks held: an abort inside
/// malloc is such a fault. Nothing that follows allocates, unwinds, or waits for
/// the thread.
[[noreturn]] void runGuarded(llvm::StringRef program, llvm::StringRef hint,
                             llvm::function_ref<int()> work);

} // namespace tessera

#endif // TESSERA_TOOL_GUARD_H
