// RUN: tile-opt %s --tile-gpu-prefetch-tiles --canonicalize --cse --split-input-file | FileCheck %s --enable-var-scope
// RUN: tile-opt %s --tile-gpu-prefetch-tiles --split-input-file --remark-format=emitRemark --remarks-filter=tile-gpu-prefetch-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --enable-var-scope

// Where a tile lies is computed once, behind the inner loop of the tile before, and
// carried. Copies follow there, since the last barrier of the loop has freed the
// slots that its own copies would have filled next; a loop that does not run has no
// barrier, and gets one.

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
#l = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
!map = !tile.tensor_map<64xf32>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #rows>
!tile = tensor<64xf32, #l>
!full = !tile_gpu.mbarrier<2>

// CHECK-LABEL: tile.func @early
// CHECK-SAME: (%[[A:.*]]: {{.*}}, %[[C:.*]]: {{.*}}, %[[TILES:.*]]: i32, %[[STEPS:.*]]: i32, %[[WIDTH:.*]]: i32)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: %[[PID:.*]] = tile.program_id x
// CHECK: %[[PROGRAMS:.*]] = tile.num_programs x
// CHECK: %[[ANY:.*]] = arith.cmpi ult, %[[PID]], %[[TILES]]
// CHECK: %[[FIRST:.*]] = scf.if %[[ANY]] -> (i32) {
// CHECK:   %[[ROW0:.*]] = arith.divsi %[[PID]], %[[WIDTH]]
// CHECK:   scf.yield %[[ROW0]]
// CHECK: } else {
// CHECK:   scf.yield %[[ZERO]]
// CHECK: scf.for unsigned %[[TILE:.*]] = %[[PID]] to %[[TILES]] step %[[PROGRAMS]] iter_args(%{{.*}} = %[[ZERO]], %{{.*}} = %[[ZERO]], %[[ROW:.*]] = %[[FIRST]])
// CHECK-NOT: arith.divsi
// CHECK:   %[[DONE:.*]]:4 = scf.if
// CHECK:     %[[LOOP:.*]]:3 = scf.for
// CHECK:       tile_gpu.tma_load %[[A]][%[[ROW]]]
// CHECK:     %[[NEXT:.*]] = arith.addi %[[TILE]], %[[PROGRAMS]]
// CHECK:     %[[EXISTS:.*]] = arith.cmpi ult, %[[NEXT]], %[[TILES]]
// CHECK:     %[[NEXTROW:.*]] = scf.if %[[EXISTS]] -> (i32) {
// CHECK:       %[[DIV:.*]] = arith.divsi %[[NEXT]], %[[WIDTH]]
// CHECK:       scf.yield %[[DIV]]
// CHECK-NOT:   tile_gpu.barrier
// CHECK:       tile_gpu.tma_load %[[A]][%[[NEXTROW]]], %{{.*}}, %{{.*}}[%[[LOOP]]#1]
// CHECK:     scf.yield %[[LOOP]]#0, %[[LOOP]]#1, %[[LOOP]]#2, %[[NEXTROW]]
// CHECK:   } else {
// CHECK:     %[[DIV:.*]] = arith.divsi
// CHECK:     tile_gpu.barrier
// CHECK:     tile_gpu.tma_load
// CHECK:   }
// CHECK-NOT: tile_gpu.barrier
// CHECK:   tile_gpu.tma_store %{{.*}}, %[[C]][%[[ROW]]]
// CHECK:   scf.yield %[[DONE]]#1, %[[DONE]]#2, %[[DONE]]#3

// REMARK: [Passed] prefetch {{.*}} Function=early | Carried=1, Copies=1, Early=true, SharedBytes=1280, StorePieces=1
tile.func @early(%a: !map, %c: !map, %tiles: i32, %steps: i32, %width: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !tile
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %r:2 = scf.for unsigned %tile = %pid to %tiles step %programs iter_args(%slot = %zero, %parity = %zero) -> (i32, i32) : i32 {
    %row = arith.divsi %tile, %width : i32
    tile_gpu.fence_async
    tile_gpu.barrier
    %runs = arith.cmpi slt, %zero, %steps : i32
    %ring = tile_gpu.alloc : !ring
    %done:3 = scf.if %runs -> (!tile, i32, i32) {
      %to = tile_gpu.slot %ring[%slot] : !ring
      %any = arith.cmpi slt, %zero, %steps : i32
      scf.if %any {
        tile_gpu.mbarrier_expect %full[%slot], 256 : !full
        tile_gpu.tma_load %a[%row], %to, %full[%slot] : !map, !slot, !full
      }
      %loop:3 = scf.for %i = %zero to %steps step %one iter_args(%acc = %none, %s = %slot, %p = %parity) -> (!tile, i32, i32) : i32 {
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
      scf.yield %loop#0, %loop#1, %loop#2 : !tile, i32, i32
    } else {
      scf.yield %none, %slot, %parity : !tile, i32, i32
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
!tile = tensor<64xf32, #l>
!full = !tile_gpu.mbarrier<2>

// The condition is not that of the loop, so that nothing says that a barrier has
// been met: copies wait for the one behind.

// CHECK-LABEL: tile.func @other_condition
// CHECK: scf.for unsigned
// CHECK:   scf.for
// CHECK:     tile_gpu.tma_load
// CHECK-NOT: tile_gpu.tma_load
// CHECK:   } else {
// CHECK:   tile_gpu.barrier
// CHECK:   tile_gpu.tma_load
// CHECK: tile.return
// REMARK: [Passed] prefetch {{.*}} Function=other_condition | Carried=1, Copies=1, Early=false,
tile.func @other_condition(%a: !map, %tiles: i32, %steps: i32, %width: i32, %runs: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %r = scf.for unsigned %tile = %pid to %tiles step %programs iter_args(%parity = %zero) -> (i32) : i32 {
    %row = arith.divsi %tile, %width : i32
    %ring = tile_gpu.alloc : !ring
    %done = scf.if %runs -> (i32) {
      %to = tile_gpu.slot %ring[%zero] : !ring
      scf.if %runs {
        tile_gpu.mbarrier_expect %full[%zero], 256 : !full
        tile_gpu.tma_load %a[%row], %to, %full[%zero] : !map, !slot, !full
      }
      %loop = scf.for %i = %zero to %steps step %one iter_args(%p = %parity) -> (i32) : i32 {
        tile_gpu.mbarrier_wait %full[%zero], %p : !full
        %p1 = arith.xori %p, %one : i32
        tile_gpu.barrier
        %i1 = arith.addi %i, %one : i32
        %more = arith.cmpi slt, %i1, %steps : i32
        scf.if %more {
          tile_gpu.mbarrier_expect %full[%zero], 256 : !full
          tile_gpu.tma_load %a[%row], %to, %full[%zero] : !map, !slot, !full
        }
        scf.yield %p1 : i32
      }
      scf.yield %loop : i32
    } else {
      scf.yield %parity : i32
    }
    tile_gpu.barrier
    tile.print "row", %row : i32
    scf.yield %done : i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
