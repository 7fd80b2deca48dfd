/*===- compare_plans.c - a launcher beside the runtime --------------------===//
 *
 * Part of the Tessera project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===//
 *
 *   compare_plans launcher
 *   compare_plans runtime plans.json
 *
 * Calls every entry of plans.mlir with the same arguments, by its launcher or
 *by the runtime, and prints whether each call was refused. What the driver was
 * asked to do is in the fake driver's log.
 *
 *===----------------------------------------------------------------------===*/

#include "plans.h"
#include "tessera/Runtime/tessera_runtime.h"

#include <stdio.h>
#include <string.h>

static plans_module launcher;
static tessera_module *runtime;
static const char *error;

static const int64_t values[] = {INT64_MIN,
                                 INT64_MIN + 1,
                                 -4097,
                                 -8,
                                 -7,
                                 -2,
                                 -1,
                                 0,
                                 1,
                                 2,
                                 3,
                                 7,
                                 8,
                                 4096,
                                 4104,
                                 INT64_C(1) << 31,
                                 INT64_C(1) << 62,
                                 INT64_MAX - 1,
                                 INT64_MAX};
enum { kValues = sizeof(values) / sizeof(values[0]) };

static void reportLauncher(const char *entry, CUresult status) {
  int isRefused = status == CUDA_ERROR_INVALID_VALUE && error;
  printf("%s %s\n", entry,
         isRefused         ? "refused"
         : status || error ? "failed"
                           : "launched");
  if (isRefused)
    fprintf(stderr, "%s\n", error);
}

static void launchRuntime(const char *entry, const tessera_argument *arguments,
                          size_t count, const int64_t *grid) {
  tessera_launch_options options = {0};
  if (grid) {
    options.has_grid = 1;
    memcpy(options.grid, grid, sizeof(options.grid));
  }
  tessera_status status =
      tessera_launch(runtime, entry, arguments, count, &options);
  int isRefused = status == TESSERA_PLAN_ERROR || status == TESSERA_REFUSED ||
                  status == TESSERA_INVALID_ARGUMENT;
  printf("%s %s\n", entry,
         isRefused ? "refused"
         : status  ? "failed"
                   : "launched");
}

/* An entry of two integers. */
#define PAIR(NAME)                                                             \
  static void NAME(int64_t a, int64_t b) {                                     \
    tessera_argument arguments[] = {tessera_integer(a), tessera_integer(b)};   \
    if (runtime)                                                               \
      launchRuntime(#NAME, arguments, 2, NULL);                                \
    else                                                                       \
      reportLauncher(#NAME,                                                    \
                     plans_launch_##NAME(&launcher, NULL, &error, a, b));      \
  }
PAIR(sums)
PAIR(products)
PAIR(quotients)
PAIR(extremes)

static void guards(uint64_t p, int64_t a, int64_t b) {
  tessera_argument arguments[] = {tessera_pointer(p), tessera_integer(a),
                                  tessera_integer(b)};
  if (runtime)
    launchRuntime("guards", arguments, 3, NULL);
  else
    reportLauncher("guards",
                   plans_launch_guards(&launcher, NULL, &error, p, a, b));
}

static void maps(uint64_t p, int64_t a, int64_t b) {
  tessera_argument arguments[] = {tessera_pointer(p), tessera_integer(a),
                                  tessera_integer(b)};
  if (runtime)
    launchRuntime("maps", arguments, 3, NULL);
  else
    reportLauncher("maps", plans_launch_maps(&launcher, NULL, &error, p, a, b));
}

static void memory(uint64_t p, int64_t n) {
  tessera_argument arguments[] = {tessera_pointer(p), tessera_integer(n)};
  if (runtime)
    launchRuntime("memory", arguments, 2, NULL);
  else
    reportLauncher("memory",
                   plans_launch_memory(&launcher, NULL, &error, p, n));
}

static void narrow(int64_t a, int8_t b, int64_t c) {
  tessera_argument arguments[] = {tessera_integer(a), tessera_integer(b),
                                  tessera_integer(c)};
  if (runtime)
    launchRuntime("narrow", arguments, 3, NULL);
  else
    reportLauncher("narrow",
                   plans_launch_narrow(&launcher, NULL, &error, a, b, c));
}

/* 0.5 and its bits as f16. */
static void floats(float b, double c, uint8_t d) {
  tessera_argument arguments[] = {tessera_float(0.5), tessera_float(b),
                                  tessera_float(c), tessera_integer(d)};
  if (runtime)
    launchRuntime("floats", arguments, 4, NULL);
  else
    reportLauncher("floats", plans_launch_floats(&launcher, NULL, &error,
                                                 0x3800, b, c, d));
}

static void grids(const int64_t *grid) {
  tessera_argument arguments[] = {tessera_pointer(0x1234560)};
  if (runtime)
    launchRuntime("grids", arguments, 1, grid);
  else
    reportLauncher(
        "grids", plans_launch_grids(&launcher, NULL, &error, grid, 0x1234560));
}

static void callAll(void) {
  for (int i = 0; i < kValues; ++i) {
    for (int j = 0; j < kValues; ++j) {
      int64_t a = values[i], b = values[j];
      sums(a, b);
      products(a, b);
      quotients(a, b);
      extremes(a, b);
      guards(0x1000, a, b);
      guards(UINT64_C(0xfffffffffffffff8), a, b);
      narrow(a, (int8_t)b, b);
      maps(0x1000, a, b);
      maps(0x1008, a, b);
    }
    memory(0x1000, values[i]);
  }
  floats(1.5f, -1e300, 0);
  floats(-0.0f, 1.0 / 3, 1);
  floats(0, 0, 2);
  grids(NULL);
  for (int i = 0; i < 27; ++i) {
    static const int64_t sizes[] = {0, 65535, 65536};
    int64_t grid[3] = {sizes[i % 3], sizes[i / 3 % 3], sizes[i / 9]};
    grids(grid);
  }
}

int main(int argc, char **argv) {
  CUcontext context = NULL;
  if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) ||
      cuCtxSetCurrent(context))
    return 1;
  if (argc == 3 ? tessera_load(argv[2], &runtime) != TESSERA_SUCCESS
                : plans_load(&launcher) != CUDA_SUCCESS) {
    fprintf(stderr, "cannot load: %s\n", tessera_last_error());
    return 1;
  }
  callAll();
  return runtime ? (tessera_unload(runtime), 0) : plans_unload(&launcher);
}
