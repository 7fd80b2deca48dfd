#!/usr/bin/env python3
# ===- conversions.py - checks of element type conversions on a GPU --------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# Runs the kernels of Inputs/conversions.mlir, compiled into conversions-*.json
# and the cubins beside them, against float8.py. PTX of sm_80 assembled for the
# device runs the conversions without instructions for 8-bit floats.
#
# Narrowing to 8 bits saturates here; PyTorch's does not: it is no reference, and
# its types only carry the bits.
#
#   conversions.py --build DIR --runtime LIBDIR
#
# ===------------------------------------------------------------------------===#

import argparse
import glob
import os
import sys

import torch

import float8
from ops import DEVICE, FAILURES, report, run
from runtime import import_runtime

COUNT = 1024
# Letter of float8.py: the tensor's type and an integer type of the same width.
KINDS = {"f": (torch.float32, torch.int32), "e": (torch.float16, torch.int16),
         "b": (torch.bfloat16, torch.int16), "d": (torch.float64, torch.int64),
         "e4m3": (torch.float8_e4m3fn, torch.uint8), "e5m2": (torch.float8_e5m2, torch.uint8)}


def from_patterns(kind, patterns):
    """A tensor of these bits."""
    dtype, integer = KINDS[kind]
    width = integer.itemsize * 8
    if integer != torch.uint8:
        patterns = [x - (1 << width) if x >> (width - 1) else x for x in patterns]
    return torch.tensor(patterns, dtype=integer, device=DEVICE).view(dtype)


def to_patterns(kind, tensor):
    dtype, integer = KINDS[kind]
    mask = (1 << (integer.itemsize * 8)) - 1
    return [x & mask for x in tensor.view(integer).tolist()]


def unwritten(kind):
    dtype, integer = KINDS[kind]
    return torch.full((COUNT,), 0x5A, dtype=integer, device=DEVICE).view(dtype)


def check_narrowing(kernel, tag):
    kinds = ("f", "e", "b", "d")
    names = ("e4m3", "e5m2")
    wrong = dict.fromkeys([(kind, name) for kind in kinds for name in names], 0)
    for seed in range(64):
        bits = {kind: float8.hard_bits(kind, COUNT, seed) for kind in kinds}
        for kind in "eb":  # Every f16 and every bf16.
            bits[kind] = list(range(seed * COUNT, (seed + 1) * COUNT))
        outs = {pair: unwritten(pair[1]) for pair in wrong}
        run(kernel, "to_fp8", *(from_patterns(kind, bits[kind]) for kind in kinds),
            *outs.values())
        for (kind, name), out in outs.items():
            wrong[kind, name] += sum(
                not float8.agrees(name, code, float8.from_bits(kind, pattern))
                for pattern, code in zip(bits[kind], to_patterns(name, out)))
    for (kind, name), count in wrong.items():
        report(f"{tag} {KINDS[kind][0]} to {name}", count == 0, f"{count} wrong")


def check_widening(kernel, tag):
    codes = list(range(256)) * 4
    targets = [("e4m3", kind) for kind in ("f", "e", "b", "d", "e5m2")]
    targets += [("e5m2", kind) for kind in ("f", "e", "b", "d", "e4m3")]
    outs = [unwritten(kind) for _, kind in targets]
    run(kernel, "convert_fp8", from_patterns("e4m3", codes), from_patterns("e5m2", codes), *outs)
    for (source, kind), out in zip(targets, outs):
        wrong = 0
        for code, bits in zip(codes, to_patterns(kind, out)):
            number = float8.VALUES[source][code]
            wrong += not (float8.agrees(kind, bits, number) if kind in float8.FORMATS
                          else float8.same(float8.from_bits(kind, bits), number))
        report(f"{tag} {source} to {KINDS[kind][0]}", wrong == 0, f"{wrong} wrong")


def check_integers(kernel, tag):
    small, large = float8.hard_integers(32, COUNT, 7), float8.hard_integers(64, COUNT, 8)
    halves = (torch.arange(COUNT, device=DEVICE) % 4).float() / 2  # 0, 1/2, 1, 3/2
    outs = [unwritten("b") for _ in range(4)]
    bools = [torch.full((COUNT,), 7, dtype=torch.uint8, device=DEVICE).view(torch.bool)
             for _ in range(2)]

    def signed(width, numbers):
        return [x - (1 << width) if x >> (width - 1) else x for x in numbers]

    run(kernel, "convert_integers",
        torch.tensor(signed(32, small), dtype=torch.int32, device=DEVICE),
        torch.tensor(signed(64, large), dtype=torch.int64, device=DEVICE), halves, *outs, *bools)
    wants = (signed(32, small), small, signed(64, large), large)
    for name, out, numbers in zip(("i32", "u32", "i64", "u64"), outs, wants):
        report(f"{tag} {name} to bf16",
               to_patterns("b", out) == [float8.nearest_bf16(x) for x in numbers])
    for name, out in zip(("signed", "unsigned"), bools):
        report(f"{tag} f32 to i1, {name}",
               torch.equal(out.view(torch.uint8), (halves >= 1).view(torch.uint8)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="folder with conversions-*.json")
    parser.add_argument("--runtime", required=True, help="folder with libtessera_runtime.so")
    options = parser.parse_args()
    tessera_runtime = import_runtime(options.runtime)

    manifests = sorted(glob.glob(os.path.join(options.build, "conversions-*.json")))
    if not manifests:
        sys.exit(f"no conversions-*.json in {options.build}")
    for path in manifests:
        tag = os.path.basename(path)[len("conversions-"):-len(".json")]
        kernel = tessera_runtime.load(path)
        for check in (check_narrowing, check_widening, check_integers):
            check(kernel, tag)
    print(f"{len(FAILURES)} failed" + "".join("\n  " + f for f in FAILURES))
    sys.exit(1 if FAILURES else 0)


if __name__ == "__main__":
    main()
