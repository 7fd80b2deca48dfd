// RUN: tile-opt %s --convert-tile-gpu-to-nvvm | FileCheck %s

#vector = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>

// 4 registers: two halvings; 32 lanes: five butterflies, over lanes that differ
// by 1, 2, 4, 8 and 16. Every lane has the result.
// CHECK-LABEL: llvm.func @sum
// CHECK: %[[V:.*]] = llvm.shufflevector %{{.*}} [0, 0, 0, 0] : vector<4xf32>
// CHECK: %[[LO:.*]] = llvm.shufflevector %[[V]], %{{.*}} [0, 1] : vector<4xf32>
// CHECK: %[[HI:.*]] = llvm.shufflevector %[[V]], %{{.*}} [2, 3] : vector<4xf32>
// CHECK-NEXT: %[[H:.*]] = arith.addf %[[LO]], %[[HI]] : vector<2xf32>
// CHECK: %[[LO1:.*]] = llvm.shufflevector %[[H]], %{{.*}} [0] : vector<2xf32>
// CHECK: %[[HI1:.*]] = llvm.shufflevector %[[H]], %{{.*}} [1] : vector<2xf32>
// CHECK-NEXT: arith.addf %[[LO1]], %[[HI1]] : vector<1xf32>
// CHECK: %[[L1:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %[[L1]], %{{.*}} : i32 -> i32
// CHECK: arith.addf %{{.*}} : vector<1xf32>
// CHECK: %[[L2:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %[[L2]],
// CHECK: %[[L4:.*]] = llvm.mlir.constant(4 : i32)
// CHECK: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %[[L4]],
// CHECK: %[[L8:.*]] = llvm.mlir.constant(8 : i32)
// CHECK: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %[[L8]],
// CHECK: %[[L16:.*]] = llvm.mlir.constant(16 : i32)
// CHECK: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %[[L16]],
// CHECK: %[[R:.*]] = arith.addf %{{.*}} : vector<1xf32>
// CHECK: llvm.extractelement %[[R]]
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
tile.func @sum(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<128xf32, #vector>
  %s = tile.reduce %a axis 0 with arith.addf : (tensor<128xf32, #vector>) -> f32
  tile.return
}

// Columns are in register bit 0 and lane bit 0; rows stay in register bit 1, where
// two f16 share one word of the shuffle. Lane bit 4 holds copies: no step.
#tile = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [1, 0], [2, 0], [4, 0], [0, 0]], warp = []>
#rows = #tile_gpu.layout<register = [[8]], lane = [[0], [1], [2], [4], [0]], warp = []>
// CHECK-LABEL: llvm.func @rows
// CHECK: %[[V:.*]] = llvm.shufflevector %{{.*}} [0, 0, 0, 0] : vector<4xf16>
// CHECK: %[[LO:.*]] = llvm.shufflevector %[[V]], %{{.*}} [0, 2] : vector<4xf16>
// CHECK: %[[HI:.*]] = llvm.shufflevector %[[V]], %{{.*}} [1, 3] : vector<4xf16>
// CHECK-NEXT: %[[H:.*]] = arith.maximumf %[[LO]], %[[HI]] : vector<2xf16>
// CHECK: llvm.bitcast %[[H]] : vector<2xf16> to vector<1xi32>
// CHECK-COUNT-1: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK: arith.maximumf %[[H]], %{{.*}} : vector<2xf16>
// CHECK: llvm.return
tile.func @rows(%x: f16) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x4xf16, #tile>
  %s = tile.reduce %a axis 1 with arith.maximumf : (tensor<16x4xf16, #tile>) -> tensor<16xf16, #rows>
  tile.return
}

// Register copies are dropped, not combined: a sum would count them twice.
#register_copies = #tile_gpu.layout<register = [[0]], lane = [[1], [2], [4], [8], [16]], warp = []>
// CHECK-LABEL: llvm.func @register_copies
// CHECK: %[[V:.*]] = llvm.shufflevector %{{.*}} [0, 0] : vector<2xi32>
// CHECK: %[[LO:.*]] = llvm.shufflevector %[[V]], %{{.*}} [0] : vector<2xi32>
// CHECK-NOT: arith.addi
// CHECK: nvvm.shfl.sync bfly
tile.func @register_copies(%x: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : i32 -> tensor<32xi32, #register_copies>
  %s = tile.reduce %a axis 0 with arith.addi : (tensor<32xi32, #register_copies>) -> i32
  tile.return
}

// An i1 travels as a byte in a word; 16 bits are widened; 64 bits are two words.
#lanes = #tile_gpu.layout<register = [], lane = [[1], [2], [0], [0], [0]], warp = []>
// CHECK-LABEL: llvm.func @bools
// CHECK: llvm.zext %{{.*}} : vector<1xi1> to vector<1xi8>
// CHECK: llvm.zext %{{.*}} : i8 to i32
// CHECK: nvvm.shfl.sync bfly
// CHECK: llvm.trunc %{{.*}} : i32 to i8
// CHECK: llvm.icmp "ne" %{{.*}} : vector<1xi8>
// CHECK: arith.ori %{{.*}} : vector<1xi1>
// CHECK-COUNT-1: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
tile.func @bools(%x: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : i1 -> tensor<4xi1, #lanes>
  %s = tile.reduce %a axis 0 with arith.ori : (tensor<4xi1, #lanes>) -> i1
  tile.return
}

// CHECK-LABEL: llvm.func @halves
// CHECK: llvm.bitcast %{{.*}} : vector<1xf16> to vector<1xi16>
// CHECK: llvm.zext %{{.*}} : i16 to i32
// CHECK: nvvm.shfl.sync bfly
// CHECK: %[[N:.*]] = llvm.trunc %{{.*}} : i32 to i16
// CHECK: llvm.bitcast %[[N]] : i16 to vector<1xf16>
tile.func @halves(%x: f16) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<4xf16, #lanes>
  %s = tile.reduce %a axis 0 with arith.addf : (tensor<4xf16, #lanes>) -> f16
  tile.return
}

// CHECK-LABEL: llvm.func @wide
// CHECK: llvm.bitcast %{{.*}} : vector<1xf64> to vector<2xi32>
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK: llvm.bitcast %{{.*}} : vector<1xi64> to vector<2xi32>
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK: arith.maxui %{{.*}} : vector<1xi64>
tile.func @wide(%x: f64, %n: i64) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f64 -> tensor<4xf64, #lanes>
  %s = tile.reduce %a axis 0 with arith.mulf : (tensor<4xf64, #lanes>) -> f64
  %b = tile.splat %n : i64 -> tensor<4xi64, #lanes>
  %m = tile.reduce %b axis 0 with arith.maxui : (tensor<4xi64, #lanes>) -> i64
  tile.return
}

// Several sources go through one region; constants and values from outside it are
// splats.
// CHECK-LABEL: llvm.func @argmax
// CHECK-SAME: %{{.*}}: f32 {{.*}}, %{{.*}}: i32 {{.*}}, %[[BIAS:.*]]: i32 {
// CHECK-COUNT-2: nvvm.shfl.sync bfly
// CHECK: arith.cmpf ogt, %{{.*}} : vector<1xf32>
// CHECK: arith.constant dense<1> : vector<1xi32>
// CHECK: llvm.insertelement %[[BIAS]]
// CHECK: arith.select %{{.*}} : vector<1xi1>, vector<1xf32>
// CHECK: arith.select %{{.*}} : vector<1xi1>, vector<1xi32>
// CHECK-COUNT-2: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
tile.func @argmax(%x: f32, %i: i32, %bias: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<4xf32, #lanes>
  %b = tile.splat %i : i32 -> tensor<4xi32, #lanes>
  %m:2 = tile.reduce %a, %b axis 0 : (tensor<4xf32, #lanes>, tensor<4xi32, #lanes>) -> (f32, i32) {
  ^bb0(%c: f32, %ci: i32, %d: f32, %di: i32):
    %gt = arith.cmpf ogt, %c, %d : f32
    %one = arith.constant 1 : i32
    %next = arith.addi %di, %one : i32
    %biased = arith.addi %next, %bias : i32
    %v = arith.select %gt, %c, %d : f32
    %vi = arith.select %gt, %ci, %biased : i32
    tile.reduce.return %v, %vi : f32, i32
  }
  tile.return
}

// Pointers travel as addresses of 64 bits; a scalar result is a pointer again.
// CHECK-LABEL: llvm.func @pointers
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK: %[[A:.*]] = llvm.extractelement %{{.*}} : vector<1xi64>
// CHECK-NEXT: llvm.inttoptr %[[A]] : i64 to !llvm.ptr<1>
tile.func @pointers(%p: !tile.ptr<f32>, %c: i1) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %p : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>, #lanes>
  %r = tile.reduce %a axis 0 : (tensor<4x!tile.ptr<f32>, #lanes>) -> !tile.ptr<f32> {
  ^bb0(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>):
    %z = arith.select %c, %x, %y : !tile.ptr<f32>
    tile.reduce.return %z : !tile.ptr<f32>
  }
  tile.return
}
