// Copies by threads: the first ones of a tile are groups, which tiles hand on. They are
// issued behind the barrier that follows the loop, when no group is under way.

// RUN: tile-opt %s --tile-gpu-prefetch-tiles --canonicalize --cse | FileCheck %s --enable-var-scope
// RUN: tile-opt %s --tile-gpu-prefetch-tiles --remark-format=emitRemark --remarks-filter=tile-gpu-prefetch-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --enable-var-scope

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
#l = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #rows>
!tile = tensor<64xf32, #l>
!desc = !tile.desc<64xf32>
!group = !tile_gpu.token

// Where a tile does not exist, its groups are empty: as many are committed, so that waits
// count right. The barrier before the first copies is gone; where the tile lies is
// computed once, behind the loop.

// CHECK-LABEL: tile.func @tiles
// CHECK-SAME: %[[TILES:[a-z]*]]: i32, %[[STEPS:[a-z]*]]: i32)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[SIZE:.*]] = arith.constant 64 : i32
// CHECK: %[[FROM:.*]] = tile.make_desc
// CHECK: %[[PID:.*]] = tile.program_id x
// CHECK: %[[PROGRAMS:.*]] = tile.num_programs x
// CHECK: %[[ANY:.*]] = arith.cmpi ult, %[[PID]], %[[TILES]]
// CHECK: %[[FIRST:.*]] = scf.if %[[ANY]] -> (i32)
// CHECK: %[[RING:.*]] = tile_gpu.alloc : <64xf32, {{.*}}, slots = 2>
// CHECK: %[[FIRSTGROUPS:.*]]:2 = scf.if %[[ANY]] -> (!tile_gpu.token, !tile_gpu.token) {
// CHECK:   %[[SLOT0:.*]] = tile_gpu.slot %[[RING]][%[[ZERO]]]
// CHECK:   scf.if %{{.*}} {
// CHECK:     tile_gpu.desc_copy %[[FROM]][%[[FIRST]]], %[[SLOT0]]
// CHECK:   }
// CHECK:   %[[A:.*]] = tile_gpu.async_commit
// CHECK:   %[[SLOT1:.*]] = tile_gpu.slot %[[RING]][%[[ONE]]]
// CHECK:   scf.if %{{.*}} {
// CHECK:     tile_gpu.desc_copy %[[FROM]][%[[FIRST]]], %[[SLOT1]]
// CHECK:   }
// CHECK:   %[[B:.*]] = tile_gpu.async_commit
// CHECK:   scf.yield %[[A]], %[[B]]
// CHECK: } else {
// CHECK:   %[[NOTHING:.*]] = tile_gpu.async_commit
// CHECK:   %[[NEITHER:.*]] = tile_gpu.async_commit
// CHECK:   scf.yield %[[NOTHING]], %[[NEITHER]]
// CHECK: }
// CHECK: scf.for unsigned %[[TILE:.*]] = %[[PID]] to %[[TILES]] step %[[PROGRAMS]] iter_args(%[[ROW:.*]] = %[[FIRST]], %[[GROUP0:.*]] = %[[FIRSTGROUPS]]#0, %[[GROUP1:.*]] = %[[FIRSTGROUPS]]#1)
// CHECK-NOT: tile_gpu.barrier
// CHECK-NOT: desc_copy
// CHECK-NOT: async_commit
// CHECK:   %[[DONE:.*]]:4 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[ZERO]], %[[WAITED:.*]] = %[[GROUP0]], %{{.*}} = %[[GROUP1]])
// CHECK:     tile_gpu.async_wait %[[WAITED]] pending = 1
// CHECK:     tile_gpu.desc_copy %[[FROM]]
// CHECK:   %[[NEXT:.*]] = arith.addi %[[TILE]], %[[PROGRAMS]]
// CHECK:   %[[EXISTS:.*]] = arith.cmpi ult, %[[NEXT]], %[[TILES]]
// CHECK:   %[[NEXTROW:.*]] = scf.if %[[EXISTS]] -> (i32) {
// CHECK:     arith.muli %[[NEXT]], %[[SIZE]]
// CHECK:   tile_gpu.async_wait pending = 0
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: %[[NEXTGROUPS:.*]]:2 = scf.if %[[EXISTS]] -> (!tile_gpu.token, !tile_gpu.token) {
// CHECK:     tile_gpu.desc_copy %[[FROM]][%[[NEXTROW]]], %{{.*}}
// CHECK:     tile_gpu.async_commit
// CHECK:     tile_gpu.desc_copy %[[FROM]]
// CHECK:     tile_gpu.async_commit
// CHECK:   } else {
// CHECK-COUNT-2: tile_gpu.async_commit
// The buffer of results lives in a tile.
// CHECK:   %[[BUFFER:.*]] = tile_gpu.alloc : <64xf32, {{[^,]*}}>
// CHECK-NEXT: tile_gpu.local_store %{{.*}}, %[[BUFFER]]
// CHECK:   tile.desc_store %{{.*}}[%[[ROW]]]
// CHECK-NEXT: scf.yield %[[NEXTROW]], %[[NEXTGROUPS]]#0, %[[NEXTGROUPS]]#1
// CHECK-NEXT: }
// CHECK-NEXT: tile_gpu.async_wait pending = 0
// CHECK-NEXT: tile.return

// 2 slots of 256 bytes, and results of as much, at multiples of 1024 and 128.
// REMARK: [Passed] prefetch {{.*}} Function=tiles | Carried=1, Copies=2, Early=false, SharedBytes=768, StorePieces=1
tile.func @tiles(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %size = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : !tile
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  %e = tile.make_desc %q, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  %pid = tile.program_id x
  %programs = tile.num_programs x
  scf.for unsigned %tile = %pid to %tiles step %programs : i32 {
    %row = arith.muli %tile, %size : i32
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    %any = arith.cmpi slt, %zero, %steps : i32
    scf.if %any {
      tile_gpu.desc_copy %d[%row], %s0 layout #l : !desc, [i32], !slot
    }
    %g0 = tile_gpu.async_commit
    %s1 = tile_gpu.slot %ring[%one] : !ring
    %more = arith.cmpi slt, %one, %steps : i32
    scf.if %more {
      tile_gpu.desc_copy %d[%row], %s1 layout #l : !desc, [i32], !slot
    }
    %g1 = tile_gpu.async_commit
    %done:4 = scf.for %i = %zero to %steps step %one iter_args(%acc = %none, %s = %zero, %t0 = %g0, %t1 = %g1) -> (!tile, i32, !group, !group) : i32 {
      tile_gpu.async_wait %t0 pending = 1
      tile_gpu.barrier
      %slot = tile_gpu.slot %ring[%s] : !ring
      %x = tile_gpu.local_load %slot : !slot -> !tile
      tile_gpu.barrier
      %i2 = arith.addi %i, %two : i32
      %again = arith.cmpi slt, %i2, %steps : i32
      scf.if %again {
        tile_gpu.desc_copy %d[%row], %slot layout #l : !desc, [i32], !slot
      }
      %g = tile_gpu.async_commit
      %sum = arith.addf %acc, %x : !tile
      %next = arith.xori %s, %one : i32
      scf.yield %sum, %next, %t1, %g : !tile, i32, !group, !group
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
    %b = tile_gpu.alloc : !slot
    tile_gpu.local_store %done#0, %b : !tile, !slot
    %y = tile_gpu.local_load %b : !slot -> !tile
    tile.desc_store %e[%row], %y : !desc, [i32], !tile
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// Behind a wait before the loop, a slot is filled again once it has been read ahead: those
// copies stay in their tile. Other buffers of the function may have had the slots' bytes:
// the barrier stands before the first copies then.

// CHECK-LABEL: tile.func @ahead
// CHECK: tile_gpu.local_load
// CHECK: tile_gpu.barrier
// CHECK: %[[FIRST:.*]] = scf.if %{{.*}} -> (!tile_gpu.token) {
// CHECK:   tile_gpu.desc_copy
// CHECK: scf.for {{.*}} iter_args(%[[GROUP:.*]] = %[[FIRST]])
// CHECK-NEXT: %[[SLOT:.*]] = tile_gpu.slot
// CHECK-NEXT: tile_gpu.async_wait %[[GROUP]] pending = 0
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: %[[READ:.*]] = tile_gpu.local_load %[[SLOT]] ahead
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.desc_copy %{{.*}}, %[[SLOT]]
// CHECK-NEXT: %[[AGAIN:.*]] = tile_gpu.async_commit
// CHECK-NEXT: scf.for {{.*}} iter_args(%{{.*}} = %[[AGAIN]], %{{.*}} = %[[READ]])
// CHECK: tile_gpu.async_wait pending = 0
// CHECK-NEXT: tile_gpu.barrier
// CHECK: scf.if
// CHECK: tile_gpu.desc_copy
// REMARK: [Passed] prefetch {{.*}} Function=ahead | Carried=0, Copies=1, Early=false,
tile.func @ahead(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !tile
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  %before = tile_gpu.alloc : !slot
  tile_gpu.local_store %none, %before : !tile, !slot
  %back = tile_gpu.local_load %before : !slot -> !tile
  tile.print "back", %back : !tile
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !slot
    %s0 = tile_gpu.slot %ring[%zero] : !slot
    tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
    %g0 = tile_gpu.async_commit
    tile_gpu.async_wait %g0 pending = 0
    tile_gpu.barrier
    %x = tile_gpu.local_load %s0 ahead : !slot -> !tile
    tile_gpu.barrier
    tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
    %g1 = tile_gpu.async_commit
    scf.for %i = %zero to %steps step %one iter_args(%t = %g1, %y = %x) -> (!group, !tile) : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      tile.print "y", %y : !tile
      %z = tile_gpu.local_load %s0 ahead : !slot -> !tile
      tile_gpu.barrier
      tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
      %g = tile_gpu.async_commit
      scf.yield %g, %z : !group, !tile
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// A buffer that copies fill as a whole is kept as well.

// CHECK-LABEL: tile.func @whole
// CHECK: %[[BUFFER:.*]] = tile_gpu.alloc
// CHECK: scf.if
// CHECK: tile_gpu.desc_copy %{{.*}}, %[[BUFFER]]
// CHECK: scf.for
// CHECK: tile_gpu.barrier
// CHECK: tile_gpu.desc_copy %{{.*}}, %[[BUFFER]]
// REMARK: [Passed] prefetch {{.*}} Function=whole | Carried=0, Copies=1, Early=false, SharedBytes=256,
tile.func @whole(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile_gpu.barrier
    %b = tile_gpu.alloc : !slot
    tile_gpu.desc_copy %d[%tile], %b layout #l : !desc, [i32], !slot
    %g0 = tile_gpu.async_commit
    scf.for %i = %zero to %steps step %one iter_args(%t = %g0) -> !group : i32 {
      tile_gpu.async_wait %t pending = 0
      tile_gpu.barrier
      %x = tile_gpu.local_load %b : !slot -> !tile
      %g = tile_gpu.async_commit
      scf.yield %g : !group
    }
    tile_gpu.async_wait pending = 0
    tile_gpu.barrier
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
