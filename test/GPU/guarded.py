# ===- guarded.py - operands and outputs that show a wrong access ----------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Strided tensors on the GPU between elements that no kernel may use.

Around an operand, and in the gaps of its strides, stand NaN (127 for integers):
one that is read under a mask that should be false spoils a result. Around an
output stand the same bits, which have to be there afterwards.
"""

import math

import torch

import matmul

# What a check returns, in place of an error's text, when it did not run.
SKIPPED = object()


def strided(shape, strides, dtype, offset=0):
    """Random values as a strided view, as `matmul.matrix` for any rank: the
    storage, and the view that starts `offset` elements behind its start."""
    length = 1 + sum((size - 1) * stride for size, stride in zip(shape, strides))
    if 0 in shape:
        length = 0
    storage, _ = matmul.matrix(1, offset + length, dtype, "row", 0)
    return storage, torch.as_strided(storage, shape, strides, offset)


def operand(storage, view):
    """The view, everything else in its storage being poisoned."""
    once = view
    for dimension, stride in enumerate(view.stride()):
        if stride == 0 and view.shape[dimension] > 1:
            once = once.narrow(dimension, 0, 1)
    values = once.clone()
    matmul.poison(storage)
    once.copy_(values)
    return view


class Output:
    """A view whose storage is poisoned; `view` is what a kernel writes."""

    def __init__(self, storage, view):
        self.view = view
        self.bits = matmul.poison(storage)
        self.before = self.bits.clone()
        inside = torch.zeros_like(self.bits, dtype=torch.bool)
        torch.as_strided(inside, view.shape, view.stride(),
                         view.storage_offset()).fill_(True)
        self.outside = ~inside

    def writes_outside(self):
        return not torch.equal(self.bits[self.outside], self.before[self.outside])

    def untouched(self):
        return torch.equal(self.bits, self.before)

    def same_bits(self, other):
        """Whether an output of the same strides holds the same bits."""
        return torch.equal(self.bits, other.bits)


def vector(length, dtype, offset=0):
    """Random values one after another, as an operand."""
    return operand(*strided((length,), (1,), dtype, offset))


def compare(got, want, bound):
    """None when |got - want| <= bound (all in float64, or convertible) and NaN
    is where it should be; otherwise how large the error is."""
    if want.numel() == 0:
        return None
    got = got.to(torch.float64)
    error = (got - want).abs()
    both = (torch.isnan(got) & torch.isnan(want)) | (got == want)
    excess = torch.where(both, torch.zeros_like(error), error - bound)
    worst = torch.nan_to_num(excess, nan=math.inf).max().item()
    if worst <= 0:
        return None
    wrong = int((torch.nan_to_num(excess, nan=math.inf) > 0).sum())
    return (f"{wrong} of {want.numel()} elements wrong, error "
            f"{torch.nan_to_num(error, nan=math.inf).max().item():.3g}, "
            f"{worst:.3g} over the bound")


def enough_memory(gigabytes, what):
    """Whether that much is free on the device; says so when it is not."""
    if torch.cuda.mem_get_info()[0] >= gigabytes * 1e9:
        return True
    print(f"skip {what}: less than {gigabytes} GB are free")
    return False
