/*===- tessera_runtime.h - C API of the launch runtime ------------*- C -*-===//
 *
 * Part of the Tessera project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===//
 *
 * Launches compiled kernels. The compiler writes a cubin (or PTX) and, beside
 * it, a manifest that says how to launch it: which variant fits the arguments,
 * the grid, the order of kernels, memory to zero. This library reads the
 * manifest, evaluates that plan for the arguments of one call and launches
 * through the CUDA driver, which is opened when it is first needed.
 *
 *   tessera_module *module;
 *   tessera_argument args[3] = {tessera_pointer(y), tessera_pointer(x),
 *                               tessera_integer(n)};
 *   if (tessera_load("scale.json", &module) ||
 *       tessera_launch(module, "scale", args, 3, NULL))
 *     fprintf(stderr, "%s\n", tessera_last_error());
 *
 * Errors. A function that can fail returns a tessera_status; its message is
 * tessera_last_error() on the same thread. Nothing aborts and no C++ exception
 * leaves the library, whatever the manifest holds.
 *
 * Threads. Every function may be called from any thread at any time, except
 * that tessera_unload must be the last call on its module.
 *
 * Environment. TESSERA_CUDA_DRIVER names a library to open in place of
 * libcuda.so.1; it is read once, when the driver is first needed.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TESSERA_RUNTIME_TESSERA_RUNTIME_H
#define TESSERA_RUNTIME_TESSERA_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TESSERA_API __attribute__((visibility("default")))
#else
#define TESSERA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a call came to. The values are part of the ABI. */
typedef enum tessera_status {
  TESSERA_SUCCESS = 0,
  /* The call itself is wrong: a null pointer, a wrong number or kind of
   * arguments, a value that its declared type cannot hold. */
  TESSERA_INVALID_ARGUMENT = 1,
  /* The manifest is not JSON, or not what its format demands. */
  TESSERA_INVALID_MANIFEST = 2,
  /* The manifest is of a version that this library does not know. */
  TESSERA_UNSUPPORTED_VERSION = 3,
  /* A file cannot be read. */
  TESSERA_IO_ERROR = 4,
  /* The module has no entry or kernel of that name. */
  TESSERA_NOT_FOUND = 5,
  /* The plan has no value for these arguments: an overflow, a division by zero
   * or less, a grid that the device cannot launch. */
  TESSERA_PLAN_ERROR = 6,
  /* The plan refuses these arguments; the message is the kernel author's. */
  TESSERA_REFUSED = 7,
  /* The CUDA driver is missing or reported an error. */
  TESSERA_DRIVER_ERROR = 8,
  /* The buffer given is too small; the size needed has been stored. */
  TESSERA_BUFFER_TOO_SMALL = 9,
  TESSERA_OUT_OF_MEMORY = 10,
  TESSERA_INTERNAL_ERROR = 11
} tessera_status;

/* The message of the last failure on this thread ("" if there was none). It
 * stays valid until the next failure on this thread. */
TESSERA_API const char *tessera_last_error(void);

/*===----------------------------------------------------------------------===*
 * Modules
 *===----------------------------------------------------------------------===*/

/* One manifest with the cubin or PTX that it describes. */
typedef struct tessera_module tessera_module;

/* Reads the manifest at `manifest_path`. The file that it names as its output
 * lies in the same folder and is read at the first launch in each CUDA context,
 * so that loading needs no driver and no GPU. */
TESSERA_API tessera_status tessera_load(const char *manifest_path,
                                        tessera_module **out);

/* The same from memory. `json` has `json_length` bytes and need not end in a
 * NUL. `image` is a cubin or PTX text of `image_length` bytes; both are copied.
 * A null image serves introspection and tessera_plan_json only. */
TESSERA_API tessera_status tessera_load_from_memory(const char *json,
                                                    size_t json_length,
                                                    const void *image,
                                                    size_t image_length,
                                                    tessera_module **out);

/* Frees the module and unloads its code from every CUDA context it was used in.
 * Kernels launched from it must have finished and those contexts must still
 * exist. Null is allowed. */
TESSERA_API void tessera_unload(tessera_module *module);

/*===----------------------------------------------------------------------===*
 * Introspection. An index out of range gives NULL or 0.
 *===----------------------------------------------------------------------===*/

/* The target that the module was compiled for, for example "sm_90a". */
TESSERA_API const char *tessera_target(const tessera_module *module);

/* Entries are what tessera_launch launches. */
TESSERA_API size_t tessera_entry_count(const tessera_module *module);
TESSERA_API const char *tessera_entry_name(const tessera_module *module,
                                           size_t entry);
TESSERA_API size_t tessera_entry_argument_count(const tessera_module *module,
                                                size_t entry);
TESSERA_API const char *
tessera_entry_argument_name(const tessera_module *module, size_t entry,
                            size_t argument);
/* "ptr<T>", or one of i1, i8, i16, i32, i64, f16, bf16, f32 and f64. */
TESSERA_API const char *
tessera_entry_argument_type(const tessera_module *module, size_t entry,
                            size_t argument);
/* 1 if the entry takes its grid from the caller, 0 if its plan computes it. */
TESSERA_API int tessera_entry_uses_caller_grid(const tessera_module *module,
                                               size_t entry);

