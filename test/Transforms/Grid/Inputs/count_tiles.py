# ===- count_tiles.py - how often persistent programs compute each tile ----===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Usage: count_tiles.py IR WORK [--product]

IR has an entry @count(%hits, %x, %y, %z) that adds 1 to the tile's element of
hits[z, y, x], of 8 x 8 x 8. Runs it in the interpreter on random grids by random numbers of
programs, and wants 1 everywhere. With --product it has two arguments more, A and B of
count_product.mlir, and adds an element of their product.
"""

import pathlib
import random
import subprocess
import sys

import numpy

TRIALS = 20
SIDE = 8


def main():
    source, work = sys.argv[1], pathlib.Path(sys.argv[2])
    operands, tile = [], numpy.ones((SIDE, SIDE), numpy.int32)
    if "--product" in sys.argv[3:]:
        operands = [work / "a.npy", work / "b.npy"]
        steps = numpy.arange(64) % 4
        rows, columns = numpy.arange(512) // 64 + 1, numpy.arange(128) // 16 + 1
        numpy.save(operands[0], numpy.outer(rows, steps).astype(numpy.float16))
        numpy.save(operands[1], numpy.outer(steps, columns).astype(numpy.float16))
        tile = numpy.outer(rows[::64], columns[::16]) * int(steps @ steps)
    random.seed(11)
    for trial in range(TRIALS):
        # An empty grid, one tile, and others.
        grid = [(3, 0, 2), (1, 1, 1)][trial] if trial < 2 else [
            random.randint(1, SIDE) for _ in range(3)]
        wanted = numpy.zeros((SIDE, SIDE, SIDE), numpy.int32)
        numpy.save(work / "zeros.npy", wanted)
        wanted[:grid[2], :grid[1], :grid[0]] = tile[:grid[1], :grid[0]]
        numpy.save(work / "wanted.npy", wanted)
        command = ["tile-run", source, "--kernel=count", work / "zeros.npy",
                   *grid, *operands, f"--expect=0:{work / 'wanted.npy'}", "--rtol=0", "--atol=0",
                   f"--num-sms={random.randint(1, 40)}"]
        subprocess.run([str(word) for word in command], check=True,
                       stdout=subprocess.DEVNULL)
    print(f"{TRIALS} grids")


main()
