// A tile's place that the loop over tiles carries: known early enough where it does
// not come from something with an effect behind the barrier.

// RUN: tile-opt %s --tile-gpu-prefetch-tiles --canonicalize --split-input-file | FileCheck %s
// RUN: tile-opt %s --tile-gpu-prefetch-tiles --split-input-file --remark-format=emitRemark --remarks-filter=tile-gpu-prefetch-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
!map = !tile.tensor_map<64xf32>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #rows>
!full = !tile_gpu.mbarrier<2>

// The sum is computed again, before this tile's results; what only the results take
// is not.
// CHECK-LABEL: tile.func @summed
// CHECK-SAME: (%[[A:.*]]: {{.*}}, %[[TILES:.*]]: i32, %[[START:.*]]: i32)
// CHECK: scf.if
// CHECK: tile_gpu.tma_load %[[A]][%[[START]]]
// CHECK: scf.for {{.*}} iter_args(%[[ROW:.*]] = %[[START]], %[[COUNT:.*]] = %
// CHECK: tile_gpu.barrier
// CHECK-NEXT: %[[EARLY:.*]] = arith.addi %[[ROW]], %c64_i32 : i32
// CHECK-NOT: arith.muli
// CHECK: scf.if
// CHECK: tile_gpu.tma_load %[[A]][%[[EARLY]]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[ROW]], %c64_i32 : i32
// CHECK: %[[TWICE:.*]] = arith.muli %[[COUNT]]
// CHECK: scf.yield %[[NEXT]], %[[TWICE]]
// REMARK: [Passed] prefetch {{.*}} Function=summed | {{.*}}Copies=1, Early=false, SharedBytes=528
tile.func @summed(%a: !map, %tiles: i32, %start: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %size = arith.constant 64 : i32
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %r:2 = scf.for %tile = %zero to %tiles step %one iter_args(%row = %start, %count = %one) -> (i32, i32) : i32 {
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
    tile.print "row", %row : i32
    %next = arith.addi %row, %size : i32
    %twice = arith.muli %count, %two : i32
    scf.yield %next, %twice : i32, i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.print "row", %r#0 : i32
  tile.print "count", %r#1 : i32
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
!map = !tile.tensor_map<64xf32>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #rows>
!full = !tile_gpu.mbarrier<2>

// Read before the products: it is there.
// CHECK-LABEL: tile.func @read_before
// CHECK: scf.for
// CHECK-NEXT: %[[NEXT:.*]] = tile.load
// CHECK-NOT: tile.load
// CHECK: tile_gpu.tma_load %{{.*}}[%[[NEXT]]]
// REMARK: [Passed] prefetch {{.*}} Function=read_before | {{.*}}Copies=1
tile.func @read_before(%a: !map, %places: !tile.ptr<i32>, %tiles: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %r = scf.for %tile = %zero to %tiles step %one iter_args(%row = %zero) -> (i32) : i32 {
    %next = tile.load %places : !tile.ptr<i32>
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
    scf.yield %next : i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
!map = !tile.tensor_map<64xf32>
!ring = !tile_gpu.buffer<64xf32, #rows, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #rows>
!full = !tile_gpu.mbarrier<2>

// Read behind them: unchanged.
// CHECK-LABEL: tile.func @read_behind
// CHECK: scf.for
// CHECK: tile_gpu.tma_load %
// CHECK-NOT: tile_gpu.tma_load %
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=read_behind | Reason="where the next tile's copies read is not known before this tile's results"
tile.func @read_behind(%a: !map, %places: !tile.ptr<i32>, %tiles: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  %r = scf.for %tile = %zero to %tiles step %one iter_args(%row = %zero) -> (i32) : i32 {
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
    %next = tile.load %places : !tile.ptr<i32>
    scf.yield %next : i32
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
