/*===- example.c - launching a compiled kernel from C ---------------------===//
 *
 * Part of the Tessera project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===//
 *
 *   example scale.json
 *
 * Loads a manifest, says what is in it, shows what a launch of its entry
 * "scale" would do, and launches it. The device memory is made up here; in a
 * program it comes from cuMemAlloc or cudaMalloc. C99.
 *
 *===----------------------------------------------------------------------===*/

#include "tessera/Runtime/tessera_runtime.h"

#include <stdio.h>

/* Device addresses, in a real program from the allocator. */
static const uint64_t kOutput = 0x10000, kInput = 0x20000;

static int fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, tessera_last_error());
  return 1;
}

static int describe(const tessera_module *module) {
  printf("target %s\n", tessera_target(module));
  for (size_t entry = 0; entry < tessera_entry_count(module); ++entry) {
    printf("entry %s(", tessera_entry_name(module, entry));
    size_t count = tessera_entry_argument_count(module, entry);
    for (size_t i = 0; i < count; ++i)
      printf("%s%s: %s", i ? ", " : "",
             tessera_entry_argument_name(module, entry, i),
             tessera_entry_argument_type(module, entry, i));
    printf(")%s\n", tessera_entry_uses_caller_grid(module, entry)
                        ? ", grid by the caller"
                        : "");
  }
  for (size_t kernel = 0; kernel < tessera_kernel_count(module); ++kernel) {
    tessera_kernel_resources needs;
    if (tessera_kernel_get_resources(module, kernel, &needs))
      return fail("resources");
    printf("kernel %s: %lld warps, %lld registers\n", needs.name,
           (long long)needs.num_warps, (long long)needs.registers);
  }
  return 0;
}

static int launch(tessera_module *module) {
  tessera_argument arguments[4];
  arguments[0] = tessera_pointer(kOutput);
  arguments[1] = tessera_pointer(kInput);
  arguments[2] = tessera_float(0.5);
  arguments[3] = tessera_integer(2000);

  tessera_plan_options device = {0};
  device.num_sms = 132;
  char plan[4096];
  if (tessera_plan_json(module, "scale", arguments, 4, &device, plan,
                        sizeof(plan), NULL))
    return fail("plan");
  printf("plan %s\n", plan);

  /* A null options pointer is the default stream. */
  if (tessera_launch(module, "scale", arguments, 4, NULL))
    return fail("launch");

  int blocks = 0;
  if (tessera_kernel_occupancy(module, "scale_kernel", &blocks))
    return fail("occupancy");
  printf("launched; %d blocks fit a multiprocessor\n", blocks);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s MANIFEST\n", argv[0]);
    return 1;
  }
  tessera_module *module = NULL;
  if (tessera_load(argv[1], &module))
    return fail("load");
  int result = describe(module);
  if (!result)
    result = launch(module);
  /* In a program: wait for the stream first. */
  tessera_unload(module);
  return result;
}
