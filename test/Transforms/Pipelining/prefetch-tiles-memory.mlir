// RUN: tile-opt %s --tile-gpu-prefetch-tiles --canonicalize --split-input-file | FileCheck %s --enable-var-scope
// RUN: tile-opt %s --tile-gpu-prefetch-tiles --split-input-file --remark-format=emitRemark --remarks-filter=tile-gpu-prefetch-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --enable-var-scope

// Shared memory that the buffers would need side by side.

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192]]>
#line = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
!map = !tile.tensor_map<64xf32>
!big = !tile_gpu.buffer<16384xf32, #rows, slots = 3>
!ring = !tile_gpu.buffer<64xf32, #line, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #line>
!full = !tile_gpu.mbarrier<2>

// 3 x 64 KiB, and once more: beside each other there is no room for them. 256 bytes
// of 2 slots and 16 of mbarriers count as 1024 and 16.

// CHECK-LABEL: tile.func @large
// CHECK: scf.for
// CHECK: tile_gpu.alloc
// REMARK: [Missed] prefetch {{.*}} Function=large | Reason="slots and the buffers of results would take 394256 bytes of shared memory, a program has at most 232448", Suggestion="fewer stages or a smaller tile"
tile.func @large(%a: !map, %tiles: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  scf.for %tile = %zero to %tiles step %one : i32 {
    %ring = tile_gpu.alloc : !ring
    %x = tile_gpu.alloc : !big
    %y = tile_gpu.alloc : !big
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
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// -----

#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096]]>
#line = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
!map = !tile.tensor_map<64xf32>
!ring = !tile_gpu.buffer<64xf32, #line, slots = 2>
!slot = !tile_gpu.buffer<64xf32, #line>
!wide = !tile_gpu.buffer<8192xf32, #rows, slots = 2>
!result = !tile_gpu.buffer<8192xf32, #rows>
!full = !tile_gpu.mbarrier<2>

// 65 KiB of slots, 32 KiB of results and 16 bytes of mbarriers: 228 KiB hold three
// programs that use them in turn, and two with both.

// CHECK-LABEL: tile.func @crowded
// CHECK: scf.for
// CHECK: tile_gpu.alloc
// REMARK: [Missed] prefetch {{.*}} Function=crowded | Reason="slots and the buffers of results would take 99344 bytes of shared memory, and a multiprocessor 2 programs in place of 3, which hide each other's copies", Suggestion="fewer stages or a smaller tile"
tile.func @crowded(%a: !map, %tiles: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  scf.for %tile = %zero to %tiles step %one : i32 {
    %ring = tile_gpu.alloc : !ring
    %more = tile_gpu.alloc : !wide
    %results = tile_gpu.alloc : !result
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
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
