# ===- persistent_registers.py - what persistence costs in registers ---------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Usage: persistent_registers.py SOURCE WORK

Compiles SOURCE, a matrix product, as it is and for programs that stay, and
compares how many of each fast variant's programs the registers of a
multiprocessor hold: 65536, given to warps in units of 256 (CUDA Programming
Guide, "Compute Capabilities", sm_90). Threads copy, and, for a tile of which there is
room for one program, tensor maps.
"""

import json
import subprocess
import sys

REGISTERS, UNIT = 65536, 256
PERSISTENT = ["--schedule=persistent"]
GROUPED = ["--swizzle=grouped:8"]
THREADS = ["--tensor-maps=false", "--num-stages=4"]
CASES = [((128, 64, 32, 4), THREADS), ((128, 64, 32, 4), [*THREADS, *GROUPED]),
         ((64, 128, 64, 4), THREADS), ((128, 256, 64, 8), [*THREADS, *GROUPED]),
         ((128, 256, 64, 8), ["--num-stages=3", *GROUPED])]


def count(source, work, tile, flags):
    """For each fast variant programs by registers, and bytes of spilled ones."""
    m, n, k, warps = tile
    subprocess.run(["tile-opt", source, f"-DBM={m}", f"-DBN={n}", f"-DBK={k}",
                    f"--num-warps={warps}", "--emit=cubin", *flags,
                    "-o", f"{work}/k.cubin"], check=True, stderr=subprocess.DEVNULL)
    with open(f"{work}/k.json") as file:
        kernels = json.load(file)["kernels"]
    counts = {}
    for kernel in kernels:
        of_warp = -(-32 * kernel["registers"] // UNIT) * UNIT
        if "$fast" in kernel["name"]:
            counts[kernel["name"]] = (REGISTERS // of_warp // warps,
                                      kernel["spill_store_bytes"])
    return counts


def main():
    source, work = sys.argv[1:]
    for tile, flags in CASES:
        tiled = count(source, work, tile, flags)
        for assignment in ("static", "dynamic"):
            stay = count(source, work, tile, [
                *PERSISTENT, *flags, f"--assignment={assignment}"])
            assert stay == tiled, (tile, flags, assignment, tiled, stay)
    print(f"{len(CASES)} products")


main()
