#===- run_readme.py - do what the README says ------------------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: run_readme.py README FOLDER compile|cubin|launch

Takes the blocks of code out of README and carries them out in FOLDER:

    compile  writes the MLIR block, axpy.mlir, runs the commands that make PTX
             and those that run it on the CPU, and looks for each line of the
             text block in what they print
    cubin    runs the commands that make a cubin
    launch   runs the Python block, with addresses for the tensors and the
             runtime's dry run for the launch, and prints the plan
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def only(blocks, language, containing=""):
    """The one block in a language whose text has `containing`."""
    found = [text for kind, text in blocks
             if kind == language and containing in text]
    if len(found) != 1:
        sys.exit(f"{len(found)} blocks of {language} with '{containing}'")
    return found[0]


def run_commands(blocks, folder, kind):
    """Runs the compiler as the README does. Returns all that it prints."""
    output, count = "", 0
    lines = only(blocks, "sh", "tile-opt axpy.mlir").splitlines()
    if kind == "ptx":
        lines += only(blocks, "sh", "tile-run axpy.mlir").splitlines()
    for line in lines:
        program, *arguments = shlex.split(line)
        if "tile-opt" in program and f"--emit={kind}" not in arguments:
            continue
        run = subprocess.run([pathlib.Path(program).name, *arguments],
                             cwd=folder, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, check=False)
        output, count = output + run.stdout, count + 1
        if run.returncode:
            sys.exit(f"{line}\n{run.stdout}")
    if not count:
        sys.exit(f"no command makes a {kind}")
    return output


def compile_example(blocks, folder):
    (folder / "axpy.mlir").write_text(only(blocks, "mlir"))
    printed = run_commands(blocks, folder, "ptx").splitlines()
    for line in only(blocks, "text").splitlines():
        if line not in printed:
            sys.exit("\n".join(["not printed:", line, "but:", *printed]))


def launch_example(blocks, folder):
    library = pathlib.Path(os.environ["TESSERA_RUNTIME_LIBRARY"])
    sys.path.insert(0, str(library.parent))
    sys.dont_write_bytecode = True
    import tessera_runtime  # pylint: disable=import-outside-toplevel

    def plan(entry, *values):
        print(entry.plan(*values))

    tessera_runtime.Entry.__call__ = plan
    os.chdir(folder)
    exec(only(blocks, "python"), {"x": 4096, "y": 8192, "n": 5000})


def main():
    readme, folder, what = sys.argv[1:]
    blocks = BLOCK.findall(pathlib.Path(readme).read_text(encoding="utf-8"))
    folder = pathlib.Path(folder)
    if what == "compile":
        compile_example(blocks, folder)
    elif what == "cubin":
        run_commands(blocks, folder, "cubin")
    else:
        launch_example(blocks, folder)


if __name__ == "__main__":
    main()
