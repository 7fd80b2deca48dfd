// The depth of a product in a pipelined loop is of the iteration whose tiles it
// multiplies, and not of the one whose tiles are copied.

// RUN: tile-opt %s --tile-gpu-async-copies --tile-gpu-expand-pipeline --canonicalize --cse | %inline-layouts | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#la = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#lb = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
#wide = #tile_gpu.access<direct, width = 4, axis = 1>
!ta = tensor<64x32xf16, #la>
!tb = tensor<32x16xf16, #lb>
!tc = tensor<64x16xf32, #acc>
!ba = !tile_gpu.buffer<64x32xf16, #sa>
!bb = !tile_gpu.buffer<32x16xf16, #sb>
!da = !tile.desc<64x32xf16>
!db = !tile.desc<32x16xf16>

// CHECK-LABEL: tile.func private @loop
// CHECK-NOT: depth
// CHECK: scf.for %[[I:[a-z0-9]+]] = %{{.*}} to %k
// CHECK-DAG: %[[EXISTS:.*]] = arith.cmpi sgt, %k, %[[I]] : i32
// CHECK-DAG: %[[REST:.*]] = arith.subi %k, %[[I]] : i32
// CHECK: %[[LEAST:.*]] = arith.minui %[[REST]], %{{.*}} : i32
// CHECK: %[[DEPTH:.*]] = arith.select %[[EXISTS]], %[[LEAST]], %{{.*}} : i32
// CHECK: tile_gpu.wgmma %{{.*}}, %{{.*}}, %{{.*}} depth %[[DEPTH]] :
// CHECK-NEXT: tile_gpu.wgmma_wait %{{.*}} pending = 1
// CHECK-NOT: depth
tile.func private @loop(%a: !da, %b: !db, %k: i32, %init: !tc) -> !tc attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %r = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (!tc) : i32 {
    %x = tile.desc_load %a[%zero, %i] {tile_gpu.access = #wide, tile_gpu.pipelined} : !da, [i32, i32] -> !ta
    %y = tile.desc_load %b[%i, %zero] {tile_gpu.access = #wide, tile_gpu.pipelined} : !db, [i32, i32] -> !tb
    %sx = tile_gpu.alloc : !ba
    tile_gpu.local_store %x, %sx : !ta, !ba
    %sy = tile_gpu.alloc : !bb
    tile_gpu.local_store %y, %sy : !tb, !bb
    tile_gpu.fence_async
    %exists = arith.cmpi sgt, %k, %i : i32
    %rest = arith.subi %k, %i : i32
    %least = arith.minui %rest, %step : i32
    %depth = arith.select %exists, %least, %zero : i32
    %p = tile_gpu.wgmma %sx, %sy, %acc depth %depth {tile_gpu.in_flight} : !ba, !bb -> !tc
    %d = tile_gpu.wgmma_wait %p pending = 0 : !tc
    scf.yield %d : !tc
  } {tile_gpu.distance = 2 : i32, tile_gpu.slots = 4 : i32}
  tile.return %r : !tc
}
