//===- CrashExit.h - faults end in a message and an exit code ---*- C++ -*-===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After a fault the heap may be broken and its locks held: an abort inside
// malloc is such a fault. Nothing that follows may allocate, unwind, or wait
// for the thread, so that the handler writes a text and leaves.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TILEOPT_CRASHEXIT_H
#define TESSERA_TOOLS_TILEOPT_CRASHEXIT_H

namespace tessera {

/// Exit code after a fault of the compiler itself (EX_SOFTWARE of sysexits.h).
inline constexpr int internalFault = 70;

/// From here on a fatal signal, and LLVM's report of a fatal error, end the
/// program: temporary files are removed, a message says what it is, and the
/// exit code is `internalFault`.
void exitOnFaults();

/// Lets the calling thread handle the overflow of its own stack.
void useFaultStack();

} // namespace tessera

#endif // TESSERA_TOOLS_TILEOPT_CRASHEXIT_H
