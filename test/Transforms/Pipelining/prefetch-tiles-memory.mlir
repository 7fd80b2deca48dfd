// RUN: tile-opt %s --tile-gpu-prefetch-tiles --canonicalize --split-input-file | FileCheck %s --enable-var-scope
// RUN: tile-opt %s --tile-gpu-prefetch-tiles --split-input-file --remark-format=emitRemark --remarks-filter=tile-gpu-prefetch-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --enable-var-scope

// Shared memory that the buffers would need side by side.

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192]]>
#line = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
#l = #tile_gpu.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096], [8192]], lane = [[1], [2], [4], [8], [16]], warp = []>
!map = !tile.tensor_map<64xf32>
!tile = tensor<16384xf32, #l>
!big = !tile_gpu.buffer<16384xf32, #rows, slots = 3>
!result = !tile_gpu.buffer<16384xf32, #rows>
!ring = !tile_gpu.buffer<64xf32, #line, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #line>
!full = !tile_gpu.mbarrier<2>

// 3 slots of 64 KiB, results of as much, 2 slots of 256 bytes and 16 of mbarriers:
// beside each other there is no room for them.

// CHECK-LABEL: tile.func @large
// CHECK: scf.for
// CHECK: tile_gpu.alloc
// REMARK: [Missed] prefetch {{.*}} Function=large | Reason="slots and the buffers of results would take 262672 bytes of shared memory, a program has at most 232448", Suggestion="fewer stages or a smaller tile"
tile.func @large(%a: !map, %tiles: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !tile
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  scf.for %tile = %zero to %tiles step %one : i32 {
    %ring = tile_gpu.alloc : !ring
    %x = tile_gpu.alloc : !big
    %to = tile_gpu.slot %ring[%zero] : !ring
    %any = arith.cmpi slt, %zero, %tiles : i32
    scf.if %any {
      tile_gpu.mbarrier_expect %full[%zero], 256 : !full
      tile_gpu.tma_load %a[%tile], %to, %full[%zero] : !map, !slot, !full
    }
    %from = tile_gpu.slot %x[%zero] : !big
    %last = scf.for %i = %zero to %tiles step %one iter_args(%before = %none) -> (!tile) : i32 {
      tile_gpu.mbarrier_wait %full[%zero], %zero : !full
      %read = tile_gpu.local_load %from : !result -> !tile
      scf.yield %read : !tile
    }
    tile_gpu.barrier
    %y = tile_gpu.alloc : !result
    tile_gpu.local_store %last, %y : !tile, !result
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096]]>
#line = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
#l = #tile_gpu.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096]], lane = [[1], [2], [4], [8], [16]], warp = []>
!map = !tile.tensor_map<64xf32>
!tile = tensor<8192xf32, #l>
!ring = !tile_gpu.buffer<64xf32, #line, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #line>
!wide = !tile_gpu.buffer<8192xf32, #rows, slots = 2>
!result = !tile_gpu.buffer<8192xf32, #rows>
!full = !tile_gpu.mbarrier<2>

// 64.5 KiB of slots, 32 KiB of results and 16 bytes of mbarriers: 228 KiB hold three
// programs that use them in turn, and two with both.

// CHECK-LABEL: tile.func @crowded
// CHECK: scf.for
// CHECK: tile_gpu.alloc
// REMARK: [Missed] prefetch {{.*}} Function=crowded | Reason="slots and the buffers of results would take 98832 bytes of shared memory, and a multiprocessor 2 programs in place of 3, which hide each other's copies", Suggestion="fewer stages or a smaller tile"
tile.func @crowded(%a: !map, %tiles: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !tile
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  scf.for %tile = %zero to %tiles step %one : i32 {
    %ring = tile_gpu.alloc : !ring
    %more = tile_gpu.alloc : !wide
    %to = tile_gpu.slot %ring[%zero] : !ring
    %any = arith.cmpi slt, %zero, %tiles : i32
    scf.if %any {
      tile_gpu.mbarrier_expect %full[%zero], 256 : !full
      tile_gpu.tma_load %a[%tile], %to, %full[%zero] : !map, !slot, !full
    }
    %from = tile_gpu.slot %more[%zero] : !wide
    scf.for %i = %zero to %tiles step %one : i32 {
      tile_gpu.mbarrier_wait %full[%zero], %zero : !full
      %read = tile_gpu.local_load %from : !result -> !tile
    }
    tile_gpu.barrier
    %results = tile_gpu.alloc : !result
    tile_gpu.local_store %none, %results : !tile, !result
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
