#===- exit_code.py - run a command that ends with a given code -------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: exit_code.py CODE COMMAND...

Runs the command; fails when its exit code is another one, when a signal ends it,
or when it hangs."""

import subprocess
import sys

try:
    code = subprocess.run(sys.argv[2:], check=False, timeout=60).returncode
except subprocess.TimeoutExpired:
    sys.exit("exit_code: it hangs")
if code != int(sys.argv[1]):
    sys.exit(f"exit_code: {code}, not {sys.argv[1]}")
