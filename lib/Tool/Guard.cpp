//===- Guard.cpp - run a program so that it ends in order -----------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tessera/Tool/Guard.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

#include <csignal>
#include <cstdlib>
#include <unistd.h>

using namespace llvm;

namespace tessera {

/// Address space for the stack; pages are only taken when they are touched.
static constexpr unsigned kStackBytes = 1u << 30;

static constexpr int kFaultSignals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL,
                                        SIGSEGV, SIGSYS, SIGTRAP};

/// For the handlers, which have no other way to know them.
static StringRef faultProgram, faultHint;

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
  writeText(faultProgram);
  writeText(": error: the compiler failed on this input; this is a fault of "
            "the compiler");
  writeText(faultHint);
  writeText("\n");
  ::_exit(kInternalFault);
}

static void handleSignal(int) {
  // A fault in here, or in another thread meanwhile, ends the program at once.
  for (int signal : kFaultSignals)
    ::signal(signal, SIG_DFL);
  leave();
}

/// LLVM calls this instead of aborting.
static void handleFatalError(void *, const char *reason, bool) {
  writeText(faultProgram);
  writeText(": error: LLVM: ");
  writeText(reason);
  writeText("\n");
  leave();
}

static void exitOnFaults() {
  install_fatal_error_handler(handleFatalError);
  struct sigaction action = {};
  action.sa_handler = handleSignal;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int signal : kFaultSignals)
    sigaction(signal, &action, nullptr);
}

/// Lets the calling thread handle the overflow of its own stack.
static void useFaultStack() {
  static char memory[64 * 1024];
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  sigaltstack(&stack, nullptr);
}

void runGuarded(StringRef program, StringRef hint, function_ref<int()> work) {
  faultProgram = program;
  faultHint = hint;
  exitOnFaults();
  int code = EXIT_FAILURE;
  thread worker(std::optional<unsigned>(kStackBytes), [&] {
    useFaultStack();
    code = work();
  });
  worker.join();
  outs().flush();
  // Destroying contexts and LLVM's global tables takes longer than some
  // compilations; the operating system is faster.
  std::_Exit(code);
}

} // namespace tessera
