// Shared memory that slots and results of a tile would need side by side, and registers,
// where copies are made by threads.

// RUN: tile-opt %s --tile-gpu-prefetch-tiles | FileCheck %s --enable-var-scope
// RUN: tile-opt %s --tile-gpu-prefetch-tiles --remark-format=emitRemark --remarks-filter=tile-gpu-prefetch-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --enable-var-scope

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096]]>
#l = #tile_gpu.layout<register = [[128], [256], [512], [1024], [2048], [4096]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#acc = #tile_gpu.layout<register = [[128], [256], [512], [1024], [2048], [4096], [8192]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
!slot = !tile_gpu.buffer<8192xf32, #rows>
!ring = !tile_gpu.buffer<8192xf32, #rows, slots = 2>
!desc = !tile.desc<8192xf32>
!tile = tensor<8192xf32, #l>
!acc = tensor<16384xf32, #acc>
!group = !tile_gpu.token

// 64 KiB of slots and 32 KiB of results, and the system's 1 KiB: 228 KiB hold three programs
// with them in turn, and two with both. 128 registers of each of 128 threads allow four.

// CHECK-LABEL: tile.func @crowded
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.barrier
// CHECK-COUNT-1: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=crowded | Reason="slots and the buffers of results would take 98304 bytes of shared memory, and a multiprocessor 2 programs in place of 3, which hide each other's copies", Suggestion="fewer stages or a smaller tile"
tile.func @crowded(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !tile
  %sums = arith.constant dense<0.0> : !acc
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
    %g0 = tile_gpu.async_commit
    %r:2 = scf.for %i = %zero to %steps step %one iter_args(%t = %g0, %acc = %sums) -> (!group, !acc) : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %s0 : !slot -> !tile
      tile.print "x", %x : !tile
      tile_gpu.barrier
      %g = tile_gpu.async_commit
      %sum = arith.addf %acc, %acc : !acc
      scf.yield %g, %sum : !group, !acc
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
    %b = tile_gpu.alloc : !slot
    tile_gpu.local_store %none, %b : !tile, !slot
    %y = tile_gpu.local_load %b : !slot -> !tile
    tile.desc_store %d[%tile], %y : !desc, [i32], !tile
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// What is read before a barrier and used behind it takes 64 registers more: 65536 of them
// hold two programs, as shared memory does with both.

// CHECK-LABEL: tile.func @held
// CHECK-COUNT-2: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Passed] prefetch {{.*}} Function=held | Carried=0, Copies=1, Early=false, SharedBytes=98304,
tile.func @held(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !tile
  %sums = arith.constant dense<0.0> : !acc
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
    %g0 = tile_gpu.async_commit
    %r:2 = scf.for %i = %zero to %steps step %one iter_args(%t = %g0, %acc = %sums) -> (!group, !acc) : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %s0 : !slot -> !tile
      tile_gpu.barrier
      tile.print "x", %x : !tile
      %g = tile_gpu.async_commit
      %sum = arith.addf %acc, %acc : !acc
      scf.yield %g, %sum : !group, !acc
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
    %b = tile_gpu.alloc : !slot
    tile_gpu.local_store %none, %b : !tile, !slot
    %y = tile_gpu.local_load %b : !slot -> !tile
    tile.desc_store %d[%tile], %y : !desc, [i32], !tile
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// Two buffers of results that are never in use at one time share their bytes still.

// CHECK-LABEL: tile.func @in_turn
// CHECK-COUNT-2: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Passed] prefetch {{.*}} Function=in_turn | Carried=0, Copies=1, Early=false, SharedBytes=98304,
tile.func @in_turn(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !tile
  %sums = arith.constant dense<0.0> : !acc
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
    %g0 = tile_gpu.async_commit
    %r:2 = scf.for %i = %zero to %steps step %one iter_args(%t = %g0, %acc = %sums) -> (!group, !acc) : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %s0 : !slot -> !tile
      tile_gpu.barrier
      tile.print "x", %x : !tile
      %g = tile_gpu.async_commit
      %sum = arith.addf %acc, %acc : !acc
      scf.yield %g, %sum : !group, !acc
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
    %b = tile_gpu.alloc : !slot
    tile_gpu.local_store %none, %b : !tile, !slot
    %y = tile_gpu.local_load %b : !slot -> !tile
    %c = tile_gpu.alloc : !slot
    tile_gpu.local_store %y, %c : !tile, !slot
    %z = tile_gpu.local_load %c : !slot -> !tile
    tile.desc_store %d[%tile], %z : !desc, [i32], !tile
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
