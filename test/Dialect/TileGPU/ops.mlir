// RUN: tile-opt %s --verify-roundtrip | FileCheck %s --check-prefix=NAMES
// RUN: tile-opt %s --verify-roundtrip | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic > %t.source
// RUN: tile-opt %s | tile-opt --mlir-print-op-generic > %t.reparsed
// RUN: diff %t.source %t.reparsed

#two = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>
#lanes = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#copies = #tile_gpu.layout<register = [], lane = [[1], [2], [0], [0], [0]], warp = [[0]]>
#odd = #tile_gpu.layout<register = [[1, 1], [0, 2]], lane = [[0, 1], [1, 4], [2, 0], [4, 0], [0, 4]], warp = []>
#rows = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#swizzled = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [1, 1], [2, 2]]>
#row = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
#one = #tile_gpu.shared<[], 3>

// Printed IR names layouts, in the order of their first uses, buffers' apart.
// NAMES:      #layout = #tile_gpu.layout<register = {{\[\[}}1], [2]], lane = {{\[\[}}4], [8], [16], [32], [64]], warp = {{\[\[}}128], [256]]>
// NAMES:      #shared = #tile_gpu.shared<{{\[\[}}0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
// NAMES-NOT:  = #tile_gpu.layout
// NAMES:      tile.func private @layouts(%a: tensor<512xf32, #layout>, %b: tensor<4x!tile.ptr<f16>, #layout{{[0-9]}}>, %c: tensor<8x8xi1, #layout{{[0-9]}}>)
// NAMES:      tile_gpu.alloc : <4x8xf32, #shared>

// CHECK-LABEL: tile.func private @layouts
// CHECK-SAME: tensor<512xf32, #tile_gpu.layout<register = {{\[\[}}1], [2]], lane = {{\[\[}}4], [8], [16], [32], [64]], warp = {{\[\[}}128], [256]]>>
// CHECK-SAME: tensor<4x!tile.ptr<f16>, #tile_gpu.layout<register = [], lane = {{\[\[}}1], [2], [0], [0], [0]], warp = {{\[\[}}0]]>>
// CHECK-SAME: tensor<8x8xi1, #tile_gpu.layout<register = {{\[\[}}1, 1], [0, 2]], lane = {{\[\[}}0, 1], [1, 4], [2, 0], [4, 0], [0, 4]], warp = []>>
tile.func private @layouts(%a: tensor<512xf32, #two>, %b: tensor<4x!tile.ptr<f16>, #copies>, %c: tensor<8x8xi1, #odd>) {
  tile.return
}

// CHECK-LABEL: tile.func private @buffers
// CHECK-NEXT: tile_gpu.alloc : <4x8xf32, #tile_gpu.shared<{{\[\[}}0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>>
// CHECK-NEXT: tile_gpu.alloc offset = 256 : <4x8xi1, #tile_gpu.shared<{{\[\[}}0, 1], [0, 2], [0, 4], [1, 1], [2, 2]]>>
// CHECK-NEXT: tile_gpu.alloc {tag} : <1x1x1x!tile.ptr<f32>, #tile_gpu.shared<[], 3>>
tile.func private @buffers() {
  %0 = tile_gpu.alloc : !tile_gpu.buffer<4x8xf32, #rows>
  %1 = tile_gpu.alloc offset = 256 : !tile_gpu.buffer<4x8xi1, #swizzled>
  %2 = tile_gpu.alloc {tag} : !tile_gpu.buffer<1x1x1x!tile.ptr<f32>, #one>
  tile.return
}

// CHECK-LABEL: tile.func @moves
// CHECK: %[[T:.*]] = tile.splat
// CHECK-NEXT: %[[U:.*]] = tile_gpu.convert_layout %[[T]] {tag} : tensor<32xf32, #{{.*}}> -> tensor<32xf32, #{{.*}}>
// CHECK-NEXT: %[[B:.*]] = tile_gpu.alloc
// CHECK-NEXT: tile_gpu.local_store %[[U]], %[[B]] {tag} : tensor<32xf32, #{{.*}}>, <32xf32, #{{.*}}>
// CHECK-NEXT: tile_gpu.barrier{{$}}
// CHECK-NEXT: tile_gpu.local_load %[[B]] {tag} : <32xf32, #{{.*}}> -> tensor<32xf32, #{{.*}}>
// CHECK-NEXT: tile_gpu.barrier {tag}
#turned = #tile_gpu.layout<register = [], lane = [[16], [8], [4], [2], [1]], warp = []>
tile.func @moves(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %t = tile.splat %x : f32 -> tensor<32xf32, #lanes>
  %u = tile_gpu.convert_layout %t {tag} : tensor<32xf32, #lanes> -> tensor<32xf32, #turned>
  %b = tile_gpu.alloc : !tile_gpu.buffer<32xf32, #row>
  tile_gpu.local_store %u, %b {tag} : tensor<32xf32, #turned>, !tile_gpu.buffer<32xf32, #row>
  tile_gpu.barrier
  %v = tile_gpu.local_load %b {tag} : !tile_gpu.buffer<32xf32, #row> -> tensor<32xf32, #lanes>
  tile_gpu.barrier {tag}
  tile.return
}

// Attributes with a meaning.
// CHECK-LABEL: tile.func @marks
// CHECK-SAME: attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 1024 : i32}
// CHECK: tile.load %{{.*}} {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 1>} : tensor<4x8x!tile.ptr<f32>>
// CHECK: tile.dot %{{.*}} {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>}
// CHECK: tile.dot %{{.*}} {tile_gpu.instruction = #tile_gpu.instruction<fma, 1, 1, 1>}
tile.func @marks(%p: !tile.ptr<f32>, %x: f16, %y: f32) attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<4x8x!tile.ptr<f32>>
  %0 = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 1>} : tensor<4x8x!tile.ptr<f32>>
  %a = tile.splat %x : f16 -> tensor<16x16xf16>
  %c = tile.splat %y : f32 -> tensor<16x16xf32>
  %1 = tile.dot %a, %a, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %2 = tile.dot %a, %a, %c {tile_gpu.instruction = #tile_gpu.instruction<fma, 1, 1, 1>} : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.return
}

// A part is made of registers whose bits say which part it is.
// CHECK-LABEL: tile.func @parts
// CHECK: tile_gpu.extract_slice %{{.*}}[64] {tag} : tensor<128xf32, #{{.*}}> -> tensor<64xf32, #tile_gpu.layout<register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [8], [16], [32]], warp = []>>
// CHECK: tile_gpu.extract_slice %{{.*}}[0, 32] : tensor<64x64xf16, #{{.*}}> -> tensor<64x32xf16, #{{.*}}>
#ends = #tile_gpu.layout<register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>
#half = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#left = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
tile.func @parts(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %t = tile.splat %x : f32 -> tensor<128xf32, #ends>
  %u = tile_gpu.extract_slice %t[64] {tag} : tensor<128xf32, #ends> -> tensor<64xf32, #half>
  tile.return
}
tile.func @columns(%x: f16) attributes {tile_gpu.num_warps = 4 : i32} {
  %t = tile.splat %x : f16 -> tensor<64x64xf16, #acc>
  %u = tile_gpu.extract_slice %t[0, 32] : tensor<64x64xf16, #acc> -> tensor<64x32xf16, #left>
  tile.return
}
