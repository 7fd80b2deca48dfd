// Accumulators alone may exceed the registers that the warps leave a thread: 255 for 4
// or 8 warps, 65536 / (16 * 32) = 128 for 16. Of a tile of M x N a thread of W warps has
// M N / (32 W). Half as many on twice the warps have room.

// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-gpu-choose-warps="num-warps=4"
// RUN: tile-opt %s --split-input-file --tile-gpu-choose-warps="num-warps=8" | FileCheck %s
// RUN: not tile-opt %s --split-input-file --tile-gpu-choose-warps="num-warps=2" 2>&1 | FileCheck %s --check-prefix=TWO

// 128 * 256 / 128 = 256.
#wgmma = #tile_gpu.instruction<wgmma, 64, 256, 16>
module attributes {tile_gpu.target = "sm_90a"} {
// CHECK-LABEL: tile.func @product
// CHECK-SAME: tile_gpu.num_warps = 8 : i32
tile.func @product(%x: f16) {
  %a = tile.splat %x : f16 -> tensor<128x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x256xf16>
  %c = arith.constant dense<0.0> : tensor<128x256xf32>
  // expected-error @below {{the accumulators of this product take 256 registers of a thread, but 4 warps leave 255; what may help: 8 warps, or a tile of 128x128}}
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #wgmma} : tensor<128x16xf16>, tensor<16x256xf16> -> tensor<128x256xf32>
  tile.return
}
}

// -----

// 16 warps would have 32 columns of 256 rows each, 128 accumulators of 128 registers.
#mma = #tile_gpu.instruction<mma_sync, 16, 8, 16>
module attributes {tile_gpu.target = "sm_80"} {
// CHECK-LABEL: tile.func @mma
// TWO: error: the accumulators of this product take 512 registers of a thread, but 2 warps leave 255; what may help: 8 warps, or a tile of 128x64
tile.func @mma(%x: f16, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = tile.splat %x : f16 -> tensor<256x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x128xf16>
  %c = arith.constant dense<0.0> : tensor<256x128xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<256x128xf32>) : i32 {
    // expected-error @below {{the accumulators of this product take 256 registers of a thread, but 4 warps leave 255; what may help: 8 warps, or a tile of 128x128}}
    %d = tile.dot %a, %b, %acc {tile_gpu.instruction = #mma} : tensor<256x16xf16>, tensor<16x128xf16> -> tensor<256x128xf32>
    scf.yield %d : tensor<256x128xf32>
  }
  tile.return
}
}

// -----

// Two products of 128 x 128 * 4 bytes are carried, one of them scaled first.
#wgmma = #tile_gpu.instruction<wgmma, 64, 128, 16>
module attributes {tile_gpu.target = "sm_90a"} {
// CHECK-LABEL: tile.func @two
tile.func @two(%x: f16, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = tile.splat %x : f16 -> tensor<128x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x128xf16>
  %c = arith.constant dense<0.0> : tensor<128x128xf32>
  // expected-error @below {{the accumulators of the products that this loop carries take 256 registers of a thread, but 4 warps leave 255; what may help: 8 warps, or smaller tiles}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%p = %c, %q = %c) -> (tensor<128x128xf32>, tensor<128x128xf32>) : i32 {
    %s = arith.addf %q, %q : tensor<128x128xf32>
    %d = tile.dot %a, %b, %p {tile_gpu.instruction = #wgmma} : tensor<128x16xf16>, tensor<16x128xf16> -> tensor<128x128xf32>
    %e = tile.dot %a, %b, %s {tile_gpu.instruction = #wgmma} : tensor<128x16xf16>, tensor<16x128xf16> -> tensor<128x128xf32>
    scf.yield %d, %e : tensor<128x128xf32>, tensor<128x128xf32>
  }
  tile.return
}
}

// -----

// Unchanged: one is carried, the other begins anew; what is computed without tensor
// cores; and what mma.sync computes outside of loops, parts of it at a time.
#mma = #tile_gpu.instruction<mma_sync, 16, 8, 16>
#wgmma = #tile_gpu.instruction<wgmma, 64, 128, 16>
module attributes {tile_gpu.target = "sm_90a"} {
// CHECK-LABEL: tile.func @one
tile.func @one(%x: f16, %y: f32, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = tile.splat %x : f16 -> tensor<128x16xf16>
  %b = tile.splat %x : f16 -> tensor<16x128xf16>
  %c = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%p = %c) -> (tensor<128x128xf32>) : i32 {
    %d = tile.dot %a, %b, %p {tile_gpu.instruction = #wgmma} : tensor<128x16xf16>, tensor<16x128xf16> -> tensor<128x128xf32>
    %e = tile.dot %a, %b, %c {tile_gpu.instruction = #wgmma} : tensor<128x16xf16>, tensor<16x128xf16> -> tensor<128x128xf32>
    %f = arith.addf %d, %e : tensor<128x128xf32>
    scf.yield %f : tensor<128x128xf32>
  }
  %u = tile.splat %y : f32 -> tensor<256x16xf32>
  %v = tile.splat %y : f32 -> tensor<16x256xf32>
  %w = arith.constant dense<0.0> : tensor<256x256xf32>
  %z = tile.dot %u, %v, %w : tensor<256x16xf32>, tensor<16x256xf32> -> tensor<256x256xf32>
  %s = tile.splat %x : f16 -> tensor<256x16xf16>
  %t = tile.splat %x : f16 -> tensor<16x256xf16>
  %q = tile.dot %s, %t, %w {tile_gpu.instruction = #mma} : tensor<256x16xf16>, tensor<16x256xf16> -> tensor<256x256xf32>
  tile.return
}
}
