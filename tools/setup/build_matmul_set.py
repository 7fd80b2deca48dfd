#!/usr/bin/env python3
# ===- build_matmul_set.py - the matrix products that the GPU harness runs -===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# Compiles lib/Kernels/matmul.mlir for element types, tiles, numbers of warps and
# stages into one folder: matmul-TYPES-BMxBNxBK-wN-sN.cubin with their manifests.
#
#   build_matmul_set.py --tile-opt build/bin/tile-opt --output DIR
#
# ===------------------------------------------------------------------------===#

import argparse
import concurrent.futures
import os
import subprocess
import sys

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                      "lib", "Kernels", "matmul.mlir")
# Type, accumulator, output; tile; warps (0: the compiler's choice); stages (0: the
# source's).
CONFIGS = [
    *[(("f16", "f32", "f16"), tile, warps, stages) for tile, warps, stages in [
        ((128, 128, 32), 0, 1), ((128, 128, 32), 4, 2), ((128, 256, 64), 8, 3),
        ((256, 128, 64), 8, 4), ((128, 64, 32), 4, 0), ((64, 64, 64), 4, 5),
        ((128, 128, 64), 8, 4), ((64, 256, 64), 8, 2), ((128, 64, 128), 4, 3),
        ((64, 32, 16), 4, 5), ((16, 16, 16), 1, 2), ((16, 64, 16), 4, 3),
        ((32, 32, 32), 2, 5), ((64, 16, 128), 8, 1), ((128, 64, 32), 2, 4)]],
    (("f16", "f16", "f16"), (64, 64, 32), 0, 3),
    (("f16", "f32", "f32"), (64, 128, 32), 0, 4),
    (("bf16", "f32", "bf16"), (128, 128, 64), 0, 4),
    (("bf16", "f32", "f32"), (64, 32, 64), 2, 2),
    (("bf16", "f32", "f32"), (64, 64, 64), 4, 3),
    (("f32", "f32", "f32"), (64, 64, 32), 0, 3),
    (("f32", "f32", "f32"), (128, 64, 16), 8, 1),
    (("f64", "f64", "f64"), (32, 64, 16), 0, 2),
    (("f64", "f64", "f64"), (64, 32, 16), 8, 4),
    (("i8", "i32", "i32"), (64, 64, 64), 0, 5),
    (("i8", "i32", "i32"), (128, 64, 32), 8, 2),
    (("f8E4M3FN", "f32", "f16"), (64, 64, 64), 0, 3),
    (("f8E5M2", "f32", "f32"), (64, 128, 32), 0, 1),
    # Smaller than mma.sync's shapes: multiplications and additions.
    (("f16", "f32", "f16"), (8, 64, 16), 1, 3),
    (("f32", "f32", "f32"), (16, 16, 2), 2, 4),
    (("i8", "i32", "i32"), (16, 32, 8), 1, 2),
]


def compile_one(tile_opt, output, target, config):
    (kind, acc, out), (bm, bn, bk), warps, stages = config
    name = (f"matmul-{kind}-{acc}-{out}-{bm}x{bn}x{bk}-w{warps or 'auto'}"
            f"-s{stages or 'auto'}")
    command = [tile_opt, SOURCE, "--emit=cubin", f"--target={target}",
               "-D", f"T={kind}", "-D", f"ACC={acc}", "-D", f"OUT={out}",
               "-D", f"BM={bm}", "-D", f"BN={bn}", "-D", f"BK={bk}",
               "-o", os.path.join(output, name + ".cubin")]
    if warps:
        command.append(f"--num-warps={warps}")
    if stages:
        command.append(f"--num-stages={stages}")
    result = subprocess.run(command, capture_output=True, text=True)
    return name, result


def build_set(configs, compile_config, what, inspect=None):
    """The command line of a script that compiles a set: runs compile_config(tile_opt,
    output, target, config), which gives a name and a finished process, for each of
    `configs`, and exits with 1 if one failed. `inspect(output, name)` looks at each
    that did not."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tile-opt", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--target", default="sm_90a")
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(compile_config, options.tile_opt, options.output,
                            options.target, config) for config in configs]
        for job in jobs:
            name, result = job.result()
            if result.returncode:
                failed += 1
                print(f"FAILED {name}\n{result.stderr}")
                continue
            if result.stderr:
                print(f"{name}: {result.stderr.strip()}")
            if inspect:
                inspect(options.output, name)
    print(f"{len(configs) - failed} of {len(configs)} {what} in {options.output}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    build_set(CONFIGS, compile_one, "products")
