// RUN: tile-opt %s --tile-gpu-allocate-shared | FileCheck %s

// Small buffers get room of their own, since reuse would cost a barrier: on
// sm_90a up to 228 KiB / 32 - 1 KiB = 6272 bytes together.

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#s = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
#l2 = #tile_gpu.layout<register = [[32], [64], [128], [256], [512]], lane = [[1], [2], [4], [8], [16]], warp = []>
#s2 = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512]]>

// CHECK-LABEL: tile.func @small
// CHECK-SAME: tile_gpu.shared_bytes = 256
tile.func @small(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %t = tile.splat %x : f32 -> tensor<32xf32, #l>
  // CHECK: tile_gpu.alloc offset = 0
  %a = tile_gpu.alloc : !tile_gpu.buffer<32xf32, #s>
  tile_gpu.local_store %t, %a : tensor<32xf32, #l>, !tile_gpu.buffer<32xf32, #s>
  // CHECK: tile_gpu.alloc offset = 128
  %b = tile_gpu.alloc : !tile_gpu.buffer<32xf32, #s>
  tile_gpu.local_store %t, %b : tensor<32xf32, #l>, !tile_gpu.buffer<32xf32, #s>
  tile.return
}

// Together 8192 bytes: the second one reuses the room of the first one.
// CHECK-LABEL: tile.func @large
// CHECK-SAME: tile_gpu.shared_bytes = 4096
tile.func @large(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %t = tile.splat %x : f32 -> tensor<1024xf32, #l2>
  // CHECK: tile_gpu.alloc offset = 0
  %a = tile_gpu.alloc : !tile_gpu.buffer<1024xf32, #s2>
  tile_gpu.local_store %t, %a : tensor<1024xf32, #l2>, !tile_gpu.buffer<1024xf32, #s2>
  // CHECK: tile_gpu.alloc offset = 0
  %b = tile_gpu.alloc : !tile_gpu.buffer<1024xf32, #s2>
  tile_gpu.local_store %t, %b : tensor<1024xf32, #l2>, !tile_gpu.buffer<1024xf32, #s2>
  tile.return
}
