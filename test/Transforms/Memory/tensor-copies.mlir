// RUN: tile-opt %s --tile-gpu-allocate-shared --tile-gpu-insert-barriers | FileCheck %s

#rows = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
#l = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [4, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = []>
#large = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048]]>
#ll = #tile_gpu.layout<register = [[1], [2], [128], [256], [512], [1024], [2048]], lane = [[4], [8], [16], [32], [64]], warp = []>
!map = !tile.tensor_map<8x64xf16, swizzle = 128>
!box = !tile_gpu.buffer<8x64xf16, #rows>
!ring = !tile_gpu.buffer<8x64xf16, #rows, slots = 16>
!t = tensor<8x64xf16, #l>
!bars = !tile_gpu.mbarrier<2>

// mbarriers have their bytes to themselves, buffers of copies begin at multiples
// of 1024. A load writes, so that the one in the next iteration comes after all
// threads have read; a store reads what a barrier has made complete; the next
// write comes after thread 0's wait, and not after the store alone.
// CHECK-LABEL: tile.func @loop
// CHECK-SAME: tile_gpu.shared_bytes = 1040
// CHECK-SAME: tile_gpu.synchronized
// CHECK: tile_gpu.mbarrier_init arrivals = 1 offset = 1024
// CHECK-NEXT: %[[A:.*]] = tile_gpu.alloc offset = 0
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.mbarrier_expect
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.tma_load %{{.*}}, %[[A]],
// CHECK-NEXT: tile_gpu.mbarrier_wait
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load %[[A]]
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store %{{.*}}, %[[A]]
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.tma_store %[[A]],
// CHECK-NEXT: tile_gpu.tma_store_commit
// CHECK-NEXT: tile_gpu.tma_store_wait pending = 0
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
tile.func @loop(%a: !map, %n: i32, %p: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bars = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %t = tile_gpu.alloc : !box
  scf.for %i = %c0 to %n step %c1 : i32 {
    tile_gpu.mbarrier_expect %bars[%c0], 1024 : !bars
    tile_gpu.tma_load %a[%i, %i], %t, %bars[%c0] : !map, !box, !bars
    tile_gpu.mbarrier_wait %bars[%c0], %p : !bars
    %v = tile_gpu.local_load %t : !box -> !t
    tile_gpu.local_store %v, %t : !t, !box
    tile_gpu.fence_async
    tile_gpu.tma_store %t, %a[%i, %i] : !box, !map
    tile_gpu.tma_store_commit
    tile_gpu.tma_store_wait pending = 0
  }
  tile.return
}

// Buffers of 16384 bytes. A load may arrive at any time to the end of the function;
// a store has ended after a wait for all of them, but not before: %d gets room of
// its own, %c that of %u.
// CHECK-LABEL: tile.func @lifetimes
// CHECK-SAME: tile_gpu.shared_bytes = 49168
// CHECK: tile_gpu.mbarrier_init arrivals = 1 offset = 49152
// CHECK: tile_gpu.alloc offset = 0 :
// CHECK: tile_gpu.tma_load
// CHECK: tile_gpu.alloc offset = 16384 :
// CHECK: tile_gpu.tma_store_wait pending = 1
// CHECK: tile_gpu.alloc offset = 32768 :
// CHECK: tile_gpu.tma_store_wait pending = 0
// CHECK: tile_gpu.alloc offset = 16384 :
tile.func @lifetimes(%a: !map, %i: i32, %x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %bars = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %v = tile.splat %x : f32 -> tensor<4096xf32, #ll>
  %t = tile_gpu.alloc : !ring
  %s = tile_gpu.slot %t[%i] : !ring
  tile_gpu.tma_load %a[%i, %i], %s, %bars[%i] : !map, !box, !bars
  tile_gpu.mbarrier_wait %bars[%i], %i : !bars
  %u = tile_gpu.alloc : !ring
  %w = tile_gpu.slot %u[%i] : !ring
  tile_gpu.tma_store %w, %a[%i, %i] : !box, !map
  tile_gpu.tma_store_commit
  tile_gpu.tma_store_wait pending = 1
  %d = tile_gpu.alloc : !tile_gpu.buffer<4096xf32, #large>
  tile_gpu.local_store %v, %d : tensor<4096xf32, #ll>, !tile_gpu.buffer<4096xf32, #large>
  tile_gpu.tma_store_wait pending = 0
  %c = tile_gpu.alloc : !tile_gpu.buffer<4096xf32, #large>
  tile_gpu.local_store %v, %c : tensor<4096xf32, #ll>, !tile_gpu.buffer<4096xf32, #large>
  tile.return
}

// Slots of a ring get no barriers: who fills it has put them there, and the
// interpreter checks them.
// CHECK-LABEL: tile.func @ring
// CHECK-SAME: tile_gpu.synchronized
// CHECK-NOT: tile_gpu.barrier
// CHECK: tile.return
tile.func @ring(%a: !map, %i: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %bars = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %ring = tile_gpu.alloc : !tile_gpu.buffer<8x64xf16, #rows, slots = 2>
  %t = tile_gpu.slot %ring[%i] : !tile_gpu.buffer<8x64xf16, #rows, slots = 2>
  tile_gpu.tma_load %a[%i, %i], %t, %bars[%i] : !map, !box, !bars
  tile_gpu.mbarrier_wait %bars[%i], %i : !bars
  %v = tile_gpu.local_load %t : !box -> !t
  tile_gpu.tma_load %a[%i, %i], %t, %bars[%i] : !map, !box, !bars
  tile.return
}
