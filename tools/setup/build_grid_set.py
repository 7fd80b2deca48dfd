#!/usr/bin/env python3
# ===- build_grid_set.py - products in other orders, and persistent ones ----===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# Compiles lib/Kernels/matmul.mlir with orders of tiles and persistent programs,
# and with footprints of registers and shared memory that differ, into one folder:
# matmul-TYPE-ACC-OUT-BMxBNxBK-wN-OPTIONS.cubin with their manifests. They are for
# test/GPU/matmul.py, which checks and times products, and the persistent ones for
# test/GPU/occupancy.py.
#
#   build_grid_set.py --tile-opt build/bin/tile-opt --output DIR [--target sm_90a]
#
# ===------------------------------------------------------------------------===#

import os
import subprocess

from build_matmul_set import SOURCE, build_set

F16, F32, F64 = ("f16", "f32", "f16"), ("f32", "f32", "f32"), ("f64", "f64", "f64")
RESIDENT = ("--schedule=persistent",)

# Type, accumulator, output; tile; warps; options.
CONFIGS = [
    # Orders of tiles, and both.
    *[(F16, (128, 128, 32), 8, options) for options in [
        ("--swizzle=grouped:8",), ("--swizzle=grouped:3",), ("--swizzle=column",),
        ("--swizzle=hilbert:8",), ("--swizzle=auto",),
        ("--schedule=persistent", "--programs-per-sm=1"),
        ("--schedule=persistent", "--programs-per-sm=2", "--swizzle=grouped:8"),
        ("--schedule=persistent", "--swizzle=auto"),
        ("--schedule=persistent", "--swizzle=hilbert:4")]],
    *[(F16, (128, 64, 32), 4, options) for options in [
        (), ("--swizzle=grouped:8",), RESIDENT,
        ("--schedule=persistent", "--swizzle=grouped:8")]],
    # Footprints: tiles, warps and limits of registers.
    *[(F16, tile, warps, RESIDENT) for tile, warps in [
        ((128, 128, 32), 4), ((128, 128, 32), 8), ((64, 64, 32), 2),
        ((64, 64, 64), 4), ((64, 128, 128), 8), ((32, 32, 32), 1),
        ((16, 16, 16), 1), ((32, 64, 256), 4), ((64, 256, 64), 8)]],
    *[(F16, (64, 64, 32), 4, (*RESIDENT, f"--maxnreg={registers}"))
      for registers in (64, 96, 168)],
    (F32, (64, 64, 32), 4, RESIDENT),
    (F64, (32, 64, 16), 4, RESIDENT),
]


def compile_one(tile_opt, output, target, config):
    """The name of the files, and the finished process."""
    (kind, acc, out), (bm, bn, bk), warps, options = config
    words = [option.lstrip("-").replace("=", "-").replace(":", "-")
             for option in options]
    name = "-".join([f"matmul-{kind}-{acc}-{out}-{bm}x{bn}x{bk}-w{warps}", *words])
    command = [tile_opt, SOURCE, "--emit=cubin", f"--target={target}",
               f"--num-warps={warps}", *options, "-D", f"T={kind}",
               "-D", f"ACC={acc}", "-D", f"OUT={out}", "-D", f"BM={bm}",
               "-D", f"BN={bn}", "-D", f"BK={bk}",
               "-o", os.path.join(output, name + ".cubin")]
    return name, subprocess.run(command, capture_output=True, text=True)


if __name__ == "__main__":
    build_set(CONFIGS, compile_one, "products")
