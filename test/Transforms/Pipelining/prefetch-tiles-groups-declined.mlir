// What stops the groups of a tile from being begun in the one before.

// RUN: tile-opt %s --tile-gpu-prefetch-tiles | FileCheck %s --enable-var-scope
// RUN: tile-opt %s --tile-gpu-prefetch-tiles --remark-format=emitRemark --remarks-filter=tile-gpu-prefetch-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --enable-var-scope

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
#l = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
!slot = !tile_gpu.buffer<64xf32, #rows>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 2>
!desc = !tile.desc<64xf32>
!tile = tensor<64xf32, #l>
!group = !tile_gpu.token

// An author's loop: results of a tile may be what the next one reads.

// CHECK-LABEL: tile.func @hand_written
// CHECK-COUNT-1: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=hand_written | Reason="the loop around it is not one over independent tiles"
tile.func @hand_written(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
    %g0 = tile_gpu.async_commit
    scf.for %i = %zero to %steps step %one iter_args(%t = %g0) -> !group : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %s0 : !slot -> !tile
      %g = tile_gpu.async_commit
      scf.yield %g : !group
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
  }
  tile.return
}

// A group behind the loop would be among those that a wait counts.

// CHECK-LABEL: tile.func @other_group
// CHECK-COUNT-2: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=other_group | Reason="a tile has other groups of copies than those of the loop, which its waits would count"
tile.func @other_group(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
    %g0 = tile_gpu.async_commit
    scf.for %i = %zero to %steps step %one iter_args(%t = %g0) -> !group : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %s0 : !slot -> !tile
      %g = tile_gpu.async_commit
      scf.yield %g : !group
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
    %other = tile_gpu.alloc : !slot
    tile_gpu.desc_copy %d[%zero], %other layout #l : !desc, [i32], !slot
    %late = tile_gpu.async_commit
    tile_gpu.async_wait pending = 0
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// The groups of one loop would be counted by the waits of the other.

// CHECK-LABEL: tile.func @two_loops
// CHECK-COUNT-2: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=two_loops | Reason="copies run ahead of several loops of a tile"
tile.func @two_loops(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
    %g0 = tile_gpu.async_commit
    scf.for %i = %zero to %steps step %one iter_args(%t = %g0) -> !group : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %s0 : !slot -> !tile
      %g = tile_gpu.async_commit
      scf.yield %g : !group
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
    tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
    %g1 = tile_gpu.async_commit
    scf.for %i = %zero to %steps step %one iter_args(%t = %g1) -> !group : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %s0 : !slot -> !tile
      %g = tile_gpu.async_commit
      scf.yield %g : !group
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// A slot is read behind the barrier, where the next tile's copies would fill it.

// CHECK-LABEL: tile.func @read_behind
// CHECK-COUNT-1: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=read_behind | Reason="a slot is accessed other than by the loop and its copies"
tile.func @read_behind(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
    %g0 = tile_gpu.async_commit
    scf.for %i = %zero to %steps step %one iter_args(%t = %g0) -> !group : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %s0 : !slot -> !tile
      %g = tile_gpu.async_commit
      scf.yield %g : !group
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
    %late = tile_gpu.local_load %s0 : !slot -> !tile
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// Threads write a slot before the copies that fill it.

// CHECK-LABEL: tile.func @written_before
// CHECK-COUNT-1: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=written_before | Reason="a slot is accessed other than by the loop and its copies"
tile.func @written_before(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    %none = arith.constant dense<0.0> : !tile
    tile_gpu.local_store %none, %s0 : !tile, !slot
    tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
    %g0 = tile_gpu.async_commit
    scf.for %i = %zero to %steps step %one iter_args(%t = %g0) -> !group : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %s0 : !slot -> !tile
      %g = tile_gpu.async_commit
      scf.yield %g : !group
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// Copies of this tile may be under way at the barrier.

// CHECK-LABEL: tile.func @no_wait
// CHECK-COUNT-1: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=no_wait | Reason="no wait for all copies and products stands between the loop and a barrier"
tile.func @no_wait(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
    %g0 = tile_gpu.async_commit
    scf.for %i = %zero to %steps step %one iter_args(%t = %g0) -> !group : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %s0 : !slot -> !tile
      %g = tile_gpu.async_commit
      scf.yield %g : !group
    }
    tile_gpu.barrier
    tile_gpu.async_wait pending = 0
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// Copies that belong to no group before the loop.

// CHECK-LABEL: tile.func @no_commit
// CHECK-COUNT-1: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=no_commit | Reason="no groups of copies stand before the loop"
tile.func @no_commit(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    %g0 = tile_gpu.async_commit
    tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
    scf.for %i = %zero to %steps step %one iter_args(%t = %g0) -> !group : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %s0 : !slot -> !tile
      %g = tile_gpu.async_commit
      scf.yield %g : !group
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// An assertion may be about what is copied.

// CHECK-LABEL: tile.func @asserted
// CHECK-COUNT-1: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=asserted | Reason="an assertion may stop a program before its copies read"
tile.func @asserted(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    %fits = arith.cmpi slt, %tile, %n : i32
    tile.assert %fits, "fits" : i1
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
    %g0 = tile_gpu.async_commit
    scf.for %i = %zero to %steps step %one iter_args(%t = %g0) -> !group : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %s0 : !slot -> !tile
      %g = tile_gpu.async_commit
      scf.yield %g : !group
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
