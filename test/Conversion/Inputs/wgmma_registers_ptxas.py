#===- wgmma_registers_ptxas.py - assemble products of registers -----------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: wgmma_registers_ptxas.py PTXAS KERNEL FOLDER WARPS TILE...

Compiles the kernel for each tile, `BM=128,BN=64`, and prints a line with how many
instructions of wgmma read A from shared memory and how many from registers, in
both versions of the kernel together, and what is wrong, as wgmma_ptxas.py does.
"""

import os
import re
import subprocess
import sys

from wgmma_ptxas import assemble

# The accumulators, then A: a descriptor or a list.
PRODUCT = re.compile(r"wgmma\.mma_async[^{]*\{[^}]*\}, (\{[^}]*\}|%rd\d+), %rd")


def check(ptxas, kernel, ptx, warps, tile):
    result = subprocess.run(
        ["tile-opt", kernel, "--emit=ptx", "-o", ptx, f"--num-warps={warps}",
         "--target=sm_90a"] + [f"-D{value}" for value in tile.split(",")],
        capture_output=True, text=True)
    if result.returncode != 0:
        return next(line for line in result.stderr.splitlines() if "error:" in line)
    with open(ptx) as file:
        operands = PRODUCT.findall(file.read())
    registers = sum(operand.startswith("{") for operand in operands)
    return "; ".join([f"{len(operands) - registers} of shared memory, "
                      f"{registers} of registers"] + assemble(ptxas, ptx))


def main(ptxas, kernel, folder, warps, *tiles):
    for tile in tiles:
        print(f"{tile}:",
              check(ptxas, kernel, os.path.join(folder, tile + ".ptx"), warps,
                    tile))


if __name__ == "__main__":
    main(*sys.argv[1:])
