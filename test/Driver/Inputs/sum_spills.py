#===- sum_spills.py - do lines add up to ptxas's totals --------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: sum_spills.py REPORT

Compares the bytes of the lines in a report of --explain=json with the totals of
each kernel. Fails where they differ, or where a kernel does not spill."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as report:
    entries = json.load(report)
kernels = [e for e in entries if e["kind"] == "resources"]
for kernel in kernels:
    lines = [e for e in entries
             if e["kind"] == "spills" and e["function"] == kernel["function"]]
    for what in ("store", "load"):
        total = kernel[f"spill_{what}_bytes"]
        found = sum(line[f"{what}_bytes"] for line in lines)
        if total == 0 or found != total:
            sys.exit(f"{kernel['function']}: {what} {found} of {total} bytes")
print(len(kernels), "kernels, the sums agree")
