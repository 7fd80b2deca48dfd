#===- verify_stages.py - kernels at 1 to 5 stages ---------------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: verify_stages.py FOLDER KERNEL... [--FLAG...]

Compiles each kernel for sm_90a and sm_80 with 1 to 5 stages, with every pass
verified; where tensor maps do copies, also for sm_90a without them. Flags go to
tile-opt. Prints what it says, and what became of the loops; clones in which the same
became of them together. Reproducers go to FOLDER.
"""

import os
import re
import subprocess
import sys

STAGES = re.compile(r"\[Passed\] stages .*Function=(\S+) \| (.*)")
PREFETCH = re.compile(r"\[Passed\] prefetch .*Function=(\S+) \| .*(Copies=\d+)")


def compile_kernel(folder, kernel, flags, target, maps, stages):
    """What tile-opt prints about one compilation."""
    run = subprocess.run(
        ["tile-opt", kernel, "--emit=ptx", "--target=" + target,
         f"--num-stages={stages}", f"--tensor-maps={maps}", "--verify-passes=2",
         "--verify-dump-dir=" + os.path.join(folder, f"{target}-{maps}-{stages}"),
         "--remarks=tile-gpu-assign-stages|tile-gpu-prefetch-tiles", *flags,
         "-o", os.devnull],
        capture_output=True, text=True, check=False)
    lines = run.stderr.splitlines()
    clones = {}
    for remark in filter(None, (STAGES.search(line) or PREFETCH.search(line)
                                for line in lines)):
        clones.setdefault(remark[2], []).append(remark[1])
    for outcome, names in clones.items():
        yield f"{', '.join(names)} {outcome}"
    yield from (line for line in lines
                if line.startswith("tile-opt:") or " error: " in line)
    if run.returncode != 0:
        yield f"exit {run.returncode}"


def main():
    folder = sys.argv[1]
    flags = [word for word in sys.argv[2:] if word.startswith("--")]
    kernels = [word for word in sys.argv[2:] if not word.startswith("--")]
    for kernel in kernels:
        name = os.path.splitext(os.path.basename(kernel))[0]
        mapped = False
        for target, maps, how in (("sm_90a", "true", "sm_90a"),
                                  ("sm_90a", "false", "threads"),
                                  ("sm_80", "true", "sm_80")):
            if how == "threads" and not mapped:
                continue
            for stages in range(1, 6):
                for line in compile_kernel(folder, kernel, flags, target, maps, stages):
                    mapped |= "TensorCopies=1" in line
                    print(f"{name} {how} {stages}: {line}")


if __name__ == "__main__":
    main()
