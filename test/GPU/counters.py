#!/usr/bin/env python3
# ===- counters.py - what the hardware counts of matrix products -----------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# Runs every f16 matmul-*.json of --build once for each of --shapes under ncu, and
# prints instructions, L2 hit rate and DRAM traffic of the kernel.
#
#   counters.py --build DIR --runtime LIBDIR --output DIR [--shapes MxNxK,...]
#
# ===------------------------------------------------------------------------===#

import argparse
import csv
import glob
import io
import json
import os
import shutil
import subprocess
import sys

METRICS = {"smsp__inst_executed.sum": "warp instructions",
           "lts__t_sector_hit_rate.pct": "L2 hits, %",
           "dram__bytes_read.sum": "DRAM read, bytes",
           "dram__throughput.avg.pct_of_peak_sustained_elapsed": "DRAM, % of peak"}


def launch_once(path, runtime, shape):
    """The child: one product, the only kernel whose name begins with matmul."""
    import torch

    from runtime import import_runtime
    m, n, k = shape
    a = torch.randn(m, k, device="cuda", dtype=torch.float16)
    b = torch.randn(k, n, device="cuda", dtype=torch.float16)
    c = torch.empty(m, n, device="cuda", dtype=torch.float16)
    kernel = import_runtime(runtime).load(path)
    kernel["matmul"](a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride())
    torch.cuda.synchronize()


def parse_shape(text):
    return tuple(map(int, text.split("x")))


def count(ncu, path, options, shape):
    """The metrics of one launch, or what ncu said."""
    run = subprocess.run(
        [ncu, "--csv", "--metrics", ",".join(METRICS), "--print-units", "base",
         "--kernel-name", "regex:^matmul", sys.executable, os.path.abspath(__file__),
         "--child", path, "--runtime", options.runtime, "--shapes", shape],
        capture_output=True, text=True)
    lines = [line for line in run.stdout.splitlines() if line.startswith('"')]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    if run.returncode != 0 or not rows:
        return (run.stdout + run.stderr).strip().splitlines()[-1:]
    return {row["Metric Name"]: float(row["Metric Value"].replace(",", ""))
            for row in rows}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build")
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--output")
    parser.add_argument("--shapes", default="4096x4096x4096")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return launch_once(options.child, options.runtime, parse_shape(options.shapes))
    if not options.build or not options.output:
        parser.error("--build and --output are missing")
    ncu = shutil.which("ncu")
    if not ncu:
        sys.exit("skipped: there is no ncu")
    results = []
    for shape in options.shapes.split(","):
        for path in sorted(glob.glob(os.path.join(options.build, "matmul-*.json"))):
            name = os.path.basename(path)[len("matmul-"):-len(".json")]
            with open(path) as file:
                if json.load(file)["parameters"]["T"] != "f16":
                    continue
            counted = count(ncu, path, options, shape)
            results.append({"shape": shape, "kernel": name, "counters": counted})
            text = (", ".join(f"{METRICS[key]} {value:.4g}"
                              for key, value in counted.items())
                    if isinstance(counted, dict) else f"ncu: {counted}")
            print(f"{shape} {name}: {text}", flush=True)
    os.makedirs(options.output, exist_ok=True)
    with open(os.path.join(options.output, "counters.json"), "w") as file:
        json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
