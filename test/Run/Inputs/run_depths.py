#===- run_depths.py - products that end inside of a tile -------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: run_depths.py KERNEL FOLDER DEPTH...

For each number of elements of k, runs a matmul in tiles of 64 of them, after the
passes, with arrays that hold more than those. Prints a line each: the exit code, and
what tile-run says of the results."""

import pathlib
import subprocess
import sys

import numpy as np

M, N, HELD = 72, 72, 80

kernel, folder = sys.argv[1], pathlib.Path(sys.argv[2])
random = np.random.default_rng(11)
# None is near 0.
a = random.uniform(1, 2, (M, HELD)).astype(np.float16)
b = random.uniform(1, 2, (HELD, N)).astype(np.float16)
np.save(folder / "a.npy", a)
np.save(folder / "b.npy", b)
for k in map(int, sys.argv[3:]):
    wanted = a[:, :k].astype(np.float64) @ b[:k].astype(np.float64)
    np.save(folder / "c.npy", wanted)
    arguments = ["a.npy", "b.npy", f"empty:f16:{M}x{N}"]
    arguments += map(str, [M, N, k, HELD, 1, N, 1, N, 1])
    result = subprocess.run(
        ["tile-run", kernel, "-D", "BM=64", "-D", "BN=64", "-D", "BK=64",
         "--num-warps=4", "--stage=tile-gpu", "--target=sm_90a",
         "--expect=c:c.npy"] + arguments,
        cwd=folder, capture_output=True, text=True)
    print(f"{k}: exit {result.returncode}, {(result.stdout + result.stderr).strip()}")
