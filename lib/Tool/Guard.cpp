//===- Guard.cpp - run a program so that it ends in order -----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Tool/Guard.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;

namespace tessera {

/// Address space for the stack; pages are only taken when they are touched.
static constexpr unsigned kStackBytes = 1u << 30;

/// LLVM calls this instead of aborting. Leaves by way of the recovery context.
static void reportFatalError(void *program, const char *reason, bool) {
  WithColor::error(errs(), *static_cast<StringRef *>(program))
      << "LLVM: " << reason << "\n";
  if (CrashRecoveryContext *context = CrashRecoveryContext::GetCurrent())
    context->HandleExit(kInternalFault);
}

void runGuarded(StringRef program, StringRef hint, function_ref<int()> work) {
  install_fatal_error_handler(reportFatalError, &program);
  CrashRecoveryContext::Enable();
  CrashRecoveryContext context;
  int code = EXIT_FAILURE;
  if (!context.RunSafelyOnThread([&] { code = work(); }, kStackBytes)) {
    sys::RunInterruptHandlers(); // Removes temporary files.
    WithColor::error(errs(), program)
        << "the compiler failed on this input; this is a fault of the compiler"
        << hint << "\n";
    code = kInternalFault;
  }
  outs().flush();
  // Destroying contexts and LLVM's global tables takes longer than some
  // compilations; the operating system is faster.
  std::_Exit(code);
}

} // namespace tessera
