#===- compile_matrix.py - one kernel for every target and element type -----===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: compile_matrix.py KERNEL.mlir FOLDER [TILE-OPT-OPTION...]

Compiles a kernel to PTX and to a cubin in FOLDER for each target and element
type, and prints a line for each pair:

    sm_90a f32: 2 kernels

A line ends in `; ` and a complaint for everything that is wrong: a compilation
that failed, PTX for another target or with local memory, a cubin whose ELF
header (e_flags) names another architecture, and for each kernel of the manifest
bytes spilled, a stack, or registers that no block of its size can have.
"""

import json
import pathlib
import re
import subprocess
import sys

TARGETS = ("sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_120a")
TYPES = ("f32", "f16", "bf16")
# Of one multiprocessor, in 32-bit words; the same for all of the targets.
REGISTER_FILE = 65536
MAX_REGISTERS = 255
# An ELF64 header: e_machine is a half at 18, e_flags a word at 48. CUDA is
# machine 190 and keeps the architecture's number in the flags' second byte.
EM_CUDA = 190


def compile_to(kind, source, folder, target, element, options):
    """Path of the output; raises CalledProcessError with what was printed."""
    path = folder / f"{target}-{element}.{kind}"
    subprocess.run(
        ["tile-opt", source, f"--emit={kind}", f"--target={target}",
         f"-DT={element}", "-o", path, *options],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return path


def ptx_problems(text, target):
    named = re.search(r"^\.target (\w+)", text, re.MULTILINE).group(1)
    if named != target:
        yield f"PTX is for {named}"
    if re.search(r"\.local\b", text):
        yield "PTX uses local memory"


def cubin_problems(image, target):
    number = int(re.search(r"\d+", target).group())
    machine = int.from_bytes(image[18:20], "little")
    if image[:4] != b"\x7fELF" or machine != EM_CUDA:
        yield "the cubin is no ELF file for CUDA"
    elif image[49] != number:
        yield f"the cubin is for architecture {image[49]}"


def kernel_problems(kernel):
    name, registers = kernel["name"], kernel["registers"]
    threads = 32 * kernel["num_warps"]
    if not 1 <= registers <= min(MAX_REGISTERS, REGISTER_FILE // threads):
        yield f"{name} has {registers} registers and {threads} threads"
    for what in ("spill_store_bytes", "spill_load_bytes", "stack_bytes"):
        if kernel[what]:
            yield f"{name} has {kernel[what]} {what}"


def check(source, folder, target, element, options):
    """The line about one target and element type, and whether all is well."""
    line, problems = f"{target} {element}", []
    try:
        ptx = compile_to("ptx", source, folder, target, element, options)
        cubin = compile_to("cubin", source, folder, target, element, options)
    except subprocess.CalledProcessError as error:
        return f"{line}; not compiled: {error.stdout.strip()}", False
    manifest = json.loads(cubin.with_suffix(".json").read_text())
    problems += ptx_problems(ptx.read_text(), target)
    problems += cubin_problems(cubin.read_bytes(), target)
    for kernel in manifest["kernels"]:
        problems += kernel_problems(kernel)
    line += f": {len(manifest['kernels'])} kernels"
    return "; ".join([line, *problems]), not problems


def main():
    source, folder, *options = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    good = True
    for target in TARGETS:
        for element in TYPES:
            line, well = check(source, folder, target, element, options)
            print(line, flush=True)
            good &= well
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
