// RUN: tile-opt %s | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --verify-roundtrip -o /dev/null
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | %inline-layouts | FileCheck %s

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#rows = #tile_gpu.shared<[[1], [2], [4], [8], [16], [32], [64]]>
!ring = !tile_gpu.buffer<128xf32, #rows, slots = 64>
!slot = !tile_gpu.buffer<128xf32, #rows>
!p = tensor<128x!tile.ptr<f32>, #l>

// A slot is a buffer without slots.
// CHECK-LABEL: tile.func private @copies
// CHECK-NEXT: %[[RING:.*]] = tile_gpu.alloc : <128xf32, #tile_gpu.shared<{{.*}}>, slots = 64>
// CHECK-NEXT: %[[SLOT:.*]] = tile_gpu.slot %[[RING]][%i] : <128xf32, #tile_gpu.shared<{{.*}}>, slots = 64>
// CHECK-NEXT: tile_gpu.async_copy %p, %[[SLOT]] : tensor<{{.*}}>, <128xf32, #tile_gpu.shared<{{[^s]*}}>{{$}}
// CHECK-NEXT: tile_gpu.async_copy %p, %[[SLOT]], %m {tile_gpu.access = {{.*}}} : tensor<{{.*}}>, <128xf32, {{.*}}>, tensor<128xi1, {{.*}}>
// CHECK-NEXT: tile_gpu.desc_copy %d[%i], %[[SLOT]] layout #tile_gpu.layout<register = {{.*}}> : !tile.desc<128xf32>, [i32], <128xf32,
// CHECK-NEXT: %[[TOKEN:.*]] = tile_gpu.async_commit
// CHECK-NEXT: tile_gpu.async_wait %[[TOKEN]] pending = 0
// CHECK-NEXT: tile_gpu.async_wait pending = 64
// CHECK-NEXT: tile_gpu.fence_async
tile.func private @copies(%p: !p, %m: tensor<128xi1, #l>, %d: !tile.desc<128xf32>, %i: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %ring = tile_gpu.alloc : !ring
  %slot = tile_gpu.slot %ring[%i] : !ring
  tile_gpu.async_copy %p, %slot : !p, !slot
  tile_gpu.async_copy %p, %slot, %m {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : !p, !slot, tensor<128xi1, #l>
  tile_gpu.desc_copy %d[%i], %slot layout #l : !tile.desc<128xf32>, [i32], !slot
  %t = tile_gpu.async_commit
  tile_gpu.async_wait %t pending = 0
  tile_gpu.async_wait pending = 64
  tile_gpu.fence_async
  tile.return
}

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>

// Rows of 64 bytes of A along k, of 32 bytes of B along n.
// CHECK-LABEL: tile.func private @product
// CHECK-NEXT: %[[D:.*]] = tile_gpu.wgmma %a, %b, %c : !tile_gpu.buffer<64x32xf16, #tile_gpu.shared<{{.*}}>>, <32x16xf16, #tile_gpu.shared<{{.*}}>> -> tensor<64x16xf32,
// CHECK-NEXT: %[[E:.*]] = tile_gpu.wgmma_wait %[[D]] pending = 1 : tensor<64x16xf32,
// CHECK-NEXT: tile.return %[[E]]
tile.func private @product(%a: !tile_gpu.buffer<64x32xf16, #sa>, %b: !tile_gpu.buffer<32x16xf16, #sb>, %c: tensor<64x16xf32, #acc>) -> tensor<64x16xf32, #acc> attributes {tile_gpu.num_warps = 4 : i32} {
  %d = tile_gpu.wgmma %a, %b, %c : !tile_gpu.buffer<64x32xf16, #sa>, !tile_gpu.buffer<32x16xf16, #sb> -> tensor<64x16xf32, #acc>
  %e = tile_gpu.wgmma_wait %d pending = 1 : tensor<64x16xf32, #acc>
  tile.return %e : tensor<64x16xf32, #acc>
}

// It stops at an element of k.
// CHECK-LABEL: tile.func private @depth
// CHECK-NEXT: tile_gpu.wgmma %a, %b, %c depth %k : !tile_gpu.buffer<64x32xf16, #tile_gpu.shared<{{.*}}>>, <32x16xf16, #tile_gpu.shared<{{.*}}>> -> tensor<64x16xf32,
tile.func private @depth(%a: !tile_gpu.buffer<64x32xf16, #sa>, %b: !tile_gpu.buffer<32x16xf16, #sb>, %c: tensor<64x16xf32, #acc>, %k: i32) attributes {tile_gpu.num_warps = 4 : i32} {
  %d = tile_gpu.wgmma %a, %b, %c depth %k : !tile_gpu.buffer<64x32xf16, #sa>, !tile_gpu.buffer<32x16xf16, #sb> -> tensor<64x16xf32, #acc>
  tile.return
}
