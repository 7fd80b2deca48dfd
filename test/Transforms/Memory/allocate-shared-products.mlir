// A product reads its operands until a wait for all products. Where that follows in the
// product's block, a buffer from before the loop is free behind the loop.

// RUN: tile-opt %s --tile-gpu-allocate-shared | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#large = #tile_gpu.layout<register = [[1], [2], [512], [1024], [2048]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#sl = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048]]>
!acc = tensor<64x16xf32, #acc>
!a = !tile_gpu.buffer<64x16xf16, #sa, slots = 8>
!b = !tile_gpu.buffer<16x16xf16, #sb>
!large = !tile_gpu.buffer<4096xf32, #sl>

// Eight slots of 2048 bytes and 512 of B; then 16384.
// CHECK-LABEL: tile.func @waited
// CHECK-SAME: tile_gpu.shared_bytes = 16896
// CHECK: tile_gpu.alloc offset = 0 : <64x16xf16
// CHECK: tile_gpu.alloc offset = 16384 : <16x16xf16
// CHECK: tile_gpu.alloc offset = 0 : <4096xf32
tile.func @waited(%x: f32, %n: i32) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %acc = tile.splat %x : f32 -> !acc
  %v = tile.splat %x : f32 -> tensor<4096xf32, #large>
  %a = tile_gpu.alloc : !a
  %b = tile_gpu.alloc : !b
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %acc) -> (!acc) : i32 {
    %s = tile_gpu.slot %a[%i] : !a
    %p = tile_gpu.wgmma %s, %b, %y : !tile_gpu.buffer<64x16xf16, #sa>, !b -> !acc
    %w = tile_gpu.wgmma_wait %p pending = 0 : !acc
    scf.yield %w : !acc
  }
  %d = tile_gpu.alloc : !large
  tile_gpu.local_store %v, %d : tensor<4096xf32, #large>, !large
  tile.return
}

// One is left under way: nothing waits for it before the end.
// CHECK-LABEL: tile.func @in_flight
// CHECK-SAME: tile_gpu.shared_bytes = 33280
// CHECK: tile_gpu.alloc offset = 0 : <64x16xf16
// CHECK: tile_gpu.alloc offset = 32768 : <16x16xf16
// CHECK: tile_gpu.alloc offset = 16384 : <4096xf32
tile.func @in_flight(%x: f32, %n: i32) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %acc = tile.splat %x : f32 -> !acc
  %v = tile.splat %x : f32 -> tensor<4096xf32, #large>
  %a = tile_gpu.alloc : !a
  %b = tile_gpu.alloc : !b
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %acc) -> (!acc) : i32 {
    %s = tile_gpu.slot %a[%i] : !a
    %p = tile_gpu.wgmma %s, %b, %y : !tile_gpu.buffer<64x16xf16, #sa>, !b -> !acc
    %w = tile_gpu.wgmma_wait %p pending = 1 : !acc
    scf.yield %w : !acc
  }
  %d = tile_gpu.alloc : !large
  tile_gpu.local_store %v, %d : tensor<4096xf32, #large>, !large
  tile.return
}
