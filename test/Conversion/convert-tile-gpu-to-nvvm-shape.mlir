// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s

// Shape operations renumber registers; no value leaves its thread.

// CHECK-LABEL: llvm.func @splats
// CHECK-SAME: %[[X:.*]]: f32 {{.*}}, %[[P:.*]]: !llvm.ptr<1> {
// CHECK: %[[V:.*]] = llvm.insertelement %[[X]], %{{.*}} : vector<4xf32>
// CHECK: llvm.shufflevector %[[V]], %{{.*}} [0, 0, 0, 0] : vector<4xf32>
// CHECK: %[[A:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<1> to i64
// CHECK: llvm.insertelement %[[A]], %{{.*}} : vector<1xi64>
// CHECK-NOT: llvm.shufflevector
// CHECK: llvm.return
#four = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#one = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
tile.func @splats(%x: f32, %p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<128xf32, #four>
  %b = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #one>
  tile.return
}

// start + 4 * lane + register; the constants, with the start, are added last.
// CHECK-LABEL: llvm.func @arange
// CHECK: %[[K:.*]] = llvm.mlir.constant(dense<[100, 101, 102, 103]> : vector<4xi32>)
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: llvm.and %[[TID]]
// CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32)
// CHECK-NEXT: llvm.mul %{{.*}}, %[[FOUR]]
// CHECK: %[[T:.*]] = llvm.shufflevector %{{.*}} [0, 0, 0, 0] : vector<4xi32>
// CHECK-NEXT: llvm.add %[[T]], %[[K]] : vector<4xi32>
tile.func @arange() attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile.arange 100 : tensor<128xi32, #four>
  tile.return
}

// Negative starts, and warps: lane + 32 * warp - 4.
// CHECK-LABEL: llvm.func @arange_warps
// CHECK: llvm.mlir.constant(dense<-4> : vector<1xi32>)
// CHECK: %[[LANE:.*]] = llvm.mul
// CHECK: llvm.lshr
// CHECK: llvm.mlir.constant(32 : i32)
// CHECK: %[[WARP:.*]] = llvm.mul
// CHECK: llvm.xor %[[LANE]], %[[WARP]]
#warps = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
tile.func @arange_warps() attributes {tile_gpu.num_warps = 2 : i32} {
  %0 = tile.arange -4 : tensor<64xi32, #warps>
  tile.return
}

// Lane 0 moves by 3 = 1 ^ 2, and so meets the register's bit: XOR, then the start.
// CHECK-LABEL: llvm.func @arange_xor
// CHECK: %[[K:.*]] = llvm.mlir.constant(dense<[0, 1]> : vector<2xi32>)
// CHECK: %[[X:.*]] = llvm.xor %{{.*}}, %[[K]] : vector<2xi32>
// CHECK: llvm.mlir.constant(5 : i32)
// CHECK: llvm.add %[[X]], %{{.*}} : vector<2xi32>
#mixed = #tile_gpu.layout<register = [[1]], lane = [[3], [4], [8], [16], [32]], warp = []>
tile.func @arange_xor() attributes {tile_gpu.num_warps = 1 : i32} {
  %0 = tile.arange 5 : tensor<64xi32, #mixed>
  tile.return
}

// A register layout r0 = column 1, r1 = row 4 of 8x64, of which the slices are a
// row of 2 registers (column bit) and a column of 2 registers (row bit).
// Register i of the result takes register i & 1 of the row, i >> 1 of the column.
#tile = #tile_gpu.layout<register = [[0, 1], [4, 0]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[1, 0], [2, 0]]>
#row = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[0, 0], [0, 0]]>
#col = #tile_gpu.layout<register = [[4, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[1, 0], [2, 0]]>
#row1 = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0], [0]]>
// CHECK-LABEL: llvm.func @broadcasts
// CHECK: %[[R:.*]] = llvm.shufflevector %{{.*}} [0, 0] : vector<2xf32>
// CHECK: %[[C:.*]] = llvm.shufflevector %{{.*}} [0, 0] : vector<2xi32>
// CHECK: llvm.shufflevector %[[R]], %{{.*}} [0, 1, 0, 1] : vector<2xf32>
// CHECK: llvm.shufflevector %[[C]], %{{.*}} [0, 0, 1, 1] : vector<2xi32>
tile.func @broadcasts(%x: f32, %y: i32) attributes {tile_gpu.num_warps = 4 : i32} {
  %r = tile.splat %x : f32 -> tensor<64xf32, #row1>
  %c = tile.splat %y : i32 -> tensor<8x1xi32, #col>
  %re = tile.expand_dims %r, 0 : tensor<64xf32, #row1> -> tensor<1x64xf32, #row>
  %0 = tile.broadcast %re : tensor<1x64xf32, #row> -> tensor<8x64xf32, #tile>
  %1 = tile.broadcast %c : tensor<8x1xi32, #col> -> tensor<8x64xi32, #tile>
  tile.return
}

