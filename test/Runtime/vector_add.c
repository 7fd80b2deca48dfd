/*===- vector_add.c - adding two vectors from C ---------------------------===//
 *
 * Part of the Tessera project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===//
 *
 *   vector_add [--time] vector_add.json [N]
 *
 * Adds two vectors of N floats (default 1000003) with the kernel that
 *
 *   tile-opt lib/Kernels/vector_add.mlir --emit=cubin --target=sm_90a \
 *     -o vector_add.cubin
 *
 * makes, and checks every element of the sum. With --time it also prints the
 * processor's time for a launch: the median over batches of launches, each
 * waited for, so that the queue of the device never fills up.
 *
 * A program that includes cuda.h calls the driver's functions by their names;
 * this one looks them up, so that it builds without the CUDA toolkit. C99 and
 * POSIX.
 *
 *===----------------------------------------------------------------------===*/

#define _POSIX_C_SOURCE 200809L

#include "tessera/Runtime/tessera_runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* More launches than the queue of a device holds would be waited for. */
enum { kBatches = 50, kBatchSize = 500 };

/* What is used of the driver; the declarations are those of cuda.h. */
typedef unsigned long long CUdeviceptr;
static struct {
  int (*init)(unsigned flags);
  int (*deviceGet)(int *device, int ordinal);
  int (*primaryContextRetain)(void **context, int device);
  int (*contextSetCurrent)(void *context);
  int (*allocate)(CUdeviceptr *pointer, size_t bytes);
  int (*release)(CUdeviceptr pointer);
  int (*upload)(CUdeviceptr target, const void *source, size_t bytes);
  int (*download)(void *target, CUdeviceptr source, size_t bytes);
  int (*synchronize)(void *stream);
} cuda;

/* ISO C has no conversion of dlsym's result; POSIX asks for this one. */
static int find(void *library, void *function, const char *name) {
  *(void **)function = dlsym(library, name);
  if (!*(void **)function)
    fprintf(stderr, "the CUDA driver lacks %s\n", name);
  return *(void **)function != NULL;
}

static int openDriver(void) {
  const char *name = getenv("TESSERA_CUDA_DRIVER");
  void *library = dlopen(name ? name : "libcuda.so.1", RTLD_NOW);
  if (!library) {
    fprintf(stderr, "cannot open the CUDA driver: %s\n", dlerror());
    return 0;
  }
  return find(library, &cuda.init, "cuInit") &&
         find(library, &cuda.deviceGet, "cuDeviceGet") &&
         find(library, &cuda.primaryContextRetain,
              "cuDevicePrimaryCtxRetain") &&
         find(library, &cuda.contextSetCurrent, "cuCtxSetCurrent") &&
         find(library, &cuda.allocate, "cuMemAlloc_v2") &&
         find(library, &cuda.release, "cuMemFree_v2") &&
         find(library, &cuda.upload, "cuMemcpyHtoD_v2") &&
         find(library, &cuda.download, "cuMemcpyDtoH_v2") &&
         find(library, &cuda.synchronize, "cuStreamSynchronize");
}

/* Reports a failure of the driver; true if there is none. */
static int good(int error, const char *what) {
  if (error)
    fprintf(stderr, "%s: CUDA error %d\n", what, error);
  return !error;
}

static int useDevice(void) {
  int device = 0;
  void *context = NULL;
  return good(cuda.init(0), "cuInit") &&
         good(cuda.deviceGet(&device, 0), "cuDeviceGet") &&
         good(cuda.primaryContextRetain(&context, device), "context") &&
         good(cuda.contextSetCurrent(context), "context");
}

/* Host and device arrays: z = x + y. */
typedef struct {
  int n;
  float *x, *y, *z;
  CUdeviceptr deviceX, deviceY, deviceZ;
} Vectors;

