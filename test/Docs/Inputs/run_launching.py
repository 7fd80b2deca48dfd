#===- run_launching.py - do what docs/Launching.md says --------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: run_launching.py PAGE ROOT python|c

Carries out the page's blocks of code, from the project's folder ROOT:

    python  all blocks, in one program; every line of a text block has to be
            among what the program has printed since the text block before
    c       looks for the first C block in the example that the page names, runs
            the commands and looks for the lines of the text after them; then
            for those of the second C block in the header of a launcher

Where torch or a device is missing, or the driver is a stand-in, objects with its tensors' methods take their
place for launches, and blocks that compute with torch are skipped.
"""

import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys
import types

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Tensor:
    """A contiguous tensor that a launch can take."""

    is_cuda = True
    device = types.SimpleNamespace(index=0)

    def __init__(self, *shape, device, dtype):
        self.shape, self.dtype = shape, dtype

    def stride(self):
        return (self.shape[1], 1)

    def data_ptr(self):
        return 0x10000

    def get_device(self):
        return 0

    def float(self):
        return Tensor(*self.shape, device="cuda", dtype="torch.float32")


def find_torch():
    """Whether torch can compute with what is launched."""
    reason = "the driver is a stand-in"
    if not os.environ.get("TESSERA_CUDA_DRIVER"):
        try:
            import torch
            if torch.cuda.is_available():
                return True
            reason = "torch sees no CUDA device"
        except ImportError as error:
            reason = str(error)
    print(f"skipped: what torch computes: {reason}")
    sys.modules["torch"] = types.SimpleNamespace(
        randn=Tensor, empty=Tensor, float16="torch.float16",
        bfloat16="torch.bfloat16")
    return False


def compare(wanted, printed):
    missing = [line for line in wanted.splitlines()
               if line not in printed.splitlines()]
    if missing:
        sys.exit("\n".join(["not printed:", *missing, "but:", printed]))


def run_python(blocks):
    library = pathlib.Path(os.environ["TESSERA_RUNTIME_LIBRARY"])
    sys.path.insert(0, str(library.parent))
    sys.dont_write_bytecode = True
    computes, count, names, output = find_torch(), 0, {}, io.StringIO()
    for kind, text in blocks:
        if kind == "text" and output.getvalue():
            compare(text, output.getvalue())
            output = io.StringIO()
        if kind != "python":
            continue
        count += 1
        if "torch.testing" in text and not computes:
            continue
        with contextlib.redirect_stdout(output):
            exec(text, names)  # pylint: disable=exec-used
    print(f"{count} blocks of Python")


def run_commands(commands):
    """What shell commands print."""
    run = subprocess.run(["sh", "-e", "-c", commands], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         check=False)
    if run.returncode:
        sys.exit(run.stdout)
    return run.stdout


def run_c(page, blocks, root):
    example, = re.findall(r"\((\S+\.c)\)", page.read_text(encoding="utf-8"))
    source = (page.parent / example).resolve()
    if not source.is_file():
        source = (root / "docs" / example).resolve()
    kinds = [kind for kind, _ in blocks]
    code = blocks[kinds.index("c")][1]
    if code not in source.read_text(encoding="utf-8"):
        sys.exit(f"the C block is not in {example}")
    at = kinds.index("sh")
    compare(blocks[at + 1][1], run_commands(blocks[at][1]))
    # The launcher: a command, then lines of the header that it writes.
    command, header = [text for kind, text in blocks if kind in ("sh", "c")][2:]
    run_commands(command)
    compare(header, pathlib.Path("add.h").read_text(encoding="utf-8"))
    print(f"{blocks[at][1].count('./')} program")


def main():
    page, root, what = sys.argv[1:]
    page, root = pathlib.Path(page).resolve(), pathlib.Path(root).resolve()
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    if what == "python":
        os.chdir(root)
        run_python(blocks)
    else:
        run_c(page, blocks, root)


if __name__ == "__main__":
    main()
