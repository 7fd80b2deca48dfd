/*===- FakeDriver.h - what the parts of the fake driver share -------------===//
 *
 * Part of the Tessera project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#ifndef TESSERA_TEST_RUNTIME_FAKEDRIVER_H
#define TESSERA_TEST_RUNTIME_FAKEDRIVER_H

#include <stddef.h>

enum { kSuccess = 0, kInvalidValue = 1, kInvalidImage = 200, kNotFound = 500 };

typedef struct {
  unsigned long long id;
} Context;

/* The calling thread's current context. */
extern _Thread_local Context *current;

/* Whether memory of cuMemAlloc begins at `pointer`. */
int isAllocated(unsigned long long pointer);

/* Whether there is a log. */
int isRecording(void);

/* Appends one line to the log, as printf makes it. */
void record(const char *format, ...);

/* The error that the environment asks `function` to return, or success. */
int injected(const char *function);

/* Sets bytes of memory that cuMemAlloc gave; others are numbers only. */
void fillIfAllocated(unsigned long long pointer, unsigned char value,
                     size_t bytes);

#define FAIL_IF_ASKED()                                                        \
  do {                                                                         \
    int error = injected(__func__);                                            \
    if (error)                                                                 \
      return error;                                                            \
  } while (0)

#endif /* TESSERA_TEST_RUNTIME_FAKEDRIVER_H */