static int makeVectors(Vectors *v, int n) {
  size_t bytes = (size_t)n * sizeof(float);
  v->n = n;
  v->x = malloc(bytes);
  v->y = malloc(bytes);
  v->z = malloc(bytes);
  if (!v->x || !v->y || !v->z)
    return 0;
  /* Sums are exact in f32. */
  for (int i = 0; i < n; ++i) {
    v->x[i] = (float)(i % 1000);
    v->y[i] = 0.5f * (float)(i % 77);
    v->z[i] = -1;
  }
  return good(cuda.allocate(&v->deviceX, bytes), "cuMemAlloc") &&
         good(cuda.allocate(&v->deviceY, bytes), "cuMemAlloc") &&
         good(cuda.allocate(&v->deviceZ, bytes), "cuMemAlloc") &&
         good(cuda.upload(v->deviceX, v->x, bytes), "cuMemcpyHtoD") &&
         good(cuda.upload(v->deviceY, v->y, bytes), "cuMemcpyHtoD") &&
         good(cuda.upload(v->deviceZ, v->z, bytes), "cuMemcpyHtoD");
}

/* [launch] */
/* z = x + y on the default stream; does not wait. */
static int add(tessera_module *module, const Vectors *v) {
  tessera_argument arguments[] = {
      tessera_pointer(v->deviceX), tessera_pointer(v->deviceY),
      tessera_pointer(v->deviceZ), tessera_integer(v->n)};
  if (tessera_launch(module, "vector_add", arguments, 4, NULL)) {
    fprintf(stderr, "%s\n", tessera_last_error());
    return 0;
  }
  return 1;
}
/* [launch] */

static int check(Vectors *v) {
  /* Waits for the kernel, which runs on the same stream. */
  if (!good(cuda.download(v->z, v->deviceZ, (size_t)v->n * sizeof(float)),
            "cuMemcpyDtoH"))
    return 0;
  for (int i = 0; i < v->n; ++i)
    if (v->z[i] != v->x[i] + v->y[i]) {
      fprintf(stderr, "element %d is %g, not %g\n", i, v->z[i],
              v->x[i] + v->y[i]);
      return 0;
    }
  printf("%d sums are right\n", v->n);
  return 1;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int compareTimes(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int timeLaunches(tessera_module *module, const Vectors *v) {
  double times[kBatches];
  for (int batch = 0; batch < kBatches; ++batch) {
    double start = now();
    for (int i = 0; i < kBatchSize; ++i)
      if (!add(module, v))
        return 0;
    times[batch] = (now() - start) / kBatchSize;
    if (!good(cuda.synchronize(NULL), "cuStreamSynchronize"))
      return 0;
  }
  qsort(times, kBatches, sizeof(times[0]), compareTimes);
  printf("a launch takes %.3f us of the processor's time\n",
         times[kBatches / 2]);
  return 1;
}

int main(int argc, char **argv) {
  int isTimed = argc > 1 && !strcmp(argv[1], "--time");
  if (argc - isTimed != 2 && argc - isTimed != 3) {
    fprintf(stderr, "usage: %s [--time] MANIFEST [N]\n", argv[0]);
    return 1;
  }
  int n = argc - isTimed == 3 ? atoi(argv[argc - 1]) : 1000003;
  if (n < 1) {
    fprintf(stderr, "N is a number from 1 on\n");
    return 1;
  }
  if (!openDriver() || !useDevice())
    return 1;
  tessera_module *module = NULL;
  if (tessera_load(argv[1 + isTimed], &module)) {
    fprintf(stderr, "%s\n", tessera_last_error());
    return 1;
  }
  Vectors v;
  int isRight = makeVectors(&v, n) && add(module, &v) && check(&v) &&
                (!isTimed || timeLaunches(module, &v));
  /* The launches are over: memory and code may go. */
  if (isRight) {
    cuda.release(v.deviceX);
    cuda.release(v.deviceY);
    cuda.release(v.deviceZ);
    free(v.x);
    free(v.y);
    free(v.z);
  }
  tessera_unload(module);
  return !isRight;
}
