#!/usr/bin/env python3
# ===- build_forms_set.py - the products of the documents' table of speed ---===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# Compiles lib/Kernels/matmul.mlir in its four forms, plain, in groups of tiles,
# with persistent programs, and both, for the tiles that docs/Performance.md
# compares, into one folder: matmul-TYPE-ACC-OUT-BMxBNxBK-wN-OPTIONS.cubin with their
# manifests. They are for test/GPU/matmul.py and test/GPU/counters.py.
#
#   build_forms_set.py --tile-opt build/bin/tile-opt --output DIR [--target sm_90a]
#
# ===------------------------------------------------------------------------===#

from build_grid_set import F16, compile_one
from build_matmul_set import build_set

BF16 = ("bf16", "f32", "bf16")
GROUPED, RESIDENT = ("--swizzle=grouped:8",), ("--schedule=persistent",)
FORMS = [(), GROUPED, RESIDENT, RESIDENT + GROUPED]
LARGE, SMALL = ((128, 256, 64), 8, 4), ((128, 64, 32), 4, 4)


def config(types, tile, warps, stages, options):
    return types, tile, warps, (f"--num-stages={stages}", *options)


CONFIGS = [
    *[config(F16, *shape, form) for shape in (LARGE, SMALL) for form in FORMS],
    config(F16, *LARGE, (*RESIDENT, *GROUPED, "--assignment=dynamic")),
    config(BF16, *LARGE, RESIDENT + GROUPED),
    # For sizes of which no row is aligned.
    config(F16, (64, 128, 128), 8, 4, ()),
]

if __name__ == "__main__":
    build_set(CONFIGS, compile_one, "products")
