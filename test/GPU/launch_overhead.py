#===- launch_overhead.py - the processor's time for a launch ---------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: launch_overhead.py --build DIR [--output DIR] [--limit US] [--no-torch]

Measures how long a launch keeps the processor busy: our call from Python and
from C, Triton's kernel[grid](...), and operations of torch. DIR is made by
tools/setup/build_launch_set.py; nothing is compiled here but Triton's kernels.

A figure is the median over batches of launches, each batch waited for, so that
the device's queue never fills up; the kernels are so short that the device keeps
pace. Before anything is timed, its result is checked.

Without torch or a device, rows that need them are skipped with the reason, and
the others are given objects that answer as torch's tensors do. With
TESSERA_CUDA_DRIVER naming a driver that does nothing, what is left is our own
time. --limit fails a Python launch that takes longer, in microseconds, and a C
launch at a fifth of it.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import time
import types

from runtime import import_runtime

try:
    import torch
    NO_TORCH = None if torch.cuda.is_available() else "torch sees no CUDA device"
except ImportError as error:
    NO_TORCH = str(error)

BATCHES, BATCH = 40, 250


class StandIn:
    """What a launch asks of a torch tensor, as fast as it can be given. The
    methods are C functions, as torch's are."""

    __slots__ = ("dtype", "data_ptr", "get_device", "shape", "strides")

    def __init__(self, shape, dtype, address):
        self.dtype = "torch." + dtype
        self.data_ptr = address.__index__
        self.get_device = (0).__index__
        self.shape = shape
        self.strides = (shape[1], 1) if len(shape) == 2 else (1,)

    def stride(self):
        return self.strides


def stand_in_for_torch():
    """The functions by which the runtime asks for device and stream."""
    sys.modules["torch"] = types.SimpleNamespace(
        cuda=types.SimpleNamespace(is_initialized=lambda: True,
                                   current_device=lambda: 0),
        _C=types.SimpleNamespace(_cuda_getDevice=(0).__index__,
                                 _cuda_getCurrentRawStream=(0).__add__))


def make(*shape, dtype="float32"):
    """An array of random numbers."""
    if NO_TORCH:
        return StandIn(shape, dtype, 0x10000)
    return torch.randn(shape, device="cuda").to(getattr(torch, dtype))


def median_us(launch):
    """Microseconds per call of `launch`."""
    wait = (lambda: None) if NO_TORCH else torch.cuda.synchronize
    for _ in range(BATCH):
        launch()
    times = []
    for _ in range(BATCHES):
        wait()
        start = time.perf_counter()
        for _ in range(BATCH):
            launch()
        times.append((time.perf_counter() - start) / BATCH * 1e6)
    wait()
    return statistics.median(times)


class Table:
    """What was measured, and what was wrong."""

    def __init__(self):
        self.rows = []
        self.problems = []

    def fail(self, what, problem):
        self.problems.append(f"{what}: {problem}".strip())
        print(f"FAILED {self.problems[-1]}", flush=True)

    def check(self, name, got, wanted, tolerance=1e-6):
        error = (got.double() - wanted.double()).abs().max().item()
        if not error <= tolerance:
            self.fail(name, f"off by {error}")

    def check_limit(self, limit):
        for row in self.rows:
            most = limit / (5 if row["way"] == "ours, C" else 1)
            if row["way"].startswith("ours") and row["us"] > most:
                self.fail(row["kernel"], f"{row['way']}: {row['us']:.3f} us")

    def add(self, kernel, way, microseconds):
        self.rows.append({"kernel": kernel, "way": way, "us": microseconds})
        print(f"{kernel:<34}{way:<28}{microseconds:8.3f} us", flush=True)

    def time(self, kernel, way, launch):
        self.add(kernel, way, median_us(launch))


def skip(what, reason):
    print(f"skipped: {what}: {reason}", flush=True)


