// The layouts of matrix products, written down from the tables of the PTX ISA,
// "Matrix Fragments for mma.m16n8k16", ".m16n8k8", and so on. With
// g = lane >> 2 and t = lane % 4, element i of a lane is, for 16 bits and K = 16:
//
//     A  row g + 8 * (i / 2 % 2)    column 2 t + i % 2 + 8 * (i / 4)
//     B  row 2 t + i % 2 + 8 * (i / 2)    column g
//     C  row g + 8 * (i / 2)    column 2 t + i % 2
//
// so that lane bits 0 and 1 are 2 and 4 of the columns of A, bits 2, 3 and 4 are 1,
// 2 and 4 of its rows, and register bits 0, 1, 2 are column 1, row 8 and column 8.
// Splats take any layout: what is checked is what the product demands.

// RUN: tile-opt %s --tile-gpu-assign-layouts | %inline-layouts | FileCheck %s
// RUN: tile-opt %s --tile-gpu-assign-layouts --remark-format=emitRemark --remarks-filter='tile-gpu-assign-layouts' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Nothing has to be converted.
// REMARK: Function=k16 | Classes=1, Conversions=0, ConvertedBytes=0
// CHECK-LABEL: tile.func @k16
// CHECK: tile.dot
// CHECK-SAME: tensor<16x16xf16, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0], [0, 8]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>,
// CHECK-SAME: tensor<16x8xf16, #tile_gpu.layout<register = {{.}}[1, 0], [8, 0]], lane = {{.}}[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
// CHECK-SAME: -> tensor<16x8xf32, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
tile.func @k16(%x: f16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x8xf16>
  %c = tile.splat %y : f32 -> tensor<16x8xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16>, tensor<16x8xf16> -> tensor<16x8xf32>
  tile.return
}

// Accumulators of 16 bits: two to a register, in the same places.
// CHECK-LABEL: tile.func @k16_f16
// CHECK: tile.dot
// CHECK-SAME: tensor<16x16xf16, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0], [0, 8]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>,
// CHECK-SAME: tensor<16x8xf16, #tile_gpu.layout<register = {{.}}[1, 0], [8, 0]], lane = {{.}}[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
// CHECK-SAME: -> tensor<16x8xf16, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
tile.func @k16_f16(%x: f16, %y: f16) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x8xf16>
  %c = tile.splat %y : f16 -> tensor<16x8xf16>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16>, tensor<16x8xf16> -> tensor<16x8xf16>
  tile.return
}

// K = 8: no second half of columns of A and rows of B.
// CHECK-LABEL: tile.func @k8
// CHECK: tile.dot
// CHECK-SAME: tensor<16x8xbf16, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>,
// CHECK-SAME: tensor<8x8xbf16, #tile_gpu.layout<register = {{.}}[1, 0]], lane = {{.}}[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
// CHECK-SAME: -> tensor<16x8xf32, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
tile.func @k8(%x: bf16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : bf16 -> tensor<16x8xbf16>
  %b = tile.splat %x : bf16 -> tensor<8x8xbf16>
  %c = tile.splat %y : f32 -> tensor<16x8xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 8>} : tensor<16x8xbf16>, tensor<8x8xbf16> -> tensor<16x8xf32>
  tile.return
}

// 32 bits: one element a register. A: row g + 8 (i % 2), column t + 4 (i / 2);
// B: row t + 4 i, column g.
// CHECK-LABEL: tile.func @tf32
// CHECK: tile.dot
// CHECK-SAME: tensor<16x8xf32, #tile_gpu.layout<register = {{.}}[8, 0], [0, 4]], lane = {{.}}[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []>>,
// CHECK-SAME: tensor<8x8xf32, #tile_gpu.layout<register = {{.}}[4, 0]], lane = {{.}}[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
// CHECK-SAME: -> tensor<16x8xf32, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
tile.func @tf32(%x: f32, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<16x8xf32>
  %b = tile.splat %x : f32 -> tensor<8x8xf32>
  %c = tile.splat %y : f32 -> tensor<16x8xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 8>} : tensor<16x8xf32>, tensor<8x8xf32> -> tensor<16x8xf32>
  tile.return
}

// CHECK-LABEL: tile.func @tf32_k4
// CHECK: tile.dot
// CHECK-SAME: tensor<16x4xf32, #tile_gpu.layout<register = {{.}}[8, 0]], lane = {{.}}[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []>>,
// CHECK-SAME: tensor<4x8xf32, #tile_gpu.layout<register = [], lane = {{.}}[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
// CHECK-SAME: -> tensor<16x8xf32, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
tile.func @tf32_k4(%x: f32, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<16x4xf32>
  %b = tile.splat %x : f32 -> tensor<4x8xf32>
  %c = tile.splat %y : f32 -> tensor<16x8xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 4>} : tensor<16x4xf32>, tensor<4x8xf32> -> tensor<16x8xf32>
  tile.return
}

