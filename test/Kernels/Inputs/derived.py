# ===- derived.py - naive products with orders of tiles, beside others' --------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Usage: derived.py KERNELS WORK

Runs what the passes make of matmul.mlir, with other orders of tiles and programs
that stay, and the kernels that do the same by hand, in the interpreter, by three
programs where they stay. C has to be the same, bit for bit.
"""

import pathlib
import subprocess
import sys

GROUPED = "--swizzle=grouped:8"
PERSISTENT = ["--schedule=persistent", "--programs-per-sm=1"]
VARIANTS = [("matmul", []), ("matmul", [GROUPED]), ("matmul", PERSISTENT),
            ("matmul", [*PERSISTENT, "--assignment=dynamic"]),
            ("matmul", [*PERSISTENT, GROUPED]),
            ("matmul", [*PERSISTENT, GROUPED, "--assignment=dynamic"]),
            ("matmul_grouped", []), ("matmul_persistent", [])]
# M, N, K: nine rows of tiles, of which eight are a group, the last ones ragged; one
# tile; fewer rows than a group. Strides are odd.
SIZES = [(520, 67, 45), (1, 3, 2), (130, 200, 33)]


def main():
    kernels, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    results = {size: set() for size in SIZES}
    for index, (kernel, flags) in enumerate(VARIANTS):
        lowered = work / f"{index}.mlir"
        subprocess.run(["tile-opt", kernels / f"{kernel}.mlir", "-DBM=64", "-DBN=64",
                        "--emit=mlir", "--stage=tile-gpu", *flags, "-o", lowered],
                       check=True)
        for m, n, k in SIZES:
            output = work / "c.npy"
            subprocess.run(
                ["tile-run", lowered, f"--kernel={kernel}", f"rand:f16:{m}x{k + 3}:1",
                 f"rand:f16:{k}x{n + 1}:2", f"full:f16:{m}x{n + 5}:7",
                 *map(str, (m, n, k, k + 3, 1, n + 1, 1, n + 5, 1)),
                 f"--save=2:{output}", "--num-sms=3"],
                check=True, stdout=subprocess.DEVNULL)
            results[m, n, k].add(output.read_bytes())
    for size, contents in results.items():
        assert len(contents) == 1, size
    # Sizes give other arrays: what is compared is not empty.
    assert len(set().union(*results.values())) == len(SIZES)
    print(f"{len(VARIANTS)} kernels, {len(SIZES)} sizes: the same")


main()
