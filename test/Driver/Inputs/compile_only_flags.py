#===- compile_only_flags.py - are compile flags refused without --emit -----===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: compile_only_flags.py HELP

Runs tile-opt with each option that the text of --help in HELP lists under a title
that ends in `with --emit:`, but without --emit. Fails where the hint is missing;
-D, -o and --emit itself go without."""

import re
import subprocess
import sys

flags, inside = [], False
with open(sys.argv[1], encoding="utf-8") as text:
    for line in text:
        if re.match(r"\S.*:$", line):
            inside = line.rstrip().endswith(", with --emit:")
        option = re.match(r"  --([\w-]+)", line)
        if inside and option and option.group(1) not in ("emit", *flags):
            flags.append(option.group(1))
for flag in flags:
    run = subprocess.run(["tile-opt", "-", f"--{flag}=1"], input="", text=True,
                         capture_output=True, check=False)
    if run.returncode != 1 or f"--{flag} goes with --emit=" not in run.stderr:
        sys.exit(f"no hint for --{flag}: {run.stderr}")
print(len(flags), "flags need --emit")
