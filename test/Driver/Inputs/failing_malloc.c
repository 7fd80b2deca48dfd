//===- failing_malloc.c - a malloc that aborts with its lock held ---------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For LD_PRELOAD. Call number FAIL_AT of a thread that is not the first finds, as
// it were, a broken heap: the program aborts, and whoever allocates or frees
// afterwards waits for ever, as with glibc's own lock.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void __libc_free(void *);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *malloc(size_t size) {
  static int calls;
  pthread_mutex_lock(&lock);
  if (gettid() != getpid() && ++calls == FAIL_AT)
    abort();
  void *memory = __libc_malloc(size);
  pthread_mutex_unlock(&lock);
  return memory;
}

void free(void *memory) {
  pthread_mutex_lock(&lock);
  __libc_free(memory);
  pthread_mutex_unlock(&lock);
}
