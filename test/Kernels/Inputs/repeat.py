#===- repeat.py - a command that always prints the same --------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: repeat.py COUNT EXPECTED-FILE COMMAND...

Runs a command COUNT times; fails when one run prints anything other than the
file's contents.
"""

import pathlib
import subprocess
import sys

count, expected = int(sys.argv[1]), pathlib.Path(sys.argv[2]).read_bytes()
for number in range(count):
    run = subprocess.run(sys.argv[3:], stdout=subprocess.PIPE, check=True)
    if run.stdout != expected:
        sys.exit(f"repeat: run {number} printed something else")
