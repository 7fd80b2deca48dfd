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
 * learns how many bytes from the module image, which is text here: the word
 * FAKE, then one line per kernel, its symbol and the sizes of its arguments.
 *
 *   FAKE
 *   k 8 4
 *
 * TESSERA_FAKE_DRIVER_FAIL="cuLaunchKernel=719" makes that function return that
 * error. Both variables are read at each call.
 *
 *===----------------------------------------------------------------------===*/

#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSuccess = 0, kInvalidValue = 1, kInvalidImage = 200, kNotFound = 500 };
enum { kMaxKernels = 32, kMaxArguments = 256, kMaxContexts = 256 };
enum { kNumSms = 132 };

typedef struct {
  unsigned long long id;
} Context;

typedef struct {
  char name[128];
  int numArguments;
  int argumentBytes[kMaxArguments];
} Function;

typedef struct {
  int numFunctions;
  Function functions[kMaxKernels];
} Module;

static atomic_ullong nextContextId = 1;
static atomic_ullong nextAddress = 0x700000000000;
static Context primary;
static _Thread_local Context *current;

/* Appends one line to the log in one write, so that lines of threads do not
 * mix. */
static void record(const char *format, ...) {
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

/* The error that the environment asks `function` to return, or success. */
static int injected(const char *function) {
  const char *text = getenv("TESSERA_FAKE_DRIVER_FAIL");
  size_t length = strlen(function);
  if (text && !strncmp(text, function, length) && text[length] == '=')
    return atoi(text + length + 1);
  return kSuccess;
}

#define FAIL_IF_ASKED()                                                        \
  do {                                                                         \
    int error = injected(__func__);                                            \
    if (error)                                                                 \
      return error;                                                            \
  } while (0)

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
  *value = attribute == 16 ? kNumSms : attribute == 75 ? 9 : 0;
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
 * Modules and functions
 *===----------------------------------------------------------------------===*/

static int parseImage(const char *image, Module *module) {
  if (strncmp(image, "FAKE\n", 5))
    return kInvalidImage;
  for (const char *line = image + 5; *line && *line != '\n';) {
    if (module->numFunctions == kMaxKernels)
      return kInvalidImage;
    Function *function = &module->functions[module->numFunctions++];
    int used = 0;
    if (sscanf(line, "%127[^ \n]%n", function->name, &used) != 1)
      return kInvalidImage;
    line += used;
    while (*line == ' ' && function->numArguments < kMaxArguments)
      function->argumentBytes[function->numArguments++] =
          (int)strtol(line, (char **)&line, 10);
    if (*line == '\n')
      ++line;
  }
  return kSuccess;
}

int cuModuleLoadDataEx(Module **module, const void *image, unsigned numOptions,
                       int *options, void **values) {
  FAIL_IF_ASKED();
  *module = calloc(1, sizeof(Module));
  if (!*module)
    return 2;
  int error = parseImage(image, *module);
  if (error) {
    /* CU_JIT_ERROR_LOG_BUFFER is 5. */
    for (unsigned i = 0; i < numOptions; ++i)
      if (options[i] == 5)
        strcpy(values[i], "fake ptxas: no FAKE line");
    free(*module);
    return error;
  }
  record("{\"call\":\"cuModuleLoadDataEx\",\"functions\":%d}",
         (*module)->numFunctions);
  return kSuccess;
}

int cuModuleUnload(Module *module) {
  record("{\"call\":\"cuModuleUnload\",\"context\":%llu}", current->id);
  free(module);
  return kSuccess;
}

int cuModuleGetFunction(Function **function, Module *module, const char *name) {
  FAIL_IF_ASKED();
  record("{\"call\":\"cuModuleGetFunction\",\"function\":\"%s\"}", name);
  for (int i = 0; i < module->numFunctions; ++i)
    if (!strcmp(module->functions[i].name, name)) {
      *function = &module->functions[i];
      return kSuccess;
    }
  return kNotFound;
}

int cuFuncSetAttribute(Function *function, int attribute, int value) {
  FAIL_IF_ASKED();
  record("{\"call\":\"cuFuncSetAttribute\",\"function\":\"%s\","
         "\"attribute\":%d,\"value\":%d}",
         function->name, attribute, value);
  return kSuccess;
}

/* As if threads (2048 in a multiprocessor) were the only limit. */
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function *function,
                                                int blockSize, size_t shared) {
  FAIL_IF_ASKED();
  record("{\"call\":\"cuOccupancyMaxActiveBlocksPerMultiprocessor\","
         "\"function\":\"%s\",\"block\":%d,\"shared\":%zu}",
         function->name, blockSize, shared);
  *blocks = 2048 / blockSize;
  return kSuccess;
}

int cuLaunchKernel(Function *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned shared, void *stream,
                   void **arguments, void **extra) {
  FAIL_IF_ASKED();
  if (extra)
    return kInvalidValue;
  char text[8192] = "", *end = text;
  for (int i = 0; i < function->numArguments; ++i) {
    end += sprintf(end, i ? ",\"" : "\"");
    for (int byte = 0; byte < function->argumentBytes[i]; ++byte)
      end += sprintf(end, "%02x", ((const unsigned char *)arguments[i])[byte]);
    end += sprintf(end, "\"");
    if (end > text + sizeof(text) - 64)
      return kInvalidValue;
  }
  record("{\"call\":\"cuLaunchKernel\",\"function\":\"%s\","
         "\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared\":%u,"
         "\"stream\":%llu,\"args\":[%s]}",
         function->name, gridX, gridY, gridZ, blockX, blockY, blockZ, shared,
         (unsigned long long)(uintptr_t)stream, text);
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
  record("{\"call\":\"cuMemsetD8Async\",\"pointer\":%llu,\"value\":%u,"
         "\"bytes\":%zu,\"stream\":%llu}",
         pointer, value, bytes, (unsigned long long)(uintptr_t)stream);
  return kSuccess;
}
