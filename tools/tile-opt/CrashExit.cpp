//===- CrashExit.cpp - faults end in a message and an exit code -----------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CrashExit.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <unistd.h>

using namespace llvm;

namespace tessera {

static constexpr int faultSignals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL,
                                       SIGSEGV, SIGSYS, SIGTRAP};

/// write(2) is one of the few calls that a signal handler may make.
static void writeText(StringRef text) {
  while (!text.empty()) {
    ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count <= 0)
      return;
    text = text.drop_front(count);
  }
}

[[noreturn]] static void leave() {
  sys::RunInterruptHandlers(); // Removes temporary files; takes no locks.
  writeText(
      "tile-opt: error: the compiler failed on this input; this is a fault "
      "of the compiler (--dump-dir=DIR shows how far it came)\n");
  ::_exit(internalFault);
}

static void handleSignal(int) {
  // A fault in here, or in another thread meanwhile, ends the program at once.
  for (int signal : faultSignals)
    ::signal(signal, SIG_DFL);
  leave();
}

/// LLVM calls this instead of aborting.
static void handleFatalError(void *, const char *reason, bool) {
  writeText("tile-opt: error: LLVM: ");
  writeText(reason);
  writeText("\n");
  leave();
}

void exitOnFaults() {
  install_fatal_error_handler(handleFatalError);
  struct sigaction action = {};
  action.sa_handler = handleSignal;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int signal : faultSignals)
    sigaction(signal, &action, nullptr);
}

void useFaultStack() {
  static char memory[64 * 1024];
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  sigaltstack(&stack, nullptr);
}

} // namespace tessera
