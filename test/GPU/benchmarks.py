#===- benchmarks.py - what is measured, and against what -------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Speed of the shipped kernels beside torch, Triton and a device copy.

GB/s are the bytes that a kernel has to move over its time: 2MN elements for
softmax, (8MN + 4M) * 4 for softmax_naive, 3N for vector_add. The copy moves as
many bytes as the kernel it stands beside, half of them in each direction.
Triton is the best of its numbers of warps; kernels of ours that were compiled
with a forced number of warps are measured as well.
"""

import dataclasses
import statistics

import torch

import measure
from checks import DTYPES, compare, softmax_problems
from kernels import WARP, preferred

try:
    import triton_kernels
except ImportError as error:
    triton_kernels, TRITON_MISSING = None, str(error)

TRITON_WARPS = (1, 2, 4, 8, 16)
# With more elements a thread, Triton spills, and compiles for many seconds.
MAX_TRITON_ELEMENTS = 256
ROUNDS, QUICK_ROUNDS = 15, 7


@dataclasses.dataclass(frozen=True)
class Benchmark:
    """m is 1 for vectors."""

    source: str
    dtype: str
    m: int
    n: int
    quick: bool = False

    def __str__(self):
        shape = f"{self.m}x{self.n}" if self.m > 1 else str(self.n)
        return f"{self.source} {self.dtype} {shape}"

    def bytes_moved(self):
        size = DTYPES[self.dtype].itemsize
        if self.source == "softmax":
            return 2 * self.m * self.n * size
        if self.source == "softmax_naive":
            # x is read twice and y written; five times f32 values between
            # the kernels, and four times f32 values of a row.
            return (3 * size + 20) * self.m * self.n + 16 * self.m
        return 3 * self.n * size


BENCHMARKS = (
    Benchmark("softmax", "f32", 4096, 1024, quick=True),
    Benchmark("softmax", "f32", 32768, 1024),
    Benchmark("softmax", "f32", 32768, 4096, quick=True),
    Benchmark("softmax", "f32", 8192, 16384),
    Benchmark("softmax", "f16", 32768, 4096),
    Benchmark("softmax", "bf16", 32768, 4096),
    Benchmark("softmax_naive", "f32", 4096, 1024, quick=True),
    Benchmark("vector_add", "f32", 1, 1 << 26, quick=True),
)


def triton_warps(n):
    return [warps for warps in TRITON_WARPS
            if n <= MAX_TRITON_ELEMENTS * WARP * warps]


def ours(kernels, bench):
    """Our kernel for these sizes, then those of its block with forced warps."""
    kernel = preferred(kernels, bench.source, bench.dtype, bench.n)
    if bench.source == "vector_add":
        kernel = preferred(kernels, bench.source, bench.dtype, 1)
    if kernel is None:
        return []
    return [kernel] + [
        other for other in kernels if other.forced and
        (other.source, other.dtype, other.block) ==
        (kernel.source, kernel.dtype, kernel.block)]


def name_of(kernel, first):
    return "ours" if kernel is first else "ours " + kernel.name.split("-")[-1]


def softmax_contenders(bench, found, sets, generator):
    """Contenders for both softmax kernels, and a function that checks what ours
    computes."""
    m, n = bench.m, bench.n
    x = [torch.randn((m, n), device="cuda", generator=generator).to(
        DTYPES[bench.dtype]) for _ in range(sets)]
    y = [torch.empty_like(each) for each in x]

    def ours_on(kernel):
        return lambda i: kernel.entry(y[i], x[i], m, n, n, n)

    contenders = [measure.Contender(name_of(kernel, found[0]), ours_on(kernel))
                  for kernel in found]
    if bench.source == "softmax_naive":
        contenders.append(eager_softmax(x, y))
    else:
        contenders.append(measure.Contender(
            "torch", lambda i: torch.ops.aten._softmax.out(x[i], -1, False,
                                                           out=y[i])))
    if triton_kernels and bench.source == "softmax":
        contenders += [measure.Contender(
            f"triton w{warps}",
            lambda i, warps=warps: triton_kernels.softmax(y[i], x[i], warps))
            for warps in triton_warps(n)]

    def check():
        y[0].fill_(torch.nan)
        contenders[0].launch(0)
        return softmax_problems(found[0], x[0], y[0])

    return contenders, check


def eager_softmax(x, y):
    """torch's five kernels, which move what ours do."""
    stat = torch.empty((x[0].shape[0], 1), device="cuda")
    work = torch.empty(x[0].shape, device="cuda")

    def launch(i):
        torch.amax(x[i], 1, keepdim=True, out=stat)
        torch.sub(x[i], stat, out=work)
        torch.exp(work, out=work)
        torch.sum(work, 1, keepdim=True, out=stat)
        torch.div(work, stat, out=y[i])

    return measure.Contender("torch", launch)


