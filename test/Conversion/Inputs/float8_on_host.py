#!/usr/bin/env python3
# ===- float8_on_host.py - runs conversions of LLVM IR on the CPU -----------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# The kernels of test/GPU/Inputs/conversions.mlir as LLVM IR of a target without
# instructions for 8-bit floats are plain arithmetic but for the thread index and
# a few roundings. With those replaced, and address spaces dropped, a shared
# library comes of them, whose results are compared with tables.
#
#   float8_on_host.py --ir FILE --cc COMPILER --work DIR
#
# ===------------------------------------------------------------------------===#

import argparse
import ctypes
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "GPU"))
import float8  # noqa: E402

COUNT = 1024
WIDTHS = {"e": 16, "b": 16, "f": 32, "d": 64}

# The intrinsics, from their definitions: rounding towards zero keeps the top 24
# bits.
HELPERS = """
#include <math.h>
#include <stdint.h>
#include <string.h>
unsigned tile_tid;
unsigned tile_get_tid(void) { return tile_tid; }
float tile_d2f(double x) {
  float f = (float)x;
  return !isinf(x) && fabs((double)f) > fabs(x) ? nextafterf(f, 0.0f) : f;
}
static float keep24(uint64_t x) {
  int shift = 0;
  while (x >> shift >> 24)
    ++shift;
  return ldexpf((float)(x >> shift), shift);
}
float tile_ui2f(uint32_t x) { return keep24(x); }
float tile_ull2f(uint64_t x) { return keep24(x); }
float tile_ll2f(int64_t x) { return x < 0 ? -keep24(-(uint64_t)x) : keep24(x); }
float tile_i2f(int32_t x) { return tile_ll2f(x); }
"""

# f32 to bf16 for compilers whose library lacks it.
BF16 = """
define weak bfloat @__truncsfbf2(float %x) {
  %bits = bitcast float %x to i32
  %shifted = lshr i32 %bits, 16
  %odd = and i32 %shifted, 1
  %half = add i32 %odd, 32767
  %sum = add i32 %bits, %half
  %round = lshr i32 %sum, 16
  %quiet = or i32 %shifted, 64
  %nan = fcmp uno float %x, %x
  %result = select i1 %nan, i32 %quiet, i32 %round
  %short = trunc i32 %result to i16
  %b = bitcast i16 %short to bfloat
  ret bfloat %b
}
"""


def build(ir, cc, work):
    """The library, and the number of threads of each kernel."""
    text = open(ir, encoding="utf-8").read()
    groups = dict(re.findall(r'^attributes #(\d+) = .*"nvvm.reqntid"="(\d+)', text, re.M))
    threads = {name: int(groups[group]) for name, group in
               re.findall(r"^define ptx_kernel void @(\w+)\(.*\) #(\d+)", text, re.M)}
    text = re.sub(r"^(target|attributes) .*\n", "", text, flags=re.M)
    text = re.sub(r"^declare (.*)@llvm\.nvvm\.", r"declare \1@llvm.nvvm.", text, flags=re.M)
    text = re.sub(r" (#\d+)(?=[ ,\n])", "", text)
    text = text.replace(" addrspace(1)", "").replace("ptx_kernel ", "")
    text = text.replace("@llvm.nvvm.read.ptx.sreg.tid.x", "@tile_get_tid")
    text = re.sub(r"@llvm\.nvvm\.(\w+)\.rz", r"@tile_\1", text)
    assert "nvvm" not in re.sub(r"!.*|range\(.*?\)", "", text), "an intrinsic is left"
    os.makedirs(work, exist_ok=True)
    path = os.path.join(work, "kernels")
    with open(path + ".ll", "w", encoding="utf-8") as file:
        file.write(text + BF16)
    with open(path + ".c", "w", encoding="utf-8") as file:
        file.write(HELPERS)
    subprocess.check_call(["llc", "-O1", "-relocation-model=pic", "-filetype=obj",
                           path + ".ll", "-o", path + ".o"])
    subprocess.check_call([cc, "-O1", "-shared", "-fPIC", path + ".c", path + ".o",
                           "-lm", "-o", path + ".so"])
    return ctypes.CDLL(os.path.abspath(path + ".so")), threads


