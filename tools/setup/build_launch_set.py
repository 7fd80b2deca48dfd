#===- build_launch_set.py - what launches are timed with -------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: build_launch_set.py --build BUILD --output DIR [--target sm_XY]

Makes the folder that test/GPU/launch_overhead.py takes, from a build folder:
cubins and manifests of vector_add, softmax and matmul, the runtime with its
Python module, and the C example as the program `vector_add`. The machine that
measures needs neither tile-opt nor a C compiler.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = {"vector_add": [], "softmax": ["-DBLOCK=1024"], "matmul": []}
RUNTIME_FILES = ("libtessera_runtime.so", "tessera_runtime.py")


def run(command):
    command = [str(word) for word in command]
    if subprocess.run(command, check=False).returncode:
        sys.exit(f"failed: {' '.join(command)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--emit", choices=("cubin", "ptx"), default="cubin")
    parser.add_argument("--cc", default=os.environ.get("CC", "cc"))
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for name, flags in KERNELS.items():
        run([options.build / "bin" / "tile-opt",
             ROOT / "lib" / "Kernels" / f"{name}.mlir", f"--emit={options.emit}",
             f"--target={options.target}", *flags,
             "-o", options.output / f"{name}.{options.emit}"])
    for name in RUNTIME_FILES:
        shutil.copy(options.build / "lib" / name, options.output)
    # The program looks for the library where it lies itself.
    run([options.cc, "-std=c99", "-O2", "-I", ROOT / "include",
         ROOT / "test" / "Runtime" / "vector_add.c",
         options.output / "libtessera_runtime.so", "-ldl",
         "-Wl,-rpath,$ORIGIN", "-o", options.output / "vector_add"])
    print(f"{len(KERNELS)} kernels in {options.output}")


if __name__ == "__main__":
    main()
