// Slots that are read into registers.

// RUN: tile-opt %s --tile-gpu-async-copies | %inline-layouts | FileCheck %s

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
#row = #tile_gpu.access<direct, width = 4, axis = 0>
!t = tensor<128xf32, #l>
!b = !tile_gpu.buffer<128xf32, #rows>
!p = tensor<128x!tile.ptr<f32>, #l>
!o = tensor<128xi32, #l>

// As many slots as iterations that loads run ahead: what is read is refilled in the
// same iteration, after a second barrier. No product, no fence. The store needs
// this iteration's address, the copy that of a later one: both are computed.
// CHECK-LABEL: tile.func private @registers
// CHECK-NOT: tile_gpu.barrier
// CHECK: %[[RING:.*]] = tile_gpu.alloc : <128xf32, {{.*}}, slots = 2>
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[U:[a-z0-9]+]] = %t, %[[PUT:[a-z0-9]+]] = {{.*}}, %[[GET:[a-z0-9]+]] = %c
// CHECK-NEXT: %[[O:.*]] = tile.splat %[[I]] {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: %[[Q:.*]] = tile.addptr %p, %[[O]] {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: %[[TO:.*]] = tile_gpu.slot %[[RING]][%[[PUT]]] {tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NEXT: tile_gpu.async_copy %[[Q]], %[[TO]] {{.*}}tile_gpu.order = 2 : i32, tile_gpu.stage = 0 : i32}
// CHECK-NOT: tile_gpu.fence_async
// CHECK: tile_gpu.async_wait %{{.*}} pending = 0 {tile_gpu.order = 0 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: tile_gpu.barrier {tile_gpu.order = 0 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: %[[FROM:.*]] = tile_gpu.slot %[[RING]][%[[GET]]] {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: %[[V:.*]] = tile_gpu.local_load %[[FROM]] {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: tile_gpu.barrier {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
// CHECK: %[[O2:.*]] = tile.splat %[[I]] {tile_gpu.order = 3 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: %[[Q2:.*]] = tile.addptr %p, %[[O2]] {tile_gpu.order = 3 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: %[[W:.*]] = arith.addf %[[U]], %[[V]] {tile_gpu.order = 3 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: tile.store %[[Q2]], %[[W]] {tile_gpu.order = 3 : i32, tile_gpu.stage = 2 : i32}
// CHECK: }{{$}}
// CHECK-NEXT: tile_gpu.async_wait pending = 0{{$}}
// CHECK-NOT: tile_gpu.barrier
tile.func private @registers(%p: !p, %n: i32, %t: !t) -> !t attributes {tile_gpu.num_warps = 1 : i32} {
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
    tile.store %q, %w : !p
    scf.yield %w : !t
  } {tile.num_stages = 3 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 2 : i32}
  tile.return %r : !t
}

// A slot to spare: the next barrier is early enough. The loop around it comes back,
// and fills slots that the last time has read: barriers before and after.
// CHECK-LABEL: tile.func private @nested
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.barrier{{$}}
// CHECK-NEXT: %[[RING:.*]] = tile_gpu.alloc : <128xf32, {{.*}}, slots = 2>
// CHECK: scf.for
// CHECK: tile_gpu.barrier {tile_gpu.order = 0 : i32, tile_gpu.stage = 1 : i32}
// CHECK-NEXT: tile_gpu.slot %[[RING]]
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: }{{$}}
// CHECK-NEXT: tile_gpu.async_wait pending = 0{{$}}
// CHECK-NEXT: tile_gpu.barrier{{$}}
// CHECK-NEXT: scf.yield
tile.func private @nested(%p: !p, %n: i32, %t: !t) -> !t attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %j = %zero to %n step %one iter_args(%v = %t) -> (!t) : i32 {
    %r1 = scf.for %i = %zero to %n step %one iter_args(%u = %v) -> (!t) : i32 {
      %x = tile.load %p {tile_gpu.access = #row, tile_gpu.pipelined} : !p
      %s = tile_gpu.alloc : !b
      tile_gpu.local_store %x, %s : !t, !b
      %z = tile_gpu.local_load %s : !b -> !t
      %w = arith.addf %u, %z : !t
      scf.yield %w : !t
    } {tile_gpu.distance = 1 : i32, tile_gpu.slots = 2 : i32}
    scf.yield %r1 : !t
  }
  tile.return %r : !t
}

// Unchanged: no stages were assigned.
// CHECK-LABEL: tile.func private @unchanged
// CHECK: tile.load %p :
// CHECK-NEXT: tile_gpu.alloc : <128xf32, {{[^s]*}}shared<{{[^s]*}}>>{{$}}
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: } {tile.num_stages = 3 : i32}
tile.func private @unchanged(%p: !p, %n: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %one = arith.constant 1 : i32
  scf.for %i = %one to %n step %one : i32 {
    %x = tile.load %p : !p
    %s = tile_gpu.alloc : !b
    tile_gpu.local_store %x, %s : !t, !b
  } {tile.num_stages = 3 : i32}
  tile.return
}
