// RUN: tile-opt %s --split-input-file --tile-gpu-assign-layouts --verify-diagnostics

// tile-gpu-select does not choose these; a source may.
tile.func @too_small(%x: f16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x8xf16>
  %b = tile.splat %x : f16 -> tensor<8x8xf16>
  %c = tile.splat %y : f32 -> tensor<16x8xf32>
  // expected-error @below {{the instruction #tile_gpu.instruction<mma_sync, 16, 8, 16> does not fit the shape of the dot}}
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x8xf16>, tensor<8x8xf16> -> tensor<16x8xf32>
  tile.return
}

// -----

tile.func @no_such_instruction(%x: f16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<32x32xf16>
  %c = tile.splat %y : f32 -> tensor<32x32xf32>
  // expected-error @below {{the instruction #tile_gpu.instruction<mma_sync, 16, 8, 4> does not fit the shape of the dot}}
  %d = tile.dot %a, %a, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 4>} : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.return
}
