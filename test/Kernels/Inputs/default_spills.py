# ===- default_spills.py - spills of the kernels as they are shipped -------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# Usage: default_spills.py KERNELS OUTPUT
#
# Compiles each source of the folder KERNELS to a cubin for every target, with the
# defaults of its parameters and the warps that the compiler chooses, and prints a
# line for each: its name and "no spills", or what spills where. What ptxas says of
# lost performance is printed too.
#
# ===------------------------------------------------------------------------===#

import glob
import json
import os
import subprocess
import sys

TARGETS = ["sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_120a"]


def problems(source, target, output):
    """What is wrong with one compilation, as lines."""
    result = subprocess.run(["tile-opt", source, "--emit=cubin", f"--target={target}", "-o",
                             os.path.join(output, "k.cubin")], capture_output=True, text=True)
    if result.returncode:
        return [f"{target}: {result.stderr.strip()}"]
    lines = [f"{target}: {line}" for line in result.stderr.splitlines()
             if "Performance Loss" in line]
    with open(os.path.join(output, "k.json")) as file:
        kernels = json.load(file)["kernels"]
    return lines + [f"{target}: {k['name']} spills {k['spill_store_bytes']} bytes"
                    for k in kernels if k["spill_store_bytes"] or k["spill_load_bytes"]]


kernels, output = sys.argv[1:]
os.makedirs(output, exist_ok=True)
for source in sorted(glob.glob(os.path.join(kernels, "*.mlir"))):
    found = [line for target in TARGETS for line in problems(source, target, output)]
    print(os.path.basename(source), "; ".join(found) or "no spills")
