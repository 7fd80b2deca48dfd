// Copies leave zeros where their masks are false. Where a load wants something else,
// what reads the slot puts it in, by the mask of its own iteration.

// RUN: tile-opt %s --tile-gpu-async-copies | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --tile-gpu-async-copies --tile-gpu-expand-pipeline --canonicalize --cse | FileCheck %s --check-prefix=EXPANDED

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#r = #tile_gpu.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#row = #tile_gpu.access<direct, width = 4, axis = 0>
!t = tensor<128xf32, #l>
!u = tensor<128xf32, #r>
!b = !tile_gpu.buffer<128xf32, #rows>
!p = tensor<128x!tile.ptr<f32>, #l>
!m = tensor<128xi1, #l>
!o = tensor<128xi32, #l>

// The mask is computed twice: ahead, for the copy, and in the stage of the sum, with
// what stands where it is false, the sum so far.
// CHECK-LABEL: tile.func private @same_layout
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[U:[a-z0-9]+]] = %t,
// CHECK: %[[FAR:.*]] = arith.cmpi slt, %{{.*}}, %[[N:.*]] {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK: tile_gpu.async_copy %{{.*}}, %{{.*}}, %[[FAR]] {{.*}}tile_gpu.stage = 0 : i32}
// CHECK: %[[V:.*]] = tile_gpu.local_load %{{.*}} {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
// CHECK: %[[IS:.*]] = tile.splat %[[I]] {tile_gpu.order = 3 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: %[[OFFS:.*]] = arith.addi %[[IS]], %{{.*}} {tile_gpu.order = 3 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: %[[NEAR:.*]] = arith.cmpi slt, %[[OFFS]], %[[N]] {tile_gpu.order = 3 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: %[[X:.*]] = arith.select %[[NEAR]], %[[V]], %[[U]] {tile_gpu.order = 3 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: arith.addf %[[U]], %[[X]] {tile_gpu.order = 3 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NOT: tile.load
// In the loop each has its own: the copy that of iteration i + 2.
// EXPANDED-LABEL: tile.func private @same_layout
// EXPANDED-COUNT-2: tile_gpu.async_commit
// EXPANDED: scf.for %[[I:.*]] = {{.*}} iter_args(%[[U:[a-z0-9]+]] = %t,
// EXPANDED: %[[V:.*]] = tile_gpu.local_load
// EXPANDED: %[[AHEAD:.*]] = arith.addi %[[I]], %c2_i32
// EXPANDED: %[[FAR:.*]] = tile.splat %[[AHEAD]]
// EXPANDED: arith.addi %[[FAR]], %
// EXPANDED: %[[NEAR:.*]] = tile.splat %[[I]]
// EXPANDED-NEXT: %[[OFFS:.*]] = arith.addi %[[NEAR]], %
// EXPANDED-NEXT: %[[M:.*]] = arith.cmpi slt, %[[OFFS]], %
// EXPANDED-NEXT: arith.select %[[M]], %[[V]], %[[U]]
tile.func private @same_layout(%p: !p, %n: i32, %t: !t) -> !t attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %range = tile.arange : !o
  %ns = tile.splat %n : i32 -> !o
  %r = scf.for %i = %zero to %n step %one iter_args(%u = %t) -> (!t) : i32 {
    %is = tile.splat %i : i32 -> !o
    %offs = arith.addi %is, %range : !o
    %m = arith.cmpi slt, %offs, %ns : !o
    %q = tile.addptr %p, %offs : !p, !o
    %x = tile.load %q, %m, %u {tile_gpu.access = #row, tile_gpu.pipelined} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    %w = arith.addf %u, %v : !t
    scf.yield %w : !t
  } {tile.num_stages = 3 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 2 : i32}
  tile.return %r : !t
}

