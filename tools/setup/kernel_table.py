#===- kernel_table.py - print what the manifests say about kernels ---------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: kernel_table.py FOLDER

Prints a table of the kernels in the manifests FOLDER/*.json, one line each, and
then the files in FOLDER. Bytes of shared memory are static + dynamic; spills
are bytes stored and loaded. A value that a manifest lacks is shown as "-".
"""

import json
import pathlib
import sys

COLUMNS = ("source", "kernel", "registers", "spills st/ld", "shared memory",
           "warps")


def value(kernel, key):
    return str(kernel[key]) if kernel.get(key) is not None else "-"


def shared_memory(kernel):
    """Static and dynamic bytes together."""
    parts = [kernel.get(key) for key in
             ("static_shared_bytes", "dynamic_shared_bytes")]
    known = [part for part in parts if part is not None]
    return f"{sum(known)} B" if known else "-"


def rows(folder):
    for manifest in sorted(folder.glob("*.json")):
        for kernel in json.loads(manifest.read_text())["kernels"]:
            yield (manifest.stem, value(kernel, "name"),
                   value(kernel, "registers"),
                   value(kernel, "spill_store_bytes") + "/" +
                   value(kernel, "spill_load_bytes") + " B",
                   shared_memory(kernel), value(kernel, "num_warps"))


def print_table(table):
    """Names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*table)]
    for number, row in enumerate(table):
        cells = [cell.ljust(width) if column < 2 else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))


def main():
    folder = pathlib.Path(sys.argv[1])
    table = [COLUMNS, *rows(folder)]
    print()
    print_table(table)
    print()
    print(f"files in {folder}:")
    for path in sorted(folder.iterdir()):
        print(f"  {path.name:32} {path.stat().st_size:>9} bytes")
    return 0 if len(table) > 1 else 1


if __name__ == "__main__":
    sys.exit(main())
