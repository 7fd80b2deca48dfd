//===- faults.c - faults in the middle of a program -----------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For LD_PRELOAD: FAULT=1 reads address 0, FAULT=2 overflows the stack, when a
// thread that is not the first calls access or stat.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

struct stat;

static int overflow(volatile char *above) {
  volatile char frame[4096];
  frame[0] = above ? above[0] : 0;
  return overflow(frame) + frame[0];
}

static int fault(void) {
  if (gettid() == getpid()) {
    errno = ENOENT;
    return -1;
  }
  return FAULT == 1 ? *(volatile int *)0 : overflow(0);
}

int stat(const char *path, struct stat *result) { return fault(); }
int access(const char *path, int mode) { return fault(); }
