// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --canonicalize --cse | FileCheck %s

#rows = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
#panels = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [0, 64]]>
#turned = #tile_gpu.shared<[[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4]]>
#tall = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
#line = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256]]>
!map = !tile.tensor_map<8x64xf16, swizzle = 128>
!bars = !tile_gpu.mbarrier<4>

// Two mbarriers of the same kind are two, and stay even if nothing uses them.
// CHECK-LABEL: tile.func @barriers
// CHECK: %[[A:.*]] = tile_gpu.mbarrier_init arrivals = 1 : <4>
// CHECK: %[[B:.*]] = tile_gpu.mbarrier_init arrivals = 1048575 offset = 64 {tag} : <4>
// CHECK: tile_gpu.mbarrier_arrive %[[A]][%i] {tag} : <4>
// CHECK: tile_gpu.mbarrier_arrive %[[A]][%i] : <4>
// CHECK: tile_gpu.mbarrier_expect %[[B]][%i], 1048575 {tag} : <4>
// CHECK: tile_gpu.mbarrier_wait %[[A]][%i], %p {tag} : <4>
// CHECK: tile_gpu.mbarrier_wait %[[A]][%i], %p : <4>
// CHECK: tile_gpu.tma_load_end %[[A]] {tag} : <4>
// CHECK: tile_gpu.tma_load_end %[[A]] : <4>
tile.func @barriers(%i: i32, %p: i32) attributes {tile_gpu.num_warps = 4 : i32} {
  %a = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %b = tile_gpu.mbarrier_init arrivals = 1048575 offset = 64 {tag} : !bars
  tile_gpu.mbarrier_arrive %a[%i] {tag} : !bars
  tile_gpu.mbarrier_arrive %a[%i] : !bars
  tile_gpu.mbarrier_expect %b[%i], 1048575 {tag} : !bars
  tile_gpu.mbarrier_wait %a[%i], %p {tag} : !bars
  tile_gpu.mbarrier_wait %a[%i], %p : !bars
  tile_gpu.tma_load_end %a {tag} : !bars
  tile_gpu.tma_load_end %a : !bars
  tile.return
}

// A box of the buffer's shape, two panels of 128 bytes, a buffer whose rows are
// its columns, a box for a batch, several boxes on top of each other, a row.
// CHECK-LABEL: tile.func @copies
// CHECK: tile_gpu.tma_prefetch %a {tag} : <8x64xf16, swizzle = 128>
// CHECK: %[[BARS:.*]] = tile_gpu.mbarrier_init
// CHECK: %[[T:.*]] = tile_gpu.alloc
// CHECK: tile_gpu.tma_load %a[%i, %i], %[[T]], %[[BARS]][%i] {tag} : <8x64xf16, swizzle = 128>, <8x64xf16, #{{.*}}>, <4>
// CHECK: tile_gpu.tma_load %a
// CHECK: tile_gpu.tma_load %a
// CHECK: tile_gpu.tma_load %b[%i, %i, %i]
// CHECK: tile_gpu.tma_load %c
// CHECK: tile_gpu.tma_store %{{.*}}, %d[%i] {tag} : <512xf16, #{{.*}}>, <256xf16>
// CHECK: tile_gpu.tma_store_commit {tag}
// CHECK: tile_gpu.tma_store_wait pending = 64 {tag}
tile.func @copies(%a: !map, %b: !tile.tensor_map<1x8x64xf16, swizzle = 128>,
                  %c: !tile.tensor_map<16x16xf16, swizzle = 32>,
                  %d: !tile.tensor_map<256xf16>,
                  %i: i32) attributes {tile_gpu.num_warps = 4 : i32} {
  tile_gpu.tma_prefetch %a {tag} : !map
  %bars = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %t = tile_gpu.alloc : !tile_gpu.buffer<8x64xf16, #rows>
  tile_gpu.tma_load %a[%i, %i], %t, %bars[%i] {tag} : !map, !tile_gpu.buffer<8x64xf16, #rows>, !bars
  %u = tile_gpu.alloc offset = 1024 : !tile_gpu.buffer<8x128xf16, #panels>
  tile_gpu.tma_load %a[%i, %i], %u, %bars[%i] : !map, !tile_gpu.buffer<8x128xf16, #panels>, !bars
  %ring = tile_gpu.alloc : !tile_gpu.buffer<64x8xf16, #turned, slots = 3>
  %v = tile_gpu.slot %ring[%i] : !tile_gpu.buffer<64x8xf16, #turned, slots = 3>
  tile_gpu.tma_load %a[%i, %i], %v, %bars[%i] : !map, !tile_gpu.buffer<64x8xf16, #turned>, !bars
  tile_gpu.tma_load %b[%i, %i, %i], %t, %bars[%i] : !tile.tensor_map<1x8x64xf16, swizzle = 128>, !tile_gpu.buffer<8x64xf16, #rows>, !bars
  %w = tile_gpu.alloc : !tile_gpu.buffer<32x16xf16, #tall>
  tile_gpu.tma_load %c[%i, %i], %w, %bars[%i] : !tile.tensor_map<16x16xf16, swizzle = 32>, !tile_gpu.buffer<32x16xf16, #tall>, !bars
  %x = tile_gpu.alloc : !tile_gpu.buffer<512xf16, #line>
  tile_gpu.tma_store %x, %d[%i] {tag} : !tile_gpu.buffer<512xf16, #line>, !tile.tensor_map<256xf16>
  tile_gpu.tma_store_commit {tag}
  tile_gpu.tma_store_wait pending = 64 {tag}
  tile.return
}
