# ===- shared_buffers.py - prints a manifest's shared buffers ---------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Usage: shared_buffers.py MANIFEST KERNEL: a line for each buffer of the kernel."""

import json
import sys

with open(sys.argv[1]) as file:
    kernels = {kernel["name"]: kernel for kernel in json.load(file)["kernels"]}
for buffer in kernels[sys.argv[2]]["shared_buffers"]:
    print(f"{buffer['kind']} at {buffer['offset']}: {buffer['slots']} of "
          f"{buffer['slot_bytes']}, line {buffer['line']}")
