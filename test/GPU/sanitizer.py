#===- sanitizer.py - the harness under compute-sanitizer -------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Runs run.py --subset under compute-sanitizer: memcheck finds accesses outside
of allocations, racecheck races in shared memory. torch allocates each array by
itself then (no caching), and arrays have no guards, so that an access beyond
one is an access outside of an allocation."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

# The last line of each tool; without it the tool did not get to its end.
SUMMARIES = {"memcheck": r"ERROR SUMMARY: (\d+) error",
             "racecheck": r"RACECHECK SUMMARY: (\d+) hazard"}
SECONDS = 240


def run_tool(program, tool, options):
    """Runs one tool. Returns what is wrong, or None and why it did not run."""
    run_py = pathlib.Path(__file__).with_name("run.py")
    command = [program, "--tool", tool, sys.executable, str(run_py),
               "--build", str(options.build),
               "--output", str(options.output / tool), "--subset",
               "--filter", options.filter.pattern]
    if options.runtime:
        command += ["--runtime", str(options.runtime)]
    if tool == "memcheck":
        # torch asks the driver things that it may answer with an error.
        command[3:3] = ["--report-api-errors", "no"]
    try:
        run = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", timeout=SECONDS, check=False,
            env=dict(os.environ, PYTORCH_NO_CUDA_MEMORY_CACHING="1"))
    except subprocess.TimeoutExpired:
        return None, f"not done after {SECONDS} s"
    (options.output / f"{tool}.log").write_text(run.stdout)
    found = re.search(SUMMARIES[tool], run.stdout)
    if not found:
        lines = run.stdout.strip().splitlines() or ["no output"]
        return None, f"the tool did not finish: {lines[-1]}"
    problems = []
    if int(found.group(1)):
        problems.append(f"{found.group(0)}(s), see {tool}.log")
    if run.returncode:
        problems.append(f"checks failed under {tool}, see {tool}.log")
    return problems, None


def run_sanitizer(options, report):
    program = shutil.which("compute-sanitizer")
    for tool in SUMMARIES:
        if not program:
            report.skip(tool, "no compute-sanitizer on PATH")
            continue
        problems, reason = run_tool(program, tool, options)
        if reason:
            report.skip(tool, reason)
        else:
            report.check(tool, problems)
