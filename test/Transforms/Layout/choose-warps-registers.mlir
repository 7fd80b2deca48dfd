// Products that cannot be compiled within a limit of registers. A wgmma of 64 columns
// takes 64 / 2 + 26 = 58, one of 128 takes 90; an mma.sync of 16 x 8 x 16 takes 28, one of
// 8 x 8 x 4 with f64 takes 26. So many accumulators of a thread exceed it as well.

// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-gpu-choose-warps="num-warps=4 max-registers=57"
// RUN: tile-opt %s --split-input-file --tile-gpu-choose-warps="num-warps=4 max-registers=90" | FileCheck %s
// RUN: tile-opt %s --split-input-file --tile-gpu-choose-warps="num-warps=4 min-ctas=5" | FileCheck %s
// RUN: not tile-opt %s --split-input-file --tile-gpu-choose-warps="num-warps=4 min-ctas=6" 2>&1 | FileCheck %s --check-prefix=CTAS --implicit-check-not="error: wgmma"
// RUN: not tile-opt %s --split-input-file --tile-gpu-choose-warps="num-warps=4 min-ctas=6 max-registers=80" 2>&1 | FileCheck %s --check-prefix=BOTH --implicit-check-not="error: wgmma"
// RUN: not tile-opt %s --split-input-file --tile-gpu-choose-warps="num-warps=4 max-registers=25" 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not tile-opt %s --split-input-file --tile-gpu-choose-warps="max-registers=-1" 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not tile-opt %s --split-input-file --tile-gpu-choose-warps="min-ctas=0" 2>&1 | FileCheck %s --check-prefix=RANGE

// 65536 / (6 * 128) = 85, in steps of 8.
// CTAS: error: wgmma of 128 columns takes 90 registers of a thread at once, 64 of them accumulators, but 6 programs of 4 warps on a multiprocessor (--min-ctas) leave 80; what may help: --min-ctas=5 or less, or a tile of at most 64 columns
// BOTH: error: wgmma of 128 columns {{.*}} but the limit (--maxnreg) is 80; what may help: a tile of at most 64 columns
// RANGE: error: max-registers is 0 or more, and min-ctas 1 or more

#wgmma64 = #tile_gpu.instruction<wgmma, 64, 64, 16>
module attributes {tile_gpu.target = "sm_90a"} {
// CHECK-LABEL: tile.func @narrow
// CHECK-SAME: tile_gpu.num_warps = 4 : i32
tile.func @narrow(%x: f16, %y: f32) {
  %a = tile.splat %x : f16 -> tensor<64x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x64xf16>
  %c = tile.splat %y : f32 -> tensor<64x64xf32>
  // expected-error @below {{wgmma of 64 columns takes 58 registers of a thread at once, 32 of them accumulators, but the limit (--maxnreg) is 57; what may help: --maxnreg=58 or more, or a tile of at most 32 columns}}
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #wgmma64} : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
  tile.return
}
}

// -----

#wgmma128 = #tile_gpu.instruction<wgmma, 64, 128, 16>
module attributes {tile_gpu.target = "sm_90a"} {
// CHECK-LABEL: tile.func @wide
// CHECK-SAME: tile_gpu.num_warps = 4 : i32
tile.func @wide(%x: f16, %y: f32) {
  %a = tile.splat %x : f16 -> tensor<64x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x128xf16>
  %c = tile.splat %y : f32 -> tensor<64x128xf32>
  // expected-error @below {{takes 90 registers}}
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #wgmma128} : tensor<64x16xf16>, tensor<16x128xf16> -> tensor<64x128xf32>
  tile.return
}
}

// -----

// 64 * 128 / 128 = 64; 58 have room for half as many, and 26.
#mma = #tile_gpu.instruction<mma_sync, 16, 8, 16>
module attributes {tile_gpu.target = "sm_90a"} {
// CHECK-LABEL: tile.func @spillable
// CHECK: tile.dot
tile.func @spillable(%x: f16, %y: f32, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = tile.splat %x : f16 -> tensor<64x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x128xf16>
  %c = tile.splat %y : f32 -> tensor<64x128xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<64x128xf32>) : i32 {
    // expected-error @below {{the accumulators of this product take 64 registers of a thread, but the limit (--maxnreg) is 57; what may help: --maxnreg=90 or more, or 16 warps, or a tile of 64x32}}
    %d = tile.dot %a, %b, %acc {tile_gpu.instruction = #mma} : tensor<64x16xf16>, tensor<16x128xf16> -> tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  tile.return
}
}

// -----

// Unchanged: outside of loops ptxas puts off some instructions of the same product
// until others have been stored.
#mma = #tile_gpu.instruction<mma_sync, 16, 8, 16>
module attributes {tile_gpu.target = "sm_90a"} {
// CHECK-LABEL: tile.func @piecewise
// CHECK: tile.dot
tile.func @piecewise(%x: f16, %y: f32) {
  %a = tile.splat %x : f16 -> tensor<64x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x128xf16>
  %c = tile.splat %y : f32 -> tensor<64x128xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #mma} : tensor<64x16xf16>, tensor<16x128xf16> -> tensor<64x128xf32>
  tile.return
}
}

// -----

// Unchanged: what has room for its accumulators, and spills others.
#mma = #tile_gpu.instruction<mma_sync, 16, 8, 16>
module attributes {tile_gpu.target = "sm_90a"} {
// CHECK-LABEL: tile.func @small
// CHECK: tile.dot
// LIMIT: error: mma.sync of 16x8x16 takes 28 registers of a thread at once, but the limit (--maxnreg) is 25; what may help: --maxnreg=42 or more
tile.func @small(%x: f16, %y: f32) {
  %a = tile.splat %x : f16 -> tensor<32x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x64xf16>
  %c = tile.splat %y : f32 -> tensor<32x64xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #mma} : tensor<32x16xf16>, tensor<16x64xf16> -> tensor<32x64xf32>
  tile.return
}
}

// -----

#mma = #tile_gpu.instruction<mma_sync, 8, 8, 4>
module attributes {tile_gpu.target = "sm_90a"} {
// CHECK-LABEL: tile.func @double
// CHECK: tile.dot
// LIMIT: error: mma.sync of 8x8x4 takes 26 registers of a thread at once, but the limit (--maxnreg) is 25; what may help: --maxnreg=34 or more
tile.func @double(%x: f64) {
  %a = tile.splat %x : f64 -> tensor<32x16xf64>
  %b = tile.splat %x : f64 -> tensor<16x16xf64>
  %c = tile.splat %x : f64 -> tensor<32x16xf64>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #mma} : tensor<32x16xf64>, tensor<16x16xf64> -> tensor<32x16xf64>
  tile.return
}
}

// -----

// 16 x 8 x 8 takes 25.
#mma = #tile_gpu.instruction<mma_sync, 16, 8, 8>
module attributes {tile_gpu.target = "sm_90a"} {
// CHECK-LABEL: tile.func @shallow
// LIMIT-NOT: error: mma
tile.func @shallow(%x: f16, %y: f32) {
  %a = tile.splat %x : f16 -> tensor<32x8xf16>
  %b = tile.splat %x : f16 -> tensor<8x16xf16>
  %c = tile.splat %y : f32 -> tensor<32x16xf32>
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #mma} : tensor<32x8xf16>, tensor<8x16xf16> -> tensor<32x16xf32>
  tile.return
}
}