def run(library, threads, name, inputs, widths):
    """Runs a kernel on lists of bit patterns; `widths` are those of its outputs."""
    def buffer(width, bits):
        data = b"".join(value.to_bytes(width // 8, "little") for value in bits)
        return ctypes.create_string_buffer(data, len(data))
    buffers = [buffer(width, bits) for width, bits in inputs]
    outputs = [buffer(width, [0xA5] * COUNT) for width in widths]
    for thread in range(threads[name]):
        ctypes.c_uint.in_dll(library, "tile_tid").value = thread
        library[name](*buffers, *outputs)
    return [[int.from_bytes(out.raw[i:i + width // 8], "little")
             for i in range(0, COUNT * width // 8, width // 8)]
            for width, out in zip(widths, outputs)]


def check_narrowing(library, threads, rounds):
    wrong = 0
    kinds = "febd"  # The order of the arguments below: f32, f16, bf16, f64.
    for seed in range(rounds):
        bits = {kind: float8.hard_bits(kind, COUNT, seed) for kind in kinds}
        if seed < 64:  # Every f16 and every bf16.
            for kind in "eb":
                bits[kind] = list(range(seed * COUNT, (seed + 1) * COUNT))
        outputs = run(library, threads, "to_fp8_kernel",
                      [(WIDTHS[kind], bits[kind]) for kind in kinds], [8] * 8)
        for index, out in enumerate(outputs):
            kind, name = kinds[index // 2], ("e4m3", "e5m2")[index % 2]
            for pattern, code in zip(bits[kind], out):
                if not float8.agrees(name, code, float8.from_bits(kind, pattern)):
                    wrong += 1
                    print(f"{kind} {pattern:#x} -> {name} {code:#x}")
    print("narrowing:", wrong, "wrong")
    return wrong


def check_widening(library, threads):
    wrong = 0
    codes = list(range(256)) * 4
    kinds = ["f", "e", "b", "d", "e5m2", "f", "e", "b", "d", "e4m3"]
    outputs = run(library, threads, "convert_fp8_kernel", [(8, codes), (8, codes)],
                  [WIDTHS.get(kind, 8) for kind in kinds])
    for index, (kind, out) in enumerate(zip(kinds, outputs)):
        source = ("e4m3", "e5m2")[index // 5]
        for code, bits in zip(codes, out):
            number = float8.VALUES[source][code]
            good = (float8.agrees(kind, bits, number) if kind in float8.FORMATS
                    else float8.same(float8.from_bits(kind, bits), number))
            if not good:
                wrong += 1
                print(f"{source} {code:#x} -> {kind} {bits:#x}")
    print("widening:", wrong, "wrong")
    return wrong


def check_integers(library, threads):
    wrong = 0
    source = random.Random(7)
    for seed in range(16):
        small = float8.hard_integers(32, COUNT, 2 * seed)
        large = float8.hard_integers(64, COUNT, 2 * seed + 1)
        floats = [float8.from_bits("f", 0x3F800000) if source.random() < 0.5 else
                  source.random() for _ in range(COUNT)]
        patterns = [int.from_bytes(ctypes.c_float(x), "little") for x in floats]
        outputs = run(library, threads, "convert_integers_kernel",
                      [(32, small), (64, large), (32, patterns)], [16, 16, 16, 16, 8, 8])
        signed = [[x - (1 << w) if x >> (w - 1) else x for x in numbers]
                  for w, numbers in ((32, small), (64, large))]
        wants = [[float8.nearest_bf16(x) for x in numbers]
                 for numbers in (signed[0], small, signed[1], large)]
        wants += [[int(ctypes.c_float(x).value >= 1.0) for x in floats]] * 2
        for index, (out, want) in enumerate(zip(outputs, wants)):
            wrong += sum(a != b for a, b in zip(out, want))
            for row, (a, b) in enumerate(zip(out, want)):
                if a != b:
                    print(f"output {index}, element {row}: {a:#x}, not {b:#x}")
    print("integers:", wrong, "wrong")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ir", required=True)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--rounds", type=int, default=64, help="of 1024 numbers of each type")
    options = parser.parse_args()
    library, threads = build(options.ir, options.cc, options.work)
    wrong = (check_narrowing(library, threads, options.rounds)
             + check_widening(library, threads) + check_integers(library, threads))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
