#===- replay.py - run the command that a failed verification prints --------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: replay.py SAID FOLDER

Takes the command out of the diagnostics SAID, which README.md of FOLDER has to hold
as well, and runs it in FOLDER: the results have to be wrong, the first one as the
diagnostics say, and right with the program before the pass in place of the one
after it. Prints what the two runs print."""

import pathlib
import re
import subprocess
import sys

said = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
folder = pathlib.Path(sys.argv[2])
command = re.search("this shows it again: (tile-run after.mlir .*)", said)[1]
readme = (folder / "README.md").read_text(encoding="utf-8")
assert command in readme.splitlines(), readme
now, old = re.search(r"' is (\S+), and was (\S+) before", said).groups()


def run(text, code):
    result = subprocess.run(text, shell=True, cwd=folder, text=True, check=False,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(result.stdout, end="")
    assert result.returncode == code, (text, result.returncode)
    return result.stdout


assert f": {now}, expected {old};" in run(command, 3)
run(command.replace("after.mlir", "before.mlir"), 0)
