/*===- FakeDriverModules.c - modules and launches of the fake driver ------===//
 *
 * Part of the Tessera project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "FakeDriver.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxKernels = 32, kMaxArguments = 256 };

typedef struct {
  char name[128];
  int numArguments;
  int argumentBytes[kMaxArguments];
} Function;

typedef struct {
  int isOpaque;
  int numFunctions;
  Function functions[kMaxKernels];
} Module;

static int parseText(const char *line, Module *module) {
  while (*line && *line != '\n') {
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

/* The bytes of one `.param .u64 .ptr .align 1 k_param_0` or `.param .align 64
 * .b8 k_param_0[128]` between `text` and `end`; 0 if there are none. */
static int parameterBytes(const char *text, const char *end) {
  int bytes = 0;
  for (const char *dot = text; dot < end; ++dot) {
    if (*dot == '.' && strchr("usbf", dot[1]) && dot[2] >= '0' && dot[2] <= '9')
      bytes = atoi(dot + 2) / 8;
    else if (*dot == '[')
      bytes *= atoi(dot + 1);
  }
  return bytes;
}

/* Kernels of PTX: `.entry NAME(`, parameters between commas, `)`. */
static int parsePtx(const char *text, Module *module) {
  while ((text = strstr(text, ".entry "))) {
    if (module->numFunctions == kMaxKernels)
      return kInvalidImage;
    Function *function = &module->functions[module->numFunctions++];
    if (sscanf(text, ".entry %127[^( \n]", function->name) != 1)
      return kInvalidImage;
    const char *end = strchr(text, ')');
    text = strchr(text, '(');
    while (end && text && text < end &&
           function->numArguments < kMaxArguments) {
      const char *comma = text + 1 + strcspn(text + 1, ",)");
      int bytes = parameterBytes(text + 1, comma);
      if (bytes)
        function->argumentBytes[function->numArguments++] = bytes;
      text = comma;
    }
    if (!end)
      return kInvalidImage;
  }
  return module->numFunctions ? kSuccess : kInvalidImage;
}

static int parseImage(const char *image, Module *module) {
  if (!strncmp(image, "FAKE\n", 5))
    return parseText(image + 5, module);
  /* A cubin has every kernel that is asked for, without arguments. */
  if (!strncmp(image, "\177ELF", 4)) {
    module->isOpaque = 1;
    return kSuccess;
  }
  return strstr(image, ".entry ") ? parsePtx(image, module) : kInvalidImage;
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

int cuModuleLoadData(Module **module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
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
  if (!module->isOpaque || module->numFunctions == kMaxKernels)
    return kNotFound;
  *function = &module->functions[module->numFunctions++];
  snprintf((*function)->name, sizeof((*function)->name), "%s", name);
  return kSuccess;
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

/* z[i] = x[i] + y[i] for i < n: what a kernel with the arguments (x, y, z, n)
 * does, on memory of cuMemAlloc. */
static void addVectors(void **arguments) {
  for (int i = 0; i < 3; ++i)
    if (!isAllocated(*(unsigned long long *)arguments[i]))
      return;
  const float *x = *(const float **)arguments[0];
  const float *y = *(const float **)arguments[1];
  float *z = *(float **)arguments[2];
  for (int i = 0; i < *(const int *)arguments[3]; ++i)
    z[i] = x[i] + y[i];
}

int cuLaunchKernel(Function *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned shared, void *stream,
                   void **arguments, void **extra) {
  FAIL_IF_ASKED();
  if (extra)
    return kInvalidValue;
  const char *add = getenv("TESSERA_FAKE_DRIVER_ADD");
  if (add && !strncmp(add, function->name, strlen(add)))
    addVectors(arguments);
  if (!isRecording())
    return kSuccess;
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