// 64 bits, 8 x 8 x 4: A is row g, column t; B is row t, column g; C is row g, column
// 2 t + i.
// CHECK-LABEL: tile.func @f64
// CHECK: tile.dot
// CHECK-SAME: tensor<8x4xf64, #tile_gpu.layout<register = [], lane = {{.}}[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []>>,
// CHECK-SAME: tensor<4x8xf64, #tile_gpu.layout<register = [], lane = {{.}}[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
// CHECK-SAME: -> tensor<8x8xf64, #tile_gpu.layout<register = {{.}}[0, 1]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
tile.func @f64(%x: f64, %y: f64) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f64 -> tensor<8x4xf64>
  %b = tile.splat %x : f64 -> tensor<4x8xf64>
  %c = tile.splat %y : f64 -> tensor<8x8xf64>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 8, 8, 4>} : tensor<8x4xf64>, tensor<4x8xf64> -> tensor<8x8xf64>
  tile.return
}

// 8 bits: four elements a register. A: row g + 8 (i / 4 % 2), column
// 4 t + i % 4 + 16 (i / 8); B: row 4 t + i % 4 + 16 (i / 4), column g.
// CHECK-LABEL: tile.func @i8
// CHECK: tile.dot
// CHECK-SAME: tensor<16x32xi8, #tile_gpu.layout<register = {{.}}[0, 1], [0, 2], [8, 0], [0, 16]], lane = {{.}}[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>>,
// CHECK-SAME: tensor<32x8xi8, #tile_gpu.layout<register = {{.}}[1, 0], [2, 0], [16, 0]], lane = {{.}}[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
// CHECK-SAME: -> tensor<16x8xi32, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
tile.func @i8(%x: i8, %y: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : i8 -> tensor<16x32xi8>
  %b = tile.splat %x : i8 -> tensor<32x8xi8>
  %c = tile.splat %y : i32 -> tensor<16x8xi32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 32>} : tensor<16x32xi8>, tensor<32x8xi8> -> tensor<16x8xi32>
  tile.return
}

// CHECK-LABEL: tile.func @i8_k16
// CHECK: tile.dot
// CHECK-SAME: tensor<16x16xi8, #tile_gpu.layout<register = {{.}}[0, 1], [0, 2], [8, 0]], lane = {{.}}[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>>,
// CHECK-SAME: tensor<16x8xi8, #tile_gpu.layout<register = {{.}}[1, 0], [2, 0]], lane = {{.}}[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
// CHECK-SAME: -> tensor<16x8xi32, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
tile.func @i8_k16(%x: i8, %y: i32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : i8 -> tensor<16x16xi8>
  %b = tile.splat %x : i8 -> tensor<16x8xi8>
  %c = tile.splat %y : i32 -> tensor<16x8xi32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xi8>, tensor<16x8xi8> -> tensor<16x8xi32>
  tile.return
}

// CHECK-LABEL: tile.func @float8
// CHECK: tile.dot
// CHECK-SAME: tensor<16x32xf8E4M3FN, #tile_gpu.layout<register = {{.}}[0, 1], [0, 2], [8, 0], [0, 16]], lane = {{.}}[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>>,
// CHECK-SAME: tensor<32x8xf8E4M3FN, #tile_gpu.layout<register = {{.}}[1, 0], [2, 0], [16, 0]], lane = {{.}}[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
// CHECK-SAME: -> tensor<16x8xf32, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
tile.func @float8(%x: f8E4M3FN, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f8E4M3FN -> tensor<16x32xf8E4M3FN>
  %b = tile.splat %x : f8E4M3FN -> tensor<32x8xf8E4M3FN>
  %c = tile.splat %y : f32 -> tensor<16x8xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 32>} : tensor<16x32xf8E4M3FN>, tensor<32x8xf8E4M3FN> -> tensor<16x8xf32>
  tile.return
}

// Several instructions in one warp. Of A and B the steps along K come first, of C
// those along N: rows 16 and 32, columns 8 and 16.
// CHECK-LABEL: tile.func @boxes
// CHECK: tile.dot
// CHECK-SAME: tensor<64x32xf16, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0], [0, 8], [0, 16], [16, 0], [32, 0]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>,
// CHECK-SAME: tensor<32x32xf16, #tile_gpu.layout<register = {{.}}[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = {{.}}[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>>
// CHECK-SAME: -> tensor<64x32xf32, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0], [0, 8], [0, 16], [16, 0], [32, 0]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>>
tile.func @boxes(%x: f16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<64x32xf16>
  %b = tile.splat %x : f16 -> tensor<32x32xf16>
  %c = tile.splat %y : f32 -> tensor<64x32xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
  tile.return
}

