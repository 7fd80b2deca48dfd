#===- checks.py - compare kernels with float64 references on a GPU ---------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Correctness on random data.

Outputs are poisoned: filled with a NaN of a pattern that no kernel computes,
as is the memory before, between and after their rows. Afterwards no element may
hold the pattern, and nothing outside may have lost it. The memory around the
inputs holds the same NaNs, so that an element read from there shows.

Error bounds. With u = 2^-24, the unit roundoff of f32, and d = x_i - max x:

    x_i - max              |d| u in exp's argument, hence in its value
    exp (ex2.approx)       (4 + |d|) u
    sum of n terms         the terms' errors, weighted: (4 + 2 ln n) u at most,
                           since the weighted mean of |d| is at most ln n; and
                           u for each addition in a row: elements per thread
                           + log2(threads)
    division (div.full)    4 u

together (48 + elements per thread + 2 |d|) u relative, for n <= 16384 and 1024
threads. Results below 2^-126 may be flushed: 2^-125 absolute. A narrower
output adds half a unit in its last place.

vector_add is correctly rounded: half a unit in the last place.
"""

import torch

from cases import SoftmaxCase
from plans import softmax_plan_problems, vector_plan_problems

DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
BITS = {4: (torch.int32, 0x7FC0DEAD), 2: (torch.int16, 0x7FDA)}
# Half a unit in the last place of 1.0, and half the smallest subnormal.
HALF_ULP = {"f32": (2.0**-24, 2.0**-150), "f16": (2.0**-11, 2.0**-25),
            "bf16": (2.0**-8, 2.0**-134)}
F32_UNIT = 2.0**-24
# Poisoned elements before and after an array; a multiple of 16 bytes.
GUARD = 4096
# Inputs of at most this many elements are checked not to have changed.
WATCHED = 1 << 24


class Matrix:
    """An m x n view `data`, with a row stride and an offset in elements from a
    16-byte boundary, in memory that is poisoned throughout at first."""

    def __init__(self, m, n, stride, offset, dtype, guard=GUARD):
        bits, self.pattern = BITS[dtype.itemsize]
        span = (m - 1) * stride + n if m and n else 0
        start = guard + offset
        self.bits = torch.full((start + span + guard,), self.pattern,
                               dtype=bits, device="cuda")
        self.data = self.bits.view(dtype).as_strided((m, n), (stride, 1), start)
        self.data_bits = self.bits.as_strided((m, n), (stride, 1), start)

    def problems(self):
        """Elements never written, and writes outside."""
        found = []
        missing = int((self.data_bits == self.pattern).sum())
        if missing:
            found.append(f"{missing} elements were not written")
        kept = self.data_bits.clone()
        self.data_bits.fill_(self.pattern)
        outside = int((self.bits != self.pattern).sum())
        self.data_bits.copy_(kept)
        if outside:
            found.append(f"{outside} elements outside the output were written")
        return found


def fill(data, kind, generator):
    """Random values of one kind in the rows of `data`."""
    m, n = data.shape
    values = torch.randn((m, n), device="cuda", generator=generator) * 4
    largest = torch.finfo(data.dtype).max
    if kind == "negative":
        values = -50 * values.abs() - 100
    elif kind == "huge":
        values = values.sign() * largest
    elif kind == "equal":
        values[:] = 2.5
    elif kind == "minus_inf":
        # A third of the elements, and some whole rows.
        values[values < -1.7] = -torch.inf
        values[::5] = -torch.inf
    elif kind == "plus_inf":
        values[::3, n // 2] = torch.inf
    elif kind == "nan":
        values[::3, n // 2] = torch.nan
        values[1::7, n - 1] = torch.nan
    data.copy_(values)


def softmax_tolerance(kernel, x, reference):
    """See the head of this file. x and reference are f64."""
    shifted = (x - x.amax(1, keepdim=True)).clamp_(-150, 0).abs_()
    constant = 48 + kernel.elements_per_thread()
    tolerance = reference * (F32_UNIT * (constant + 2 * shifted)) + 2.0**-125
    return tolerance + narrowing(kernel.dtype, reference + tolerance)


def narrowing(dtype, magnitude):
    """Bound on rounding an f32 value to the output's type; f32 is not rounded
    again."""
    if dtype == "f32":
        return 0.0
    relative, smallest = HALF_ULP[dtype]
    return relative * magnitude + smallest


def compare(output, reference, tolerance):
    """Texts about the elements of `output` that are not within `tolerance` of
    the reference (both f64); NaN has to meet NaN."""
    output = output.double()
    good = ((output - reference).abs() <= tolerance) | (
        output.isnan() & reference.isnan())
    bad = ~good
    count = int(bad.sum())
    if not count:
        return []
    place = tuple(bad.nonzero()[0].tolist())
    bound = tolerance[place].item()
    return [f"{count} elements are wrong; the first, at {place}, is "
            f"{output[place].item()!r}, not {reference[place].item()!r} "
            f"within {bound:.3g}"]


def softmax_problems(kernel, x, output):
    """What is wrong with `output` as the softmax of x, a tensor taken before
    the launch."""
    x = x.double()
    reference = torch.softmax(x, 1)
    return compare(output, reference, softmax_tolerance(kernel, x, reference))


def check_softmax(kernel, case, generator, guard=GUARD):
    """Runs one case of softmax or softmax_naive; returns what is wrong."""
    dtype = DTYPES[kernel.dtype]
    x = Matrix(case.m, case.n, case.stride_x, case.offset_x, dtype, guard)
    if case.m and case.n:
        fill(x.data, case.fill, generator)
    y = x if case.in_place else Matrix(case.m, case.n, case.stride_y,
                                       case.offset_y, dtype, guard)
    given = x.data.clone()
    watched = None if case.in_place or x.bits.numel() > WATCHED else (
        x.bits.clone())
    problems = softmax_plan_problems(kernel, case, y.data, x.data)
    kernel.entry(y.data, x.data, case.m, case.n, case.stride_y, case.stride_x)
    problems += y.problems()
    if case.m and case.n:
        problems += softmax_problems(kernel, given, y.data)
    if watched is not None and not torch.equal(watched, x.bits):
        problems.append("the input was changed")
    return problems


def check_vector_add(kernel, case, generator, guard=GUARD):
    """Runs one case of vector_add; returns what is wrong."""
    dtype = DTYPES[kernel.dtype]
    x, y, z = (Matrix(1, case.n, case.n, offset, dtype, guard) for offset in
               (case.offset_x, case.offset_y, case.offset_z))
    for array in (x, y):
        if case.n:
            fill(array.data, "normal", generator)
    if case.in_place:
        z = x
    reference = x.data.double() + y.data.double()
    problems = vector_plan_problems(kernel, case, x.data, y.data, z.data)
    kernel.entry(x.data, y.data, z.data, case.n)
    problems += z.problems()
    relative, smallest = HALF_ULP[kernel.dtype]
    # 1e-6 covers the rounding of this bound's own arithmetic.
    tolerance = reference.abs() * (relative * (1 + 1e-6)) + smallest
    return problems + compare(z.data, reference, tolerance)


def check_case(kernel, case, generator, guard=GUARD):
    check = (check_softmax if isinstance(case, SoftmaxCase) else
             check_vector_add)
    return check(kernel, case, generator, guard)


def check_refused_output(kernel, report):
    """A refused launch writes nothing."""
    n = kernel.block + 1
    x, y = (Matrix(4, n, n, 0, DTYPES[kernel.dtype]) for _ in range(2))
    try:
        kernel.entry(y.data, x.data, 4, n, n, n)
        problems = ["the launch was accepted"]
    except kernel.runtime.TesseraError as error:
        problems = [] if error.status_name == "REFUSED" else [str(error)]
    torch.cuda.synchronize()
    written = int((y.bits != y.pattern).sum())
    if written:
        problems.append(f"{written} elements were written")
    report.check(f"{kernel.name} refused launch", problems)


def check_all(pairs, report, guard=GUARD):
    """Checks all cases, each with a seed of its own. One that raises has
    failed; the others still run, unless the device is lost."""
    for number, (kernel, case) in enumerate(pairs):
        generator = torch.Generator("cuda").manual_seed(1000 + number)
        try:
            problems = check_case(kernel, case, generator, guard)
        except Exception as error:  # pylint: disable=broad-except
            problems = [f"{type(error).__name__}: {error}"]
        report.check(f"{kernel.name} {case}", problems)
        # Raises after a fault, which the case above has to answer for.
        torch.cuda.synchronize()
