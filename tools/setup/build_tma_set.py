#!/usr/bin/env python3
# ===- build_tma_set.py - tensor copies that the GPU checks run -------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# Compiles test/GPU/Inputs/tensor_copy.mlir.in for element types and swizzles into
# one folder: tma-TYPE-ROWBYTES-FROM-TO.cubin with their manifests; the sources as
# .mlir, and with offsets and barriers as .level2.mlir, which tile-run takes. Layouts
# are computed here, from the formula of the swizzle.
#
#   build_tma_set.py --tile-opt build/bin/tile-opt --output DIR
#
# ===------------------------------------------------------------------------===#

import os
import subprocess

from build_matmul_set import build_set

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SOURCE = os.path.join(ROOT, "test", "GPU", "Inputs", "tensor_copy.mlir.in")
ROWS = 64
BYTES = {"f16": 2, "f32": 4}
# Bytes of a row of the tile, swizzles of the load and of the store.
CONFIGS = [(kind, *config) for kind in BYTES for config in (
    (256, 128, 128), (128, 128, 0), (128, 0, 128), (64, 64, 0), (64, 0, 64),
    (32, 32, 0), (32, 0, 32))]


def print_vectors(vectors):
    return "[" + ", ".join(f"[{row}, {column}]" for row, column in vectors) + "]"


def powers(limit):
    """1, 2, 4, ... below limit."""
    return [1 << bit for bit in range(limit.bit_length() - 1)]


def make_buffer(row_bytes, swizzle, size):
    """Where offsets 1, 2, 4, ... lie: rows of at most 128 bytes, whose 16-byte
    chunks are changed by the number of the 128-byte line."""
    panel = min(row_bytes, 128) if swizzle else row_bytes
    vectors = [(0, column) for column in powers(panel // size)]
    for row in powers(ROWS):
        line = row * panel // 128
        chunk = line % (swizzle // 16) if swizzle else 0
        vectors.append((row, chunk * 16 // size))
    return print_vectors(vectors +
                         [(0, panel // size * part)
                          for part in powers(row_bytes // panel)])


def make_registers(row_bytes, size):
    """16 bytes a thread, then columns and rows over lanes and warps."""
    vector = 16 // size
    rest = [(0, vector * column) for column in powers(row_bytes // 16)]
    rest += [(row, 0) for row in powers(ROWS)]
    first = [(0, column) for column in powers(vector)]
    lanes, warps, more = rest[:5], rest[5:7], rest[7:]
    warps += [(0, 0)] * (2 - len(warps))
    return (f"#tile_gpu.layout<register = {print_vectors(first + more)}, "
            f"lane = {print_vectors(lanes)}, warp = {print_vectors(warps)}>")


def make_source(kind, row_bytes, load, store):
    size = BYTES[kind]
    values = {
        "T": kind, "FROM": load, "TO": store, "COLUMNS": row_bytes // size,
        "FROM_BOX": (load or row_bytes) // size,
        "TO_BOX": (store or row_bytes) // size, "BYTES": ROWS * row_bytes,
        "FROM_LAYOUT": make_buffer(row_bytes, load, size),
        "TO_LAYOUT": make_buffer(row_bytes, store, size),
        "REGISTERS": make_registers(row_bytes, size)}
    with open(SOURCE, encoding="utf-8") as file:
        text = file.read()
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    return text


def compile_one(tile_opt, output, target, config):
    """The name of the files, and the finished process that failed or was last. The
    source is at level 2, where tile-opt's compiler does not begin."""
    kind, row_bytes, load, store = config
    name = f"tma-{kind}-{row_bytes}-{load}-{store}"
    stem = os.path.join(output, name)
    with open(stem + ".mlir", "w", encoding="utf-8") as file:
        file.write(make_source(*config))
    commands = [
        [tile_opt, stem + ".mlir", "--tile-gpu-allocate-shared",
         "--tile-gpu-insert-barriers", "-o", stem + ".level2.mlir"],
        [tile_opt, stem + ".level2.mlir", "--tile-nvvm-pipeline",
         "-o", stem + ".nvvm.mlir"],
        [tile_opt, stem + ".nvvm.mlir", "--emit=cubin", f"--target={target}",
         "-o", stem + ".cubin"]]
    for command in commands:
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            break
    return name, result


if __name__ == "__main__":
    build_set(CONFIGS, compile_one, "tensor copies")
