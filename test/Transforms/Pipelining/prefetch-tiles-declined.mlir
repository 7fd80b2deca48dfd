// Loops over tiles whose copies, or whose loops, are not where the pass looks for them.

// RUN: tile-opt %s --tile-gpu-prefetch-tiles | FileCheck %s --enable-var-scope
// RUN: tile-opt %s --tile-gpu-prefetch-tiles --remark-format=emitRemark --remarks-filter=tile-gpu-prefetch-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --enable-var-scope

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
#l = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
!slot = !tile_gpu.buffer<64xf32, #rows>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 2>
!desc = !tile.desc<64xf32>
!tile = tensor<64xf32, #l>
!group = !tile_gpu.token

// A loop over tiles without copies that run ahead.

// CHECK-LABEL: tile.func @nothing
// REMARK: [Missed] prefetch {{.*}} Function=nothing | Reason="no copies of a tile run ahead"
tile.func @nothing(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile.print "tile", %tile : i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// Copies in the loop only.

// CHECK-LABEL: tile.func @late
// CHECK-COUNT-1: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=late | Reason="no copies stand before the loop"
tile.func @late(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %s0 = tile_gpu.slot %ring[%zero] : !ring
    scf.for %i = %zero to %steps step %one : i32 {
      tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
      %g = tile_gpu.async_commit
      tile_gpu.async_wait %g pending = 0
    }
    tile_gpu.barrier
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// Other threads may still read the slots when this one's results are done.

// CHECK-LABEL: tile.func @no_barrier
// CHECK-COUNT-1: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=no_barrier | Reason="no barrier follows the loop in a tile"
tile.func @no_barrier(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
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
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// The loop of a branch that is taken where a condition does not hold.

// CHECK-LABEL: tile.func @other_branch
// CHECK-COUNT-1: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=other_branch | Reason="whether the loop runs in a tile is not one condition"
tile.func @other_branch(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    %odd = arith.cmpi eq, %tile, %steps : i32
    scf.if %odd {
      tile.print "odd", %tile : i32
    } else {
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
    }
    tile_gpu.barrier
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// Maps copy for one loop of a tile, and threads for another.

// CHECK-LABEL: tile.func @both
// CHECK-COUNT-1: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK-DAG: [Missed] prefetch {{.*}} Function=both | Reason="tensor maps copy for another loop of the tile"
// REMARK-DAG: [Passed] prefetch {{.*}} Function=both | Carried=0, Copies=1, Early=false,
tile.func @both(%p: !tile.ptr<f32>, %a: !tile.tensor_map<64xf32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %full = tile_gpu.mbarrier_init arrivals = 1 : !tile_gpu.mbarrier<1>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    %to = tile_gpu.alloc : !ring
    %t0 = tile_gpu.slot %to[%zero] : !ring
    tile_gpu.mbarrier_expect %full[%zero], 256 : !tile_gpu.mbarrier<1>
    tile_gpu.tma_load %a[%tile], %t0, %full[%zero] : !tile.tensor_map<64xf32>, !slot, !tile_gpu.mbarrier<1>
    scf.for %i = %zero to %steps step %one : i32 {
      tile_gpu.mbarrier_wait %full[%zero], %zero : !tile_gpu.mbarrier<1>
    }
    tile_gpu.tma_load_end %full : !tile_gpu.mbarrier<1>
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

// A loop inside of the loop of a tile: it is told of, and the tile not once more.

// CHECK-LABEL: tile.func @inner
// CHECK-COUNT-2: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=inner | Reason="the loop around it is not one over independent tiles"
// REMARK-NOT: Function=inner
tile.func @inner(%p: !tile.ptr<f32>, %n: i32, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d = tile.make_desc %p, [%n], [%one] : !tile.ptr<f32>, [i32], [i32] -> !desc
  scf.for %tile = %zero to %tiles step %one : i32 {
    scf.for %head = %zero to %n step %one : i32 {
      tile_gpu.barrier
      %ring = tile_gpu.alloc : !ring
      %s0 = tile_gpu.slot %ring[%zero] : !ring
      tile_gpu.desc_copy %d[%tile], %s0 layout #l : !desc, [i32], !slot
      %g0 = tile_gpu.async_commit
      scf.for %i = %zero to %steps step %one iter_args(%t = %g0) -> !group : i32 {
        tile_gpu.async_wait %t pending = 0
        tile_gpu.barrier
        %x = tile_gpu.local_load %s0 : !slot -> !tile
        tile_gpu.desc_copy %d[%i], %s0 layout #l : !desc, [i32], !slot
        %g = tile_gpu.async_commit
        scf.yield %g : !group
      }
      tile_gpu.async_wait pending = 0
      tile_gpu.barrier
    }
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
