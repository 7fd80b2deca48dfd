#!/usr/bin/env python3
# ===- ops.py - checks of single operations on a GPU -----------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# Runs the kernels of Inputs/ops.mlir, compiled for several numbers of warps
# (ops-w1.cubin, ops-w2.cubin, ... with their manifests in --build), against
# PyTorch in float64 where rounding matters, and exactly elsewhere. Outputs are
# poisoned before each run. Exit status 1 when a check fails.
#
#   ops.py --build DIR --runtime LIBDIR
#
# ===------------------------------------------------------------------------===#

import argparse
import glob
import math
import os
import sys

import torch

from runtime import import_runtime

DEVICE = "cuda"
FAILURES = []


def report(name, ok, text=""):
    """Records and prints one check."""
    print(f"{'ok  ' if ok else 'FAIL'} {name} {text}")
    if not ok:
        FAILURES.append(name)


def poisoned(shape, dtype):
    """A tensor that no correct result looks like."""
    if dtype.is_floating_point:
        return torch.full(shape, math.nan, dtype=dtype, device=DEVICE)
    if dtype == torch.bool:
        return torch.full(shape, 7, dtype=torch.uint8, device=DEVICE).view(torch.bool)
    return torch.full(shape, -77, dtype=dtype, device=DEVICE)


def random(shape, dtype=torch.float32, scale=1.0):
    return (torch.randn(shape, device=DEVICE) * scale).to(dtype)


def run(kernel, name, *args):
    kernel[name](*args, grid=(1, 1, 1))
    torch.cuda.synchronize()


def close(a, b, relative, absolute=0.0):
    """Largest error in units of the bound; NaN agrees with NaN only."""
    a, b = a.double(), b.double()
    both = (torch.isnan(a) & torch.isnan(b)) | (a == b)
    error = (a - b).abs() / (b.abs() * relative + absolute + 1e-300)
    error = torch.where(both, torch.zeros_like(error), error)
    worst = torch.nan_to_num(error, nan=math.inf).max().item()
    return worst <= 1.0, f"error {worst:.2f} of the bound"


def check_rows(kernel, tag):
    x = random((32, 64))
    y, s = poisoned((32, 64), torch.float32), poisoned((32,), torch.float32)
    run(kernel, "rows", x, y, s)
    total = x.double().sum(1)
    report(tag + " row sums", *close(s, total, 1e-5, 1e-5))
    report(tag + " rows less sums", *close(y, x.double() - total[:, None], 1e-5, 1e-5))


def check_argmax(kernel, tag):
    # Few different values, so that ties are common.
    x = torch.randint(-3, 4, (64, 32), device=DEVICE).half()
    m, i = poisoned((32,), torch.float16), poisoned((32,), torch.int32)
    run(kernel, "argmax_columns", x, m, i)
    best = x.max(0).values
    first = (x == best).int().argmax(0)
    report(tag + " column maxima", torch.equal(m, best))
    report(tag + " first rows of the maxima", torch.equal(i.long(), first))


def check_transpose(kernel, tag):
    x, y = random((64, 32)), poisoned((32, 64), torch.float32)
    run(kernel, "transpose", x, y)
    report(tag + " transpose", torch.equal(y, x.t()))


def check_masked_sum(kernel, tag):
    for n in (0, 1, 255, 256, 1000, 1024):
        x = random((max(n, 1),))
        keep = torch.rand(max(n, 1), device=DEVICE) < 0.5
        # What is masked off must not be added, not even as NaN times zero.
        x = torch.where(keep, x, torch.full_like(x, math.nan))
        y, seen = poisoned((256,), torch.float32), poisoned((256,), torch.bool)
        run(kernel, "masked_sum", x, keep, y, seen, n)
        want = torch.zeros(1024, dtype=torch.float64, device=DEVICE)
        want[:n] = torch.where(keep, x, torch.zeros_like(x))[:n].double()
        any_kept = torch.zeros(1024, dtype=torch.bool, device=DEVICE)
        any_kept[:n] = keep[:n]
        report(f"{tag} masked sum n={n}", *close(y, want.view(4, 256).sum(0), 1e-5, 1e-6))
        report(f"{tag} masks seen n={n}",
               torch.equal(seen.view(torch.uint8), any_kept.view(4, 256).any(0).view(torch.uint8)))


def check_small(kernel, tag):
    for flag in (0, 1):
        x, y = random((8,)), poisoned((9,), torch.float32)
        run(kernel, "small", x, y, flag)
        want = x.double().sum().expand(8) if flag else -x.double()
        report(f"{tag} eight elements, branch {flag}", *close(y[:8], want, 1e-5, 1e-6))
        report(f"{tag} scalar copy, branch {flag}", y[8].item() == x[0].item())