def time_vector_add(kernel, table, triton):
    n = 1000
    x, y, z = make(n), make(n), make(n)
    entry, name = kernel.vector_add, "vector_add, 3 pointers, 1 int"
    entry(x, y, z, n)
    if not NO_TORCH:
        table.check("vector_add", z, x + y)
        table.time(name, "torch.add", lambda: torch.add(x, y, out=z))
    if triton:
        table.time(name, "Triton", lambda: triton.vector_add[(1,)](
            x, y, z, n, BLOCK=1024))
    table.time(name, "ours, Python, tensors", lambda: entry(x, y, z, n))


def time_softmax(kernel, table, triton):
    m, n = 16, 781
    x, y = make(m, n), make(m, n)
    entry, name = kernel.softmax, "softmax, 2 pointers, 4 ints"
    entry(y, x, m, n, n, n)
    if not NO_TORCH:
        table.check("softmax", y, torch.softmax(x.double(), 1))
        table.time(name, "torch.softmax", lambda:
                   torch.ops.aten._softmax.out(x, -1, False, out=y))
    if triton:
        table.time(name, "Triton", lambda: triton.softmax_rows[(m,)](
            y, x, n, n, n, BLOCK=1024))
    table.time(name, "ours, Python, tensors", lambda: entry(y, x, m, n, n, n))
    px, py = x.data_ptr(), y.data_ptr()
    table.time(name, "ours, Python, addresses",
               lambda: entry(py, px, m, n, n, n))


def time_matmul(kernel, table):
    size = 64
    a, b, c = (make(size, size, dtype="float16") for _ in range(3))
    entry, name = kernel.matmul, "matmul, 3 pointers, 9 ints"
    sizes = (size,) * 3 + (*a.stride(), *b.stride(), *c.stride())
    entry(a, b, c, *sizes)
    if not NO_TORCH:
        # Sums of 64 products of normal numbers; f16 has 11 bits.
        table.check("matmul", c, a.double() @ b.double(), 64 * 2**-11)
        table.time(name, "torch.matmul", lambda: torch.matmul(a, b, out=c))
    table.time(name, "ours, Python, tensors", lambda: entry(a, b, c, *sizes))
    table.time(name, "ours, Python, strides too", lambda: entry(
        a, b, c, size, size, size, *a.stride(), *b.stride(), *c.stride()))


def time_c(build, table):
    """The C example's own measurement."""
    program = build / "vector_add"
    if not program.is_file():
        skip("C", f"there is no {program}")
        return
    run = subprocess.run([program, "--time", build / "vector_add.json", "1000"],
                         capture_output=True, text=True, check=False)
    found = re.search(r"a launch takes ([0-9.]+) us", run.stdout)
    if run.returncode or not found:
        table.fail("the C example", run.stdout + run.stderr)
        return
    table.add("vector_add, 3 pointers, 1 int", "ours, C", float(found.group(1)))


def import_triton():
    if NO_TORCH:
        return None
    try:
        import triton_kernels
        return triton_kernels
    except ImportError as error:
        skip("Triton", error)
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path,
                        help="folder for launch_overhead.json")
    parser.add_argument("--limit", type=float, default=float("inf"))
    parser.add_argument("--no-torch", action="store_true",
                        help="measure as where torch is missing")
    options = parser.parse_args()
    if options.no_torch:
        global NO_TORCH
        NO_TORCH = "not asked for"
    if NO_TORCH:
        skip("torch and Triton", NO_TORCH)
        stand_in_for_torch()
    runtime = import_runtime(options.build, options.build)
    kernels = {name: runtime.load(options.build / f"{name}.json")
               for name in ("vector_add", "softmax", "matmul")}
    table, triton = Table(), import_triton()
    time_c(options.build, table)
    time_vector_add(kernels["vector_add"], table, triton)
    time_softmax(kernels["softmax"], table, triton)
    time_matmul(kernels["matmul"], table)
    table.check_limit(options.limit)
    if options.output:
        options.output.mkdir(parents=True, exist_ok=True)
        device = None if NO_TORCH else torch.cuda.get_device_name()
        (options.output / "launch_overhead.json").write_text(
            json.dumps({"device": device, "rows": table.rows,
                        "problems": table.problems}, indent=1))
    sys.exit(1 if table.problems else 0)


if __name__ == "__main__":
    main()
