/*===- FakeDriverMemory.c - memory and events of the fake driver ----------===//
 *
 * Part of the Tessera project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===//
 *
 * Memory of cuMemAlloc is the host's, so that what is copied in comes out
 * again. The k-th time that is measured is k microseconds.
 *
 *===----------------------------------------------------------------------===*/

#include "FakeDriver.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxAllocations = 256 };

static struct {
  char *start;
  size_t bytes;
} allocations[kMaxAllocations];

int cuMemAlloc_v2(unsigned long long *pointer, size_t bytes) {
  FAIL_IF_ASKED();
  for (int i = 0; i < kMaxAllocations; ++i) {
    if (allocations[i].start)
      continue;
    allocations[i].bytes = (bytes + 255) / 256 * 256;
    allocations[i].start = aligned_alloc(256, allocations[i].bytes);
    if (!allocations[i].start)
      return 2;
    memset(allocations[i].start, 0, allocations[i].bytes);
    *pointer = (uintptr_t)allocations[i].start;
    record("{\"call\":\"cuMemAlloc\",\"bytes\":%zu}", bytes);
    return kSuccess;
  }
  return 2;
}

/* The allocation that holds these bytes, or -1. */
static int find(unsigned long long pointer, size_t bytes) {
  for (int i = 0; i < kMaxAllocations; ++i) {
    unsigned long long start = (uintptr_t)allocations[i].start;
    if (start && pointer >= start && bytes <= allocations[i].bytes &&
        pointer - start <= allocations[i].bytes - bytes)
      return i;
  }
  return -1;
}

/* The allocation that begins there, or -1. */
static int findStart(unsigned long long pointer) {
  for (int i = 0; i < kMaxAllocations; ++i)
    if (pointer && pointer == (uintptr_t)allocations[i].start)
      return i;
  return -1;
}

int isAllocated(unsigned long long pointer) { return findStart(pointer) >= 0; }

int cuMemFree_v2(unsigned long long pointer) {
  int index = findStart(pointer);
  if (index < 0)
    return kInvalidValue;
  free(allocations[index].start);
  allocations[index].start = NULL;
  record("{\"call\":\"cuMemFree\"}");
  return kSuccess;
}

int cuMemcpyHtoD_v2(unsigned long long target, const void *source,
                    size_t bytes) {
  FAIL_IF_ASKED();
  if (find(target, bytes) < 0)
    return kInvalidValue;
  memcpy((void *)(uintptr_t)target, source, bytes);
  record("{\"call\":\"cuMemcpyHtoD\",\"bytes\":%zu}", bytes);
  return kSuccess;
}

int cuMemcpyDtoH_v2(void *target, unsigned long long source, size_t bytes) {
  FAIL_IF_ASKED();
  if (find(source, bytes) < 0)
    return kInvalidValue;
  memcpy(target, (const void *)(uintptr_t)source, bytes);
  record("{\"call\":\"cuMemcpyDtoH\",\"bytes\":%zu}", bytes);
  return kSuccess;
}

void fillIfAllocated(unsigned long long pointer, unsigned char value,
                     size_t bytes) {
  if (find(pointer, bytes) >= 0)
    memset((void *)(uintptr_t)pointer, value, bytes);
}

int cuCtxSynchronize(void) {
  FAIL_IF_ASKED();
  record("{\"call\":\"cuCtxSynchronize\"}");
  return kSuccess;
}

typedef struct {
  int unused;
} Event;

int cuEventCreate(Event **event, unsigned flags) {
  (void)flags;
  FAIL_IF_ASKED();
  *event = calloc(1, sizeof(Event));
  return *event ? kSuccess : 2;
}

int cuEventDestroy_v2(Event *event) {
  free(event);
  return kSuccess;
}

int cuEventRecord(Event *event, void *stream) {
  (void)event;
  (void)stream;
  record("{\"call\":\"cuEventRecord\"}");
  return kSuccess;
}

int cuEventSynchronize(Event *event) {
  (void)event;
  return kSuccess;
}

int cuEventElapsedTime(float *milliseconds, Event *start, Event *stop) {
  static int numMeasured;
  FAIL_IF_ASKED();
  (void)start;
  (void)stop;
  *milliseconds = (float)(++numMeasured) / 1000;
  return kSuccess;
}
