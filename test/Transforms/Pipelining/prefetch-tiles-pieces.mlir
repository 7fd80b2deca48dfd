// RUN: tile-opt %s --tile-gpu-prefetch-tiles --split-input-file | %inline-layouts | FileCheck %s --enable-var-scope
// RUN: tile-opt %s --tile-gpu-prefetch-tiles --split-input-file --remark-format=emitRemark --remarks-filter=tile-gpu-prefetch-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --enable-var-scope

// 192 KiB of slots leave no room for 64 KiB of results, but for two boxes of 16 KiB,
// which four parts of the tile go through in turns. The first two find both free.

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#panels = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0], [0, 64], [0, 128]]>
#big = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192]]>
#line = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32]]>
!rows = !tile.tensor_map<64xf32>
!map = !tile.tensor_map<128x64xf16, swizzle = 128>
!big = !tile_gpu.buffer<16384xf32, #big, slots = 3>
!one = !tile_gpu.buffer<16384xf32, #big>
!result = !tile_gpu.buffer<128x256xf16, #panels>
!tile = tensor<128x256xf16, #acc>
!full = !tile_gpu.mbarrier<2>

// CHECK-LABEL: tile.func private @pieces
// CHECK-SAME: %[[C:[a-z]+]]: !tile.tensor_map<128x64xf16, swizzle = 128>, %[[RESULT:[a-z]+]]: tensor<
// CHECK: %[[EVEN:.*]] = tile_gpu.alloc : <128x64xf16, #tile_gpu.shared<{{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>>
// CHECK: %[[ODD:.*]] = tile_gpu.alloc : <128x64xf16,
// CHECK: scf.for %[[I:.*]] =
// CHECK: tile_gpu.tma_store_wait pending = 0
// CHECK: %[[P0:.*]] = tile_gpu.extract_slice %[[RESULT]][0, 0] : {{.*}} -> tensor<128x64xf16, #tile_gpu.layout<register = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane =
// CHECK: tile_gpu.local_store %[[P0]], %[[EVEN]]
// CHECK: %[[P1:.*]] = tile_gpu.extract_slice %[[RESULT]][0, 64]
// CHECK: tile_gpu.local_store %[[P1]], %[[ODD]]
// CHECK: tile_gpu.fence_async
// CHECK: tile_gpu.tma_store %[[EVEN]], %[[C]][%[[I]], %{{.*}}]
// CHECK: tile_gpu.tma_store_commit
// CHECK: %[[BY:.*]] = arith.constant 64 : i32
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[BY]]
// CHECK: tile_gpu.tma_store %[[ODD]], %[[C]][%[[I]], %[[AT]]]
// CHECK: tile_gpu.tma_store_commit
// CHECK: tile_gpu.tma_store_wait pending = 1
// CHECK: %[[P2:.*]] = tile_gpu.extract_slice %[[RESULT]][0, 128]
// CHECK: tile_gpu.local_store %[[P2]], %[[EVEN]]
// CHECK: tile_gpu.fence_async
// CHECK: tile_gpu.tma_store %[[EVEN]]
// CHECK: tile_gpu.tma_store_commit
// CHECK: tile_gpu.tma_store_wait pending = 1
// CHECK: %[[P3:.*]] = tile_gpu.extract_slice %[[RESULT]][0, 192]
// CHECK: tile_gpu.local_store %[[P3]], %[[ODD]]
// CHECK: tile_gpu.fence_async
// CHECK: tile_gpu.tma_store %[[ODD]]
// CHECK: tile_gpu.tma_store_commit
// CHECK-NOT: tma_store_wait
// CHECK: } {tile.tile_loop
// CHECK: tile_gpu.tma_store_wait pending = 0
// CHECK-NOT: tma_store
// CHECK: tile.return

