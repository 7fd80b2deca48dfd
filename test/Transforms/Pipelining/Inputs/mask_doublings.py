#===- mask_doublings.py - a mask of values that are used twice -------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Usage: mask_doublings.py LENGTH > KERNEL

Prints a loop whose load has an 'other' and is read in another layout than its own.
Each of LENGTH values behind the mask is the one before, twice: a walk over the
expression takes about 2^LENGTH steps.
"""

import sys

LENGTH = int(sys.argv[1])

HEAD = """
#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#r = #tile_gpu.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#row = #tile_gpu.access<direct, width = 4, axis = 0>
!t = tensor<128xf32, #l>
!u = tensor<128xf32, #r>
!b = !tile_gpu.buffer<128xf32, #rows>
!p = tensor<128x!tile.ptr<f32>, #l>
!o = tensor<128xi32, #l>

tile.func private @doubled(%p: !p, %n: i32, %init: !u) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %f = arith.constant dense<1.0> : !t
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (!u) : i32 {
    %ns = tile.splat %n : i32 -> !o
    %d0 = tile.splat %i : i32 -> !o"""

TAIL = f"""
    %m = arith.cmpi slt, %d{LENGTH}, %ns : !o
    %x = tile.load %p, %m, %f {{tile_gpu.access = #row}} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !u
    %next = arith.addf %acc, %v : !u
    scf.yield %next : !u
  }} {{tile.num_stages = 3 : i32}}
  tile.return
}}"""

print(HEAD)
for number in range(LENGTH):
    print(f"    %d{number + 1} = arith.addi %d{number}, %d{number} : !o")
print(TAIL)
