// Fences in a loop whose loads become copies: those of the loads' own stores go, those
// of what threads still write stay.

// RUN: tile-opt %s --split-input-file --tile-gpu-async-copies | %inline-layouts | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#la = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#lb = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
#sc = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
#wide = #tile_gpu.access<direct, width = 4, axis = 1>
!ta = tensor<64x32xf16, #la>
!tb = tensor<32x16xf16, #lb>
!tc = tensor<64x16xf32, #acc>
!ba = !tile_gpu.buffer<64x32xf16, #sa>
!bb = !tile_gpu.buffer<32x16xf16, #sb>
!bc = !tile_gpu.buffer<64x16xf32, #sc>
!p = !tile.ptr<f16>
!da = !tile.desc<64x32xf16>
!ma = !tile.tensor_map<64x32xf16, swizzle = 64>
!mc = !tile.tensor_map<64x16xf32>

// A tile's product is stored in the loop: A's fence goes, the result's stays.
// CHECK-LABEL: tile.func private @stored
// CHECK: scf.for
// CHECK: tile_gpu.mbarrier_wait
// CHECK-NOT: tile_gpu.fence_async
// CHECK: tile_gpu.wgmma %
// CHECK: tile_gpu.local_store %{{.*}}, %[[C:.*]] {
// CHECK-NEXT: tile_gpu.fence_async {tile_gpu.order = 2 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: tile_gpu.tma_store %[[C]],
// CHECK-NOT: tile_gpu.fence_async
// CHECK: tile.return
tile.func private @stored(%a: !p, %ma: !ma, %mc: !mc, %sy: !bb, %m: i32, %k: i32, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 64 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%zero, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  scf.for %i = %zero to %m step %step : i32 {
    %x = tile.desc_load %da[%i, %zero] {tile_gpu.access = #wide, tile_gpu.pipelined} : !da, [i32, i32] -> !ta
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    tile_gpu.fence_async
    %p = tile_gpu.wgmma %sx, %sy, %init : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    %sc = tile_gpu.alloc : !bc
    tile_gpu.local_store %q, %sc : !tc, !bc
    tile_gpu.fence_async
    tile_gpu.tma_store %sc, %mc[%i, %zero] : !bc, !mc
    tile_gpu.tma_store_commit
    tile_gpu.tma_store_wait pending = 0
  } {tile.num_stages = 2 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 2 : i32, tile_gpu.tensor_copies}
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#la = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#lb = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
#sc = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
#wide = #tile_gpu.access<direct, width = 4, axis = 1>
!ta = tensor<64x32xf16, #la>
!tb = tensor<32x16xf16, #lb>
!tc = tensor<64x16xf32, #acc>
!ba = !tile_gpu.buffer<64x32xf16, #sa>
!bb = !tile_gpu.buffer<32x16xf16, #sb>
!bc = !tile_gpu.buffer<64x16xf32, #sc>
!p = !tile.ptr<f16>
!da = !tile.desc<64x32xf16>
!ma = !tile.tensor_map<64x32xf16, swizzle = 64>
!mc = !tile.tensor_map<64x16xf32>

// Threads write B, which they compute: the fence of both operands stays. That of a
// write under a condition stands there, and the one after a buffer that threads alone
// read goes.
// CHECK-LABEL: tile.func private @computed
// CHECK: scf.for
// CHECK: tile_gpu.mbarrier_wait
// CHECK: tile_gpu.local_store %{{.*}}, %[[B:.*]] {
// CHECK-NEXT: tile_gpu.fence_async {tile_gpu.order = 2 : i32, tile_gpu.stage = 2 : i32}
// CHECK-NEXT: tile_gpu.wgmma %{{.*}}, %[[B]],
// CHECK: tile_gpu.local_store
// CHECK-NOT: tile_gpu.fence_async
// CHECK: tile_gpu.local_load
// CHECK: scf.if
// CHECK: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.fence_async{{$}}
// CHECK-NEXT: tile_gpu.tma_store
tile.func private @computed(%a: !p, %ma: !ma, %mc: !mc, %y: !tb, %m: i32, %k: i32, %c: i1, %init: !tc) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 64 : i32
  %da = tile.make_desc %a, [%m, %k], [%k, %one] map %ma[%zero, %zero] : !ma : !p, [i32, i32], [i32, i32] -> !da
  scf.for %i = %zero to %m step %step : i32 {
    %x = tile.desc_load %da[%i, %zero] {tile_gpu.access = #wide, tile_gpu.pipelined} : !da, [i32, i32] -> !ta
    %twice = arith.addf %y, %y : !tb
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %twice, %sy : !tb, !bb
    tile_gpu.fence_async
    %p = tile_gpu.wgmma %sx, %sy, %init : !ba, !bb -> !tc
    %q = tile_gpu.wgmma_wait %p pending = 0 : !tc
    %sq = tile_gpu.alloc : !bc
    tile_gpu.local_store %q, %sq : !tc, !bc
    tile_gpu.fence_async
    %r = tile_gpu.local_load %sq : !bc -> !tc
    scf.if %c {
      %sc = tile_gpu.alloc : !bc
      tile_gpu.local_store %r, %sc : !tc, !bc
      tile_gpu.fence_async
      tile_gpu.tma_store %sc, %mc[%i, %zero] : !bc, !mc
      tile_gpu.tma_store_commit
      tile_gpu.tma_store_wait pending = 0
    }
  } {tile.num_stages = 2 : i32, tile_gpu.distance = 2 : i32, tile_gpu.slots = 2 : i32, tile_gpu.tensor_copies}
  tile.return
}