def vector_contenders(bench, found, sets, generator):
    n = bench.n
    x, y = ([torch.randn(n, device="cuda", generator=generator).to(
        DTYPES[bench.dtype]) for _ in range(sets)] for _ in range(2))
    z = [torch.empty_like(each) for each in x]
    kernel = found[0]
    contenders = [
        measure.Contender("ours", lambda i: kernel.entry(x[i], y[i], z[i], n)),
        measure.Contender("torch", lambda i: torch.add(x[i], y[i], out=z[i]))]
    if triton_kernels:
        contenders += [measure.Contender(
            f"triton w{warps}",
            lambda i, warps=warps: triton_kernels.add(x[i], y[i], z[i], warps))
            for warps in TRITON_WARPS]

    def check():
        z[0].fill_(torch.nan)
        contenders[0].launch(0)
        wanted = torch.add(x[0], y[0]).double()[None]
        return compare(z[0][None], wanted, torch.zeros_like(wanted))

    return contenders, check


def copy_contender(bytes_moved, sets):
    source = [torch.randint(0, 255, (bytes_moved // 2,), dtype=torch.uint8,
                            device="cuda") for _ in range(sets)]
    target = [torch.empty_like(each) for each in source]
    return measure.Contender("copy", lambda i: target[i].copy_(source[i]))


def summarise(bench, times):
    """One entry of results.json."""
    moved = bench.bytes_moved()
    rows = {}
    for name, seconds in times.items():
        median = statistics.median(seconds)
        rows[name] = {"us": median * 1e6, "us_min": min(seconds) * 1e6,
                      "us_max": max(seconds) * 1e6,
                      "gb_per_s": moved / median * 1e-9}
    best = min((name for name in rows if name.startswith("triton")),
               key=lambda name: rows[name]["us"], default=None)
    speed = rows["ours"]["gb_per_s"]
    return {"benchmark": str(bench), "bytes": moved, "contenders": rows,
            "triton_best": best,
            "ratio_to_triton": speed / rows[best]["gb_per_s"] if best else None,
            "ratio_to_torch": speed / rows["torch"]["gb_per_s"],
            "ratio_to_copy": speed / rows["copy"]["gb_per_s"]}


def run_one(kernels, bench, rounds, report):
    """Measures one benchmark; None when the kernel was not built."""
    found = ours(kernels, bench)
    if not found:
        report.skip(f"timing {bench}", "no such kernel in the build folder")
        return None
    generator = torch.Generator("cuda").manual_seed(7)
    moved = bench.bytes_moved()
    sets = measure.set_count(moved)
    make = (vector_contenders if bench.source == "vector_add" else
            softmax_contenders)
    contenders, check = make(bench, found, sets, generator)
    report.check(f"timed {bench}", check())
    contenders.append(copy_contender(moved, sets))
    times = measure.device_times(contenders, sets, moved, rounds)
    return summarise(bench, times)


def run_benchmarks(kernels, quick, pattern, report):
    """All benchmarks whose names contain `pattern`."""
    if not triton_kernels:
        report.skip("timing of Triton", TRITON_MISSING)
    results = []
    for bench in BENCHMARKS:
        if pattern.search(str(bench)) and (bench.quick or not quick):
            try:
                result = run_one(kernels, bench,
                                 QUICK_ROUNDS if quick else ROUNDS, report)
            except Exception as error:  # pylint: disable=broad-except
                report.check(f"timing {bench}",
                             [f"{type(error).__name__}: {error}"])
                continue
            # Graphs hold memory until they are gone.
            torch.cuda.empty_cache()
            if result:
                results.append(result)
    return results


def launch_overhead(kernels, report):
    """Microseconds of host time per launch of a small softmax."""
    kernel = preferred(kernels, "softmax", "f32", 781)
    if kernel is None:
        report.skip("launch overhead", "no softmax of f32 in the build folder")
        return {}
    x = torch.randn((16, 781), device="cuda")
    y = torch.empty_like(x)
    ways = {"ours": lambda: kernel.entry(y, x, 16, 781, 781, 781),
            "torch": lambda: torch.ops.aten._softmax.out(x, -1, False, out=y)}
    if triton_kernels:
        ways["triton"] = lambda: triton_kernels.softmax(y, x, 4)
    return {name: measure.host_time(way) * 1e6 for name, way in ways.items()}


def print_results(results, overhead):
    head = ("benchmark", "ours us", "GB/s", "triton", "best", "torch", "copy",
            "/triton", "/torch", "/copy")
    print(("{:32}" + "{:>10}" * 9).format(*head))
    for result in results:
        rows = result["contenders"]
        best = result["triton_best"]
        cells = [f"{rows['ours']['us']:.2f}", f"{rows['ours']['gb_per_s']:.0f}",
                 f"{rows[best]['gb_per_s']:.0f}" if best else "-",
                 best.split()[-1] if best else "-",
                 f"{rows['torch']['gb_per_s']:.0f}",
                 f"{rows['copy']['gb_per_s']:.0f}"]
        for key in ("ratio_to_triton", "ratio_to_torch", "ratio_to_copy"):
            cells.append("-" if result[key] is None else f"{result[key]:.3f}")
        print(("{:32}" + "{:>10}" * 9).format(result["benchmark"], *cells))
        for name, row in rows.items():
            if name.startswith("ours "):
                print(f"  {name:30}{row['us']:10.2f}{row['gb_per_s']:10.0f}")
    if overhead:
        print("host time of a launch: " + ", ".join(
            f"{name} {us:.2f} us" for name, us in overhead.items()))
