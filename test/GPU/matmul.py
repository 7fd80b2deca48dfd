#!/usr/bin/env python3
# ===- matmul.py - checks and times matrix products on a GPU ---------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# Runs every matmul-*.json of --build (made by tools/setup/build_matmul_set.py)
# against float64: a seeded sample in which every pair of values of two
# dimensions occurs (shapes, orders of A, B and C, alignment), outputs poisoned,
# with guards around C. Then times f16 and bf16 beside torch and Triton. Exit status
# 1 when a check fails.
#
#   matmul.py --build DIR --runtime LIBDIR --output DIR [--cases N] [--no-timing]
#             [--shapes MxNxK,...] [--orders rrr,rcr,...] [--forms]
#
# ===------------------------------------------------------------------------===#

import argparse
import glob
import itertools
import json
import math
import os
import random
import re
import sys
import time

import torch

from runtime import import_runtime

SIZES = [1, 16, 64, 100, 128, 257, 513, 777, 1000, 1024, 4096]
ORDERS = ["row", "column", "padded", "odd"]
DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32,
          "f64": torch.float64, "i8": torch.int8, "i32": torch.int32,
          "f8E4M3FN": torch.float8_e4m3fn, "f8E5M2": torch.float8_e5m2}
GUARD = 64


def matrix(rows, columns, dtype, order, offset):
    """A matrix as a strided view: its storage, and the view."""
    strides = {"row": (columns, 1), "column": (1, rows),
               "padded": (columns + 8, 1), "odd": (columns + 3, 1)}[order]
    length = (rows - 1) * strides[0] + (columns - 1) * strides[1] + 1
    storage = torch.empty(offset + length + GUARD, dtype=torch.float64, device="cuda")
    if dtype in (torch.int8, torch.int32):
        storage = torch.randint(-7, 8, storage.shape, device="cuda").to(dtype)
    else:
        storage = torch.randn(storage.shape, device="cuda").to(dtype)
    return storage, torch.as_strided(storage, (rows, columns), strides, offset)


def poison(storage):
    """Fills with bits that no right result has; gives the bits."""
    bits = storage.view({1: torch.uint8, 2: torch.int16, 4: torch.int32,
                         8: torch.int64}[storage.element_size()])
    bits.fill_({1: 0x7F, 2: 0x7FDB, 4: 0x7FC0DEAD, 8: 0x7FF8DEADDEADDEAD}[bits.element_size()])
    return bits


def pairwise(seed, count, dimensions):
    """Cases, as tuples: each pair of values of two dimensions occurs, if
    `count` suffices; seeded."""
    generator = random.Random(seed)
    missing = set()
    for (i, a), (j, b) in itertools.combinations(enumerate(dimensions), 2):
        missing |= {(i, x, j, y) for x in a for y in b}
    cases = []
    while len(cases) < count:
        best, gain = None, -1
        for _ in range(20):
            case = tuple(generator.choice(d) for d in dimensions)
            new = sum((i, case[i], j, case[j]) in missing
                      for i, j in itertools.combinations(range(len(case)), 2))
            if new > gain:
                best, gain = case, new
        for i, j in itertools.combinations(range(len(best)), 2):
            missing.discard((i, best[i], j, best[j]))
        cases.append(best)
    return cases, len(missing)


def coefficients(dtype, acc, out, k):
    """Bounds of the error: relative to the result, which is rounded once, and
    relative to |A| |B|: products and sums, whose errors accumulate at random
    (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1, with
    sqrt(k) in place of k; tensor cores truncate, hence the constants)."""
    unit = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-24, "f64": 2.0**-53}
    if out == "i32":
        return 0.0, 0.0
    sums = unit[acc]
    if dtype.startswith("f8"):
        sums = 2.0**-13  # Hopper adds fp8 products with 13 bits of fraction.
    products = 2.0**-10 if dtype == "f32" else 0.0  # Both rounded to tf32.
    return unit[out], products + (4 + math.sqrt(k) / 4) * sums


def check(kernel, config, case):
    """One product; an error's text, or None."""
    m, n, k, oa, ob, oc, unaligned = case
    types = config["parameters"]
    _, a = matrix(m, k, DTYPES[types["T"]], oa, 1 if unaligned else 0)
    _, b = matrix(k, n, DTYPES[types["T"]], ob, 1 if unaligned else 0)
    storage, c = matrix(m, n, DTYPES[types["OUT"]], oc, GUARD + (1 if unaligned else 0))
    bits = poison(storage)
    inside = torch.zeros_like(bits, dtype=torch.bool)
    torch.as_strided(inside, c.shape, c.stride(), c.storage_offset()).fill_(True)
    before = bits.clone()
    kernel["matmul"](a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride())
    torch.cuda.synchronize()
    if not torch.equal(bits[~inside], before[~inside]):
        return "writes outside of C"
    want = a.to(torch.float64) @ b.to(torch.float64)
    own, sums = coefficients(types["T"], types["ACC"], types["OUT"], k)
    error = (c.to(torch.float64) - want).abs()
    magnitude = a.to(torch.float64).abs() @ b.to(torch.float64).abs()
    # Half the smallest subnormal of f16 where results are that small.
    excess = error - (want.abs() * own + magnitude * (sums + sums * own) + 2.0**-25 * (types["OUT"] == "f16"))
    worst = torch.nan_to_num(excess, nan=math.inf).max().item()
    return None if worst <= 0 else f"error {error.max().item():.3g}, {worst:.3g} over the bound"