// Read in another layout: the mask and the constant are made again in it.
// CHECK-LABEL: tile.func private @other_layout
// CHECK: %[[ONES:.*]] = arith.constant dense<1.000000e+00> : tensor<128xf32, #tile_gpu.layout<register = {{\[\[}}32], [64]],
// CHECK: %[[RANGE:.*]] = tile.arange : tensor<128xi32, #tile_gpu.layout<register = {{\[\[}}32], [64]],
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[V:.*]] = tile_gpu.local_load %{{.*}} {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
// CHECK: %[[IS:.*]] = tile.splat %[[I]] {{.*}} : i32 -> tensor<128xi32, #tile_gpu.layout<register = {{\[\[}}32], [64]],
// CHECK-NEXT: %[[OFFS:.*]] = arith.addi %[[IS]], %[[RANGE]] {tile_gpu.order = 3
// CHECK-NEXT: %[[M:.*]] = arith.cmpi slt, %[[OFFS]], %{{.*}} {tile_gpu.order = 3
// CHECK-NEXT: %[[X:.*]] = arith.select %[[M]], %[[V]], %[[ONES]] {tile_gpu.order = 3
// CHECK-NEXT: arith.addf %{{.*}}, %[[X]]
tile.func private @other_layout(%p: !p, %n: i32, %t: !u) -> !u attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ones = arith.constant dense<1.0> : !t
  %range = tile.arange : !o
  %ns = tile.splat %n : i32 -> !o
  %r = scf.for %i = %zero to %n step %one iter_args(%u = %t) -> (!u) : i32 {
    %is = tile.splat %i : i32 -> !o
    %offs = arith.addi %is, %range : !o
    %m = arith.cmpi slt, %offs, %ns : !o
    %q = tile.addptr %p, %offs : !p, !o
    %x = tile.load %q, %m, %ones {tile_gpu.access = #row, tile_gpu.pipelined} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !u
    %w = arith.addf %u, %v : !u
    scf.yield %w : !u
  } {tile.num_stages = 3 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 2 : i32}
  tile.return %r : !u
}

// What the loop carries for the mask it carries twice, for copies two iterations ahead.
// CHECK-LABEL: tile.func private @carried
// CHECK: %[[FIRST:.*]] = tile.arange
// CHECK: scf.for {{.*}}%[[NOW:[a-z0-9]+]] = %[[FIRST]], {{.*}}%[[AHEAD:[a-z0-9]+]] = %[[FIRST]])
// CHECK: %[[FAR:.*]] = arith.cmpi slt, %[[AHEAD]], %{{.*}} {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK: %[[Q:.*]] = tile.addptr %p, %[[AHEAD]] {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK: %[[LATER:.*]] = arith.addi %[[AHEAD]], %{{.*}} {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK: tile_gpu.async_copy %[[Q]], %{{.*}}, %[[FAR]]
// CHECK: %[[NEAR:.*]] = arith.cmpi slt, %[[NOW]], %{{.*}} {tile_gpu.order = 3 : i32, tile_gpu.stage = 2 : i32}
// CHECK: arith.select %[[NEAR]],
// CHECK: %[[NEXT:.*]] = arith.addi %[[NOW]], %{{.*}} {tile_gpu.order = 3 : i32, tile_gpu.stage = 2 : i32}
// CHECK: scf.yield %{{.*}}, %[[NEXT]], %{{.*}}, %[[LATER]] :
// EXPANDED-LABEL: tile.func private @carried
// EXPANDED: %[[FIRST:.*]] = tile.arange
// EXPANDED: %[[SECOND:.*]] = arith.addi %[[FIRST]], %[[BLOCK:.*]] :
// EXPANDED: %[[THIRD:.*]] = arith.addi %[[SECOND]], %[[BLOCK]] :
// EXPANDED: scf.for {{.*}}%[[NOW:[a-z0-9]+]] = %[[FIRST]],{{.*}}%[[AHEAD:[a-z0-9]+]] = %[[THIRD]],
// EXPANDED-NOT: = %[[SECOND]]
// EXPANDED: arith.cmpi slt, %[[AHEAD]], %
// EXPANDED: arith.cmpi slt, %[[NOW]], %
tile.func private @carried(%p: !p, %n: i32, %t: !t, %f: !t) -> !t attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %block = arith.constant dense<128> : !o
  %range = tile.arange : !o
  %ns = tile.splat %n : i32 -> !o
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %t, %offs = %range) -> (!t, !o) : i32 {
    %m = arith.cmpi slt, %offs, %ns : !o
    %q = tile.addptr %p, %offs : !p, !o
    %x = tile.load %q, %m, %f {tile_gpu.access = #row, tile_gpu.pipelined} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    %w = arith.addf %u, %v : !t
    %after = arith.addi %offs, %block : !o
    scf.yield %w, %after : !t, !o
  } {tile.num_stages = 3 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 2 : i32}
  tile.return %r#0 : !t
}

// Zeros are left as they are.
// CHECK-LABEL: tile.func private @zeros
// CHECK: tile_gpu.async_copy
// CHECK: %[[V:.*]] = tile_gpu.local_load
// CHECK-NOT: arith.select {{.*}}tensor
// CHECK: arith.addf %{{.*}}, %[[V]]
tile.func private @zeros(%p: !p, %n: i32, %t: !t, %m: !m) -> !t attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : !t
  %r = scf.for %i = %zero to %n step %one iter_args(%u = %t) -> (!t) : i32 {
    %x = tile.load %p, %m, %zeros {tile_gpu.access = #row, tile_gpu.pipelined} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    %w = arith.addf %u, %v : !t
    scf.yield %w : !t
  } {tile.num_stages = 3 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 2 : i32}
  tile.return %r : !t
}

// Where copies alone need it, it moves on with them.
// CHECK-LABEL: tile.func private @carried_zeros
// CHECK: %[[FIRST:.*]] = tile.arange
// CHECK: scf.for {{.*}}%[[AHEAD:[a-z0-9]+]] = %[[FIRST]],
// CHECK: %[[LATER:.*]] = arith.addi %[[AHEAD]], %{{.*}} {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NOT: arith.addi %[[AHEAD]]
// CHECK: scf.yield %{{.*}}, %[[LATER]], %{{[^,]*}}, %{{[^,]*}} :
tile.func private @carried_zeros(%p: !p, %n: i32, %t: !t) -> !t attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : !t
  %block = arith.constant dense<128> : !o
  %range = tile.arange : !o
  %ns = tile.splat %n : i32 -> !o
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %t, %offs = %range) -> (!t, !o) : i32 {
    %m = arith.cmpi slt, %offs, %ns : !o
    %q = tile.addptr %p, %offs : !p, !o
    %x = tile.load %q, %m, %zeros {tile_gpu.access = #row, tile_gpu.pipelined} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    %w = arith.addf %u, %v : !t
    %after = arith.addi %offs, %block : !o
    scf.yield %w, %after : !t, !o
  } {tile.num_stages = 3 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 2 : i32}
  tile.return %r#0 : !t
}
