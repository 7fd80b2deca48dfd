#!/usr/bin/env python3
# ===- build_more_set.py - kernels beside matmul that the GPU checks run ----===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# Compiles the kernels that test/GPU/kernels_more.py runs, for element types,
# tiles and numbers of warps, into one folder:
# more-KERNEL-VALUES-wN.cubin with their manifests. Prints the kernels that spill
# and what the compiler says of them. For each grouped and persistent product
# with a fixed number of warps comes the plain one that it has to equal bit by bit.
#
#   build_more_set.py --tile-opt build/bin/tile-opt --output DIR
#
# ===------------------------------------------------------------------------===#

import json
import os
import subprocess

from build_matmul_set import build_set

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
KERNELS = os.path.join(ROOT, "lib", "Kernels")
INPUTS = os.path.join(ROOT, "test", "GPU", "Inputs")

F16, BF16, F32 = ("f16", "f32", "f16"), ("bf16", "f32", "bf16"), ("f32", "f32", "f32")
F64, I8, F8 = ("f64", "f64", "f64"), ("i8", "i32", "i32"), ("f8E4M3FN", "f32", "f16")


def product(types, tile, warps, **more):
    """Parameters of a product: type, accumulator, output; BM x BN x BK."""
    names = ("T", "ACC", "OUT", "BM", "BN", "BK")
    return dict(zip(names, (*types, *tile)), **more), warps


def rows(kind, block, warps=0):
    return {"T": kind, "BLOCK": block}, warps


def attention(kind, out, tile, warps):
    return dict(zip(("T", "OUT", "BM", "BN", "D"), (kind, out, *tile))), warps


def column(kind, bm, bn, warps=0):
    return {"T": kind, "BM": bm, "BN": bn}, warps


def batched(kind, acc, warps, **more):
    return {"T": kind, "ACC": acc, **more}, warps


# Parameters and warps (0: the compiler's choice) of each kernel.
CONFIGS = {
    "matmul_grouped": [
        product(F16, (128, 128, 32), 0, GROUP_M=8),
        product(F16, (64, 64, 32), 4, GROUP_M=8),
        product(F16, (128, 128, 32), 8, GROUP_M=3),
        product(BF16, (64, 128, 32), 4, GROUP_M=1),
        product(F32, (64, 64, 32), 8, GROUP_M=4),
        product(I8, (64, 64, 64), 8, GROUP_M=5)],
    "matmul_persistent": [
        product(F16, (128, 128, 32), 0, PROGRAMS_PER_SM=1),
        product(F16, (64, 64, 32), 4, PROGRAMS_PER_SM=1),
        product(F16, (128, 128, 32), 8, PROGRAMS_PER_SM=2),
        product(BF16, (64, 128, 32), 4, PROGRAMS_PER_SM=1),
        product(F32, (64, 64, 32), 8, PROGRAMS_PER_SM=3),
        product(F64, (32, 64, 16), 4, PROGRAMS_PER_SM=1)],
    "batched_matmul": [
        product(F16, (128, 128, 32), 0), product(F16, (64, 64, 32), 4),
        product(F32, (64, 64, 32), 8), product(F8, (64, 64, 64), 4),
        product(F16, (16, 16, 16), 1)],
    "matmul_bias_relu": [
        product(F16, (128, 128, 32), 0), product(BF16, (64, 64, 32), 4),
        product(F32, (64, 128, 16), 8), product(F64, (64, 32, 16), 4)],
    "matmul_transposed": [
        product(F16, (128, 128, 32), 0), product(F16, (64, 64, 32), 4),
        product(BF16, (128, 64, 64), 8), product(F32, (64, 64, 32), 4),
        product(I8, (64, 64, 64), 8), product(F64, (32, 64, 16), 4)],
    "dot_of_dot": [
        attention("f16", "f16", (64, 64, 64), 0),
        attention("f16", "f32", (128, 64, 64), 8),
        attention("bf16", "bf16", (64, 32, 128), 4),
        attention("f16", "f16", (64, 128, 128), 4),
        attention("bf16", "f32", (128, 32, 32), 4),
        attention("f16", "f16", (128, 128, 128), 8),
        attention("f16", "f16", (64, 64, 64), 8),
        attention("f32", "f32", (64, 32, 32), 4)],
    # A of wgmma in registers; the fourth one's warps share rows, so that it is not.
    "squared_product": [
        product(F16, (128, 128, 64), 8), product(F16, (64, 64, 32), 4),
        product(BF16, (128, 256, 64), 8), product(F16, (64, 64, 32), 8),
        product(BF16, (128, 64, 32), 4)],
    "layernorm": [
        rows("f32", 1024), rows("f16", 4096), rows("bf16", 1024, 4),
        rows("f32", 256, 1), rows("f16", 16384), rows("f32", 32)],
    "rmsnorm": [
        rows("f32", 1024), rows("f16", 4096), rows("bf16", 1024, 4),
        rows("f32", 256, 1), rows("f16", 16384), rows("f32", 32)],
    "column_sum": [
        column("f32", 64, 64), column("f16", 128, 32), column("bf16", 32, 256, 8),
        column("f32", 256, 32, 2)],
    "batched_dot": [
        batched("f16", "f32", 0), batched("f16", "f32", 8, NB=4),
        batched("f32", "f32", 4), batched("f64", "f64", 2),
        batched("i8", "i32", 4, BK=32), batched("bf16", "f32", 4, NB=1, BM=64),
        batched("f16", "f32", 2, NB=8, BM=8, BN=8, BK=8)],
}
# Not shipped: in test/GPU/Inputs.
TEST_KERNELS = ("batched_dot", "squared_product")
SAME_AS_MATMUL = ("matmul_grouped", "matmul_persistent")


def all_configs():
    """Kernel, parameters and warps, without repetition."""
    jobs = [(kernel, parameters, warps)
            for kernel, configs in CONFIGS.items() for parameters, warps in configs]
    plain = {}
    for kernel, parameters, warps in jobs:
        if kernel in SAME_AS_MATMUL and warps:
            kept = {name: parameters[name]
                    for name in ("T", "ACC", "OUT", "BM", "BN", "BK")}
            plain[(*kept.values(), warps)] = ("matmul", kept, warps)
    return jobs + list(plain.values())


def compile_one(tile_opt, output, target, config):
    """The name of the files, and the finished process."""
    kernel, parameters, warps = config
    folder = INPUTS if kernel in TEST_KERNELS else KERNELS
    values = "-".join(map(str, parameters.values()))
    name = f"more-{kernel}-{values}-w{warps or 'auto'}"
    command = [tile_opt, os.path.join(folder, kernel + ".mlir"), "--emit=cubin",
               f"--target={target}", "-o", os.path.join(output, name + ".cubin")]
    for parameter, value in parameters.items():
        command += ["-D", f"{parameter}={value}"]
    if warps:
        command.append(f"--num-warps={warps}")
    return name, subprocess.run(command, capture_output=True, text=True)


def print_spills(output, name):
    with open(os.path.join(output, name + ".json")) as file:
        kernels = json.load(file)["kernels"]
    for kernel in kernels:
        if kernel["spill_store_bytes"] or kernel["spill_load_bytes"]:
            print(f"{name}: {kernel['name']} with {kernel['num_warps']} warps spills "
                  f"{kernel['spill_store_bytes']} bytes")


if __name__ == "__main__":
    build_set(all_configs(), compile_one, "kernels", print_spills)
