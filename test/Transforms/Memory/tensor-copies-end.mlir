// Bytes that copies to mbarriers fill belong to their buffer until those mbarriers'
// copies have ended. Buffers are of 16384 bytes; two pairs of mbarriers take 32.

// RUN: tile-opt %s --tile-gpu-allocate-shared | FileCheck %s

#rows = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
#large = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048]]>
#ll = #tile_gpu.layout<register = [[1], [2], [128], [256], [512], [1024], [2048]], lane = [[4], [8], [16], [32], [64]], warp = []>
!map = !tile.tensor_map<8x64xf16, swizzle = 128>
!box = !tile_gpu.buffer<8x64xf16, #rows>
!ring = !tile_gpu.buffer<8x64xf16, #rows, slots = 16>
!bars = !tile_gpu.mbarrier<2>
!b = !tile_gpu.buffer<4096xf32, #large>
!v = tensor<4096xf32, #ll>

// CHECK-LABEL: tile.func @after
// CHECK-SAME: tile_gpu.shared_bytes = 16416
// CHECK: tile_gpu.alloc offset = 0 : <8x64xf16
// CHECK: tile_gpu.tma_load_end
// CHECK-NEXT: tile_gpu.alloc offset = 0 : <4096xf32
tile.func @after(%a: !map, %i: i32, %x: f32, %c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %v = tile.splat %x : f32 -> !v
  %bars = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %others = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %t = tile_gpu.alloc : !ring
  %s = tile_gpu.slot %t[%i] : !ring
  tile_gpu.tma_load %a[%i, %i], %s, %bars[%i] : !map, !box, !bars
  tile_gpu.mbarrier_wait %bars[%i], %i : !bars
  tile_gpu.tma_load_end %bars : !bars
  %d = tile_gpu.alloc : !b
  tile_gpu.local_store %v, %d : !v, !b
  tile.return
}

// A wait is for one phase of one slot.
// CHECK-LABEL: tile.func @before
// CHECK-SAME: tile_gpu.shared_bytes = 32800
// CHECK: tile_gpu.alloc offset = 0 : <8x64xf16
// CHECK: tile_gpu.alloc offset = 16384 : <4096xf32
// CHECK: tile_gpu.tma_load_end
tile.func @before(%a: !map, %i: i32, %x: f32, %c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %v = tile.splat %x : f32 -> !v
  %bars = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %others = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %t = tile_gpu.alloc : !ring
  %s = tile_gpu.slot %t[%i] : !ring
  tile_gpu.tma_load %a[%i, %i], %s, %bars[%i] : !map, !box, !bars
  tile_gpu.mbarrier_wait %bars[%i], %i : !bars
  %d = tile_gpu.alloc : !b
  tile_gpu.local_store %v, %d : !v, !b
  tile_gpu.tma_load_end %bars : !bars
  tile.return
}

// CHECK-LABEL: tile.func @other
// CHECK-SAME: tile_gpu.shared_bytes = 32800
// CHECK: tile_gpu.alloc offset = 0 : <8x64xf16
// CHECK: tile_gpu.tma_load_end
// CHECK-NEXT: tile_gpu.alloc offset = 16384 : <4096xf32
tile.func @other(%a: !map, %i: i32, %x: f32, %c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %v = tile.splat %x : f32 -> !v
  %bars = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %others = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %t = tile_gpu.alloc : !ring
  %s = tile_gpu.slot %t[%i] : !ring
  tile_gpu.tma_load %a[%i, %i], %s, %bars[%i] : !map, !box, !bars
  tile_gpu.mbarrier_wait %bars[%i], %i : !bars
  tile_gpu.tma_load_end %others : !bars
  %d = tile_gpu.alloc : !b
  tile_gpu.local_store %v, %d : !v, !b
  tile.return
}

// Both of two mbarriers, in any sequence.
// CHECK-LABEL: tile.func @both
// CHECK-SAME: tile_gpu.shared_bytes = 32800
// CHECK: tile_gpu.alloc offset = 0 : <8x64xf16
// CHECK: tile_gpu.tma_load_end
// CHECK-NEXT: tile_gpu.alloc offset = 16384 : <4096xf32
// CHECK: tile_gpu.tma_load_end
// CHECK-NEXT: tile_gpu.alloc offset = 0 : <4096xf32
tile.func @both(%a: !map, %i: i32, %x: f32, %c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %v = tile.splat %x : f32 -> !v
  %bars = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %others = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %t = tile_gpu.alloc : !ring
  %s = tile_gpu.slot %t[%i] : !ring
  tile_gpu.tma_load %a[%i, %i], %s, %bars[%i] : !map, !box, !bars
  %s1 = tile_gpu.slot %t[%i] : !ring
  tile_gpu.tma_load %a[%i, %i], %s1, %others[%i] : !map, !box, !bars
  tile_gpu.mbarrier_wait %bars[%i], %i : !bars
  tile_gpu.mbarrier_wait %others[%i], %i : !bars
  tile_gpu.tma_load_end %others : !bars
  %d = tile_gpu.alloc : !b
  tile_gpu.local_store %v, %d : !v, !b
  tile_gpu.tma_load_end %bars : !bars
  %e = tile_gpu.alloc : !b
  tile_gpu.local_store %v, %e : !v, !b
  tile.return
}

// Another copy after the end.
// CHECK-LABEL: tile.func @again
// CHECK: tile_gpu.alloc offset = 0 : <8x64xf16
// CHECK: tile_gpu.alloc offset = 16384 : <4096xf32
// CHECK: tile_gpu.alloc offset = 0 : <4096xf32
tile.func @again(%a: !map, %i: i32, %x: f32, %c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %v = tile.splat %x : f32 -> !v
  %bars = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %others = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %t = tile_gpu.alloc : !ring
  %s = tile_gpu.slot %t[%i] : !ring
  tile_gpu.tma_load %a[%i, %i], %s, %bars[%i] : !map, !box, !bars
  tile_gpu.mbarrier_wait %bars[%i], %i : !bars
  tile_gpu.tma_load_end %bars : !bars
  %d = tile_gpu.alloc : !b
  tile_gpu.local_store %v, %d : !v, !b
  %s1 = tile_gpu.slot %t[%i] : !ring
  tile_gpu.tma_load %a[%i, %i], %s1, %bars[%i] : !map, !box, !bars
  tile_gpu.mbarrier_wait %bars[%i], %i : !bars
  tile_gpu.tma_load_end %bars : !bars
  %e = tile_gpu.alloc : !b
  tile_gpu.local_store %v, %e : !v, !b
  tile.return
}

// An end under a condition is none where that is false.
// CHECK-LABEL: tile.func @condition
// CHECK: tile_gpu.alloc offset = 0 : <8x64xf16
// CHECK: tile_gpu.alloc offset = 16384 : <4096xf32
tile.func @condition(%a: !map, %i: i32, %x: f32, %c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %v = tile.splat %x : f32 -> !v
  %bars = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %others = tile_gpu.mbarrier_init arrivals = 1 : !bars
  %t = tile_gpu.alloc : !ring
  %s = tile_gpu.slot %t[%i] : !ring
  tile_gpu.tma_load %a[%i, %i], %s, %bars[%i] : !map, !box, !bars
  tile_gpu.mbarrier_wait %bars[%i], %i : !bars
  scf.if %c {
    tile_gpu.tma_load_end %bars : !bars
  }
  %d = tile_gpu.alloc : !b
  tile_gpu.local_store %v, %d : !v, !b
  tile.return
}
