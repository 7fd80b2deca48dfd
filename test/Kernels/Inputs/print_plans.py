#===- print_plans.py - what launches of the shipped kernels would do -------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: print_plans.py MANIFEST ENTRY CALL...

For each CALL, a tuple of arguments as Python writes it, prints the actions of
the launch plan, or why the launch is refused. Needs no GPU: the runtime
evaluates the plan and stops there.
"""

import ast
import os
import pathlib
import sys

LIBRARY = pathlib.Path(os.environ["TESSERA_RUNTIME_LIBRARY"])
sys.path.insert(0, str(LIBRARY.parent))
sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import tessera_runtime


def describe(action):
    """One action in one line; None for the choice of a variant."""
    if action["do"] == "dispatch":
        grid = "x".join(map(str, action["grid"]))
        if action.get("empty"):
            return f"{action['kernel']} nothing"
        rows = [f" with group_m={argument['value']}" for argument in action["args"]
                if argument["name"] == "group_m"]
        return f"{action['kernel']} {grid} blocks of {action['block'][0]}" + "".join(rows)
    if action["do"] == "scratch":
        return f"scratch {action['bytes']} bytes"
    return None


def main():
    manifest, entry, *calls = sys.argv[1:]
    kernel = tessera_runtime.load(manifest)
    for call in calls:
        try:
            actions = kernel[entry].plan(*ast.literal_eval(call))["actions"]
        except tessera_runtime.TesseraError as error:
            print(f"{call}: refused: {error}")
            continue
        print(f"{call}: " + ", ".join(filter(None, map(describe, actions))))


if __name__ == "__main__":
    main()
