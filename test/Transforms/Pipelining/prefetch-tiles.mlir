// RUN: tile-opt %s --tile-gpu-prefetch-tiles --canonicalize --split-input-file | FileCheck %s --enable-var-scope
// RUN: tile-opt %s --tile-gpu-prefetch-tiles --split-input-file --remark-format=emitRemark --remarks-filter=tile-gpu-prefetch-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --enable-var-scope

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
#l = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
!map = !tile.tensor_map<64xf32>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #rows>
!tile = tensor<64xf32, #l>
!full = !tile_gpu.mbarrier<2>

// The first copies of a tile stand before the loop over tiles, if there is a tile,
// and in it behind the barrier that follows the products, for the next tile: where it
// lies, which is computed behind the products and carried, and the slot where this
// tile stopped.

// CHECK-LABEL: tile.func @tiles
// CHECK-SAME: (%[[A:.*]]: {{.*}}, %[[C:.*]]: {{.*}}, %[[TILES:.*]]: i32, %[[STEPS:.*]]: i32)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[SIZE:.*]] = arith.constant 64 : i32
// CHECK: %[[FULL:.*]] = tile_gpu.mbarrier_init
// CHECK: %[[PID:.*]] = tile.program_id x
// CHECK: %[[PROGRAMS:.*]] = tile.num_programs x
// CHECK: %[[ANY:.*]] = arith.cmpi ult, %[[PID]], %[[TILES]]
// CHECK: %[[FIRST:.*]] = scf.if %[[ANY]] -> (i32) {
// CHECK:   %[[FIRSTROW:.*]] = arith.muli %[[PID]], %[[SIZE]]
// CHECK:   scf.yield %[[FIRSTROW]]
// CHECK: } else {
// CHECK:   scf.yield %[[ZERO]]
// CHECK: %[[RING:.*]] = tile_gpu.alloc : <64xf32, {{.*}}, slots = 2>
// CHECK: %[[BUFFER:.*]] = tile_gpu.alloc : <64xf32, {{[^,]*}}>
// CHECK: scf.if %{{.*}} {
// CHECK:   %[[TO:.*]] = tile_gpu.slot %[[RING]][%[[ZERO]]]
// CHECK:   scf.if
// CHECK:     tile_gpu.mbarrier_expect %[[FULL]][%[[ZERO]]], 256
// CHECK:     tile_gpu.tma_load %[[A]][%[[FIRST]]], %[[TO]], %[[FULL]][%[[ZERO]]]
// CHECK: scf.for unsigned %[[TILE:.*]] = %[[PID]] to %[[TILES]] step %[[PROGRAMS]] iter_args(%[[SLOT:.*]] = %[[ZERO]], %[[PARITY:.*]] = %[[ZERO]], %[[ROW:.*]] = %[[FIRST]])
// CHECK-NOT: tile_gpu.barrier
// CHECK-NOT: tma_load
// CHECK:   %[[DONE:.*]]:3 = scf.for
// CHECK:     tile_gpu.mbarrier_wait %[[FULL]]
// CHECK:     tile_gpu.barrier
// CHECK:     tile_gpu.tma_load %[[A]][%[[ROW]]]
// CHECK:   %[[NEXT:.*]] = arith.addi %[[TILE]], %[[PROGRAMS]]
// CHECK:   %[[EXISTS:.*]] = arith.cmpi ult, %[[NEXT]], %[[TILES]]
// CHECK:   %[[NEXTROW:.*]] = scf.if %[[EXISTS]] -> (i32) {
// CHECK:     %[[COMPUTED:.*]] = arith.muli %[[NEXT]], %[[SIZE]]
// CHECK:     scf.yield %[[COMPUTED]]
// CHECK:   tile_gpu.barrier
// CHECK:   scf.if %{{.*}} {
// CHECK:     %[[NEXTTO:.*]] = tile_gpu.slot %[[RING]][%[[DONE]]#1]
// CHECK:     scf.if
// CHECK:       tile_gpu.mbarrier_expect %[[FULL]][%[[DONE]]#1], 256
// CHECK:       tile_gpu.tma_load %[[A]][%[[NEXTROW]]], %[[NEXTTO]], %[[FULL]][%[[DONE]]#1]
// The store of the tile before has read the buffer.
// CHECK:   tile_gpu.tma_store_wait pending = 0
// CHECK:   tile_gpu.local_store %{{.*}}, %[[BUFFER]]
// CHECK:   tile_gpu.tma_store %[[BUFFER]], %[[C]][%[[ROW]]]
// CHECK:   tile_gpu.tma_store_commit
// CHECK-NOT: tma_store_wait
// CHECK:   scf.yield %[[DONE]]#1, %[[DONE]]#2, %[[NEXTROW]]
// CHECK: }
// CHECK-DAG: tile_gpu.tma_store_wait pending = 0
// CHECK-DAG: tile_gpu.tma_load_end %[[FULL]]
// CHECK: tile.return

