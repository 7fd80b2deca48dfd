#===- no_spills.py - what ptxas reports about a cubin's kernels ------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: no_spills.py MANIFEST

Prints `N kernels` for a manifest of N kernels with ptxas's report. Fails when
there is none, or one that spills registers or has a stack, and names it.
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as manifest:
    kernels = json.load(manifest)["kernels"]
for kernel in kernels:
    for what in ("spill_store_bytes", "spill_load_bytes", "stack_bytes"):
        if kernel[what] != 0:
            sys.exit(f"no_spills: {kernel['name']} has {kernel[what]} {what}")
if not kernels:
    sys.exit("no_spills: no kernels")
print(len(kernels), "kernels")
