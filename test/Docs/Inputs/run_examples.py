#===- run_examples.py - examples of a page, through the compiler -----------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: run_examples.py PAGE PREFIX [--without=PREFIX]

Runs each ```mlir block of PAGE through `tile-opt --verify-roundtrip`, and what
that prints through tile-opt again. A block with an ellipsis is a fragment; it is
marked ```mlir,fragment and not run. Each operation whose name begins with PREFIX
(and not with --without) and has a heading `### NAME` occurs in some example.
Prints what is wrong and exits with 1, or prints the number of examples.
"""

import argparse
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```mlir\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A comment may have one.
ELLIPSIS = re.compile(r"^(?!\s*//).*\.\.\.", re.MULTILINE)


def compile_block(text):
    """An empty string, or the first line of what is wrong."""
    for options in (["--verify-roundtrip"], []):
        run = subprocess.run(["tile-opt", *options, "-"], input=text,
                             capture_output=True, text=True, check=False)
        if run.returncode != 0:
            return run.stderr.splitlines()[0] if run.stderr else "no message"
        text = run.stdout
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("prefix")
    parser.add_argument("--without", default="\0")
    arguments = parser.parse_args()
    page = arguments.page.read_text(encoding="utf-8")
    name = arguments.page.name
    problems, examples = [], []
    for match in BLOCK.finditer(page):
        line = page.count("\n", 0, match.start()) + 1
        if ELLIPSIS.search(match[1]):
            problems.append(f"{name}:{line}: a fragment is marked ```mlir,fragment")
            continue
        examples.append(match[1])
        wrong = compile_block(match[1])
        if wrong:
            problems.append(f"{name}:{line}: {wrong}")
    for operation in re.findall(r"^### ([\w.]+)$", page, re.MULTILINE):
        wanted = (operation.startswith(arguments.prefix) and
                  not operation.startswith(arguments.without))
        use = re.compile(re.escape(operation) + r"(?![\w.])")
        if wanted and not any(map(use.search, examples)):
            problems.append(f"{name}: {operation} has no example")
    print("\n".join(problems) or f"{len(examples)} examples")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
