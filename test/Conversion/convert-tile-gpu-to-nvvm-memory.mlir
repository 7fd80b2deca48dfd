// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s

#one = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#four = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#eight = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = []>

// Without a mask and hints: plain accesses, aligned to their bytes. The width is
// what was proved, what the registers hold, and 16 bytes at most: 4 f32, 2 f64.
// CHECK-LABEL: llvm.func @plain
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: llvm.load
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT: llvm.store
// CHECK: llvm.return
tile.func @plain(%p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #four>
  %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : tensor<128x!tile.ptr<f32>, #four>
  tile.store %ps, %a {tile_gpu.access = #tile_gpu.access<direct, width = 16, axis = 0>} : tensor<128x!tile.ptr<f32>, #four>
  tile.return
}

// CHECK-LABEL: llvm.func @doubles
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<2xf64>
// CHECK-NOT: llvm.load
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [0, 1, 2, 3] : vector<2xf64>
// CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<2xf64>, !llvm.ptr<1>
// CHECK: llvm.return
tile.func @doubles(%p: !tile.ptr<f64>) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f64> -> tensor<128x!tile.ptr<f64>, #four>
  %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 16, axis = 0>} : tensor<128x!tile.ptr<f64>, #four>
  tile.store %ps, %a {tile_gpu.access = #tile_gpu.access<direct, width = 16, axis = 0>} : tensor<128x!tile.ptr<f64>, #four>
  tile.return
}

// Nothing is proved: one element at a time.
// CHECK-LABEL: llvm.func @no_access
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<1xi32>
// CHECK: llvm.return
tile.func @no_access(%p: !tile.ptr<i32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #four>
  %a = tile.load %ps : tensor<128x!tile.ptr<i32>, #four>
  tile.return
}

// A mask guards the instruction; `other` is what the registers hold before.
// CHECK-LABEL: llvm.func @masked
// CHECK: llvm.inline_asm has_side_effects "@$4 ld.global.v4.b32 {$0, $1, $2, $3}, [$5];", "=r,=r,=r,=r,b,l,0,1,2,3" %{{.*}} : (i1, i64, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK: llvm.inline_asm has_side_effects "@$0 st.global.v4.b32 [$1], {$2, $3, $4, $5};", "b,l,r,r,r,r" %{{.*}} : (i1, i64, i32, i32, i32, i32) -> ()
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.return
tile.func @masked(%p: !tile.ptr<f32>, %m: i1, %x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #four>
  %ms = tile.splat %m : i1 -> tensor<128xi1, #four>
  %xs = tile.splat %x : f32 -> tensor<128xf32, #four>
  %a = tile.load %ps, %ms, %xs {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : tensor<128x!tile.ptr<f32>, #four>
  tile.store %ps, %a, %ms {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : tensor<128x!tile.ptr<f32>, #four>
  tile.return
}

// Without `other`: zeros.
// CHECK-LABEL: llvm.func @masked_without_other
// CHECK: %[[Z:.*]] = llvm.mlir.zero : vector<1xi32>
// CHECK: %[[W:.*]] = llvm.extractelement %[[Z]]
// CHECK: llvm.inline_asm has_side_effects "@$1 ld.global.b32 $0, [$2];", "=r,b,l,0" %{{.*}}, %{{.*}}, %[[W]] : (i1, i64, i32) -> i32
tile.func @masked_without_other(%p: !tile.ptr<f32>, %m: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #one>
  %ms = tile.splat %m : i1 -> tensor<32xi1, #one>
  %a = tile.load %ps, %ms : tensor<32x!tile.ptr<f32>, #one>
  tile.return
}

// Element types: an i1 is a byte, 0 or 1; 8 f16 are 4 words; 8-bit floats are
// bytes; a pointer is a word of 64 bits.
// CHECK-LABEL: llvm.func @bools
// CHECK: %[[B:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi8>
// CHECK: %[[M:.*]] = llvm.icmp "ne" %[[B]], %{{.*}} : vector<4xi8>
// CHECK: llvm.zext %{{.*}} : vector<4xi1> to vector<4xi8>
// CHECK: llvm.bitcast %{{.*}} : vector<4xi8> to vector<1xi32>
// CHECK: "@$0 st.global.b32 [$1], $2;", "b,l,r"
tile.func @bools(%p: !tile.ptr<i1>) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<i1> -> tensor<128x!tile.ptr<i1>, #four>
  %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : tensor<128x!tile.ptr<i1>, #four>
  tile.store %ps, %a, %a {tile_gpu.access = #tile_gpu.access<direct, width = 4, axis = 0>} : tensor<128x!tile.ptr<i1>, #four>
  tile.return
}

// CHECK-LABEL: llvm.func @halves
// CHECK: "@$4 ld.global.v4.b32 {$0, $1, $2, $3}, [$5];"
// CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<8xf16>
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
tile.func @halves(%p: !tile.ptr<f16>, %m: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<256x!tile.ptr<f16>, #eight>
  %ms = tile.splat %m : i1 -> tensor<256xi1, #eight>
  %a = tile.load %ps, %ms {tile_gpu.access = #tile_gpu.access<direct, width = 8, axis = 0>} : tensor<256x!tile.ptr<f16>, #eight>
  tile.store %ps, %a {tile_gpu.access = #tile_gpu.access<direct, width = 8, axis = 0>} : tensor<256x!tile.ptr<f16>, #eight>
  tile.return
}

// CHECK-LABEL: llvm.func @float8
// CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> vector<2xi8>
// CHECK: llvm.store %{{.*}} {alignment = 2 : i64} : vector<2xi8>, !llvm.ptr<1>
tile.func @float8(%p: !tile.ptr<f8E5M2>) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<f8E5M2> -> tensor<128x!tile.ptr<f8E5M2>, #four>
  %a = tile.load %ps {tile_gpu.access = #tile_gpu.access<direct, width = 2, axis = 0>} : tensor<128x!tile.ptr<f8E5M2>, #four>
  tile.store %ps, %a {tile_gpu.access = #tile_gpu.access<direct, width = 2, axis = 0>} : tensor<128x!tile.ptr<f8E5M2>, #four>
  tile.return
}

// CHECK-LABEL: llvm.func @pointers
// CHECK: %[[A:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<1xi64>
// CHECK: %[[Q:.*]] = llvm.extractelement %[[A]]
// CHECK: llvm.inttoptr %[[Q]] : i64 to !llvm.ptr<1>
tile.func @pointers(%p: !tile.ptr<!tile.ptr<f32>>) attributes {tile_gpu.num_warps = 1 : i32} {
  %ps = tile.splat %p : !tile.ptr<!tile.ptr<f32>> -> tensor<32x!tile.ptr<!tile.ptr<f32>>, #one>
  %qs = tile.load %ps : tensor<32x!tile.ptr<!tile.ptr<f32>>, #one>
  %a = tile.load %qs : tensor<32x!tile.ptr<f32>, #one>
  tile.return
}
