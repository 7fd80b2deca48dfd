#===- doublings.py - kernels of values that are used twice -----------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: doublings.py LENGTH > KERNELS

Prints kernels in which each of LENGTH values is made from the one before, or the two
before: a walk over the expression takes about 2^LENGTH steps. The values are offsets
of an access, its mask, and the divisor of the program's number.
"""

import sys

LENGTH = int(sys.argv[1])

HEAD = """
!tensor = tensor<16x32xi32>
!mask = tensor<16x32xi1>
!pointers = tensor<16x32x!tile.ptr<f32>>
"""

KERNEL = """
tile.func @{name}(%p: !tile.ptr<f32>, %n: i32, %s: i32) {{
  %r = tile.arange : tensor<16xi32>
  %e = tile.expand_dims %r, 1 : tensor<16xi32> -> tensor<16x1xi32>
  %row = tile.broadcast %e : tensor<16x1xi32> -> !tensor
  %zeros = arith.constant dense<0.0> : tensor<16x32xf32>
  %ps = tile.splat %p : !tile.ptr<f32> -> !pointers
{body}
  tile.return
}}
"""


def chain(name, operation, kind, distance):
    """%NAME0 up to %NAME`LENGTH`: each from the one before, and one `distance` away."""
    return "".join(
        f"  %{name}{i} = arith.{operation} %{name}{i - distance}, %{name}{i - 1} : {kind}\n"
        for i in range(distance, LENGTH + 1))


OFFSETS = f"""
  %x0 = arith.addi %row, %row : !tensor
{chain("x", "addi", "!tensor", 1)}
  %q = tile.addptr %ps, %x{LENGTH} : !pointers, !tensor
  tile.store %q, %zeros : !pointers"""

MASK = f"""
  %ns = tile.splat %n : i32 -> !tensor
  %ss = tile.splat %s : i32 -> !tensor
  %m0 = arith.cmpi slt, %row, %ns : !tensor
  %m1 = arith.cmpi sge, %row, %ns : !tensor
{chain("m", "andi", "!mask", 2)}
  %o = arith.muli %row, %ss : !tensor
  %q = tile.addptr %ps, %o : !pointers, !tensor
  tile.store %q, %zeros, %m{LENGTH} : !pointers"""

DIVISOR = f"""
  %id = tile.program_id x
  %d0 = arith.addi %n, %s : i32
{chain("d", "addi", "i32", 1)}
  %i = arith.divsi %id, %d{LENGTH} : i32
  %j = arith.remsi %id, %d{LENGTH} : i32
  %k = arith.muli %i, %s : i32
  %o = arith.addi %k, %j : i32
  %q = tile.addptr %p, %o : !tile.ptr<f32>, i32
  %zero = arith.constant 0.0 : f32
  tile.store %q, %zero : !tile.ptr<f32>"""

print(HEAD)
for name, body in (("offsets", OFFSETS), ("mask", MASK), ("divisor", DIVISOR)):
    print(KERNEL.format(name=name, body=body))
