#===- ptx_profile.py - count a kernel's accesses and exchanges -------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: ptx_profile.py [REGEX] < PTX

Prints a line for each kernel of a PTX module, in the order of the module:

    NAME: THREADS threads; COUNT INSTRUCTION, COUNT INSTRUCTION, ...

The instructions are all those that touch memory, exchange values between
threads or wait for other threads, sorted by name. Parameters, which
`ld.param` reads, are left out. A declaration in local memory counts as the
instruction `.local`. A line of which a test gives the whole therefore says
also that there is no other access: none to local memory, for instance.

With REGEX, the instructions are those that it matches at their beginning.
"""

import collections
import re
import sys

ENTRY = re.compile(r"\.entry\s+([\w$]+)")
THREADS = re.compile(r"\.reqntid\s+(\d+)")
# An instruction stands at the start of a line, after a predicate if any.
PREDICATE = r"\s*(?:@!?%\w+\s+)?"
ACCESSES = (r"(?:ld|ldu|st|cp|atom|red|prefetch|bar|barrier|shfl|redux|vote|call)"
            r"\b|\.local")


class Kernel:

    def __init__(self, name):
        self.name = name
        self.threads = None
        self.counts = collections.Counter()

    def __str__(self):
        counts = ", ".join(f"{count} {name}"
                           for name, count in sorted(self.counts.items()))
        return f"{self.name}: {self.threads} threads; {counts}"


def profile(text, instructions):
    """The kernels of a PTX module with the counts of the instructions that the
    expression matches. What comes before the first belongs to the module."""
    instruction = re.compile(rf"{PREDICATE}((?:{instructions})[\w.:]*)")
    kernels = []
    for line in text.splitlines():
        if entry := ENTRY.search(line):
            kernels.append(Kernel(entry.group(1)))
        if not kernels:
            continue
        if threads := THREADS.search(line):
            kernels[-1].threads = int(threads.group(1))
        found = instruction.match(line)
        if found and not found.group(1).startswith("ld.param"):
            kernels[-1].counts[found.group(1)] += 1
    return kernels


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else ACCESSES
    for kernel in profile(sys.stdin.read(), wanted):
        print(kernel)
