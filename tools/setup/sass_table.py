#===- sass_table.py - instructions of derived and hand-written kernels ------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: sass_table.py --tile-opt FILE [--nvdisasm FILE] [--kernels FOLDER]

Prints a table for docs/Performance.md: the instructions in the machine code of
matmul.mlir under --swizzle and --schedule and of the kernels that do the same by
hand, by class, for sm_90a. They are counted where they stand, not as often as they
run; of each module the variant for aligned arguments, with copies by threads (no
tensor maps).
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import tempfile

TILES = [("128×64×32, 4 warps, 4 stages", ["-DBM=128", "-DBN=64", "-DBK=32",
                                           "--num-warps=4", "--num-stages=4"]),
         ("128×256×64, 8 warps, 4 stages", ["-DBM=128", "-DBN=256", "-DBK=64",
                                            "--num-warps=8", "--num-stages=4"])]
GROUPED = "--swizzle=grouped:8"
PERSISTENT = "--schedule=persistent"
KERNELS = [("matmul", []), ("matmul", [GROUPED]), ("matmul_grouped", []),
           ("matmul", [PERSISTENT]), ("matmul", [PERSISTENT, "--assignment=dynamic"]),
           ("matmul_persistent", []), ("matmul", [PERSISTENT, GROUPED])]
# By the first part of the opcode; the rest is integer and move instructions of the
# vector and of the uniform unit, or nothing of these.
CLASSES = [
    ("mma", r"HGMMA|HMMA"),
    ("global", r"LDG|STG|LDGSTS|ATOMG|ATOM|RED"),
    ("shared", r"LDS|STS|LDSM|STSM|ATOMS"),
    ("branch", r"BRA|EXIT|BRX|BSSY|BSYNC|CALL|RET|WARPSYNC"),
    ("barrier", r"BAR|DEPBAR|LDGDEPBAR|MEMBAR|FENCE|WARPGROUP|SYNCS|ERRBAR"),
    ("float", r"F(?!LO)\w+|MUFU|I2F\w*|HADD2|HMUL2|HFMA2"),
    ("nothing", r"NOP"),
]
INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P[\dT]+\s+)?([A-Z0-9_]+)")


def classify(opcode):
    for name, pattern in CLASSES:
        if re.fullmatch(pattern, opcode):
            return name
    return "integer"


def count(text):
    """Instructions by class of the variant $fast in nvdisasm's text."""
    counts, inside = collections.Counter(), False
    for line in text.splitlines():
        if line.startswith(".text."):
            inside = line.endswith("$fast:")
        match = INSTRUCTION.match(line)
        if inside and match:
            # "@!PT": never, as ptxas spaces things out.
            counts["nothing" if "@!PT" in line else classify(match[1])] += 1
    counts["total"] = sum(counts.values()) - counts["nothing"]
    return counts


def compile_kernel(options, kernel, flags, work):
    """Its counts and registers."""
    source = options.kernels / f"{kernel}.mlir"
    command = [options.tile_opt, source, *flags, "--target=sm_90a",
               "--tensor-maps=false"]
    tools = [f"--nvdisasm-path={options.nvdisasm}"] if options.nvdisasm else []
    cubin = pathlib.Path(work) / "k.cubin"
    for output in (["--emit=cubin", "-o", cubin],
                   ["--emit=sass", *tools, "-o", cubin.with_suffix(".sass")]):
        subprocess.run([str(word) for word in command + output], check=True,
                       stderr=subprocess.DEVNULL)
    manifest = json.loads(cubin.with_suffix(".json").read_text())
    fast = [k for k in manifest["kernels"] if k["name"].endswith("$fast")]
    return count(cubin.with_suffix(".sass").read_text()), fast[0]["registers"]


def main():
    parser = argparse.ArgumentParser(description="see the top of the file")
    parser.add_argument("--tile-opt", required=True, type=pathlib.Path)
    parser.add_argument("--nvdisasm", type=pathlib.Path)
    parser.add_argument("--kernels", type=pathlib.Path,
                        default=pathlib.Path(__file__).parents[2] / "lib/Kernels")
    options = parser.parse_args()
    names = ["total", "mma", "integer", "float", "global", "shared", "branch", "barrier"]
    for title, tile in TILES:
        print(f"| {title} | registers | {' | '.join(names)} |")
        print("| --- |" + " --- |" * (len(names) + 1))
        for kernel, flags in KERNELS:
            with tempfile.TemporaryDirectory() as work:
                counts, registers = compile_kernel(options, kernel, [*tile, *flags], work)
            label = f"`{' '.join([kernel, *flags])}`"
            print(f"| {label} | {registers} | "
                  f"{' | '.join(str(counts[name]) for name in names)} |")
        print()


if __name__ == "__main__":
    main()
