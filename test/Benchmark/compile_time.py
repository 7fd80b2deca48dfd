#===- compile_time.py - how long tile-opt takes as a process ---------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: compile_time.py [--runs N] [--limit SECONDS] TILE-OPT ARGUMENT...

Times whole runs of `TILE-OPT ARGUMENT...`, from the start of the process to its
end, which is what a user waits for. Prints the median and the fastest of N runs
after one that fills the caches, and the median of their processor times; then
the compiler's own account of a run by stages (--mlir-timing):

    median 0.051 s (fastest 0.049 s, processor 0.046 s) of 15 runs
      0.0014 s  Parse
      0.0222 s  Passes
      ...

With --limit, fails when the median of the processor times is above SECONDS, which
is what the wall shows on a machine that does nothing else. Since another program
may disturb even that, the measurement is then repeated, twice at most: a compiler
that has become slow fails all three.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time

ROUNDS = 3


def processor_time():
    """Seconds of all child processes so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def time_run(command):
    """Seconds by the wall and of processor time for one process."""
    before, start = processor_time(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start, processor_time() - before


def measure(command, runs):
    """Prints one measurement. Returns the median processor time in seconds."""
    time_run(command)
    walls, processor = zip(*(time_run(command) for _ in range(runs)))
    median = statistics.median(processor)
    print(f"median {statistics.median(walls):.3f} s (fastest {min(walls):.3f} s, "
          f"processor {median:.3f} s) of {runs} runs", flush=True)
    return median


def stages(command):
    """(name, seconds) of the driver's own stages, in their order."""
    run = subprocess.run(
        [*command, "--mlir-timing", "--mlir-timing-display=tree",
         "--mlir-output-format=json"],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    # The root holds the stages; a stage's passes are nested in it.
    report = json.loads(run.stderr)
    return [(each["name"], float(each["wall"]["duration"])) for each in report
            if each.get("name") not in ("root", "Rest", "Total")]


def main():
    parser = argparse.ArgumentParser(description="time a compilation")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--limit", type=float)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()

    median = measure(options.command, options.runs)
    for _ in range(ROUNDS - 1):
        if options.limit is None or median <= options.limit:
            break
        median = measure(options.command, options.runs)
    for name, seconds in stages(options.command):
        print(f"  {seconds:.4f} s  {name}")
    if options.limit is not None and median > options.limit:
        print(f"above the limit of {options.limit} s")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
