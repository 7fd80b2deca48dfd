#!/usr/bin/env python3
# ===- effects.py - checks of atomics, prints and assertions on a GPU ------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# Runs the kernels of Inputs/effects.mlir, compiled for several numbers of warps
# (effects-w*.cubin with their manifests in --build). Exit status 1 when a check
# fails.
#
#   effects.py --build DIR --runtime LIBDIR
#
# ===------------------------------------------------------------------------===#

import argparse
import collections
import glob
import os
import subprocess
import sys

import torch

from runtime import import_runtime

FAILURES = []


def report(name, ok, text=""):
    print(f"{'ok  ' if ok else 'FAIL'} {name} {text}")
    if not ok:
        FAILURES.append(name)


def check_tickets(kernel, tag):
    programs = 1000
    counter = torch.zeros(1, dtype=torch.int32, device="cuda")
    sums = torch.zeros(8, device="cuda")
    out = torch.full((64 * programs,), -1, dtype=torch.int32, device="cuda")
    kernel["tickets"](counter, sums, out, grid=(programs, 1, 1))
    report(tag + " tickets are drawn once", counter.item() == programs)
    report(tag + " all threads see the ticket",
           torch.equal(out, torch.arange(64 * programs, dtype=torch.int32, device="cuda")))
    want = torch.arange(64.0, device="cuda").view(8, 8).sum(0) * programs
    report(tag + " sums of elements that meet", torch.equal(sums, want))


def check_small(kernel, tag):
    x = torch.tensor([9, 1, 5, -3, 7, 4, 0, 6], dtype=torch.int32, device="cuda")
    mask = torch.tensor([1, 1, 1, 1, 0, 0, 1, 1], device="cuda").bool()
    before, old = x.clone(), torch.full((1,), -1, dtype=torch.int32, device="cuda")
    kernel["small_atomics"](x, old, mask, grid=(1, 1, 1))
    report(tag + " masked maxima", torch.equal(x, torch.where(mask, before.clamp(min=5), before)))
    report(tag + " old values reach all", old.item() == before[mask].sum().item())


def check_swaps(kernel, tag):
    x = torch.randint(0, 6, (128,), device="cuda")
    y = torch.randn(128, dtype=torch.float64, device="cuda")
    z, before, old = torch.full_like(y, -7), x.clone(), y.clone()
    kernel["swaps"](x, y, z, grid=(1, 1, 1))
    report(tag + " compare and swap",
           torch.equal(x, torch.where(before == 3, torch.full_like(x, -1), before)))
    report(tag + " old values, exchanged", torch.equal(y, before.double()) and torch.equal(z, old))


def check_half(kernel, tag):
    h = torch.zeros(1, dtype=torch.float16, device="cuda")
    b = torch.zeros(1, dtype=torch.bfloat16, device="cuda")
    kernel["half_sums"](h, b, grid=(100, 1, 1))
    report(tag + " sums of f16 and bf16", h.item() == 100 and b.item() == 200)


def check_inline(kernel, tag):
    x = torch.zeros(64, dtype=torch.int32, device="cuda")
    kernel["assert"](0, x, grid=(1, 1, 1))
    want = [int(f"{i:032b}"[::-1], 2) for i in range(64)]
    report(tag + " reversed bits", [v & 0xFFFFFFFF for v in x.tolist()] == want)


# A print or a trap is seen from outside: the checks below run a child.
def child(kernel, what):
    if what == "print":
        kernel["print"](7, grid=(2, 1, 1))
    else:
        kernel["assert"](-10, torch.zeros(64, dtype=torch.int32, device="cuda"), grid=(1, 1, 1))
    torch.cuda.synchronize()


def run_child(options, path, what):
    return subprocess.run([sys.executable, os.path.abspath(__file__), "--build", options.build,
                           "--runtime", options.runtime, "--child", what, path],
                          capture_output=True, text=True)


def check_print(options, path, tag):
    result = run_child(options, path, "print")
    lines = collections.Counter(result.stdout.strip().splitlines())
    want = collections.Counter(
        f"(program {p}, 0, 0) {text}" for p in range(2)
        for text in ["n = 7", "100% half = 2.5"] + [f"range[{i}] = {10 + i}" for i in range(4)])
    report(tag + " prints each element once", lines == want, "" if lines == want else str(lines))


def check_assert(options, path, tag):
    result = run_child(options, path, "assert")
    report(tag + " a broken assertion stops the launch",
           result.returncode != 0 and "assertion failed: an index is negative" in result.stdout
           and "effects.mlir:" in result.stdout, result.stderr.strip()[-100:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, help="folder with effects-w*.json")
    parser.add_argument("--runtime", required=True, help="folder with libtessera_runtime.so")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    tessera_runtime = import_runtime(options.runtime)

    if options.child:
        child(tessera_runtime.load(options.child[1]), options.child[0])
        return
    torch.manual_seed(1)
    paths = sorted(glob.glob(os.path.join(options.build, "effects-w*.json")))
    if not paths:
        sys.exit(f"no effects-w*.json in {options.build}")
    for path in paths:
        tag = os.path.basename(path)[len("effects-"):-len(".json")]
        kernel = tessera_runtime.load(path)
        for check in (check_tickets, check_small, check_swaps, check_half, check_inline):
            check(kernel, tag)
        check_print(options, path, tag)
        check_assert(options, path, tag)
    print(f"{len(FAILURES)} failed" + "".join("\n  " + f for f in FAILURES))
    sys.exit(1 if FAILURES else 0)


if __name__ == "__main__":
    main()
