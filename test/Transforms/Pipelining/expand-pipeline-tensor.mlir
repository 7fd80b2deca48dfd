// Copies of tensor maps, two iterations ahead: those of the first two come before the
// loop. A slot's bytes are announced and its copies issued under one condition, that
// the iteration which they are for exists.

// RUN: tile-opt %s --tile-gpu-expand-pipeline --canonicalize --cse | FileCheck %s

#rows = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
#l = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [4, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = []>
!map = !tile.tensor_map<8x64xf16, swizzle = 128>
!box = !tile_gpu.buffer<8x64xf16, #rows>
!ring = !tile_gpu.buffer<8x64xf16, #rows, slots = 3>
!t = tensor<8x64xf16, #l>
!bars = !tile_gpu.mbarrier<3>

// The second copy's coordinate stands between the two: it has no effect, and goes
// before both.
// CHECK-LABEL: tile.func private @two_ahead
// CHECK: %[[RING:.*]] = tile_gpu.alloc
// CHECK: %[[HAS0:.*]] = arith.cmpi sgt, %n, %[[ZERO:.*]] : i32
// CHECK: scf.if %[[HAS0]] {
// CHECK-NEXT: tile_gpu.mbarrier_expect %full[%[[ZERO]]], 2048
// CHECK-NEXT: tile_gpu.tma_load %map[%r, %[[ZERO]]], %{{.*}}, %full[%[[ZERO]]]
// CHECK-NEXT: tile_gpu.tma_load %map[%{{.*}}, %r], %{{.*}}, %full[%[[ZERO]]]
// CHECK-NEXT: }
// CHECK: %[[HAS1:.*]] = arith.cmpi sgt, %n, %[[ONE:.*]] : i32
// CHECK: scf.if %[[HAS1]] {
// CHECK-NEXT: tile_gpu.mbarrier_expect %full[%[[ONE]]], 2048
// CHECK-NEXT: tile_gpu.tma_load %map[%r, %[[ONE]]]
// CHECK-NEXT: tile_gpu.tma_load
// CHECK-NEXT: }
// CHECK: scf.for %[[I:.*]] = %[[ZERO]] to %n step %[[ONE]]
// CHECK: %[[END:.*]] = arith.subi %n, %{{.*}} : i32
// CHECK: %[[HAS2:.*]] = arith.cmpi slt, %[[I]], %[[END]] : i32
// CHECK: tile_gpu.mbarrier_wait %full[%[[I]]], %p
// CHECK-NEXT: %[[FROM:.*]] = tile_gpu.slot %[[RING]][%[[I]]]
// CHECK-NEXT: %[[V:.*]] = tile_gpu.local_load %[[FROM]]
// CHECK: tile_gpu.barrier
// CHECK-NOT: scf.if
// CHECK: %[[I2:.*]] = arith.addi %[[I]], %{{.*}} : i32
// CHECK: scf.if %[[HAS2]] {
// CHECK-NEXT: tile_gpu.mbarrier_expect %full[%[[I2]]], 2048
// CHECK-NEXT: tile_gpu.tma_load %map[%r, %[[I2]]]
// CHECK-NEXT: tile_gpu.tma_load
// CHECK-NEXT: }
// CHECK-NOT: scf.if
// CHECK: scf.yield
tile.func private @two_ahead(%map: !map, %full: !bars, %n: i32, %p: i32, %r: i32, %t: !t) -> !t attributes {tile_gpu.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ring = tile_gpu.alloc : !ring
  %other = tile_gpu.alloc : !ring
  %r0 = scf.for %i = %zero to %n step %one iter_args(%u = %t) -> (!t) : i32 {
    %to = tile_gpu.slot %ring[%i] {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : !ring
    tile_gpu.mbarrier_expect %full[%i], 2048 {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : !bars
    tile_gpu.tma_load %map[%r, %i], %to, %full[%i] {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : !map, !box, !bars
    %to2 = tile_gpu.slot %other[%i] {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : !ring
    %at = arith.muli %i, %r {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : i32
    tile_gpu.tma_load %map[%at, %r], %to2, %full[%i] {tile_gpu.order = 1 : i32, tile_gpu.stage = 0 : i32} : !map, !box, !bars
    tile_gpu.mbarrier_wait %full[%i], %p {tile_gpu.order = 0 : i32, tile_gpu.stage = 2 : i32} : !bars
    %from = tile_gpu.slot %ring[%i] {tile_gpu.order = 0 : i32, tile_gpu.stage = 2 : i32} : !ring
    %v = tile_gpu.local_load %from {tile_gpu.order = 0 : i32, tile_gpu.stage = 2 : i32} : !box -> !t
    %w = arith.addf %u, %v {tile_gpu.order = 0 : i32, tile_gpu.stage = 2 : i32} : !t
    tile_gpu.barrier {tile_gpu.order = 0 : i32, tile_gpu.stage = 2 : i32}
    scf.yield %w : !t
  }
  tile.return %r0 : !t
}
