# ===- persistent_registers.py - what persistence costs in registers ---------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Usage: persistent_registers.py SOURCE WORK

Compiles SOURCE, a matrix product whose threads copy, as it is and for programs that stay, and
compares how many of the fast variant's programs the registers of a
multiprocessor hold: 65536, given to warps in units of 256 (CUDA Programming
Guide, "Compute Capabilities", sm_90).
"""

import json
import subprocess
import sys

REGISTERS, UNIT = 65536, 256
PERSISTENT = ["--schedule=persistent"]
GROUPED = ["--swizzle=grouped:8"]
CASES = [((128, 64, 32, 4), []), ((128, 64, 32, 4), GROUPED),
         ((64, 128, 64, 4), []), ((128, 256, 64, 8), GROUPED)]


def count(source, work, tile, flags):
    """Programs by registers, and bytes of spilled ones."""
    m, n, k, warps = tile
    subprocess.run(["tile-opt", source, f"-DBM={m}", f"-DBN={n}", f"-DBK={k}",
                    f"--num-warps={warps}", "--num-stages=4", "--tensor-maps=false",
                    "--emit=cubin", *flags,
                    "-o", f"{work}/k.cubin"], check=True, stderr=subprocess.DEVNULL)
    with open(f"{work}/k.json") as file:
        fast = json.load(file)["kernels"][-1]
    of_warp = -(-32 * fast["registers"] // UNIT) * UNIT
    return REGISTERS // of_warp // warps, fast["spill_store_bytes"]


def main():
    source, work = sys.argv[1:]
    for tile, order in CASES:
        tiled = count(source, work, tile, order)
        for assignment in ("static", "dynamic"):
            stay = count(source, work, tile, [
                *PERSISTENT, *order, f"--assignment={assignment}"])
            assert stay == tiled, (tile, order, assignment, tiled, stay)
    print(f"{len(CASES)} products")


main()
