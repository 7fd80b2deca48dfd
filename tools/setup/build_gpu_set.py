#===- build_gpu_set.py - compile what the GPU harness runs -----------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: build_gpu_set.py --tile-opt FILE --output DIR

Compiles the shipped kernels into DIR for each combination of parameters that
test/GPU/run.py looks at. No GPU is needed. A pair of files for each:

    softmax-f16-b4096.cubin, .json        T = f16, BLOCK = 4096
    softmax-f32-b4096-w8.cubin, .json     the same with --num-warps=8

When tile-opt lies in a build folder that has lib/libtessera_runtime.so, the
library and its Python module are copied too, so that DIR is all that a machine
with a GPU needs beside test/GPU.

Without --dtypes and --blocks, the set is: softmax for every element type and
block size, vector_add for every element type, softmax_naive for a few of them.
The exit status is 1 when a kernel did not compile; the others are still made.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DTYPES = ("f32", "f16", "bf16")
# 16 and 64 are smaller than a warp's and a block's worth of elements.
SOFTMAX_BLOCKS = (16, 64, 512, 1024, 2048, 4096, 8192, 16384)
NAIVE = (("f32", 64), ("f32", 1024), ("f32", 4096), ("f16", 1024),
         ("bf16", 1024))
RUNTIME_FILES = ("libtessera_runtime.so", "tessera_runtime.py")


def combinations(options):
    """Yields (source, element type, block, warps); warps of 0 let the compiler
    choose."""
    dtypes = options.dtypes or DTYPES
    for dtype in dtypes:
        for block in options.blocks or SOFTMAX_BLOCKS:
            for warps in (0, *options.warps):
                yield "softmax", dtype, block, warps
        yield "vector_add", dtype, 1024, 0
    naive = NAIVE
    if options.dtypes or options.blocks:
        naive = [(dtype, block) for dtype in dtypes
                 for block in options.blocks or (1024,)]
    for dtype, block in naive:
        yield "softmax_naive", dtype, block, 0


def file_name(source, dtype, block, warps):
    return f"{source}-{dtype}-b{block}" + (f"-w{warps}" if warps else "")


def compile_one(options, source, dtype, block, warps):
    """tile-opt's diagnostics; empty when it succeeded."""
    name = file_name(source, dtype, block, warps)
    kernel = ROOT / "lib" / "Kernels" / f"{source}.mlir"
    command = [options.tile_opt, str(kernel), "--emit=cubin",
               f"--target={options.target}", f"-DT={dtype}", f"-DBLOCK={block}",
               "-o", str(options.output / f"{name}.cubin")]
    if warps:
        command.append(f"--num-warps={warps}")
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return ""
    return run.stderr.strip() or f"tile-opt ended with {run.returncode}"


def compile_all(options, wanted):
    """Compiles side by side; returns the names of those that failed."""
    failed = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = {pool.submit(compile_one, options, *each): file_name(*each)
                for each in wanted}
        for run in concurrent.futures.as_completed(runs):
            if run.result():
                failed.append(runs[run])
                print(f"{runs[run]}: {run.result()}", file=sys.stderr)
    return failed


def copy_runtime(options):
    """Copies the runtime from tile-opt's build folder, if it is there."""
    library = pathlib.Path(options.tile_opt).resolve().parents[1] / "lib"
    missing = [name for name in RUNTIME_FILES if not (library / name).is_file()]
    if missing:
        print(f"not copied, not in {library}: {', '.join(missing)}")
        return
    for name in RUNTIME_FILES:
        shutil.copy(library / name, options.output)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="compile what the GPU harness runs")
    parser.add_argument("--tile-opt", required=True, help="the compiler")
    parser.add_argument("--output", required=True, type=pathlib.Path,
                        help="folder for the cubins and manifests")
    parser.add_argument("--target", default="sm_90a", help="GPU to compile for")
    parser.add_argument("--dtypes", nargs="+", choices=DTYPES,
                        help="element types (default: all)")
    parser.add_argument("--blocks", nargs="+", type=int,
                        help="block sizes of the softmax kernels")
    parser.add_argument("--warps", nargs="+", type=int, default=[],
                        help="also softmax with these numbers of warps")
    parser.add_argument("--only", type=re.compile, default=re.compile(""),
                        help="expression that a file's name has to contain")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    found = shutil.which(options.tile_opt)
    if not found:
        parser.error(f"--tile-opt: {options.tile_opt} is no program")
    options.tile_opt = found
    return options


def main():
    options = parse_arguments()
    options.output.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    wanted = [each for each in combinations(options)
              if options.only.search(file_name(*each))]
    failed = compile_all(options, wanted)
    copy_runtime(options)
    print(f"{len(wanted) - len(failed)} of {len(wanted)} kernels in "
          f"{options.output}, {time.monotonic() - start:.1f} s")
    return 1 if failed or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