// REMARK: [Passed] prefetch {{.*}} Function=tiles | {{.*}}Copies=1, Early=false, SharedBytes=1280
tile.func @tiles(%a: !map, %c: !map, %tiles: i32, %steps: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : !tile
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %r:2 = scf.for unsigned %tile = %pid to %tiles step %programs iter_args(%slot = %zero, %parity = %zero) -> (i32, i32) : i32 {
    %row = arith.muli %tile, %size : i32
    tile_gpu.fence_async
    tile_gpu.barrier
    %ring = tile_gpu.alloc : !ring
    %to = tile_gpu.slot %ring[%slot] : !ring
    %any = arith.cmpi slt, %zero, %steps : i32
    scf.if %any {
      tile_gpu.mbarrier_expect %full[%slot], 256 : !full
      tile_gpu.tma_load %a[%row], %to, %full[%slot] : !map, !slot, !full
    }
    %done:3 = scf.for %i = %zero to %steps step %one iter_args(%acc = %none, %s = %slot, %p = %parity) -> (!tile, i32, i32) : i32 {
      tile_gpu.mbarrier_wait %full[%s], %p : !full
      %from = tile_gpu.slot %ring[%s] : !ring
      %x = tile_gpu.local_load %from : !slot -> !tile
      %sum = arith.addf %acc, %x : !tile
      %s1 = arith.xori %s, %one : i32
      %flip = arith.andi %s, %one : i32
      %p1 = arith.xori %p, %flip : i32
      tile_gpu.barrier
      %i1 = arith.addi %i, %one : i32
      %more = arith.cmpi slt, %i1, %steps : i32
      %to1 = tile_gpu.slot %ring[%s1] : !ring
      scf.if %more {
        tile_gpu.mbarrier_expect %full[%s1], 256 : !full
        tile_gpu.tma_load %a[%row], %to1, %full[%s1] : !map, !slot, !full
      }
      scf.yield %sum, %s1, %p1 : !tile, i32, i32
    }
    tile_gpu.tma_load_end %full : !full
    tile_gpu.barrier
    %b = tile_gpu.alloc : !slot
    tile_gpu.local_store %done#0, %b : !tile, !slot
    tile_gpu.fence_async
    tile_gpu.tma_store %b, %c[%row] : !slot, !map
    tile_gpu.tma_store_commit
    tile_gpu.tma_store_wait pending = 0
    scf.yield %done#1, %done#2 : i32, i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
#l = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
!map = !tile.tensor_map<64xf32>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #rows>
!full = !tile_gpu.mbarrier<2>

// A tile's place is read from memory, which results may be written to.

// CHECK-LABEL: tile.func @table
// CHECK: scf.for
// CHECK: tile_gpu.tma_load
// CHECK: scf.for
// CHECK-NOT: tma_load %
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=table | Reason="where the next tile's copies read is not known before this tile's results"
tile.func @table(%a: !map, %places: !tile.ptr<i32>, %tiles: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  scf.for %tile = %zero to %tiles step %one : i32 {
    %at = tile.addptr %places, %tile : !tile.ptr<i32>, i32
    %row = tile.load %at : !tile.ptr<i32>
    %ring = tile_gpu.alloc : !ring
    %to = tile_gpu.slot %ring[%zero] : !ring
    %any = arith.cmpi slt, %zero, %tiles : i32
    scf.if %any {
      tile_gpu.mbarrier_expect %full[%zero], 256 : !full
      tile_gpu.tma_load %a[%row], %to, %full[%zero] : !map, !slot, !full
    }
    scf.for %i = %zero to %tiles step %one : i32 {
      tile_gpu.mbarrier_wait %full[%zero], %zero : !full
    }
    tile_gpu.tma_load_end %full : !full
    tile_gpu.barrier
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
!map = !tile.tensor_map<64xf32>
!slot = !tile_gpu.buffer<64xf32, #rows>
!full = !tile_gpu.mbarrier<1>

// Copies without a loop that they run ahead of stay, without a word.

// CHECK-LABEL: tile.func @alone
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.mbarrier_expect
// CHECK-NEXT: tile_gpu.tma_load
// REMARK-NOT: Function=alone
tile.func @alone(%a: !map, %tiles: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %to = tile_gpu.alloc : !slot
  scf.for %tile = %zero to %tiles step %one : i32 {
    tile_gpu.mbarrier_expect %full[%zero], 256 : !full
    tile_gpu.tma_load %a[%tile], %to, %full[%zero] : !map, !slot, !full
    tile_gpu.mbarrier_wait %full[%zero], %zero : !full
    tile_gpu.barrier
  }
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
!map = !tile.tensor_map<64xf32>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #rows>
!full = !tile_gpu.mbarrier<2>

// Tiles of which one may read what the one before has stored, and an author's loop.

// CHECK-LABEL: tile.func @ordered
// CHECK-COUNT-2: tile_gpu.tma_load %
// CHECK-NOT: tile_gpu.tma_load %
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=ordered | Reason="the loop around it is not one over independent tiles"
// REMARK: [Missed] prefetch {{.*}} Function=ordered | Reason="the loop around it is not one over independent tiles"
tile.func @ordered(%a: !map, %tiles: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  scf.for %tile = %zero to %tiles step %one : i32 {
    %ring = tile_gpu.alloc : !ring
    %to = tile_gpu.slot %ring[%zero] : !ring
    %any = arith.cmpi slt, %zero, %tiles : i32
    scf.if %any {
      tile_gpu.mbarrier_expect %full[%zero], 256 : !full
      tile_gpu.tma_load %a[%tile], %to, %full[%zero] : !map, !slot, !full
    }
    scf.for %i = %zero to %tiles step %one : i32 {
      tile_gpu.mbarrier_wait %full[%zero], %zero : !full
    }
    tile_gpu.barrier
  } {tile.tile_loop = #tile.tile_loop<ordered>}
  scf.for %tile = %zero to %tiles step %one : i32 {
    %ring = tile_gpu.alloc : !ring
    %to = tile_gpu.slot %ring[%zero] : !ring
    %any = arith.cmpi slt, %zero, %tiles : i32
    scf.if %any {
      tile_gpu.mbarrier_expect %full[%zero], 256 : !full
      tile_gpu.tma_load %a[%tile], %to, %full[%zero] : !map, !slot, !full
    }
    scf.for %i = %zero to %tiles step %one : i32 {
      tile_gpu.mbarrier_wait %full[%zero], %zero : !full
    }
    tile_gpu.barrier
  }
  tile.return
}
