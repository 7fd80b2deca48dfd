// RUN: tile-opt %s --convert-tile-gpu-to-nvvm --verify-diagnostics

// Layouts that are not the instruction's: the pipeline makes none such, a source may.
#rows = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []>
tile.func @other_layouts(%x: f16, %y: f32) attributes {tile_gpu.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x16xf16, #rows>
  %c = tile.splat %y : f32 -> tensor<16x16xf32, #rows>
  // expected-error @below {{the layouts are not those of the instruction}}
  // expected-error @below {{failed to legalize operation 'tile.dot'}}
  %d = tile.dot %a, %a, %c {tile_gpu.instruction = #tile_gpu.instruction<mma_sync, 16, 8, 16>} : tensor<16x16xf16, #rows>, tensor<16x16xf16, #rows> -> tensor<16x16xf32, #rows>
  tile.return
}