// Registers keep their order when coordinates are renamed: nothing is left of a
// transposition and of a reshape.
#turned = #tile_gpu.layout<register = [[1, 0], [0, 4]], lane = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], warp = [[0, 1], [0, 2]]>
#flat = #tile_gpu.layout<register = [[1], [256]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]]>
// CHECK-LABEL: llvm.func @renamed
// CHECK: %[[T:.*]] = llvm.shufflevector %{{.*}} [0, 0, 0, 0] : vector<4xf32>
// CHECK-NEXT: arith.addf %[[T]], %[[T]] : vector<4xf32>
// CHECK-NEXT: arith.mulf %[[T]], %[[T]] : vector<4xf32>
// CHECK-NEXT: llvm.return
tile.func @renamed(%x: f32) attributes {tile_gpu.num_warps = 4 : i32} {
  %t = tile.splat %x : f32 -> tensor<8x64xf32, #tile>
  %u = tile.trans %t, [1, 0] : tensor<8x64xf32, #tile> -> tensor<64x8xf32, #turned>
  %v = tile.reshape %t : tensor<8x64xf32, #tile> -> tensor<512xf32, #flat>
  %0 = arith.addf %u, %u : tensor<64x8xf32, #turned>
  %1 = arith.mulf %v, %v : tensor<512xf32, #flat>
  tile.return
}

// A conversion inside a thread: register bits exchanged, then copies.
#swapped = #tile_gpu.layout<register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = []>
#copied = #tile_gpu.layout<register = [[1], [2], [0]], lane = [[4], [8], [16], [32], [64]], warp = []>
// CHECK-LABEL: llvm.func @conversions
// CHECK: %[[T:.*]] = llvm.shufflevector %{{.*}} [0, 0, 0, 0] : vector<4xf32>
// CHECK: llvm.shufflevector %[[T]], %{{.*}} [0, 2, 1, 3] : vector<4xf32>
// CHECK: llvm.shufflevector %[[T]], %{{.*}} [0, 1, 2, 3, 0, 1, 2, 3] : vector<4xf32>
tile.func @conversions(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %t = tile.splat %x : f32 -> tensor<128xf32, #four>
  %0 = tile_gpu.convert_layout %t : tensor<128xf32, #four> -> tensor<128xf32, #swapped>
  %1 = tile_gpu.convert_layout %t : tensor<128xf32, #four> -> tensor<128xf32, #copied>
  tile.return
}

// Registers 2 and 3 hold the elements from 64 on, registers 4 to 7 columns 2 and 3.
// CHECK-LABEL: llvm.func @parts
// CHECK: %[[WHOLE:.*]] = llvm.shufflevector {{.*}} : vector<4xf32>
// CHECK: llvm.shufflevector %[[WHOLE]], %{{.*}} [2, 3] : vector<4xf32>
#ends = #tile_gpu.layout<register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>
#half = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
tile.func @parts(%x: f32, %p: !tile.ptr<f32>) attributes {tile_gpu.num_warps = 1 : i32} {
  %t = tile.splat %x : f32 -> tensor<128xf32, #ends>
  %u = tile_gpu.extract_slice %t[64] : tensor<128xf32, #ends> -> tensor<64xf32, #half>
  %at = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #half>
  tile.store %at, %u : tensor<64x!tile.ptr<f32>, #half>
  tile.return
}
