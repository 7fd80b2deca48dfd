// Products read two buffers at once: barriers stand before both reads, never between.

// RUN: tile-opt %s --tile-gpu-insert-barriers | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#la = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#lb = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
!acc = tensor<64x16xf32, #acc>
!va = tensor<64x16xf16, #la>
!vb = tensor<16x16xf16, #lb>
!a = !tile_gpu.buffer<64x16xf16, #sa>
!b = !tile_gpu.buffer<16x16xf16, #sb>

// B's bytes are read before the loop, so that the first iteration needs a barrier before
// B is written; the others need one before A is, which the product has read. One does
// for both.
// CHECK-LABEL: tile.func private @product
// CHECK: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: scf.for
// CHECK-NOT: tile_gpu.local_store
// CHECK: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store %{{.*}} : tensor<64x16xf16
// CHECK-NOT: tile_gpu.barrier
// CHECK: tile_gpu.local_store %{{.*}} : tensor<16x16xf16
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.wgmma
// CHECK-NOT: tile_gpu.barrier
// CHECK: tile.return
tile.func private @product(%x: !va, %y: !vb, %init: !acc, %n: i32) -> (!acc, !vb) attributes {tile_gpu.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = tile_gpu.alloc offset = 0 : !b
  tile_gpu.local_store %y, %first : !vb, !b
  tile_gpu.barrier
  %old = tile_gpu.local_load %first : !b -> !vb
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (!acc) : i32 {
    %a = tile_gpu.alloc offset = 1024 : !a
    tile_gpu.local_store %x, %a : !va, !a
    %b = tile_gpu.alloc offset = 0 : !b
    tile_gpu.local_store %old, %b : !vb, !b
    tile_gpu.fence_async
    %p = tile_gpu.wgmma %a, %b, %acc : !a, !b -> !acc
    %w = tile_gpu.wgmma_wait %p pending = 0 : !acc
    scf.yield %w : !acc
  }
  tile.return %r, %old : !acc, !vb
}
