#!/usr/bin/env python3
# ===- kernels_more.py - checks the kernels beside matmul on a GPU ----------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# Runs every more-*.json of --build (made by tools/setup/build_more_set.py)
# against PyTorch in float64: seeded samples in which pairs of values of two
# dimensions occur, aligned cases, sizes of zero, many programs, offsets beyond
# 2^31. Operands have NaN around them, outputs are poisoned and guarded. Grouped
# and persistent products have to equal matmul's bits. Writes kernels_more.json
# into --output. Exit status 1 when a check fails or a kernel has no manifest.
#
#   kernels_more.py --build DIR --runtime LIBDIR --output DIR [--cases N]
#                   [--only TEXT]
#
# ===------------------------------------------------------------------------===#

import argparse
import glob
import json
import os
import sys

import torch

import more_products
import more_rows
from guarded import SKIPPED
from runtime import import_runtime

KERNELS = ("matmul_grouped", "matmul_persistent", "batched_matmul", "matmul_bias_relu",
           "matmul_transposed", "dot_of_dot", "layernorm", "rmsnorm", "column_sum",
           "batched_dot", "squared_product")
# These have to give the bits of `matmul` of the same tile and warps.
SAME_AS_MATMUL = ("matmul_grouped", "matmul_persistent")


class Config:
    """One compiled kernel.

    name        its manifest's name without prefix and suffix
    entry       what to launch
    parameters  what it was compiled for
    plain       the `matmul` whose bits it has to give, or None
    """

    def __init__(self, path, runtime):
        with open(path) as file:
            manifest = json.load(file)
        self.name = os.path.basename(path)[len("more-"):-len(".json")]
        self.entry = manifest["entries"][0]["name"]
        self.parameters = manifest["parameters"]
        self.warps = tuple(kernel["num_warps"] for kernel in manifest["kernels"])
        self.plain = None
        self._error = runtime.TesseraError
        self._launch = runtime.load(path)[self.entry]

    def key(self):
        """What makes the bits of a product."""
        return (*(self.parameters[name] for name in ("T", "ACC", "OUT", "BM", "BN", "BK")),
                self.warps)

    def run(self, *args):
        self._launch(*args)

    def refusal(self, *args):
        """None when the launch is refused; otherwise what happened."""
        try:
            self._launch(*args)
        except self._error as error:
            return None if error.status_name == "REFUSED" else f"another error: {error}"
        return "is not refused"


def load_all(folder, runtime):
    """The kernels to check, with their plain products."""
    paths = sorted(glob.glob(os.path.join(folder, "more-*.json")))
    configs = [Config(path, runtime) for path in paths]
    plain = {config.key(): config for config in configs if config.entry == "matmul"}
    for config in configs:
        if config.entry in SAME_AS_MATMUL:
            config.plain = plain.get(config.key())
    return [config for config in configs if config.entry != "matmul"]


def missing(configs):
    """What the build folder lacks."""
    for entry in KERNELS:
        mine = [config for config in configs if config.entry == entry]
        if not mine:
            yield f"{entry}: no manifest"
        elif entry in SAME_AS_MATMUL and not any(config.plain for config in mine):
            yield f"{entry}: no matmul to compare bits with"


def check_config(config, seed, count):
    """The numbers of cases run and skipped, and the texts of those that failed."""
    checks = (more_products.checks_of(config, seed, count) or
              more_rows.checks_of(config, seed, count))
    if checks is None:
        return 0, 0, [f"{config.name}: no check for the entry {config.entry}"]
    done, skipped, failures = 0, 0, []
    for check, cases in checks:
        for case in cases:
            problem = check(config, case)
            if problem is SKIPPED:
                skipped += 1
                continue
            done += 1
            if problem:
                failures.append(f"{config.name} {check.__name__} {case}: {problem}")
                print("FAIL", failures[-1], flush=True)
    return done, skipped, failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, help="folder with more-*.json")
    parser.add_argument("--runtime", required=True,
                        help="folder with libtessera_runtime.so")
    parser.add_argument("--output", required=True, help="folder for kernels_more.json")
    parser.add_argument("--cases", type=int, default=40,
                        help="sampled cases of each compiled kernel")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="kernels whose name holds this text")
    options = parser.parse_args()
    tessera_runtime = import_runtime(options.runtime)

    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = False
    configs = load_all(options.build, tessera_runtime)
    results, failures = {}, list(missing(configs))
    for problem in failures:
        print("FAIL", problem)
    for index, config in enumerate(configs):
        if options.only not in config.name:
            continue
        done, skipped, failed = check_config(config, options.seed + index, options.cases)
        results[config.name] = {"cases": done, "skipped": skipped, "failed": len(failed),
                                "bits_compared": config.plain is not None}
        failures += failed
        bits = ", bits compared with matmul" if config.plain else ""
        print(f"{config.name}: {done - len(failed)} of {done} right{bits}", flush=True)
    os.makedirs(options.output, exist_ok=True)
    with open(os.path.join(options.output, "kernels_more.json"), "w") as file:
        json.dump({"device": torch.cuda.get_device_name(), "seed": options.seed,
                   "kernels": results, "failures": failures}, file, indent=1)
    total = sum(result["cases"] for result in results.values())
    print(f"{len(results)} kernels, {total} cases, {len(failures)} failures")
    sys.exit(1 if failures or not results else 0)


if __name__ == "__main__":
    main()