// Four warps of a 32 x 16 tile. 4 x 1 of them would read 16 rows of A and 16 columns
// of B each, 2 x 2 read 16 and 8, 1 x 4 read 32 and 8: two along each axis. A is the
// same for warps along N, B for those along M.
// CHECK-LABEL: tile.func @warps
// CHECK: tile.dot
// CHECK-SAME: tensor<32x16xf16, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0], [0, 8]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{.}}[16, 0], [0, 0]]>>,
// CHECK-SAME: tensor<16x16xf16, #tile_gpu.layout<register = {{.}}[1, 0], [8, 0]], lane = {{.}}[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = {{.}}[0, 0], [0, 8]]>>
// CHECK-SAME: -> tensor<32x16xf32, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{.}}[16, 0], [0, 8]]>>
tile.func @warps(%x: f16, %y: f32) attributes {tile_gpu.num_warps = 4 : i32} {
  %a = tile.splat %x : f16 -> tensor<32x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x16xf16>
  %c = tile.splat %y : f32 -> tensor<32x16xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
  tile.return
}

// More warps than instructions: the second warp holds copies.
// CHECK-LABEL: tile.func @copies
// CHECK: tile.dot
// CHECK-SAME: tensor<16x16xf16, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0], [0, 8]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{.}}[0, 0]]>>,
// CHECK-SAME: tensor<16x8xf16, #tile_gpu.layout<register = {{.}}[1, 0], [8, 0]], lane = {{.}}[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = {{.}}[0, 0]]>>
// CHECK-SAME: -> tensor<16x8xf32, #tile_gpu.layout<register = {{.}}[0, 1], [8, 0]], lane = {{.}}[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{.}}[0, 0]]>>
tile.func @copies(%x: f16, %y: f32) attributes {tile_gpu.num_warps = 2 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x8xf16>
  %c = tile.splat %y : f32 -> tensor<16x8xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16>, tensor<16x8xf16> -> tensor<16x8xf32>
  tile.return
}

// A batch is the highest register bit: each thread holds its part of each matrix.
// CHECK-LABEL: tile.func @batch
// CHECK: tile.dot
// CHECK-SAME: tensor<2x16x16xf16, #tile_gpu.layout<register = {{.}}[0, 0, 1], [0, 8, 0], [0, 0, 8], [1, 0, 0]], lane = {{.}}[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = []>>,
// CHECK-SAME: tensor<2x16x8xf16, #tile_gpu.layout<register = {{.}}[0, 1, 0], [0, 8, 0], [1, 0, 0]], lane = {{.}}[0, 2, 0], [0, 4, 0], [0, 0, 1], [0, 0, 2], [0, 0, 4]], warp = []>>
// CHECK-SAME: -> tensor<2x16x8xf32, #tile_gpu.layout<register = {{.}}[0, 0, 1], [0, 8, 0], [1, 0, 0]], lane = {{.}}[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = []>>
tile.func @batch(%x: f16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<2x16x16xf16>
  %b = tile.splat %x : f16 -> tensor<2x16x8xf16>
  %c = tile.splat %y : f32 -> tensor<2x16x8xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<2x16x16xf16>, tensor<2x16x8xf16> -> tensor<2x16x8xf32>
  tile.return
}

// Without tensor cores: accumulators as a store likes them, four neighbours a thread;
// of A the thread's rows, of B its columns, and all of k in the lowest registers.
// CHECK-LABEL: tile.func @fma
// CHECK: tile.dot
// CHECK-SAME: tensor<8x2xf32, #tile_gpu.layout<register = {{.}}[0, 1]], lane = {{.}}[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = []>>,
// CHECK-SAME: tensor<2x16xf32, #tile_gpu.layout<register = {{.}}[1, 0], [0, 1], [0, 2]], lane = {{.}}[0, 4], [0, 8], [0, 0], [0, 0], [0, 0]], warp = []>>
// CHECK-SAME: -> tensor<8x16xf32, #tile_gpu.layout<register = {{.}}[0, 1], [0, 2]], lane = {{.}}[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>>
tile.func @fma(%x: f32, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<8x2xf32>
  %b = tile.splat %x : f32 -> tensor<2x16xf32>
  %c = tile.splat %y : f32 -> tensor<8x16xf32>
  %d = tile.dot %a, %b, %c precision(ieee) {tile_gpu.instruction = #tile_gpu.instruction<fma, 1, 1, 1>} : tensor<8x2xf32>, tensor<2x16xf32> -> tensor<8x16xf32>
  tile.return
}
