# ===- triton_matmul.py - tiled matmuls in Triton ---------------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# The kernel of lib/Kernels/matmul.mlir, to compare with, and the three forms of it
# that authors write by hand in Triton: tiles in groups of GROUP rows (0: row-major
# order), and programs that stay for several tiles.
#
# ===------------------------------------------------------------------------===#

import torch
import triton
import triton.language as tl

# (BM, BN, BK, stages, warps)
CONFIGS = [(128, 64, 32, 4, 4), (128, 256, 64, 3, 8), (128, 128, 32, 1, 8)]
# Those that the other forms are timed for.
FORMS = CONFIGS[:2]
GROUP = 8


@triton.jit
def place(tile, m, n, BM: tl.constexpr, BN: tl.constexpr, GROUP: tl.constexpr):
    """Row and column of a tile."""
    tiles_n = tl.cdiv(n, BN)
    if GROUP == 0:
        return tile // tiles_n, tile % tiles_n
    first = tile // (GROUP * tiles_n) * GROUP
    rows = min(tl.cdiv(m, BM) - first, GROUP)
    within = tile % (GROUP * tiles_n)
    return first + within % rows, within // rows


@triton.jit
def compute_tile(tile, a, b, c, m, n, k, sam, sak, sbk, sbn, scm, scn,
                 BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                 STAGES: tl.constexpr, GROUP: tl.constexpr):
    tile_m, tile_n = place(tile, m, n, BM, BN, GROUP)
    offs_m = tile_m * BM + tl.arange(0, BM)
    offs_n = tile_n * BN + tl.arange(0, BN)
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


@triton.jit
def matmul_kernel(a, b, c, m, n, k, sam, sak, sbk, sbn, scm, scn,
                  BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                  STAGES: tl.constexpr, GROUP: tl.constexpr):
    compute_tile(tl.program_id(0), a, b, c, m, n, k, sam, sak, sbk, sbn, scm, scn,
                 BM, BN, BK, STAGES, GROUP)


@triton.jit
def persistent_kernel(a, b, c, m, n, k, sam, sak, sbk, sbn, scm, scn,
                      BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                      STAGES: tl.constexpr, GROUP: tl.constexpr):
    tiles = tl.cdiv(m, BM) * tl.cdiv(n, BN)
    for tile in range(tl.program_id(0), tiles, tl.num_programs(0)):
        compute_tile(tile, a, b, c, m, n, k, sam, sak, sbk, sbn, scm, scn,
                     BM, BN, BK, STAGES, GROUP)


def contenders(a, b, c, forms=False):
    """A function for each configuration of the naive kernel, by name; with `forms`
    also for the others."""
    m, k = a.shape
    n = b.shape[1]
    sms = torch.cuda.get_device_properties(0).multi_processor_count

    def make(config, group, persistent):
        bm, bn, bk, stages, warps = config
        tiles = triton.cdiv(m, bm) * triton.cdiv(n, bn)
        # As many programs as are resident with the small tile.
        programs = min(tiles, sms * (1 if bn > 128 else 2))
        kernel = persistent_kernel if persistent else matmul_kernel
        return lambda: kernel[(programs if persistent else tiles,)](
            a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride(),
            BM=bm, BN=bn, BK=bk, STAGES=stages, GROUP=group, num_warps=warps)

    def describe(config):
        bm, bn, bk, stages, warps = config
        return f"triton {bm}x{bn}x{bk} s{stages} w{warps}"

    functions = {describe(config): make(config, 0, False) for config in CONFIGS}
    if forms:
        for config in FORMS:
            for group, persistent, suffix in [(GROUP, False, "swz"), (0, True, "per"),
                                              (GROUP, True, "both")]:
                functions[f"{describe(config)} {suffix}"] = make(config, group, persistent)
    return functions
