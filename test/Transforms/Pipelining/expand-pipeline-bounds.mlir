// Whether an iteration exists is asked without anything that wraps: of what would
// be less than the least number of its type, that number stands for.

// RUN: tile-opt %s --tile-gpu-expand-pipeline --canonicalize --cse | FileCheck %s

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
!t = tensor<128xf32, #l>
!b = !tile_gpu.buffer<128xf32, #rows>
!r = !tile_gpu.buffer<128xf32, #rows, slots = 4>
!p = tensor<128x!tile.ptr<f32>, #l>

// -2147483648 + 64 is -2147483584; two steps are one constant.
// CHECK-LABEL: tile.func private @step
// CHECK: arith.cmpi slt, %lower, %upper : i32
// CHECK: %[[MAX1:.*]] = arith.maxsi %upper, %c-2147483584_i32 : i32
// CHECK: %[[END1:.*]] = arith.subi %[[MAX1]], %c64_i32 : i32
// CHECK: arith.cmpi slt, %lower, %[[END1]] : i32
// CHECK: %[[MAX2:.*]] = arith.maxsi %upper, %c-2147483520_i32 : i32
// CHECK: %[[END2:.*]] = arith.subi %[[MAX2]], %c128_i32 : i32
// CHECK: scf.for %[[I:.*]] = %lower to %upper
// CHECK: arith.cmpi slt, %[[I]], %[[END2]] : i32
tile.func private @step(%p: !p, %lower: i32, %upper: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %slot = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %ring = tile_gpu.alloc : !r
  scf.for %i = %lower to %upper step %step : i32 {
    %to = tile_gpu.slot %ring[%slot] {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !r
    tile_gpu.async_copy %p, %to {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !p, !b
    tile_gpu.async_wait pending = 0 {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
  }
  tile.return
}

// Two steps are more than 32 bits hold: one after the other.
// CHECK-LABEL: tile.func private @large
// CHECK: %[[MAX1:.*]] = arith.maxsi %upper, %c-2147483647_i32{{.*}} : i32
// CHECK-NOT: maxsi
// CHECK: scf.for
// CHECK-LABEL: tile.func private @larger
// CHECK: %[[MAX1:.*]] = arith.maxsi %upper, %c-547483648_i32 : i32
// CHECK: %[[END1:.*]] = arith.subi %[[MAX1]], %c1600000000_i32 : i32
// CHECK: %[[MAX2:.*]] = arith.maxsi %[[END1]], %c-547483648_i32 : i32
// CHECK: %[[END2:.*]] = arith.subi %[[MAX2]], %c1600000000_i32 : i32
// CHECK: scf.for %[[I:.*]] = %lower to %upper
// CHECK: arith.cmpi slt, %[[I]], %[[END2]] : i32
tile.func private @large(%p: !p, %lower: i32, %upper: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %slot = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %ring = tile_gpu.alloc : !r
  scf.for %i = %lower to %upper step %step : i32 {
    %to = tile_gpu.slot %ring[%slot] {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !r
    tile_gpu.async_copy %p, %to {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !p, !b
    tile_gpu.async_wait pending = 0 {tile_gpu.order = 1 : i32, tile_gpu.stage = 1 : i32}
  }
  tile.return
}
tile.func private @larger(%p: !p, %lower: i32, %upper: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %slot = arith.constant 0 : i32
  %step = arith.constant 1600000000 : i32
  %ring = tile_gpu.alloc : !r
  scf.for %i = %lower to %upper step %step : i32 {
    %to = tile_gpu.slot %ring[%slot] {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !r
    tile_gpu.async_copy %p, %to {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !p, !b
    tile_gpu.async_wait pending = 0 {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
  }
  tile.return
}

// A loop from 0 in small steps: in it, the upper bound is more than 0.
// CHECK-LABEL: tile.func private @exact
// CHECK: arith.cmpi sgt, %upper, %c0_i64 : i64
// CHECK: arith.cmpi sgt, %upper, %c64_i64 : i64
// CHECK-NOT: maxsi
// CHECK: scf.for %[[I:.*]] = %c0_i64 to %upper
// CHECK: %[[END2:.*]] = arith.{{addi|subi}} %upper, %c{{-?}}128_i64 : i64
// CHECK: arith.cmpi slt, %[[I]], %[[END2]] : i64
tile.func private @exact(%p: !p, %upper: i64) attributes {tile_gpu.num_warps = 1 : i32} {
  %slot = arith.constant 0 : i32
  %lower = arith.constant 0 : i64
  %step = arith.constant 64 : i64
  %ring = tile_gpu.alloc : !r
  scf.for %i = %lower to %upper step %step : i64 {
    %to = tile_gpu.slot %ring[%slot] {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !r
    tile_gpu.async_copy %p, %to {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !p, !b
    tile_gpu.async_wait pending = 0 {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
  }
  tile.return
}

// From near either end they may wrap: 2147483600 + 128 does, and so does
// -2147483600 - 160.
// CHECK-LABEL: tile.func private @ends
// CHECK: arith.maxsi
// CHECK: scf.for
// CHECK: arith.maxsi
// CHECK: scf.for
tile.func private @ends(%p: !p, %upper: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %slot = arith.constant 0 : i32
  %lower = arith.constant 2147483600 : i32
  %low = arith.constant -2147483600 : i32
  %step = arith.constant 64 : i32
  %other = arith.constant 80 : i32
  %ring = tile_gpu.alloc : !r
  scf.for %i = %lower to %upper step %step : i32 {
    %to = tile_gpu.slot %ring[%slot] {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !r
    tile_gpu.async_copy %p, %to {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !p, !b
    tile_gpu.async_wait pending = 0 {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
  }
  scf.for %i = %low to %upper step %other : i32 {
    %to = tile_gpu.slot %ring[%slot] {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !r
    tile_gpu.async_copy %p, %to {tile_gpu.order = 0 : i32, tile_gpu.stage = 0 : i32} : !p, !b
    tile_gpu.async_wait pending = 0 {tile_gpu.order = 1 : i32, tile_gpu.stage = 2 : i32}
  }
  tile.return
}