def check_all(kernels, sizes, count, seed):
    """`count` cases spread over the kernels."""
    dimensions = [range(len(kernels)), sizes, sizes, sizes, ORDERS, ORDERS, ORDERS, (False, True)]
    cases, missing = pairwise(seed, count, dimensions)
    failures = []
    for index, *case in cases:
        name, kernel, config = kernels[index]
        problem = check(kernel, config, case)
        if problem:
            failures.append(f"{name} {case}: {problem}")
            print("FAIL", failures[-1])
    print(f"{len(cases) - len(failures)} of {len(cases)} products right; "
          f"{missing} pairs of values not covered; seed {seed}")
    return failures


def burst(function, seconds=0.008):
    """Milliseconds of one launch, over a burst of about `seconds`. The pause before
    it lets the card cool down: otherwise it is slower after a kernel that takes much
    power than after one that does not."""
    def run(count):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(count):
            function()
        end.record()
        torch.cuda.synchronize()
        return start.elapsed_time(end) / count

    function()
    torch.cuda.synchronize()
    count = max(3, math.ceil(1000 * seconds / run(1)))
    time.sleep(0.2)
    return run(count)


def median_tflops(functions, m, n, k, rounds=7):
    """Medians of bursts, over interleaved rounds."""
    times = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            times[name].append(burst(function))
    return {name: 2e-9 * m * n * k / sorted(t)[len(t) // 2] for name, t in times.items()}


def random_matrix(rows, columns, kind, order):
    """Stored by rows ("r") or by columns ("c"), without padding."""
    if order == "c":
        return random_matrix(columns, rows, kind, "r").T
    return torch.randn(rows, columns, device="cuda", dtype=DTYPES[kind])


def time_shape(kernels, kind, shape, order, forms):
    """TFLOP/s of the kernels with elements `kind` and f32 sums, and of others; the
    order of A, B and C is that of `order`: "rcr" is x @ W.T."""
    m, n, k = shape
    a = random_matrix(m, k, kind, order[0])
    b = random_matrix(k, n, kind, order[1])
    c = random_matrix(m, n, kind, order[2])
    functions = {"torch": lambda: torch.matmul(a, b, out=c)}
    try:
        import triton_matmul
        functions.update(triton_matmul.contenders(a, b, c, forms))
    except ImportError as error:
        print("no Triton:", error)
    for name, kernel in kernels:
        functions[name] = (lambda kernel=kernel: kernel["matmul"](
            a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride()))
    return median_tflops(functions, m, n, k)


def time_all(kernels, shapes, orders, forms):
    """One row for each shape, order of arrays and type of elements that kernels
    have."""
    rows = []
    for kind in ("f16", "bf16"):
        of_kind = [(name, kernel) for name, kernel, config in kernels
                   if [config["parameters"][key] for key in ("T", "ACC", "OUT")]
                   == [kind, "f32", kind]]
        for shape, order in itertools.product(shapes, orders) if of_kind else ():
            result = time_shape(of_kind, kind, shape, order, forms)
            rows.append({"shape": list(shape), "order": order, "type": kind,
                         "tflops": result})
            print(f"{kind} {'x'.join(map(str, shape))} {order} TFLOP/s: " +
                  ", ".join(f"{name} {value:.0f}" for name, value in result.items()))
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, help="folder with matmul-*.json")
    parser.add_argument("--runtime", required=True, help="folder with libtessera_runtime.so")
    parser.add_argument("--output", required=True, help="folder for matmul.json")
    parser.add_argument("--cases", type=int, default=480)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true",
                        help="sizes up to 128 only: for slow tools")
    parser.add_argument("--no-timing", action="store_true")
    parser.add_argument("--shapes", default="4096x4096x4096",
                        help="MxNxK,...: what is timed")
    parser.add_argument("--orders", default="rrr",
                        help="for A, B and C: by rows (r) or by columns (c); what is timed")
    parser.add_argument("--forms", action="store_true",
                        help="time Triton's grouped and persistent kernels, too")
    options = parser.parse_args()
    if not all(re.fullmatch("[rc]{3}", order) for order in options.orders.split(",")):
        parser.error("--orders: three letters, each r or c, with commas between orders")
    tessera_runtime = import_runtime(options.runtime)

    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = False
    kernels = []
    for path in sorted(glob.glob(os.path.join(options.build, "matmul-*.json"))):
        with open(path) as file:
            config = json.load(file)
        name = os.path.basename(path)[len("matmul-"):-len(".json")]
        kernels.append((name, tessera_runtime.load(path), config))
    if not kernels:
        sys.exit(f"no matmul-*.json in {options.build}")
    sizes = [size for size in SIZES if size <= 128] if options.small else SIZES
    os.makedirs(options.output, exist_ok=True)
    failures = check_all(kernels, sizes, options.cases, options.seed)
    shapes = [tuple(map(int, shape.split("x"))) for shape in options.shapes.split(",")]
    orders = options.orders.split(",")
    rows = [] if options.no_timing else time_all(kernels, shapes, orders, options.forms)
    with open(os.path.join(options.output, "matmul.json"), "w") as file:
        json.dump({"device": torch.cuda.get_device_name(), "cases": options.cases,
                   "failures": failures, "speed": rows}, file, indent=1)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
