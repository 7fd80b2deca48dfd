/*===- FakeDriverTensorMaps.c - tensor maps of the fake driver ------------===//
 *
 * Part of the Tessera project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "FakeDriver.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Appends "[1,2]" to a line. */
static char *printNumbers(char *end, const char *name,
                          const unsigned long long *numbers, unsigned count) {
  end += sprintf(end, ",\"%s\":[", name);
  for (unsigned i = 0; i < count; ++i)
    end += sprintf(end, i ? ",%llu" : "%llu", numbers[i]);
  return end + sprintf(end, "]");
}

/* The words of the map are the arguments, the address first. */
int cuTensorMapEncodeTiled(unsigned long long *map, int type, unsigned rank,
                           void *address, const unsigned long long *extents,
                           const unsigned long long *strides,
                           const unsigned *box, const unsigned *elementStrides,
                           int interleave, int swizzle, int promotion,
                           int fill) {
  FAIL_IF_ASKED();
  if ((uintptr_t)map % 64 || rank < 1 || rank > 5)
    return kInvalidValue;
  unsigned long long boxes[5], steps[5];
  for (unsigned i = 0; i < rank; ++i) {
    boxes[i] = box[i];
    steps[i] = elementStrides[i];
  }
  char text[1024], *end = text;
  end = printNumbers(end, "extents", extents, rank);
  end = printNumbers(end, "strides", strides, rank - 1);
  end = printNumbers(end, "box", boxes, rank);
  printNumbers(end, "element_strides", steps, rank);
  record("{\"call\":\"cuTensorMapEncodeTiled\",\"type\":%d,\"address\":%llu%s,"
         "\"interleave\":%d,\"swizzle\":%d,\"promotion\":%d,\"fill\":%d}",
         type, (unsigned long long)(uintptr_t)address, text, interleave, swizzle,
         promotion, fill);
  memset(map, 0, 128);
  *map++ = (uintptr_t)address;
  *map++ = (unsigned)type << 8 | rank << 4 | (unsigned)swizzle;
  for (unsigned i = 0; i < rank; ++i) {
    map[i] = extents[i];
    map[5 + i / 2] |= boxes[i] << 32 * (i % 2);
    if (i + 1 < rank)
      map[8 + i] = strides[i];
  }
  return kSuccess;
}
