# ===- returns.py - what kernels that return early have to store ------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Usage: returns.py IR WORK

Runs the entries of persistent-returns.mlir or branches.mlir in the interpreter, as IR
has them, and compares what they store with what their programs say, computed here."""

import pathlib
import subprocess
import sys

import numpy

BEFORE = -7


def two(n, m):
    stored = numpy.full(16, BEFORE, numpy.int32)
    for pid in range(13):
        if pid < n and (pid % 2 == 0 or pid < m):
            stored[pid] = pid
    return stored


def cube(n):
    """Rows of 64: the sum of the numbers of the row's elements."""
    stored = numpy.full(64 * 24, BEFORE, numpy.float32)
    for z in range(4):
        for y in range(min(n, 2)):
            for x in range(3):
                row = (z * 2 + y) * 3 + x
                stored[64 * row:64 * row + 64] = sum(range(64 * row, 64 * row + 64))
    return stored


def blocks(n):
    stored = numpy.full(32 * 9, BEFORE, numpy.int32)
    for pid in range(9):
        if pid < n or pid <= 5:
            stored[32 * pid:32 * pid + 32] = range(32) if pid < n else 0
    return stored


def switch():
    stored = numpy.full(9, BEFORE, numpy.int32)
    stored[1], stored[3] = 7, 9
    return stored


def atom(n):
    """Each of the n programs finds an element of its own."""
    stored = numpy.full(9, BEFORE, numpy.int32)
    stored[:n] = 1
    return stored


def loop(n):
    stored = numpy.full(16 * 3, BEFORE, numpy.int32)
    for y in range(3):
        for x in range(min(n, 9)):
            stored[16 * y + x] = sum(range(x))
    return stored


def pointer(n):
    stored = numpy.full(16, BEFORE, numpy.int32)
    stored[:n] = numpy.arange(n) * 10
    return stored


def pointers(n):
    stored = numpy.full(32 * 9, BEFORE, numpy.int32)
    stored[:32 * n] = numpy.arange(32 * n)
    return stored


def array(n):
    stored = numpy.full(16 * 9, BEFORE, numpy.int32)
    stored[:16 * n] = 1
    return stored


def helper(n):
    """Even programs store their number, the others twice theirs."""
    stored = numpy.full(16, BEFORE, numpy.int32)
    stored[:n] = [pid * (1 + pid % 2) for pid in range(n)]
    return stored


KERNELS = [(two, [(9, 4), (0, 4), (20, 20)]), (cube, [(1,), (0,), (2,)]),
           (blocks, [(3,), (8,)]), (switch, [()]), (atom, [(5,), (0,)]),
           (loop, [(7,), (0,)]), (pointer, [(9,), (1,)]), (pointers, [(7,)]),
           (array, [(8,)]), (helper, [(9,)])]


def main():
    source, work = sys.argv[1], pathlib.Path(sys.argv[2])
    text = pathlib.Path(source).read_text()
    kernels = [entry for entry in KERNELS if f"@{entry[0].__name__}(" in text]
    for kernel, calls in kernels:
        for arguments in calls:
            wanted = kernel(*arguments)
            numpy.save(work / "wanted.npy", wanted)
            numpy.save(work / "before.npy", numpy.full_like(wanted, BEFORE))
            subprocess.run(
                ["tile-run", source, f"--kernel={kernel.__name__}",
                 work / "before.npy", *map(str, arguments), "--num-sms=3",
                 f"--expect=0:{work / 'wanted.npy'}", "--rtol=0", "--atol=0"],
                check=True, stdout=subprocess.DEVNULL)
    print(f"{len(kernels)} kernels")


main()
