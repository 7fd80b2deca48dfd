#===- kernels.py - find the compiled kernels and judge their plans ---------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""The manifests of a build folder, and what their launch plans have to say.

Needs neither torch nor a GPU: plans are evaluated by the runtime's dry run.
"""

import json
import re

SOURCES = ("softmax", "softmax_naive", "vector_add")
ELEMENT_BYTES = {"f32": 4, "f16": 2, "bf16": 2}
WARP = 32
# Bytes of the widest access; the facts of a specialised clone promise as much.
WIDEST = 16


class BuiltKernel:
    """One manifest.

    name     the file's name without .json
    source   which of SOURCES it was made from
    dtype    f32, f16 or bf16
    block    elements of a program's tile
    forced   whether the number of warps was forced (a name ending in -wN)
    size     bytes of an element
    """

    def __init__(self, path, runtime, build):
        self.name = path.stem
        manifest = json.loads(path.read_text())
        self.runtime = runtime
        self.module = runtime.load(path, build=build)
        self.source, = self.module.entries
        self.entry = self.module[self.source]
        self.dtype = manifest["parameters"]["T"]
        self.block = manifest["parameters"]["BLOCK"]
        self.forced = re.search(r"-w\d+$", self.name) is not None
        self.size = ELEMENT_BYTES[self.dtype]
        self.record = {"name": self.name, "target": manifest["target"],
                       "ptxas": manifest["ptxas"],
                       "kernels": self.module.resources}

    def elements_per_thread(self):
        """Of the kernel with the fewest warps."""
        warps = min(kernel["num_warps"]
                    for kernel in self.module.resources.values())
        return max(1, self.block // (WARP * warps))

    def has_clone(self, kernel):
        return any(name.startswith(kernel + "$")
                   for name in self.module.resources)

    def is_wide(self, *values):
        """Whether addresses in bytes are multiples of the widest access."""
        return all(value % WIDEST == 0 for value in values)


def discover(build, runtime, library, pattern):
    """The kernels in folder `build` whose names contain `pattern`."""
    place = None if library else build
    return [BuiltKernel(path, runtime, place)
            for path in sorted(build.glob("*.json"))
            if path.stem.split("-")[0] in SOURCES and pattern.search(path.stem)]


def preferred(kernels, source, dtype, n):
    """The kernel with the smallest block that holds n elements, with the
    compiler's own number of warps; None when there is none."""
    fitting = [kernel for kernel in kernels
               if (kernel.source, kernel.dtype) == (source, dtype) and
               kernel.block >= n and not kernel.forced]
    return min(fitting, key=lambda kernel: kernel.block, default=None)


def dispatches(plan):
    return [action for action in plan["actions"] if action["do"] == "dispatch"]


def plan_problems(kernel, plan, programs, first_wide, last_wide, rest_wide):
    """What is wrong with an evaluated plan, as a list of texts.

    `programs` is the expected grid in x. `first_wide` says whether what the
    first dispatch reads may be accessed 16 bytes at a time, `last_wide` the
    same of what the last one writes (with one dispatch, both are about it);
    `rest_wide` is about the sizes that all share. A specialised clone ("$" in
    its name) must not run where an access is not wide, and must run where
    everything is.
    """
    launched = dispatches(plan)
    if programs == 0:
        return [f"{action['kernel']} is launched for an empty grid"
                for action in launched if not action.get("empty")]
    problems = []
    for action in launched:
        name = action["kernel"]
        warps = kernel.module.resources[name]["num_warps"]
        if action["grid"] != [programs, 1, 1]:
            problems.append(f"{name} has the grid {action['grid']}, not "
                            f"[{programs}, 1, 1]")
        if action["block"] != [WARP * warps, 1, 1]:
            problems.append(f"{name} has the block {action['block']}")
        if (first_wide and last_wide and rest_wide and "$" not in name and
                kernel.has_clone(name)):
            problems.append(f"{name} runs where its clone could")
    for action, wide in ((launched[0], first_wide), (launched[-1], last_wide)):
        if not wide and "$" in action["kernel"]:
            problems.append(f"{action['kernel']} runs on what is not aligned")
    return problems


def clone_problems(kernel):
    """The shipped kernels with a thousand elements a program profit from wide
    accesses: a missing clone means that specialisation went wrong."""
    if kernel.block < 1024 or kernel.forced:
        return []
    names = [name for name in kernel.module.resources if "$" not in name]
    return [f"{name} has no specialised clone" for name in names
            if not kernel.has_clone(name)]
