#===- triton_kernels.py - the same kernels in Triton -----------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""What our kernels are measured against, as Triton's tutorials write it: a row
a program for softmax, a block a program for the sum of vectors. Importing this
file needs triton; its JIT reads the source of the functions from it."""

import triton
import triton.language as tl


@triton.jit
def softmax_rows(y, x, stride_y, stride_x, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    v = tl.load(x + row * stride_x + cols, mask=mask, other=-float("inf"))
    v = v.to(tl.float32)
    exp = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row * stride_y + cols, exp / tl.sum(exp, axis=0), mask=mask)


@triton.jit
def vector_add(x, y, z, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, mask=mask)
    b = tl.load(y + offs, mask=mask)
    tl.store(z + offs, a + b, mask=mask)


def softmax(y, x, warps):
    m, n = x.shape
    softmax_rows[(m,)](y, x, y.stride(0), x.stride(0), n,
                       BLOCK=triton.next_power_of_2(n), num_warps=warps)


def add(x, y, z, warps, block=1024):
    n = x.numel()
    vector_add[(triton.cdiv(n, block),)](x, y, z, n, BLOCK=block,
                                         num_warps=warps)
