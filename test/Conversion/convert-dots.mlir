// Matrix products: the text of the instruction, its operands, and their order.
// Layouts are those of tile-gpu-assign-layouts; splats take any.

// RUN: tile-opt %s --tile-gpu-assign-layouts --convert-tile-gpu-to-nvvm | FileCheck %s

// A lane's 8 elements of A are 4 registers, the 4 of B are 2, in the order in which
// the layout counts them; accumulators are single registers. The instruction has no
// effect but its result.
// CHECK-LABEL: llvm.func @f16
// CHECK: %[[A:.*]] = llvm.bitcast %{{.*}} : vector<8xf16> to vector<4xi32>
// CHECK-NEXT: %[[B:.*]] = llvm.bitcast %{{.*}} : vector<4xf16> to vector<2xi32>
// CHECK: %[[A0:.*]] = llvm.extractelement %[[A]]
// CHECK: %[[A1:.*]] = llvm.extractelement %[[A]]
// CHECK: %[[A2:.*]] = llvm.extractelement %[[A]]
// CHECK: %[[A3:.*]] = llvm.extractelement %[[A]]
// CHECK: %[[B0:.*]] = llvm.extractelement %[[B]]
// CHECK: %[[B1:.*]] = llvm.extractelement %[[B]]
// CHECK: %[[C0:.*]] = llvm.extractelement %{{.*}} : vector<4xf32>
// CHECK: %[[C1:.*]] = llvm.extractelement %{{.*}} : vector<4xf32>
// CHECK: %[[C2:.*]] = llvm.extractelement %{{.*}} : vector<4xf32>
// CHECK: %[[C3:.*]] = llvm.extractelement %{{.*}} : vector<4xf32>
// CHECK-NEXT: llvm.inline_asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f" %[[A0]], %[[A1]], %[[A2]], %[[A3]], %[[B0]], %[[B1]], %[[C0]], %[[C1]], %[[C2]], %[[C3]] :
// CHECK-NOT: llvm.inline_asm
tile.func @f16(%x: f16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x8xf16>
  %c = tile.splat %y : f32 -> tensor<16x8xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16>, tensor<16x8xf16> -> tensor<16x8xf32>
  tile.return
}

// Accumulators of f16: two to a register, put together and taken apart again.
// CHECK-LABEL: llvm.func @f16_sums
// CHECK: llvm.bitcast %{{.*}} : vector<4xf16> to vector<2xi32>
// CHECK: "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {$0, $1}, {$2, $3, $4, $5}, {$6, $7}, {$8, $9};", "=r,=r,r,r,r,r,r,r,r,r"
// CHECK: llvm.bitcast %{{.*}} : vector<2xi32> to vector<4xf16>
tile.func @f16_sums(%x: f16) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x8xf16>
  %d = tile.dot %a, %b, %b {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16>, tensor<16x8xf16> -> tensor<16x8xf16>
  tile.return
}

// CHECK-LABEL: llvm.func @bf16
// CHECK: "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
// CHECK: "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {$0, $1, $2, $3}, {$4, $5}, {$6}, {$7, $8, $9, $10};", "=f,=f,=f,=f,r,r,r,f,f,f,f"
tile.func @bf16(%x: bf16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : bf16 -> tensor<16x16xbf16>
  %b = tile.splat %x : bf16 -> tensor<16x8xbf16>
  %e = tile.splat %x : bf16 -> tensor<8x8xbf16>
  %c = tile.splat %y : f32 -> tensor<16x8xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xbf16>, tensor<16x8xbf16> -> tensor<16x8xf32>
  %f = tile.dot %b, %e, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 8>} : tensor<16x8xbf16>, tensor<8x8xbf16> -> tensor<16x8xf32>
  tile.return
}

// f32: each of 4 + 2 registers is rounded to tf32, to the nearest and ties away from
// zero, which is what the product then reads.
// CHECK-LABEL: llvm.func @tf32
// CHECK-COUNT-6: llvm.inline_asm "cvt.rna.tf32.f32 $0, $1;", "=r,f" %{{.*}} : (f32) -> i32
// CHECK-NOT: cvt.rna
// CHECK: "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
// CHECK-COUNT-3: cvt.rna.tf32.f32
// CHECK-NOT: cvt.rna
// CHECK: "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {$0, $1, $2, $3}, {$4, $5}, {$6}, {$7, $8, $9, $10};", "=f,=f,=f,=f,r,r,r,f,f,f,f"
tile.func @tf32(%x: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<16x8xf32>
  %b = tile.splat %x : f32 -> tensor<8x8xf32>
  %c = tile.splat %x : f32 -> tensor<16x8xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 8>} : tensor<16x8xf32>, tensor<8x8xf32> -> tensor<16x8xf32>
  %e = tile.splat %x : f32 -> tensor<16x4xf32>
  %f = tile.splat %x : f32 -> tensor<4x8xf32>
  %g = tile.dot %e, %f, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 4>} : tensor<16x4xf32>, tensor<4x8xf32> -> tensor<16x8xf32>
  tile.return
}

// CHECK-LABEL: llvm.func @f64
// CHECK: "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {$0, $1}, {$2}, {$3}, {$4, $5};", "=d,=d,d,d,d,d"
tile.func @f64(%x: f64) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f64 -> tensor<8x4xf64>
  %b = tile.splat %x : f64 -> tensor<4x8xf64>
  %c = tile.splat %x : f64 -> tensor<8x8xf64>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 8, 8, 4>} : tensor<8x4xf64>, tensor<4x8xf64> -> tensor<8x8xf64>
  tile.return
}

