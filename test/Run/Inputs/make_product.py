#===- make_product.py - operands of a product, and what it gives -----------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: make_product.py FOLDER M N K

Writes a.npy, b.npy (f16), c.npy, their product in f64, and wrong.npy, the same
but for its last element."""

import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
m, n, k = map(int, sys.argv[2:])
random = np.random.default_rng(7)
a = random.uniform(-1, 1, (m, k)).astype(np.float16)
b = random.uniform(-1, 1, (k, n)).astype(np.float16)
c = a.astype(np.float64) @ b.astype(np.float64)
np.save(folder / "a.npy", a)
np.save(folder / "b.npy", b)
np.save(folder / "c.npy", c)
c[-1, -1] += 1
np.save(folder / "wrong.npy", c)
