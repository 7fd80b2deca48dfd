#===- inline_layouts.py - layouts at their uses, for FileCheck -------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: tile-opt ... | inline_layouts.py | FileCheck ...

Replaces the names of layouts (#layout, #layout1, #shared, ...) by the layouts that
the lines above define them as, so that a test has the numbers beside the operation
that they are expected of. Every definition has to be used, and no name may be
without one.
"""

import re
import sys

DEFINITION = re.compile(r"^(#(?:layout|shared)\d*) = (.*)$")
NAME = re.compile(r"#(?:layout|shared)\d*\b")


def main():
    layouts, used = {}, set()
    for line in sys.stdin:
        definition = DEFINITION.match(line)
        if definition:
            layouts[definition.group(1)] = definition.group(2)
            continue
        names = NAME.findall(line)
        for name in names:
            if name not in layouts:
                sys.exit(f"inline_layouts: {name} is not defined")
        used.update(names)
        sys.stdout.write(NAME.sub(lambda m: layouts[m.group()], line))
    if set(layouts) != used:
        sys.exit(f"inline_layouts: unused: {sorted(set(layouts) - used)}")


if __name__ == "__main__":
    main()
