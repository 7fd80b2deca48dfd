// Matrix products by multiplications and additions: for each k one operation on all
// accumulators of a thread. An operand holds its k in the lowest registers, so that
// element k of row or column r is register k + K * r.

// RUN: tile-opt %s --tile-gpu-assign-layouts --convert-tile-gpu-to-nvvm | FileCheck %s

// Four accumulators in a row: A has 2 registers, k = 0 and 1 of the one row, B has
// 2 * 4.
// CHECK-LABEL: llvm.func @f32
// CHECK: %[[A0:.*]] = llvm.shufflevector %[[A:.*]], %{{.*}} [0, 0, 0, 0] : vector<2xf32>
// CHECK: %[[B0:.*]] = llvm.shufflevector %[[B:.*]], %{{.*}} [0, 2, 4, 6] : vector<8xf32>
// CHECK-NEXT: %[[SUM:.*]] = llvm.intr.fma(%[[A0]], %[[B0]], %{{.*}}) : (vector<4xf32>
// CHECK: %[[A1:.*]] = llvm.shufflevector %[[A]], %{{.*}} [1, 1, 1, 1] : vector<2xf32>
// CHECK: %[[B1:.*]] = llvm.shufflevector %[[B]], %{{.*}} [1, 3, 5, 7] : vector<8xf32>
// CHECK-NEXT: llvm.intr.fma(%[[A1]], %[[B1]], %[[SUM]]) : (vector<4xf32>
// CHECK-NOT: llvm.intr.fma
// CHECK: llvm.return
tile.func @f32(%x: f32, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<8x2xf32>
  %b = tile.splat %x : f32 -> tensor<2x16xf32>
  %c = tile.splat %y : f32 -> tensor<8x16xf32>
  %d = tile.dot %a, %b, %c precision(ieee) {tile_gpu.instruction = #tile_gpu.instruction<fma, 1, 1, 1>} : tensor<8x2xf32>, tensor<2x16xf32> -> tensor<8x16xf32>
  tile.return
}

// Two rows and four columns: register bits 0 and 1 are columns, bit 2 is a row.
// CHECK-LABEL: llvm.func @rows
// CHECK: llvm.shufflevector %{{.*}} [0, 0, 0, 0, 1, 1, 1, 1] : vector<2xf32>
// CHECK: llvm.shufflevector %{{.*}} [0, 1, 2, 3, 0, 1, 2, 3] : vector<4xf32>
// CHECK: llvm.intr.fma
// CHECK-NOT: llvm.intr.fma
// CHECK: llvm.return
tile.func @rows(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<16x1xf32>
  %b = tile.splat %x : f32 -> tensor<1x16xf32>
  %c = tile.splat %x : f32 -> tensor<16x16xf32>
  %d = tile.dot %a, %b, %c precision(ieee) {tile_gpu.instruction = #tile_gpu.instruction<fma, 1, 1, 1>} : tensor<16x1xf32>, tensor<1x16xf32> -> tensor<16x16xf32>
  tile.return
}

// Products are made in the accumulators' type: exact for f16 and bf16 in f32.
// CHECK-LABEL: llvm.func @narrow
// CHECK: llvm.fpext %{{.*}} : vector<{{[0-9]+}}xf16> to vector<{{[0-9]+}}xf32>
// CHECK: llvm.fpext %{{.*}} : vector<{{[0-9]+}}xf16> to vector<{{[0-9]+}}xf32>
// CHECK-COUNT-4: llvm.intr.fma{{.*}}xf32>
// CHECK: llvm.fpext %{{.*}} : vector<{{[0-9]+}}xbf16> to vector<{{[0-9]+}}xf32>
// CHECK-COUNT-4: llvm.intr.fma{{.*}}xf32>
// CHECK: llvm.return
tile.func @narrow(%x: f16, %z: bf16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x4xf16>
  %b = tile.splat %x : f16 -> tensor<4x16xf16>
  %c = tile.splat %y : f32 -> tensor<16x16xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<fma, 1, 1, 1>} : tensor<16x4xf16>, tensor<4x16xf16> -> tensor<16x16xf32>
  %e = tile.splat %z : bf16 -> tensor<16x4xbf16>
  %f = tile.splat %z : bf16 -> tensor<4x16xbf16>
  %g = tile.dot %e, %f, %c {tile_gpu.instruction = #tile_gpu.instruction<fma, 1, 1, 1>} : tensor<16x4xbf16>, tensor<4x16xbf16> -> tensor<16x16xf32>
  tile.return
}

// Integers: signed, wrapping.
// CHECK-LABEL: llvm.func @i8
// CHECK: llvm.sext %{{.*}} : vector<{{[0-9]+}}xi8> to vector<{{[0-9]+}}xi32>
// CHECK: llvm.sext
// CHECK: %[[PRODUCT:.*]] = llvm.mul %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK-NEXT: llvm.add %{{.*}}, %[[PRODUCT]] : vector<4xi32>
// CHECK-NOT: overflow
// CHECK: llvm.return
tile.func @i8(%x: i8, %y: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : i8 -> tensor<8x2xi8>
  %b = tile.splat %x : i8 -> tensor<2x16xi8>
  %c = tile.splat %y : i32 -> tensor<8x16xi32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<fma, 1, 1, 1>} : tensor<8x2xi8>, tensor<2x16xi8> -> tensor<8x16xi32>
  tile.return
}

// A batch: the second product reads the upper registers.
// CHECK-LABEL: llvm.func @batch
// CHECK: llvm.shufflevector %{{.*}} [0, 0, 0, 0] : vector<2xf32>
// CHECK: llvm.shufflevector %{{.*}} [0, 1, 2, 3] : vector<8xf32>
// CHECK: llvm.intr.fma
// CHECK: llvm.shufflevector %{{.*}} [1, 1, 1, 1] : vector<2xf32>
// CHECK: llvm.shufflevector %{{.*}} [4, 5, 6, 7] : vector<8xf32>
// CHECK: llvm.intr.fma
// CHECK-NOT: llvm.intr.fma
// CHECK: llvm.return
tile.func @batch(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<2x8x1xf32>
  %b = tile.splat %x : f32 -> tensor<2x1x16xf32>
  %c = tile.splat %x : f32 -> tensor<2x8x16xf32>
  %d = tile.dot %a, %b, %c precision(ieee) {tile_gpu.instruction = #tile_gpu.instruction<fma, 1, 1, 1>} : tensor<2x8x1xf32>, tensor<2x1x16xf32> -> tensor<2x8x16xf32>
  tile.return
}

// Unchanged: an elementwise product is no matrix product.
// CHECK-LABEL: llvm.func @unchanged
// CHECK-NOT: llvm.intr.fma
// CHECK: llvm.return
tile.func @unchanged(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<8x16xf32>
  %b = arith.mulf %a, %a : tensor<8x16xf32>
  tile.return
}