// Integers wrap: without .satfinite.
// CHECK-LABEL: llvm.func @i8
// CHECK: "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=r,=r,=r,=r,r,r,r,r,r,r,r,r,r,r"
// CHECK: "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {$0, $1, $2, $3}, {$4, $5}, {$6}, {$7, $8, $9, $10};", "=r,=r,=r,=r,r,r,r,r,r,r,r"
tile.func @i8(%x: i8, %y: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : i8 -> tensor<16x32xi8>
  %b = tile.splat %x : i8 -> tensor<32x8xi8>
  %c = tile.splat %y : i32 -> tensor<16x8xi32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 32>} : tensor<16x32xi8>, tensor<32x8xi8> -> tensor<16x8xi32>
  %e = tile.splat %x : i8 -> tensor<16x16xi8>
  %f = tile.splat %x : i8 -> tensor<16x8xi8>
  %g = tile.dot %e, %f, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xi8>, tensor<16x8xi8> -> tensor<16x8xi32>
  tile.return
}

// Each operand has its own format; the type of A comes first.
// CHECK-LABEL: llvm.func @float8
// CHECK: "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
// CHECK: mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32
// CHECK: mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32
tile.func @float8(%x: f8E4M3FN, %y: f8E5M2, %z: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f8E4M3FN -> tensor<16x32xf8E4M3FN>
  %b = tile.splat %x : f8E4M3FN -> tensor<32x8xf8E4M3FN>
  %e = tile.splat %y : f8E5M2 -> tensor<16x32xf8E5M2>
  %f = tile.splat %y : f8E5M2 -> tensor<32x8xf8E5M2>
  %c = tile.splat %z : f32 -> tensor<16x8xf32>
  %0 = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 32>} : tensor<16x32xf8E4M3FN>, tensor<32x8xf8E4M3FN> -> tensor<16x8xf32>
  %1 = tile.dot %a, %f, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 32>} : tensor<16x32xf8E4M3FN>, tensor<32x8xf8E5M2> -> tensor<16x8xf32>
  %2 = tile.dot %e, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 32>} : tensor<16x32xf8E5M2>, tensor<32x8xf8E4M3FN> -> tensor<16x8xf32>
  tile.return
}

// Two steps along each axis: eight instructions, k outermost. Of A, registers 8 to
// 15 belong to k = 16 and 16 on to the lower rows; of B, 4 to 7 to k = 16 and 8 on to
// the next columns. The last four begin with the sums of the first four.
// CHECK-LABEL: llvm.func @steps
// CHECK: llvm.shufflevector %[[A:.*]], %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<32xf16>
// CHECK: llvm.shufflevector %[[A]], %{{.*}} [16, 17, 18, 19, 20, 21, 22, 23] : vector<32xf16>
// CHECK: llvm.shufflevector %[[B:.*]], %{{.*}} [0, 1, 2, 3] : vector<16xf16>
// CHECK: llvm.shufflevector %[[B]], %{{.*}} [8, 9, 10, 11] : vector<16xf16>
// CHECK: %[[FIRST:.*]] = llvm.inline_asm "mma.sync{{.*}} -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT: %[[SUM:.*]] = llvm.extractvalue %[[FIRST]][0]
// CHECK: %[[V0:.*]] = llvm.insertelement %[[SUM]]
// CHECK-COUNT-3: mma.sync
// CHECK-NOT: mma.sync
// CHECK: llvm.shufflevector %[[A]], %{{.*}} [8, 9, 10, 11, 12, 13, 14, 15] : vector<32xf16>
// CHECK: llvm.shufflevector %[[A]], %{{.*}} [24, 25, 26, 27, 28, 29, 30, 31] : vector<32xf16>
// CHECK: llvm.shufflevector %[[B]], %{{.*}} [4, 5, 6, 7] : vector<16xf16>
// CHECK: llvm.shufflevector %[[B]], %{{.*}} [12, 13, 14, 15] : vector<16xf16>
// CHECK-COUNT-4: mma.sync
// CHECK-NOT: mma.sync
// CHECK: llvm.return
tile.func @steps(%x: f16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<32x32xf16>
  %b = tile.splat %x : f16 -> tensor<32x16xf16>
  %c = tile.splat %y : f32 -> tensor<32x16xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<32x32xf16>, tensor<32x16xf16> -> tensor<32x16xf32>
  tile.return
}

// A batch of two: the upper halves of the registers are the second matrices.
// CHECK-LABEL: llvm.func @batch
// CHECK: llvm.shufflevector %[[A:.*]], %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xf16>
// CHECK: llvm.shufflevector %[[B:.*]], %{{.*}} [0, 1, 2, 3] : vector<8xf16>
// CHECK: llvm.shufflevector %[[C:.*]], %{{.*}} [0, 1, 2, 3] : vector<8xf32>
// CHECK: mma.sync
// CHECK: llvm.shufflevector %[[A]], %{{.*}} [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xf16>
// CHECK: llvm.shufflevector %[[B]], %{{.*}} [4, 5, 6, 7] : vector<8xf16>
// CHECK: llvm.shufflevector %[[C]], %{{.*}} [4, 5, 6, 7] : vector<8xf32>
// CHECK: mma.sync
// CHECK-NOT: mma.sync
// CHECK: llvm.return
tile.func @batch(%x: f16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<2x16x16xf16>
  %b = tile.splat %x : f16 -> tensor<2x16x8xf16>
  %c = tile.splat %y : f32 -> tensor<2x16x8xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<2x16x16xf16>, tensor<2x16x8xf16> -> tensor<2x16x8xf32>
  tile.return
}

// Unchanged: without a product, no instruction.
// CHECK-LABEL: llvm.func @unchanged
// CHECK-NEXT: llvm.return
tile.func @unchanged() attributes {tile_gpu.num_warps = 1 : i32} {
  tile.return
}