def check_math(kernel, tag):
    x, y = random((1024,), scale=4.0), poisoned((8, 1024), torch.float32)
    run(kernel, "math", x, y)
    d = x.double()
    rows = [("exp", d.exp(), 3e-6), ("precise exp", d.exp(), 3e-7),
            ("sin", d.sin(), 3e-7), ("sqrt", d.abs().sqrt(), 6.1e-8),
            ("log", d.abs().log(), 3e-7), ("div", d / (d.abs() + 1), 5e-7),
            ("precise div", None, 0), ("tanh", d.tanh(), 3e-7)]
    for row, (name, want, bound) in enumerate(rows):
        if want is None:
            report(f"{tag} {name}", torch.equal(y[row], x / (x.abs() + 1)))
        else:
            report(f"{tag} {name}", *close(y[row], want, bound, 1e-7))


def toward_zero(x, dtype):
    """Rounds float32 to a 16-bit type towards zero."""
    nearest = x.to(dtype)
    above = nearest.float().abs() > x.abs()
    bits = nearest.view(torch.int16)
    return torch.where(above, bits - 1, bits).view(dtype)


def check_convert(kernel, tag):
    x = random((512,), scale=100.0)
    x[:8] = torch.tensor([0.0, -0.0, math.inf, -math.inf, 65520.0, 1e-7, -3e-8, 65504.0])
    outs = [poisoned((512,), t) for t in (torch.float16, torch.float16, torch.bfloat16,
                                          torch.bfloat16, torch.bfloat16)]
    run(kernel, "convert", x, *outs)
    wants = [x.half(), toward_zero(x, torch.float16), x.bfloat16(),
             toward_zero(x, torch.bfloat16), x.half().bfloat16()]
    for name, out, want in zip(("f16", "f16 rtz", "bf16", "bf16 rtz", "f16 to bf16"), outs, wants):
        report(f"{tag} convert {name}", torch.equal(out.view(torch.int16), want.view(torch.int16)))


def check_far(kernel, tag):
    row, stride = 50000, 50000  # 2.5e9 elements from the start.
    if torch.cuda.mem_get_info()[0] < 4e9:
        print("skip", tag, "far offsets: less than 4 GB are free")
        return
    x = torch.empty(row * stride + 128, dtype=torch.int8, device=DEVICE)
    x[-128:] = torch.arange(128, device=DEVICE, dtype=torch.int8)
    y = poisoned((128,), torch.int8)
    run(kernel, "far", x, y, row, stride)
    report(tag + " far offsets", torch.equal(y, x[-128:]))
    # A negative stride from the end reaches the start.
    x[:128] = 5
    end = x[row * stride:]
    run(kernel, "far", end, y, row, -stride)
    report(tag + " negative stride", torch.equal(y, x[:128]))


def check_reduce3(kernel, tag):
    x = torch.randint(-1000, 1000, (16, 8, 8), device=DEVICE)
    x[0, 0, 0] = 2**62
    y, z = poisoned((8, 8), torch.int64), poisoned((16, 8), torch.float64)
    some = poisoned((16, 8), torch.bool)
    run(kernel, "reduce3", x, y, z, some)
    report(tag + " i64 sums", torch.equal(y, x.sum(0)))
    report(tag + " f64 maxima", torch.equal(z, x.double().max(1).values))
    report(tag + " i1 any",
           torch.equal(some.view(torch.uint8), (x > 900).any(2).view(torch.uint8)))


CHECKS = [check_rows, check_argmax, check_transpose, check_masked_sum, check_small,
          check_math, check_convert, check_far, check_reduce3]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="folder with ops-w*.json")
    parser.add_argument("--runtime", required=True, help="folder with libtessera_runtime.so")
    options = parser.parse_args()
    tessera_runtime = import_runtime(options.runtime)

    torch.manual_seed(1)
    manifests = sorted(glob.glob(os.path.join(options.build, "ops-w*.json")))
    if not manifests:
        sys.exit(f"no ops-w*.json in {options.build}")
    for path in manifests:
        tag = os.path.basename(path)[len("ops-"):-len(".json")]
        kernel = tessera_runtime.load(path)
        for check in CHECKS:
            check(kernel, tag)
    print(f"{len(FAILURES)} failed" + "".join("\n  " + f for f in FAILURES))
    sys.exit(1 if FAILURES else 0)


if __name__ == "__main__":
    main()