// REMARK: [Passed] prefetch {{.*}} Function=pieces | {{.*}} SharedBytes=229392, StorePieces=4
tile.func private @pieces(%a: !rows, %c: !map, %result: !tile, %tiles: i32) attributes {tile_gpu.num_warps = 8 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  scf.for %tile = %zero to %tiles step %one : i32 {
    %ring = tile_gpu.alloc : !big
    %to = tile_gpu.slot %ring[%zero] : !big
    %any = arith.cmpi slt, %zero, %tiles : i32
    scf.if %any {
      tile_gpu.mbarrier_expect %full[%zero], 65536 : !full
    }
    scf.for %i = %zero to %tiles step %one : i32 {
      tile_gpu.mbarrier_wait %full[%zero], %zero : !full
    }
    tile_gpu.barrier
    %b = tile_gpu.alloc : !result
    tile_gpu.local_store %result, %b : !tile, !result
    tile_gpu.fence_async
    tile_gpu.tma_store %b, %c[%tile, %zero] : !result, !map
    tile_gpu.tma_store_commit
    tile_gpu.tma_store_wait pending = 0
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#panels = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0], [0, 64], [0, 128]]>
#big = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192]]>
!rows = !tile.tensor_map<64xf32>
!map = !tile.tensor_map<128x64xf16, swizzle = 128>
!big = !tile_gpu.buffer<16384xf32, #big, slots = 3>
!result = !tile_gpu.buffer<128x256xf16, #panels>
!tile = tensor<128x256xf16, #acc>
!full = !tile_gpu.mbarrier<2>

// Threads read the buffer, too: it stays whole, and the tiles apart.

// CHECK-LABEL: tile.func private @read_again
// CHECK-NOT: tile_gpu.extract_slice
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=read_again | Reason="slots and the buffers of results would take 262160 bytes of shared memory, a program has at most 232448"
tile.func private @read_again(%c: !map, %result: !tile, %tiles: i32) attributes {tile_gpu.num_warps = 8 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  scf.for %tile = %zero to %tiles step %one : i32 {
    %ring = tile_gpu.alloc : !big
    %to = tile_gpu.slot %ring[%zero] : !big
    %any = arith.cmpi slt, %zero, %tiles : i32
    scf.if %any {
      tile_gpu.mbarrier_expect %full[%zero], 65536 : !full
    }
    scf.for %i = %zero to %tiles step %one : i32 {
      tile_gpu.mbarrier_wait %full[%zero], %zero : !full
    }
    tile_gpu.barrier
    %b = tile_gpu.alloc : !result
    tile_gpu.local_store %result, %b : !tile, !result
    tile_gpu.fence_async
    tile_gpu.tma_store %b, %c[%tile, %zero] : !result, !map
    tile_gpu.tma_store_commit
    tile_gpu.tma_store_wait pending = 0
    %again = tile_gpu.local_load %b : !result -> !tile
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0], [0, 128]]>
#panels = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0], [0, 64], [0, 128]]>
#big = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192]]>
!rows = !tile.tensor_map<64xf32>
!map = !tile.tensor_map<128x64xf16, swizzle = 128>
!big = !tile_gpu.buffer<16384xf32, #big, slots = 3>
!result = !tile_gpu.buffer<128x256xf16, #panels>
!tile = tensor<128x256xf16, #acc>
!full = !tile_gpu.mbarrier<2>

// Warps hold different columns: a part would be some warps' alone.

// CHECK-LABEL: tile.func private @columns_of_warps
// CHECK-NOT: tile_gpu.extract_slice
// CHECK: tile.return
// REMARK: [Missed] prefetch {{.*}} Function=columns_of_warps
tile.func private @columns_of_warps(%c: !map, %result: !tile, %tiles: i32) attributes {tile_gpu.num_warps = 16 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %full = tile_gpu.mbarrier_init arrivals = 1 : !full
  scf.for %tile = %zero to %tiles step %one : i32 {
    %ring = tile_gpu.alloc : !big
    %to = tile_gpu.slot %ring[%zero] : !big
    %any = arith.cmpi slt, %zero, %tiles : i32
    scf.if %any {
      tile_gpu.mbarrier_expect %full[%zero], 65536 : !full
    }
    scf.for %i = %zero to %tiles step %one : i32 {
      tile_gpu.mbarrier_wait %full[%zero], %zero : !full
    }
    tile_gpu.barrier
    %b = tile_gpu.alloc : !result
    tile_gpu.local_store %result, %b : !tile, !result
    tile_gpu.fence_async
    tile_gpu.tma_store %b, %c[%tile, %zero] : !result, !map
    tile_gpu.tma_store_commit
    tile_gpu.tma_store_wait pending = 0
  } {tile.tile_loop = #tile.tile_loop<independent>}
  tile.return
}
