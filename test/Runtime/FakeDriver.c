/*===- FakeDriver.c - a CUDA driver that writes down its calls ------------===//
 *
 * Part of the Tessera project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===//
 *
 * Stands in for libcuda.so.1 (TESSERA_CUDA_DRIVER names it), so that launching
 * is tested on any machine. One device with 132 multiprocessors, any number of
 * contexts. Each call that does something appends a line of JSON to the file
 * that TESSERA_FAKE_DRIVER_LOG names:
 *
 *   {"call":"cuLaunchKernel","function":"k","grid":[2,1,1],"block":[128,1,1],
 *    "shared":0,"stream":7,"args":["0010000000000000","05000000"]}
 *
 * An argument is its bytes in hexadecimal, lowest address first. The driver
 * learns how many bytes from the module image: PTX, or a text with the word
 *FAKE, then one line per kernel, its symbol and the sizes of its arguments. Of
 *a cubin it does not know them, and writes none down.
 *
 *   FAKE
 *   k 8 4
 *
 * Kernels do not run. But memory of cuMemAlloc is the host's, and kernels whose
 * symbols begin with TESSERA_FAKE_DRIVER_ADD add two vectors of floats.
 *
 * TESSERA_FAKE_DRIVER_FAIL="cuLaunchKernel=719" makes that function return that
 * error. The variables are read at each call.
 *
 *===----------------------------------------------------------------------===*/

#include "FakeDriver.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxContexts = 256, kNumSms = 132 };

static atomic_ullong nextContextId = 1;
static atomic_ullong nextAddress = 0x700000000000;
static Context primary;
_Thread_local Context *current;

int isRecording(void) { return getenv("TESSERA_FAKE_DRIVER_LOG") != NULL; }

/* Appends one line to the log in one write, so that lines of threads do not
 * mix. */
void record(const char *format, ...) {
  const char *path = getenv("TESSERA_FAKE_DRIVER_LOG");
  if (!path)
    return;
  static _Thread_local char line[16384];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof(line) - 1, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= sizeof(line) - 1)
    abort();
  line[length] = '\n';
  FILE *file = fopen(path, "ab");
  if (!file)
    return;
  setvbuf(file, NULL, _IONBF, 0);
  fwrite(line, 1, (size_t)length + 1, file);
  fclose(file);
}

int injected(const char *function) {
  const char *text = getenv("TESSERA_FAKE_DRIVER_FAIL");
  size_t length = strlen(function);
  if (text && !strncmp(text, function, length) && text[length] == '=')
    return atoi(text + length + 1);
  return kSuccess;
}

/*===----------------------------------------------------------------------===*
 * For tests: contexts as a program would make and destroy them.
 *===----------------------------------------------------------------------===*/

void *fakeCreateContext(void) {
  static Context contexts[kMaxContexts];
  static atomic_int used;
  int index = atomic_fetch_add(&used, 1);
  if (index >= kMaxContexts)
    abort();
  contexts[index].id = atomic_fetch_add(&nextContextId, 1);
  return &contexts[index];
}

/* A context destroyed, and a new one at the same address. */
void fakeRecreateContext(void *context) {
  ((Context *)context)->id = atomic_fetch_add(&nextContextId, 1);
}

/*===----------------------------------------------------------------------===*
 * Initialisation, devices, contexts
 *===----------------------------------------------------------------------===*/

int cuInit(unsigned flags) {
  (void)flags;
  FAIL_IF_ASKED();
  record("{\"call\":\"cuInit\"}");
  return kSuccess;
}

int cuGetErrorName(int error, const char **name) {
  *name = error == 719   ? "CUDA_ERROR_LAUNCH_FAILED"
          : error == 2   ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == 209 ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
          : error == 500 ? "CUDA_ERROR_NOT_FOUND"
                         : NULL;
  return *name ? kSuccess : kInvalidValue;
}

int cuGetErrorString(int error, const char **text) {
  *text = error == 719 ? "unspecified launch failure" : NULL;
  return *text ? kSuccess : kInvalidValue;
}

int cuDeviceGet(int *device, int ordinal) {
  FAIL_IF_ASKED();
  *device = ordinal;
  return kSuccess;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  FAIL_IF_ASKED();
  record("{\"call\":\"cuDeviceGetAttribute\",\"attribute\":%d,\"device\":%d}",
         attribute, device);
  *value = attribute == 16   ? kNumSms
           : attribute == 38 ? 3 << 20 /* bytes of L2 */
           : attribute == 75 ? 9
                             : 0;
  return kSuccess;
}

int cuDevicePrimaryCtxRetain(Context **context, int device) {
  FAIL_IF_ASKED();
  record("{\"call\":\"cuDevicePrimaryCtxRetain\",\"device\":%d}", device);
  if (!primary.id)
    primary.id = atomic_fetch_add(&nextContextId, 1);
  *context = &primary;
  return kSuccess;
}

int cuCtxGetCurrent(Context **context) {
  *context = current;
  return kSuccess;
}

int cuCtxSetCurrent(Context *context) {
  record("{\"call\":\"cuCtxSetCurrent\",\"primary\":%s}",
         context == &primary ? "true" : "false");
  current = context;
  return kSuccess;
}

/* One level of nesting is all that the runtime uses. */
static _Thread_local Context *pushedOver;

int cuCtxPushCurrent_v2(Context *context) {
  pushedOver = current;
  current = context;
  return kSuccess;
}

int cuCtxPopCurrent_v2(Context **context) {
  *context = current;
  current = pushedOver;
  return kSuccess;
}

int cuCtxGetDevice(int *device) {
  *device = 0;
  return current ? kSuccess : kInvalidValue;
}

int cuCtxGetId(Context *context, unsigned long long *id) {
  *id = context->id;
  return kSuccess;
}

/* A stream of the fake driver belongs to the context at its own address. */
int cuStreamGetCtx(void *stream, Context **context) {
  *context = stream;
  return kSuccess;
}

/*===----------------------------------------------------------------------===*
 * Memory
 *===----------------------------------------------------------------------===*/

int cuMemAllocAsync(unsigned long long *pointer, size_t bytes, void *stream) {
  FAIL_IF_ASKED();
  if (bytes == 0)
    return kInvalidValue;
  *pointer = atomic_fetch_add(&nextAddress, (bytes + 255) / 256 * 256);
  record("{\"call\":\"cuMemAllocAsync\",\"pointer\":%llu,\"bytes\":%zu,"
         "\"stream\":%llu}",
         *pointer, bytes, (unsigned long long)(uintptr_t)stream);
  return kSuccess;
}

int cuMemFreeAsync(unsigned long long pointer, void *stream) {
  FAIL_IF_ASKED();
  record("{\"call\":\"cuMemFreeAsync\",\"pointer\":%llu,\"stream\":%llu}",
         pointer, (unsigned long long)(uintptr_t)stream);
  return kSuccess;
}

int cuMemsetD8Async(unsigned long long pointer, unsigned char value,
                    size_t bytes, void *stream) {
  FAIL_IF_ASKED();
  fillIfAllocated(pointer, value, bytes);
  record("{\"call\":\"cuMemsetD8Async\",\"pointer\":%llu,\"value\":%u,"
         "\"bytes\":%zu,\"stream\":%llu}",
         pointer, value, bytes, (unsigned long long)(uintptr_t)stream);
  return kSuccess;
}

int cuStreamSynchronize(void *stream) {
  (void)stream;
  FAIL_IF_ASKED();
  return kSuccess;
}
