# ===- more_products.py - checks of the matrix products beside matmul ------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Checks of matmul_grouped, matmul_persistent, matmul_bias_relu,
matmul_transposed, batched_matmul, batched_dot and squared_product against float64.

A check takes a kernel's `Config` and a case, and returns an error's text,
None or SKIPPED. Bounds are those of matmul.py: relative to the result and to |A| |B|.
"""

import torch

import matmul
from guarded import SKIPPED, Output, compare, enough_memory, operand, strided, vector
from matmul import DTYPES, GUARD, ORDERS

SIZES = [1, 16, 64, 100, 128, 257, 513, 777, 1000, 1024]
BATCHES = [1, 2, 3, 5, 8]
BATCH_LAYOUTS = ["dense", "padded", "middle", "column"]
# M, N, K; orders of A, B and C; whether the pointers are unaligned. Under the
# facts about alignment and strides, then with a size of zero.
ALIGNED = [(256, 512, 128, "row", "row", "row", False),
           (1000, 264, 72, "padded", "row", "padded", False),
           (8, 1024, 8, "row", "padded", "row", False),
           (640, 384, 1024, "column", "column", "column", False)]
EMPTY = [(0, 100, 64, "row", "row", "row", False),
         (100, 0, 64, "row", "row", "row", False),
         (0, 0, 0, "row", "row", "row", False),
         (100, 72, 0, "row", "row", "row", False),
         (128, 128, 0, "row", "row", "row", True)]
# Many tiles, with a last group that is not full; a row and a column of tiles.
LARGE = [(4100, 2500, 64, "row", "row", "row", False),
         (50000, 48, 40, "row", "row", "row", False),
         (40, 50000, 48, "row", "row", "row", False)]
# With tiles of 64 x 64 more than 65535 programs.
HUGE = (70000, 4160, 16, "row", "row", "row", False)
HUGE_GIGABYTES = 24


def product_cases(seed, count):
    """Pairs of values of two dimensions, then the special cases."""
    dimensions = [SIZES, SIZES, SIZES, ORDERS, ORDERS, ORDERS, (False, True)]
    cases, _ = matmul.pairwise(seed, count, dimensions)
    return cases + ALIGNED + EMPTY + LARGE


def bound(types, want, magnitude, k):
    own, sums = matmul.coefficients(types["T"], types["ACC"], types["OUT"], k)
    # Half the smallest subnormal of f16 where results are that small.
    tiny = 2.0**-25 if types["OUT"] == "f16" else 0.0
    return want.abs() * own + magnitude * (sums + sums * own) + tiny


def products(a, b):
    """A B and |A| |B| in float64."""
    a, b = a.to(torch.float64), b.to(torch.float64)
    return a @ b, a.abs() @ b.abs()


def output(shape, types, order, unaligned):
    storage, view = matmul.matrix(*shape, DTYPES[types["OUT"]], order,
                                  GUARD + int(unaligned))
    return Output(storage, view)


def finish(c, want, limit):
    """The verdict on an output."""
    torch.cuda.synchronize()
    if c.writes_outside():
        return "writes outside of C"
    return compare(c.view, want, limit)


def run_product(config, case):
    """A of M x K, B of K x N, and C, which the kernel has been asked for."""
    m, n, k, oa, ob, oc, unaligned = case
    types = config.parameters
    a = operand(*matmul.matrix(m, k, DTYPES[types["T"]], oa, int(unaligned)))
    b = operand(*matmul.matrix(k, n, DTYPES[types["T"]], ob, int(unaligned)))
    c = output((m, n), types, oc, unaligned)
    config.run(a, b, c.view, m, n, k, *a.stride(), *b.stride(), *c.view.stride())
    return a, b, c


def check_product(config, case):
    """matmul_grouped and matmul_persistent: the value, and the bits of matmul."""
    m, n, k, _, _, oc, unaligned = case
    types = config.parameters
    a, b, c = run_product(config, case)
    want, magnitude = products(a, b)
    problem = finish(c, want, bound(types, want, magnitude, k))
    if problem or config.plain is None:
        return problem
    plain = output((m, n), types, oc, unaligned)
    config.plain.run(a, b, plain.view, m, n, k, *a.stride(), *b.stride(),
                     *plain.view.stride())
    torch.cuda.synchronize()
    return None if c.same_bits(plain) else "bits differ from matmul's"


def check_huge(config, case):
    if not enough_memory(HUGE_GIGABYTES, f"{config.name} {case}"):
        return SKIPPED
    return check_product(config, case)


def check_bias_relu(config, case):
    m, n, k, oa, ob, oc, unaligned = case
    types = config.parameters
    a = operand(*matmul.matrix(m, k, DTYPES[types["T"]], oa, int(unaligned)))
    b = operand(*matmul.matrix(k, n, DTYPES[types["T"]], ob, int(unaligned)))
    bias = vector(n, DTYPES[types["OUT"]], int(unaligned))
    # Some columns as large as the sums; one of NaN, which has to stay.
    bias[::3] *= 16
    if n > 5:
        bias[5] = float("nan")
    c = output((m, n), types, oc, unaligned)
    config.run(a, b, bias, c.view, m, n, k, *a.stride(), *b.stride(),
               *c.view.stride())
    want, magnitude = products(a, b)
    bias = bias.to(torch.float64)
    want = torch.relu(want + bias)
    return finish(c, want, bound(types, want, magnitude + bias.abs(), k))


def check_transposed(config, case):
    """A is stored as K x M, B as N x K."""
    m, n, k, oa, ob, oc, unaligned = case
    types = config.parameters
    a = operand(*matmul.matrix(k, m, DTYPES[types["T"]], oa, int(unaligned)))
    b = operand(*matmul.matrix(n, k, DTYPES[types["T"]], ob, int(unaligned)))
    c = output((m, n), types, oc, unaligned)
    config.run(a, b, c.view, m, n, k, *a.stride(), *b.stride(), *c.view.stride())
    want, magnitude = products(a.t(), b.t())
    return finish(c, want, bound(types, want, magnitude, k))


def check_squared(config, case):
    """Squares are rounded to T, as they are in registers."""
    types, k = config.parameters, case[2]
    a, b, c = run_product(config, case)
    want, magnitude = products(a * a, b)
    return finish(c, want, bound(types, want, magnitude, k))


def batch_strides(batch, rows, columns, layout):
    """Strides of `batch` matrices. "middle": row i of all of them is adjacent, as
    are the heads of one token; "shared": all are one matrix."""
    return {"dense": (rows * columns, columns, 1),
            "padded": (rows * (columns + 8) + 24, columns + 8, 1),
            "middle": (columns, batch * columns, 1),
            "column": (rows * columns, 1, rows),
            "shared": (0, columns, 1)}[layout]


def batched_cases(seed, count):
    operands = [*BATCH_LAYOUTS, "shared"]
    dimensions = [BATCHES, SIZES[:8], SIZES[:8], SIZES[:8], operands, operands,
                  BATCH_LAYOUTS, (False, True)]
    cases, _ = matmul.pairwise(seed, count, dimensions)
    dense = ("dense", "dense", "dense", False)
    return cases + [
        (4, 128, 256, 64, *dense), (3, 264, 72, 136, "middle", "padded", "middle", False),
        (0, 64, 64, 64, *dense), (3, 0, 64, 64, *dense), (3, 64, 0, 64, *dense),
        (3, 100, 72, 0, *dense), (65535, 3, 5, 2, *dense)]


def batch_of(batch, rows, columns, dtype, layout, offset):
    strides = batch_strides(batch, rows, columns, layout)
    return strided((batch, rows, columns), strides, dtype, offset)


def check_batched(config, case):
    batch, m, n, k, la, lb, lc, unaligned = case
    types = config.parameters
    a = operand(*batch_of(batch, m, k, DTYPES[types["T"]], la, int(unaligned)))
    b = operand(*batch_of(batch, k, n, DTYPES[types["T"]], lb, int(unaligned)))
    c = Output(*batch_of(batch, m, n, DTYPES[types["OUT"]], lc, GUARD + int(unaligned)))
    config.run(a, b, c.view, batch, m, n, k, *a.stride(), *b.stride(), *c.view.stride())
    want, magnitude = products(a, b)
    return finish(c, want, bound(types, want, magnitude, k))


def check_batch_limit(config, case):
    """One matrix more than the grid has room for is refused; nothing is written."""
    batch, m, n, k, *_ = case
    types = config.parameters
    a = vector(4, DTYPES[types["T"]])
    c = Output(*strided((4,), (1,), DTYPES[types["OUT"]]))
    problem = config.refusal(a, a, c.view, batch, m, n, k, 0, 1, 1, 0, 1, 1, 0, 1, 1)
    torch.cuda.synchronize()
    return problem or (None if c.untouched() else "writes although it is refused")


def check_far_batch(config, case):
    """Matrix 2 starts 2^31 elements behind matrix 0."""
    batch, m, n, k, stride = case
    types = config.parameters
    if not enough_memory(40, f"{config.name} {case}"):
        return SKIPPED
    a, c = (torch.zeros((batch - 1) * stride + size, dtype=DTYPES[types[kind]], device="cuda")
            for size, kind in ((m * k, "T"), (m * n, "OUT")))
    a = torch.as_strided(a, (batch, m, k), (stride, k, 1))
    a.copy_(torch.randn(a.shape, device="cuda").to(a.dtype))
    c = torch.as_strided(c, (batch, m, n), (stride, n, 1))
    b = operand(*batch_of(batch, k, n, DTYPES[types["T"]], "dense", 0))
    config.run(a, b, c, batch, m, n, k, *a.stride(), *b.stride(), *c.stride())
    torch.cuda.synchronize()
    want, magnitude = products(a, b)
    return compare(c, want, bound(types, want, magnitude, k))


def batched_dot_cases(seed, count):
    cases, _ = matmul.pairwise(seed, count, [BATCHES, SIZES[:7], SIZES[:7], SIZES[:7],
                                             (False, True)])
    return cases + [(4, 64, 96, 32, False), (0, 8, 8, 8, False), (3, 0, 8, 8, False),
                    (3, 33, 17, 0, False), (1000, 5, 3, 7, False)]


def check_batched_dot(config, case):
    batch, m, n, k, unaligned = case
    types = dict(config.parameters, OUT=config.parameters["ACC"])
    a = operand(*batch_of(batch, m, k, DTYPES[types["T"]], "dense", int(unaligned)))
    b = operand(*batch_of(batch, k, n, DTYPES[types["T"]], "dense", int(unaligned)))
    c = Output(*batch_of(batch, m, n, DTYPES[types["OUT"]], "dense",
                         GUARD + int(unaligned)))
    config.run(a, b, c.view, batch, m, n, k)
    want, magnitude = products(a, b)
    return finish(c, want, bound(types, want, magnitude, k))


def checks_of(config, seed, count):
    """(check, cases) of a kernel; None for one that is not of these."""
    entry, cases = config.entry, product_cases(seed, count)
    if entry in ("matmul_grouped", "matmul_persistent"):
        first = config.parameters["BM"] == config.parameters["BN"] == 64
        huge = [HUGE] if first and config.parameters["T"] == "f16" else []
        return [(check_product, cases), (check_huge, huge)]
    if entry == "batched_matmul":
        far = [(3, 40, 24, 16, 2**30)] if config.parameters["T"] == "f16" else []
        return [(check_batched, batched_cases(seed, count)), (check_far_batch, far),
                (check_batch_limit, [(65536, 1, 1, 1)])]
    if entry == "batched_dot":
        return [(check_batched_dot, batched_dot_cases(seed, count))]
    single = {"matmul_bias_relu": check_bias_relu, "matmul_transposed": check_transposed,
              "squared_product": check_squared}
    return [(single[entry], cases)] if entry in single else None
