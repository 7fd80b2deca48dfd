// Registers of mma.sync that are filled while the iteration before multiplies.

// RUN: tile-opt %s --tile-gpu-async-copies | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --tile-gpu-async-copies --tile-gpu-expand-pipeline --canonicalize | FileCheck %s --check-prefix=EXPANDED

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#row = #tile_gpu.access<direct, width = 4, axis = 0>
!t = tensor<128xf32, #l>
!b = !tile_gpu.buffer<128xf32, #rows>
!p = tensor<128x!tile.ptr<f32>, #l>
!o = tensor<128xi32, #l>

// Copies three iterations ahead of the reads, four ahead of the sum.
// CHECK-LABEL: tile.func private @ahead
// CHECK: %[[RING:.*]] = tile_gpu.alloc : <128xf32, {{.*}}, slots = 3>
// CHECK: scf.for
// CHECK: tile_gpu.async_copy {{.*}}tile_gpu.order = 3 : i32, tile_gpu.stage = 0 : i32}
// CHECK: tile_gpu.async_commit {tile_gpu.order = 3 : i32, tile_gpu.stage = 0 : i32}
// CHECK: tile_gpu.async_wait %{{.*}} pending = 0 {tile_gpu.order = 0 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: tile_gpu.barrier {tile_gpu.order = 0 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: %[[FROM:.*]] = tile_gpu.slot %[[RING]]{{.*}} {tile_gpu.order = 2 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: %[[V:.*]] = tile_gpu.local_load %[[FROM]] ahead {tile_gpu.order = 2 : i32, tile_gpu.stage = 3 : i32}
// CHECK-NEXT: tile_gpu.barrier {tile_gpu.order = 2 : i32, tile_gpu.stage = 3 : i32}
// CHECK: arith.addf %{{.*}}, %[[V]] {tile_gpu.order = 1 : i32, tile_gpu.stage = 4 : i32}

// Before the loop: copies of iterations 0 to 3, and the read of iteration 0, before
// the copy of iteration 3 comes into its slot. All but those copies may run though
// their iteration does not exist. In the loop two groups of copies are under way
// behind the one that is waited for.
// EXPANDED-LABEL: tile.func private @ahead
// EXPANDED: %[[RING:.*]] = tile_gpu.alloc
// EXPANDED-COUNT-3: tile_gpu.async_commit
// EXPANDED: tile_gpu.async_wait %{{.*}} pending = 2
// EXPANDED-NEXT: tile_gpu.barrier
// EXPANDED: %[[FIRST:.*]] = tile_gpu.local_load %{{.*}} ahead
// EXPANDED-NEXT: tile_gpu.barrier
// EXPANDED: scf.if
// EXPANDED: tile_gpu.async_copy
// EXPANDED: tile_gpu.async_commit
// EXPANDED: scf.for {{.*}}%[[V:[a-z0-9]+]] = %[[FIRST]]
// EXPANDED: tile_gpu.async_wait %{{.*}} pending = 2
// EXPANDED-NEXT: tile_gpu.barrier
// EXPANDED-NEXT: arith.addf %{{.*}}, %[[V]]
// EXPANDED: %[[NEXT:.*]] = tile_gpu.local_load %{{.*}} ahead
// EXPANDED-NEXT: tile_gpu.barrier
// EXPANDED: scf.if
// EXPANDED: tile_gpu.async_copy
// EXPANDED: tile_gpu.async_commit
// EXPANDED: scf.yield {{.*}}%[[NEXT]]
tile.func private @ahead(%p: !p, %n: i32, %t: !t) -> !t attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%u = %t) -> (!t) : i32 {
    %o = tile.splat %i : i32 -> !o
    %q = tile.addptr %p, %o : !p, !o
    %x = tile.load %q {tile_gpu.access = #row, tile_gpu.pipelined} : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
    %v = tile_gpu.local_load %s : !b -> !t
    %w = arith.addf %u, %v : !t
    scf.yield %w : !t
  } {tile.num_stages = 4 : i32, tile_gpu.distance = 3 : i32, tile_gpu.reads_ahead, tile_gpu.slots = 3 : i32}
  tile.return %r : !t
}
