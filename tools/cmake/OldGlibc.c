//===- OldGlibc.c - functions that glibc 2.34 lacks -------------------------===//
//
// Part of the Tessera project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the preset `static`, whose files are to run with glibc 2.34. The archives
// that it links were made on a newer system and call two younger functions.
// Defined here, they are found before those of the C library:
//
//   arc4random        glibc 2.36, called by LLVM for names of temporary files
//   _dl_find_object   glibc 2.35, called by libgcc's unwinder
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/// A random number from the kernel. getrandom(2) of four bytes is not cut short.
uint32_t arc4random(void) {
  uint32_t value;
  if (getrandom(&value, sizeof value, 0) != sizeof value)
    abort();
  return value;
}

struct Search {
  uintptr_t pc;
  struct dl_find_object *result;
};

/// Fills the result in and ends the search if the object contains the pc.
static int visitObject(struct dl_phdr_info *info, size_t size, void *data) {
  struct Search *search = data;
  uintptr_t start = UINTPTR_MAX, end = 0, frames = 0;
  int found = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uintptr_t first = info->dlpi_addr + header->p_vaddr;
    uintptr_t last = first + header->p_memsz;
    if (header->p_type == PT_GNU_EH_FRAME)
      frames = first;
    if (header->p_type != PT_LOAD)
      continue;
    start = first < start ? first : start;
    end = last > end ? last : end;
    found |= first <= search->pc && search->pc < last;
  }
  if (!found || frames == 0)
    return 0;
  search->result->dlfo_map_start = (void *)start;
  search->result->dlfo_map_end = (void *)end;
  search->result->dlfo_eh_frame = (void *)frames;
  return 1;
}

/// The object that contains `pc`, as the unwinder needs it: its range and its
/// PT_GNU_EH_FRAME. 0, or -1 when there is none.
int _dl_find_object(void *pc, struct dl_find_object *result) {
  struct Search search = {(uintptr_t)pc, result};
  *result = (struct dl_find_object){0};
  return dl_iterate_phdr(visitObject, &search) ? 0 : -1;
}
