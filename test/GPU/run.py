#===- run.py - check and measure the shipped kernels on a GPU --------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: run.py --build DIR --output DIR [--quick] [--dry-run] ...

Runs every softmax, softmax_naive and vector_add manifest of the build folder
(tools/setup/build_gpu_set.py makes one) and compiles nothing of ours. Needs
PyTorch and the runtime library; measures Triton too if it is there.

  1. Plans, by the runtime's dry run: which kernel would run, on which grid,
     what is refused. With --dry-run that is all, and neither torch nor a GPU is
     needed.
  2. Correctness against float64 (checks.py): poisoned outputs, ragged shapes,
     strided and unaligned arrays, infinities and NaN.
  3. Speed beside torch, Triton and a device copy (benchmarks.py).
  4. With --sanitizer, a subset under compute-sanitizer.

Prints what failed and a table, and writes results.json to the output folder.
The exit status is 0 only if something was checked and nothing failed.
"""

import argparse
import json
import pathlib
import platform
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import plans
from cases import select_cases
from kernels import SOURCES, discover
from report import Report
from runtime import import_runtime


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="check and measure the shipped kernels on a GPU")
    parser.add_argument("--build", required=True, type=pathlib.Path,
                        help="folder of cubins and manifests")
    parser.add_argument("--output", required=True, type=pathlib.Path,
                        help="folder for results.json")
    parser.add_argument("--runtime", type=pathlib.Path,
                        help="libtessera_runtime.so (default: in the build "
                        "folder or its lib)")
    parser.add_argument("--filter", type=re.compile, default=re.compile(""),
                        help="expression that a manifest's name has to contain")
    parser.add_argument("--benchmarks", type=re.compile, default=re.compile(""),
                        help="expression that a benchmark's name, such as "
                        "'softmax f32 4096x1024', has to contain")
    parser.add_argument("--quick", action="store_true",
                        help="small shapes, few benchmarks")
    parser.add_argument("--no-timing", action="store_true",
                        help="correctness only")
    parser.add_argument("--subset", action="store_true",
                        help="a few small cases, without timing or guards: for "
                        "slow tools")
    parser.add_argument("--dry-run", action="store_true",
                        help="plans only: without torch and a GPU")
    parser.add_argument("--sanitizer", action="store_true",
                        help="also a subset under compute-sanitizer")
    return parser.parse_args()


def find_kernels(options, report):
    """The kernels to run; a shipped source without any is a failed check unless
    the filter excludes it."""
    runtime = import_runtime(options.runtime, options.build)
    kernels = discover(options.build, runtime, options.runtime, options.filter)
    if not options.filter.pattern:
        built = {kernel.source for kernel in kernels}
        report.check("build folder", [f"no manifest of {source}"
                                      for source in SOURCES
                                      if source not in built])
    return kernels


def driver_version():
    try:
        run = subprocess.run(
            ["nvidia-smi", "--query-gpu=driver_version",
             "--format=csv,noheader"],
            capture_output=True, text=True, check=True)
        return run.stdout.splitlines()[0].strip()
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def describe_machine(torch):
    """The device and the versions of what takes part."""
    properties = torch.cuda.get_device_properties(0)
    try:
        import triton
        triton_version = triton.__version__
    except ImportError:
        triton_version = None
    return {"device": properties.name, "sms": properties.multi_processor_count,
            "capability": f"{properties.major}.{properties.minor}",
            "driver": driver_version(), "cuda": torch.version.cuda,
            "torch": torch.__version__, "triton": triton_version,
            "python": platform.python_version()}


def check_on_gpu(kernels, pairs, options, report):
    import checks
    guard = 0 if options.subset else checks.GUARD
    for kernel in kernels:
        plans.check_module(kernel, report)
        if options.subset:
            continue
        plans.check_refusals(kernel, report, kernel.entry, 0, 0)
        if kernel.source != "vector_add":
            checks.check_refused_output(kernel, report)
    checks.check_all(pairs, report, guard)


def measure_on_gpu(kernels, options, report, results):
    import benchmarks
    results["benchmarks"] = benchmarks.run_benchmarks(
        kernels, options.quick, options.benchmarks, report)
    results["launch_overhead_us"] = benchmarks.launch_overhead(kernels, report)
    benchmarks.print_results(results["benchmarks"],
                             results["launch_overhead_us"])


def run_on_gpu(kernels, pairs, options, report, results):
    """Stages 2 to 4, with the seconds of each."""
    import torch
    if not torch.cuda.is_available():
        report.check("device", ["torch sees no CUDA device"])
        return
    results["machine"] = describe_machine(torch)
    print(", ".join(f"{key} {value}"
                    for key, value in results["machine"].items()))
    stages = [("correctness", lambda: check_on_gpu(kernels, pairs, options,
                                                   report))]
    if not options.no_timing and not options.subset:
        stages.append(("timing", lambda: measure_on_gpu(kernels, options,
                                                        report, results)))
    if options.sanitizer and not options.subset:
        import sanitizer
        stages.append(("sanitizer", lambda: sanitizer.run_sanitizer(options,
                                                                    report)))
    if not options.subset:
        report.skip("ncu", "traffic is computed from shapes; hardware counters "
                    "are not read here")
    for name, stage in stages:
        start = time.monotonic()
        try:
            stage()
        except Exception as error:  # pylint: disable=broad-except
            # After a fault on the device nothing works any more: what was
            # found until then still gets written.
            report.check(name, [f"{type(error).__name__}: {error}"])
            break
        results["seconds"][name] = time.monotonic() - start
        print(f"{name} took {results['seconds'][name]:.1f} s: "
              f"{report.summary()}", flush=True)


def main():
    options = parse_arguments()
    options.output.mkdir(parents=True, exist_ok=True)
    report = Report()
    kernels = find_kernels(options, report)
    pairs, absent = select_cases(kernels, options.quick, options.subset)
    for text in absent:
        report.skip("shape", text)
    results = {"seconds": {}}
    if options.dry_run:
        plans.dry_run(pairs, kernels, report)
    else:
        run_on_gpu(kernels, pairs, options, report, results)
    results.update(kernels=[kernel.record for kernel in kernels],
                   checks=report.checks, skipped=report.skipped,
                   passed=report.succeeded())
    (options.output / "results.json").write_text(json.dumps(results, indent=1))
    print(report.summary())
    return 0 if report.succeeded() else 1


if __name__ == "__main__":
    sys.exit(main())
