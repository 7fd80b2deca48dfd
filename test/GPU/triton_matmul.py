# ===- triton_matmul.py - the naive tiled matmul in Triton -----------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# The same kernel as lib/Kernels/matmul.mlir, to compare with.
#
# ===------------------------------------------------------------------------===#

import triton
import triton.language as tl

# (BM, BN, BK, stages, warps)
CONFIGS = [(128, 64, 32, 4, 4), (128, 256, 64, 3, 8), (128, 128, 32, 1, 8)]


@triton.jit
def matmul_kernel(a, b, c, m, n, k, sam, sak, sbk, sbn, scm, scn,
                  BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                  STAGES: tl.constexpr):
    tile = tl.program_id(0)
    tiles_n = tl.cdiv(n, BN)
    offs_m = tile // tiles_n * BM + tl.arange(0, BM)
    offs_n = tile % tiles_n * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for kk in tl.range(0, k, BK, num_stages=STAGES):
        offs_k = kk + tl.arange(0, BK)
        at = tl.load(a + offs_m[:, None] * sam + offs_k[None, :] * sak,
                     mask=(offs_m[:, None] < m) & (offs_k[None, :] < k), other=0)
        bt = tl.load(b + offs_k[:, None] * sbk + offs_n[None, :] * sbn,
                     mask=(offs_k[:, None] < k) & (offs_n[None, :] < n), other=0)
        acc = tl.dot(at, bt, acc)
    tl.store(c + offs_m[:, None] * scm + offs_n[None, :] * scn, acc.to(c.dtype.element_ty),
             mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))


def contenders(a, b, c):
    """A function for each configuration, by name."""
    m, k = a.shape
    n = b.shape[1]

    def run(bm, bn, bk, stages, warps):
        grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)
        matmul_kernel[grid](a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride(),
                            BM=bm, BN=bn, BK=bk, STAGES=stages, num_warps=warps)

    return {f"triton {bm}x{bn}x{bk} s{s} w{w}": (lambda config=(bm, bn, bk, s, w): run(*config))
            for bm, bn, bk, s, w in CONFIGS}
