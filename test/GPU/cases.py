#===- cases.py - which shapes and layouts are checked ----------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Cases as plain data, shared by the dry run and by the run on a GPU.

Every kernel of the build folder gets the cases that its BLOCK suggests; the
named shapes go to the kernel that a user would choose for them.
"""

import dataclasses

from kernels import preferred

# Rows and columns; the last blocks are far from full.
SHAPES = ((1823, 781), (4096, 1024), (32768, 1024), (32768, 4096),
          (8192, 16384), (1, 1), (7, 33), (300, 12345))
# A quick run leaves out shapes of more elements.
QUICK_ELEMENTS = 1 << 23

VECTOR_SIZES = (1, 31, 1023, 1024, 1025, 1 << 20, 10**6 + 7, 1 << 26)

# What the rows hold; checks.fill makes them.
FILLS = ("negative", "minus_inf", "huge", "nan", "plus_inf", "equal")


@dataclasses.dataclass(frozen=True)
class SoftmaxCase:
    """Strides are n + pad; an offset counts elements from a 16-byte boundary
    to the first row. In place, y is x."""

    m: int
    n: int
    fill: str = "normal"
    pad_x: int = 0
    pad_y: int = 0
    offset_x: int = 0
    offset_y: int = 0
    in_place: bool = False

    @property
    def stride_x(self):
        return self.n + self.pad_x

    @property
    def stride_y(self):
        return self.stride_x if self.in_place else self.n + self.pad_y

    def __str__(self):
        text = f"{self.m}x{self.n}"
        for field in dataclasses.fields(self)[2:]:
            value = getattr(self, field.name)
            if value != field.default:
                text += f" {field.name}={value}"
        return text


@dataclasses.dataclass(frozen=True)
class VectorCase:
    """z = x + y for n elements; offsets as in SoftmaxCase."""

    n: int
    offset_x: int = 0
    offset_y: int = 0
    offset_z: int = 0
    in_place: bool = False

    def __str__(self):
        offsets = f"{self.offset_x},{self.offset_y},{self.offset_z}"
        return (f"{self.n} offsets={offsets}" +
                (" in_place" if self.in_place else ""))


def block_cases(block):
    """Cases around the size of a block: every compiled kernel runs them."""
    ragged, part = max(1, block - 3), max(1, 3 * block // 4)
    sizes = sorted({1, block // 2 + 1, ragged, block})
    yield from (SoftmaxCase(67, n) for n in sizes)
    yield from (SoftmaxCase(67, ragged, fill) for fill in FILLS)
    # Aligned rows, then odd strides, then column slices of larger matrices.
    yield SoftmaxCase(33, part, pad_x=block - part, pad_y=2 * block - part)
    yield SoftmaxCase(33, block, pad_x=16, pad_y=32)
    yield SoftmaxCase(33, part, pad_x=1, pad_y=3)
    for offset_x, offset_y in ((1, 0), (0, 1), (4, 4), (3, 5)):
        yield SoftmaxCase(33, part, pad_x=16, pad_y=16, offset_x=offset_x,
                          offset_y=offset_y)
    yield SoftmaxCase(33, ragged, pad_x=7, pad_y=1, offset_x=3, offset_y=5)
    yield SoftmaxCase(67, part, in_place=True)
    yield SoftmaxCase(0, part)
    yield SoftmaxCase(5, 0, pad_x=8, pad_y=8)


# What the sanitizer looks at: one warp, several accesses a thread, 16 warps.
SUBSET_BLOCKS = (64, 1024, 16384)


def subset_cases(block):
    """A few cases with few programs."""
    yield SoftmaxCase(3, block)
    yield SoftmaxCase(3, max(1, block - 3), pad_x=1)
    yield SoftmaxCase(2, max(1, block // 2 + 1), pad_x=8, pad_y=1, offset_x=1)


# Row 2 starts 2^31 elements behind the first: an offset that i32 cannot hold.
FAR_ROWS = SoftmaxCase(3, 100, pad_x=(1 << 30) - 100, pad_y=4)


def named_cases(kernels, quick):
    """Yields (source, element type, kernel, case); the kernel is None for a
    shape that no kernel of the folder fits."""
    variants = sorted({(k.source, k.dtype) for k in kernels
                       if k.source != "vector_add"})
    for source, dtype in variants:
        for m, n in SHAPES:
            if not quick or m * n <= QUICK_ELEMENTS:
                yield (source, dtype, preferred(kernels, source, dtype, n),
                       SoftmaxCase(m, n))
        if dtype == "f16" and not quick:
            yield (source, dtype, preferred(kernels, source, dtype, 100),
                   FAR_ROWS)


def vector_cases(quick):
    for n in VECTOR_SIZES:
        if not quick or n <= QUICK_ELEMENTS:
            yield VectorCase(n)
    for offsets in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (3, 5, 7), (8, 16, 24)):
        yield VectorCase(100003, *offsets)
    # Aligned and a multiple of any block: what the clone is for.
    yield VectorCase(1 << 16, 8, 16, 24)
    yield VectorCase(4099, in_place=True)
    yield VectorCase(0)


def vector_subset():
    return VectorCase(1024), VectorCase(1000), VectorCase(77, 1, 0, 1)


def select_cases(kernels, quick, subset):
    """Splits everything there is to check into pairs (kernel, case) and texts
    about shapes that no kernel of the folder fits."""
    chosen, absent = [], []
    if subset:
        kernels = [kernel for kernel in kernels
                   if kernel.block in SUBSET_BLOCKS and not kernel.forced]
    for kernel in kernels:
        if kernel.source == "vector_add":
            cases = vector_subset() if subset else vector_cases(quick)
        else:
            cases = (subset_cases if subset else block_cases)(kernel.block)
        chosen += [(kernel, case) for case in cases]
    for source, dtype, kernel, case in ([] if subset else
                                        named_cases(kernels, quick)):
        if kernel:
            chosen.append((kernel, case))
        elif source == "softmax":
            absent.append(f"{source}-{dtype} {case}: no kernel is that wide")
    return chosen, absent
