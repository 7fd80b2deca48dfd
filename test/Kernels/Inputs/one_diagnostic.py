#===- one_diagnostic.py - pass on a report of exactly one error ------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: tile-opt ... 2>&1 | one_diagnostic.py

Prints what it reads. Fails when there is not exactly one line with `error:`, or
when it looks like a crash or more than a message, a source line and a mark.
"""

import sys

text = sys.stdin.read()
sys.stdout.write(text)
errors = sum("error:" in line for line in text.splitlines())
if errors != 1:
    sys.exit(f"one_diagnostic: {errors} errors, not 1")
for word in ("Stack dump", "PLEASE submit a bug report", "Assertion", "LLVM ERROR"):
    if word in text:
        sys.exit(f"one_diagnostic: a crash: {word}")
if len(text.splitlines()) > 3:
    sys.exit("one_diagnostic: more than one message")
