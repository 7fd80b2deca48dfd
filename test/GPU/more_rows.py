# ===- more_rows.py - checks of row kernels, column sums and dot of dot ----===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Checks of layernorm, rmsnorm, column_sum and dot_of_dot against float64.

A check takes a kernel's `Config` and a case, and returns an error's text,
None or SKIPPED.
"""

import math

import torch

import matmul
from guarded import SKIPPED, Output, compare, enough_memory, operand, strided, vector
from matmul import DTYPES, GUARD, ORDERS

# Unit roundoffs, of a result that is rounded once and of f32 sums.
ROUNDING = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-24}
F32 = ROUNDING["f32"]
EPSILON = 1e-5


def tiny(kind):
    """Half the smallest subnormal, where results may be that small."""
    return 2.0**-25 if kind == "f16" else 0.0


def sum_error(count):
    """Relative to the sum of absolute values; matmul.coefficients has the source."""
    return (4 + math.sqrt(count) / 4) * F32


# Rows: (m, n, padding of x, padding of y, offset, what the rows hold).
def row_cases(block):
    sizes = sorted({1, block // 2 + 1, max(1, block - 3), block})
    ragged, part = max(1, block - 3), max(1, 3 * block // 4)
    yield from ((67, n, 0, 0, 0, "normal") for n in sizes)
    yield (33, block, 16, 32, 0, "normal")
    yield (33, part, 1, 3, 0, "normal")
    yield (33, part, 16, 16, 1, "normal")
    yield (33, ragged, 7, 1, 3, "shifted")
    yield (33, block, 0, 0, 0, "shifted")
    yield (33, ragged, 0, 0, 0, "constant")
    yield (0, part, 0, 0, 0, "normal")
    yield (5, 0, 8, 8, 0, "normal")
    # More programs than 16 bits count.
    yield (70001, min(block, 33), 0, 0, 0, "normal")


def row_data(config, case):
    """x, y and weight of a case."""
    m, n, pad_x, pad_y, offset, holds = case
    dtype = DTYPES[config.parameters["T"]]
    storage, x = strided((m, n), (n + pad_x, 1), dtype, offset)
    x = operand(storage, x)
    if holds == "shifted":  # The mean is large beside the deviation.
        x += 32
    elif holds == "constant":
        x.fill_(3)
    y = Output(*strided((m, n), (n + pad_y, 1), dtype, GUARD + offset))
    return x, y, vector(n, dtype, offset)


def norm_verdict(config, y, want, magnitude, n):
    """The chain of operations has a dozen roundings beside its sums."""
    torch.cuda.synchronize()
    if y.writes_outside():
        return "writes outside of y"
    kind = config.parameters["T"]
    own = 0.0 if kind == "f32" else ROUNDING[kind]
    limit = want.abs() * own + magnitude * (16 * F32 + sum_error(n)) * (1 + own)
    return compare(y.view, want, limit + tiny(kind))


def check_layernorm(config, case):
    n, offset = case[1], case[4]
    x, y, weight = row_data(config, case)
    bias = vector(n, x.dtype, offset)
    config.run(y.view, x, weight, bias, x.shape[0], n, y.view.stride(0), x.stride(0),
               EPSILON)
    x, weight, bias = (t.to(torch.float64) for t in (x, weight, bias))
    mean = x.mean(1, keepdim=True)
    scale = ((x - mean).square().mean(1, keepdim=True) + EPSILON).rsqrt()
    normal = (x - mean) * scale
    # The mean's error, relative to |x|, passes through the scale, and through
    # the variance once more.
    absolute = (x.abs() + x.abs().mean(1, keepdim=True)) * scale
    magnitude = (absolute * (1 + normal.abs()) * weight.abs()) + bias.abs()
    return norm_verdict(config, y, normal * weight + bias, magnitude, n)


def check_rmsnorm(config, case):
    x, y, weight = row_data(config, case)
    n = case[1]
    config.run(y.view, x, weight, x.shape[0], n, y.view.stride(0), x.stride(0), EPSILON)
    x, weight = x.to(torch.float64), weight.to(torch.float64)
    want = x * (x.square().mean(1, keepdim=True) + EPSILON).rsqrt() * weight
    return norm_verdict(config, y, want, want.abs(), n)


def check_long_row(config, case):
    """A row of more than BLOCK elements is refused; nothing is written."""
    m, n = case
    dtype = DTYPES[config.parameters["T"]]
    x, weight = operand(*strided((m, n), (n, 1), dtype)), vector(n, dtype)
    y = Output(*strided((m, n), (n, 1), dtype))
    vectors = (weight, weight) if config.entry == "layernorm" else (weight,)
    problem = config.refusal(y.view, x, *vectors, m, n, n, n, EPSILON)
    torch.cuda.synchronize()
    return problem or (None if y.untouched() else "writes although it is refused")


def check_far_row(config, case):
    """Row 2 starts 2^31 elements behind row 0."""
    m, n, stride = case
    if not enough_memory(12, f"{config.name} {case}"):
        return SKIPPED
    dtype = DTYPES[config.parameters["T"]]
    storage = torch.zeros((m - 1) * stride + n, dtype=dtype, device="cuda")
    x = torch.as_strided(storage, (m, n), (stride, 1))
    x.copy_(torch.randn(m, n, device="cuda").to(dtype))
    weight, y = vector(n, dtype), Output(*strided((m, n), (n, 1), dtype, GUARD))
    config.run(y.view, x, weight, m, n, n, stride, EPSILON)
    x, weight = x.to(torch.float64), weight.to(torch.float64)
    want = x * (x.square().mean(1, keepdim=True) + EPSILON).rsqrt() * weight
    return norm_verdict(config, y, want, want.abs(), n)


def column_cases(seed, count):
    """M, N, order of x, whether its pointer is unaligned. x empty: sums of zero."""
    sizes = [1, 31, 64, 100, 256, 257, 1000, 4096]
    cases, _ = matmul.pairwise(seed, count, [sizes, sizes, ORDERS, (False, True)])
    return cases + [(0, 100, "row", False), (100, 0, "row", False), (0, 0, "row", False),
                    (2**21 + 5, 3, "row", False), (3, 2**21 + 5, "row", False),
                    (512, 1024, "row", False), (70000, 520, "padded", False)]


def check_column_sum(config, case):
    m, n, order, unaligned = case
    dtype = DTYPES[config.parameters["T"]]
    x = operand(*matmul.matrix(m, n, dtype, order, int(unaligned)))
    # Poisoned like other outputs: the launch plan fills it first.
    sums = Output(*strided((n,), (1,), torch.float32, GUARD))
    config.run(sums.view, x, m, n, *x.stride())
    torch.cuda.synchronize()
    if sums.writes_outside():
        return "writes outside of the sums"
    x = x.to(torch.float64)
    # A sum passes through memory for each tile of rows: f32 additions as well.
    return compare(sums.view, x.sum(0), x.abs().sum(0) * sum_error(m))


def dot_of_dot_cases(seed, count):
    """M, N, paddings of the rows of Q, K, V and O, unaligned pointers."""
    sizes, pads = [1, 16, 64, 100, 128, 257, 1000], [0, 8, 3]
    cases, _ = matmul.pairwise(seed, count, [sizes, sizes, pads, pads, pads, pads,
                                             (False, True)])
    return cases + [(256, 256, 0, 0, 0, 0, False), (1000, 1023, 8, 8, 8, 8, False),
                    (0, 64, 0, 0, 0, 0, False), (100, 0, 0, 0, 0, 0, False),
                    (2050, 4096, 0, 0, 0, 0, False)]


def dot_of_dot_bound(config, q, k, v, want):
    """S and P err by roundings, which are independent and so add up at random:
    six times the root of the sum of squares. Sums are bounded as in matmul.py."""
    kind, out = config.parameters["T"], config.parameters["OUT"]
    # P and V, or Q and K, rounded to tf32.
    unit = 2.0**-10 if kind == "f32" else ROUNDING[kind]
    inputs = 6 * 2.0**-10 if kind == "f32" else 0.0
    s, size = q @ k.t(), q.abs() @ k.abs().t()
    error = (s.abs() * unit + size * sum_error(q.shape[1]) + tiny(kind) +
             inputs * (q.square() @ k.square().t()).sqrt())
    rounding = 6 * (error.square() @ v.square()).sqrt()
    sums = sum_error(k.shape[0]) * ((s.abs() + error) @ v.abs())
    return (rounding + sums) + (want.abs() + rounding + sums) * ROUNDING[out] + tiny(out)


def check_dot_of_dot(config, case):
    m, n, *pads, unaligned = case
    types, d = config.parameters, config.parameters["D"]
    offset = int(unaligned)
    q, k, v = (operand(*strided((rows, d), (d + pad, 1), DTYPES[types["T"]], offset))
               for rows, pad in zip((m, n, n), pads))
    o = Output(*strided((m, d), (d + pads[3], 1), DTYPES[types["OUT"]], GUARD + offset))
    config.run(q, k, v, o.view, m, n, *(t.stride(0) for t in (q, k, v, o.view)))
    torch.cuda.synchronize()
    if o.writes_outside():
        return "writes outside of O"
    q, k, v = (t.to(torch.float64) for t in (q, k, v))
    want = (q @ k.t()) @ v
    return compare(o.view, want, dot_of_dot_bound(config, q, k, v, want))


def checks_of(config, seed, count):
    """(check, cases) of a kernel; None for one that is not of these."""
    entry, kind = config.entry, config.parameters.get("T")
    if entry in ("layernorm", "rmsnorm"):
        block = config.parameters["BLOCK"]
        check = check_layernorm if entry == "layernorm" else check_rmsnorm
        far = [(3, 100, 2**30)] if (entry, kind, block >= 100) == ("rmsnorm", "f16", True) else []
        return [(check, list(row_cases(block))), (check_long_row, [(3, block + 1)]),
                (check_far_row, far)]
    if entry == "column_sum":
        return [(check_column_sum, column_cases(seed, count))]
    if entry == "dot_of_dot":
        return [(check_dot_of_dot, dot_of_dot_cases(seed, count))]
    return None