/* What one device kernel needs. Bytes are per block for shared memory and per
 * thread for spills and stack; the last four are -1 when the module was
 * compiled without ptxas. The strings live as long as the module. */
typedef struct tessera_kernel_resources {
  const char *name;
  const char *symbol;
  int64_t num_warps;
  int64_t dynamic_shared_bytes;
  int64_t static_shared_bytes;
  int64_t registers;
  int64_t spill_store_bytes;
  int64_t spill_load_bytes;
  int64_t stack_bytes;
} tessera_kernel_resources;

TESSERA_API size_t tessera_kernel_count(const tessera_module *module);
TESSERA_API tessera_status tessera_kernel_get_resources(
    const tessera_module *module, size_t kernel, tessera_kernel_resources *out);

/* How many blocks of `kernel` (a name) one multiprocessor of the current device
 * holds at once, as the driver computes it. */
TESSERA_API tessera_status tessera_kernel_occupancy(tessera_module *module,
                                                    const char *kernel,
                                                    int *blocks_per_sm);

/* The compute capability, such as 9 and 0, of the device that a launch without a
 * stream would go to: the current context's, or device 0 where the calling
 * thread has none. Makes no context. */
TESSERA_API tessera_status tessera_device_capability(int *major, int *minor);

/*===----------------------------------------------------------------------===*
 * Launching
 *===----------------------------------------------------------------------===*/

typedef enum tessera_argument_kind {
  TESSERA_ARGUMENT_POINTER = 0, /* for ptr<T> */
  TESSERA_ARGUMENT_INTEGER = 1, /* for i1 (0 or 1), i8, i16, i32 and i64 */
  TESSERA_ARGUMENT_FLOAT = 2    /* for f16, bf16, f32 and f64; rounded to it */
} tessera_argument_kind;

/* One argument of an entry. Its kind must be the declared type's. A floating
 * value is rounded to the declared type, to nearest with ties to even. */
typedef struct tessera_argument {
  int32_t kind; /* a tessera_argument_kind */
  union {
    uint64_t pointer; /* a device address */
    int64_t integer;
    double floating;
  } value;
} tessera_argument;

static inline tessera_argument tessera_pointer(uint64_t address) {
  tessera_argument argument;
  argument.kind = TESSERA_ARGUMENT_POINTER;
  argument.value.pointer = address;
  return argument;
}

static inline tessera_argument tessera_integer(int64_t value) {
  tessera_argument argument;
  argument.kind = TESSERA_ARGUMENT_INTEGER;
  argument.value.integer = value;
  return argument;
}

static inline tessera_argument tessera_float(double value) {
  tessera_argument argument;
  argument.kind = TESSERA_ARGUMENT_FLOAT;
  argument.value.floating = value;
  return argument;
}

/* Zero-initialise, then set what is needed. */
typedef struct tessera_launch_options {
  void *stream;    /* a CUstream or cudaStream_t; NULL is the default stream */
  int has_grid;    /* 1 if `grid` is set */
  int64_t grid[3]; /* blocks in x, y, z, for an entry that takes its grid from
                    * the caller; an error for one that computes it */
} tessera_launch_options;

/* Launches `entry` on a stream and returns without waiting for it. The entry
 * may be NULL when the module has exactly one. Null options are all zeros.
 *
 * The whole plan is evaluated before the first action: when the arguments, the
 * arithmetic or the author's own limits make it fail, nothing has been launched
 * or written. Actions run in order on the stream. A grid with a zero dimension
 * launches nothing and is success.
 *
 * The context is the calling thread's current one; without one, that of
 * `stream`; without either, device 0's primary context, which is then made
 * current. */
TESSERA_API tessera_status
tessera_launch(tessera_module *module, const char *entry,
               const tessera_argument *arguments, size_t argument_count,
               const tessera_launch_options *options);

/* The same with less to say: the entry by its index, and the arguments as their
 * bits alone, 8 bytes each. The declared type says how they are read: ptr<T> as
 * the address, an integer type as an int64_t, a floating-point type as a double,
 * rounded as tessera_launch does. For bindings of other languages, which pack
 * arguments by the declared types anyway. */
TESSERA_API tessera_status
tessera_launch_values(tessera_module *module, size_t entry,
                      const uint64_t *values, size_t value_count,
                      const tessera_launch_options *options);

/* Zero-initialise, then set what is needed. */
typedef struct tessera_plan_options {
  int has_grid;
  int64_t grid[3];
  int32_t num_sms; /* multiprocessors of the device to plan for; 0 is unknown,
                    * an error for a plan that asks */
} tessera_plan_options;

/* The dry run: evaluates the plan as tessera_launch would, without a driver,
 * and writes its actions as JSON (docs/Manifest.md, "The evaluated plan").
 *
 * Writes up to `capacity` bytes to `buffer`, a final NUL among them, and stores
 * the length without the NUL in `length` if that is not null. When the buffer
 * is too small, the status is TESSERA_BUFFER_TOO_SMALL and nothing else is
 * written; a null buffer with capacity 0 asks for the length. */
TESSERA_API tessera_status
tessera_plan_json(const tessera_module *module, const char *entry,
                  const tessera_argument *arguments, size_t argument_count,
                  const tessera_plan_options *options, char *buffer,
                  size_t capacity, size_t *length);

#ifdef __cplusplus
}
#endif

#endif /* TESSERA_RUNTIME_TESSERA_RUNTIME_H */
